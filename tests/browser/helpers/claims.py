"""Answers with claims as the daemon tells them, made up: the page is shown a history that holds them."""

from __future__ import annotations

import json
import re
import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from playwright.sync_api import Page

from tests.browser.helpers.interception import HISTORY, intercept

MARK = re.compile(r"⟦(\w+):(.*?)⟧", re.DOTALL)
RULES = {"derived": "sum", "counted": "count", "unsure": "sum"}
STATUSES = {"earlier": "found", "counted": "derived", "unsure": "derived"}
LINE = "c47bd2 defence due 31.12.2031"
FILE = "".join(f"row {number}: nothing\n" for number in range(1, 12)) + f"{LINE}\nrow 13: nothing\n"

ANSWER = """The defence is due on **⟦found:31.12.2031⟧**, and its id is `⟦found:c47bd2⟧`. That is ⟦derived:1,866 days⟧
from today. You asked about ⟦given:Harbour Bridge⟧; the court is in ⟦unsupported:Room 214⟧, in ⟦common:Vienna⟧.

| what | when | fee |
| --- | --- | ---: |
| defence | ⟦found:31.12.2031⟧ | ⟦unsupported:412.50 €⟧ |
| reply | ⟦unknown:15.01.2032⟧ | ⟦found:80 €⟧ |

- Call [the registry](https://registry.example/31.12.2031) before ⟦unsupported:14:30⟧.
- Then send ⟦earlier:3 copies⟧.
"""


def new_id(age: float = 0) -> str:
    """A turn's id, of so many seconds ago."""
    milliseconds = int((time.time() - age) * 1000)
    return str(uuid.UUID(int=(milliseconds << 80) | (7 << 76) | (2 << 62) | (uuid.uuid4().int & (2**61 - 1))))


def claims_of(marked: str, message: str, earlier: str | None = None) -> tuple[str, list[dict[str, Any]]]:
    """The text without its marks, and the claims that they mark; `earlier` is the turn of those so called."""
    claims: list[dict[str, Any]] = []
    text, done = "", 0
    for match in MARK.finditer(marked):
        text, done = text + marked[done : match.start()], match.end()
        status, words = match.groups()
        call: dict[str, Any] = {
            "origin": "call",
            "call": "t1",
            "turn_id": None,
            "line": 12,
            "text": LINE,
        }
        sources: dict[str, list[dict[str, Any]]] = {
            "found": [call],
            "derived": [call, call | {"line": 3, "text": "row 3: nothing"}],
            "earlier": [call | {"turn_id": earlier}],
            "counted": [call | {"line": None, "text": ""}],
            "unsure": [{"origin": "answer", "call": None, "turn_id": None, "line": None, "text": "412.50 €"}],
            "given": [{"origin": "question", "call": None, "turn_id": None, "line": None, "text": ""}],
        }
        claims.append(
            {
                "message_id": message,
                "start": len(text),
                "end": len(text) + len(words),
                "text": words,
                "kind": "date",
                "status": STATUSES.get(status, status),
                "sources": sources.get(status, []),
                "rule": RULES.get(status),
            }
        )
        text += words
    return text + marked[done:], claims


def turn(marked: str, output: str = FILE, age: float = 60, earlier: str | None = None) -> dict[str, Any]:
    """A turn of the history: a file was read, then this was answered."""
    text, claims = claims_of(marked, "m1", earlier)
    call = {"id": "t1", "name": "Read", "summary": "deadlines.csv", "input": {"file_path": "deadlines.csv"}}
    data: Sequence[tuple[str, Mapping[str, Any]]] = [
        ("meta", {"model": "scripted", "notices": []}),
        ("tool_call", call),
        ("tool_result", {"id": "t1", "name": "Read", "ok": True, "rows": 13, "duration_ms": 12, "output": output}),
        ("content_delta", {"message_id": "m1", "text": text}),
        ("answered", {"duration_ms": 4_200}),
        ("evidence", {"used_tools": ["Read"], "rows_seen": [13], "observed_tools": ["Read"], "agrees": True,
                      "differences": [], "classifier_tag": "data", "claims": claims}),
        ("end", {"duration_ms": 4_200, "usage": {"input_tokens": 100, "output_tokens": 40}}),
    ]  # fmt: skip
    events = [{"event": name, "data": fields} for name, fields in data]
    question = "When is the defence in Harbour Bridge due?"
    return {"turn_id": new_id(age), "origin": "page", "user_message": question, "events": events}


def without_claims(item: Mapping[str, Any]) -> dict[str, Any]:
    """The same turn, never checked."""
    events = [{**event, "data": {**event["data"], "claims": None}} for event in item["events"]]
    return {**item, "events": events}


def show(page: Page, turns: Sequence[Mapping[str, Any]], origin: str = "*") -> None:
    """Let the history be these turns, for the page or for the drawer on this origin."""

    queue: dict[str, Any] = {"held": None, "turns": []}
    body = {"turns": list(turns), "queue": queue, "running_turn": None, "has_more": False, "since": 0}
    allowed = {"Access-Control-Allow-Origin": origin}
    intercept(page, HISTORY, lambda request: request.fulfill(json=body, headers=allowed))


def stream(item: Mapping[str, Any]) -> str:
    """The turn's events, as its stream would bring them."""
    numbered = enumerate(item["events"], start=1)
    lines = [f"id: {number}\nevent: {each['event']}\ndata: {json.dumps(each['data'])}\n\n" for number, each in numbered]
    return "".join(lines)


_PLAYED = """((id, events) => {
  const real = fetch;
  let isAsked;
  const asked = new Promise((resolve) => (isAsked = resolve));
  const body = new ReadableStream({
    start: (controller) => asked.then(() => controller.enqueue(new TextEncoder().encode(events))),
  });
  window.fetch = async (to, ...rest) => {
    const path = new URL(String(to.url ?? to)).pathname;
    if (path.endsWith("/events")) return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
    if (!path.endsWith("/turn")) return real(to, ...rest);
    isAsked();
    return Response.json({ turn_id: id, sse_url: "", queued: 0 }, { status: 202 });
  };
  dispatchEvent(new Event("online")); // the page's stream begins anew
})(%s, %s)"""


def played(item: Mapping[str, Any]) -> str:
    """JavaScript by which the turn that is asked next is this one. The daemon hears nothing of it: a turn of its own
    could come to an end while the next page is shown what is made up, and stand below it.
    """
    turn_id = new_id()
    events = stream(item).replace("id: ", f"id: {turn_id}:")
    return _PLAYED % (json.dumps(turn_id), json.dumps(events))
