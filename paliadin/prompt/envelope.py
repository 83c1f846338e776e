r"""The prompt that is typed into Claude Code: the user's message in an envelope with the turn's id and page context.

    [PALIADIN:<turn_id>] [ctx route=<name> entity=<type>:<id> view=<mode> filter="…" selection="…"] <message>

Attached files stand before the message: `[files @"/a/plan.png"; to be opened with Read: "/b/report.pdf"]`. Claude Code
puts the content of those behind `@` into the request.

A ctx value is quoted unless it is plain (letters, digits and `._:/-`). Inside quotes a backslash escapes `"`, `\` and
`@` (Claude Code attaches a file for an `@` after a space), and a newline is written as `\n`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from paliadin.prompt.context import Context

_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_PLAIN = re.compile(r"[\w.:/-]+")
_HEAD = re.compile(rf"\[PALIADIN:({_UUID})\] ?")
_CTX = re.compile(r'\[ctx((?: \w++=(?:"(?:\\.|[^"\\])*+"|[\w.:/-]++))*+)\] ?', re.DOTALL)
_FILES = re.compile(r'\[files (?:[^"\]]|"[^"]*+")*+\] ?')
_CTX_LIKE = re.compile(r"\s*\[\s*ctx", re.IGNORECASE)
_FILES_LIKE = re.compile(r"\s*\[\s*files", re.IGNORECASE)
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "@": r"\@", "\n": r"\n"})


@dataclass(frozen=True, slots=True)
class PromptFile:
    """A file that goes with a question. `embedded`: Claude Code puts its content into the request."""

    path: Path
    embedded: bool


@dataclass(frozen=True)
class Envelope:
    """The parts of a prompt. `ctx` is the text between `[ctx ` and its `]`, as written; None without such a block."""

    turn_id: str
    ctx: str | None
    message: str


def build_prompt(turn_id: str, message: str, context: Context, files: Sequence[PromptFile] = ()) -> str:
    """Build the prompt of a turn. `message` must have passed `check_message`; no path may hold `"`."""
    ctx_block, files_block = _ctx_block(context), _files_block(files)
    # Without a block of our own, a message that begins like one would be parsed as one: an empty one goes before it.
    if not files_block and _FILES_LIKE.match(message):
        files_block = "[files ] "
    elif not (ctx_block or files_block) and _CTX_LIKE.match(message):
        ctx_block = "[ctx] "
    return f"[PALIADIN:{turn_id}] {ctx_block}{files_block}{message}"


def parse_envelope(prompt: str) -> Envelope | None:
    """Take a prompt apart; None when it does not begin with an envelope. A second envelope is part of the message."""
    head = _HEAD.match(prompt)
    if head is None:
        return None
    ctx = _CTX.match(prompt, head.end())
    files = _FILES.match(prompt, (ctx or head).end())
    message = prompt[(files or ctx or head).end() :]
    return Envelope(head[1].lower(), ctx[1].removeprefix(" ") if ctx else None, message)


def _files_block(files: Sequence[PromptFile]) -> str:
    if not files:
        return ""
    embedded = " ".join(f'@"{file.path}"' for file in files if file.embedded)
    others = " ".join(f'"{file.path}"' for file in files if not file.embedded)
    return f"[files {'; '.join(filter(None, (embedded, others and f'to be opened with Read: {others}')))}] "


def _ctx_block(context: Context) -> str:
    entity = context.primary_entity_type or ""
    if context.primary_entity_id:
        entity += f":{context.primary_entity_id}"
    values = {
        "route": context.route_name,
        "entity": entity,
        "view": context.view_mode,
        "filter": context.filter_summary,
        "selection": context.user_selection_text,
    }
    pairs = [f"{name}={_quoted(value)}" for name, value in values.items() if value]
    return f"[ctx {' '.join(pairs)}] " if pairs else ""


def _quoted(value: str) -> str:
    return value if _PLAIN.fullmatch(value) else f'"{value.translate(_ESCAPES)}"'
