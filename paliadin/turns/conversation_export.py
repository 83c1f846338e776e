"""A whole conversation as a file to keep: as JSON, or as Markdown to be read."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from paliadin.turns.history import History
from paliadin.turns.history_items import split_answer
from paliadin.words.tool_names import tool_name

Item = Mapping[str, Any]
PAGE = 100  # turns that are read at once
_KEPT = (
    "turn_id",
    "origin",
    "started_at",
    "finished_at",
    "user_message",
    "attachments",
    "response",
    "joined",
    "model",
    "usage",
    "duration_ms",
    "error_code",
    "feedback",
    "feedback_word",
)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)


async def turns_of(history: History, session: str) -> list[Item]:
    """Return all turns that the conversation shows, oldest first."""
    pages = [page async for page in _pages(history, session)]
    return [item for page in reversed(pages) for item in page]


async def _pages(history: History, session: str) -> AsyncIterator[Sequence[Item]]:
    """The pages of turns, the newest page first."""
    before: str | None = None
    while True:
        page = json.loads(await history.page(session, before, PAGE))
        yield page["turns"]
        if not page["has_more"]:
            return
        before = page["turns"][0]["turn_id"]


def as_json(title: str, turns: Sequence[Item]) -> str:
    """Build the JSON document: {"title", "turns": [...]}, with what docs/http.md calls a turn, without its events."""
    kept = [
        {name: turn.get(name) for name in _KEPT}
        | {"tools": _tools(turn), "pictures": _count_pictures(turn), "unconfirmed_chars": _count_unconfirmed(turn)}
        for turn in turns
    ]
    return json.dumps({"title": title, "turns": kept}, ensure_ascii=False, indent=2) + "\n"


def as_markdown(title: str, turns: Sequence[Item]) -> str:
    """Build the Markdown document: each question as a quotation, each answer as it is."""
    lines = [f"# {_one_line(title) or 'Conversation'}", ""]
    for turn in turns:
        lines += [f"## {_one_line(str(turn.get('started_at') or ''))[:16].replace('T', ' ')}", ""]
        lines += [*_quoted(str(turn.get("user_message") or "")), ""]
        attached = [_one_line(str(each.get("name"))) for each in turn.get("attachments") or ()]
        lines += [*(f"- Attached: {name}" for name in attached), ""] if attached else []
        tools = dict.fromkeys(map(tool_name, _tools(turn)))
        lines += [f"*Tools: {', '.join(tools)}*", ""] if tools else []
        if count := _count_pictures(turn):
            lines += [f"*{count} {'picture' if count == 1 else 'pictures'} of tools, not in this file*", ""]
        for part, words in split_answer(str(turn.get("response") or ""), _joined(turn)):
            lines += [_closed(part.strip()), ""] if part.strip() else []
            lines += ["*Typed in the terminal meanwhile:*", "", *_quoted(words), ""] if words is not None else []
        if count := _count_unconfirmed(turn):
            lines += [f"*The last {count:,} characters were shown before it was stopped, and are not confirmed*", ""]
        lines += [f"*{turn['error_code']}*", ""] if turn.get("error_code") else []
    return "\n".join(lines).rstrip() + "\n"


def file_name(title: str, suffix: str) -> str:
    """Return a name for the file that any system takes."""
    name = _one_line(re.sub(r"[^\w -]+", "", title))[:60].strip() or "conversation"
    return f"{name}.{suffix}"


def _tools(turn: Item) -> list[str]:
    calls = [event["data"]["name"] for event in turn.get("events") or () if event.get("event") == "tool_call"]
    return list(dict.fromkeys(map(str, calls)))


def _count_pictures(turn: Item) -> int:
    """The pictures that the turn's tools have returned."""
    results = [event["data"] for event in turn.get("events") or () if event.get("event") == "tool_result"]
    return sum(len(result.get("pictures") or ()) for result in results)


def _count_unconfirmed(turn: Item) -> int:
    """The characters at the answer's end that were shown before a Stop, and that Claude Code never reported."""
    ends = [event["data"] for event in turn.get("events") or () if event.get("event") == "unconfirmed"]
    return sum(int(end.get("length") or 0) for end in ends)


def _joined(turn: Item) -> list[tuple[str, int]]:
    """The words that joined the turn, each with the number of characters of the answer before them."""
    return [(str(each["text"]), int(each["at"])) for each in turn.get("joined") or ()]


def _quoted(text: str) -> list[str]:
    return [f"> {line}".rstrip() for line in text.split("\n")]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _closed(answer: str) -> str:
    """The answer, with a block of code closed that was left open: else it would swallow what follows."""
    open_fence = ""
    for match in _FENCE.finditer(answer):
        if not open_fence:
            open_fence = match[1]
        elif match[1].startswith(open_fence):
            open_fence = ""
    return f"{answer}\n{open_fence}" if open_fence else answer
