"""What a turn comes to, whatever happened on its way; for the part `live` of `make load`. Pure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.load.live_player import Played
from tests.load.live_script import answer
from tests.worlds.live_text import HIDDEN

VOLATILE = {
    *("id", "message_id", "turn_id", "session_id", "started_at", "duration_ms", "waited_ms", "first_text_ms", "usage"),
    "chip_count",  # the row has it, too
}
PASSING = {"content_delta", "content_reset", "status"}
"""Events in which a turn that was disturbed may differ: what came of them is compared."""

FIGURES = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
COLUMNS = (
    *("response", "used_tools", "rows_seen", "observed_tools", "evidence_agrees", "chip_count", "error_code"),
    *("classifier_tag", "classifier_source", "model", "person", "origin", "abandoned", *FIGURES),
)


Essence = dict[str, Any]


def essence(played: Played, row: dict[str, Any], workdir: Path) -> Essence:
    """The turn's texts, chips, other events and row, without times and ids.

    The chips are apart: they come with their text, and whether a tool's hook or the one with the text before it writes
    first is chance, also without live text.
    """
    void = {event.data["message_id"] for event in played.events if event.name == "content_reset"}
    events = [
        (event.name, {name: value for name, value in event.data.items() if name not in VOLATILE})
        for event in played.events
        if event.name not in PASSING and event.data.get("message_id") not in void
    ]
    plain = json.loads(json.dumps(events, sort_keys=True).replace(f"{workdir}/{played.plan.number}/", "WORK/"))
    chips, others = ([event for event in plain if (event[0] == "chip") is wanted] for wanted in (True, False))
    row = {name: row.get(name) for name in COLUMNS}
    return {"texts": played.client.confirmed, "chips": chips, "events": others, "row": row}


def check(played: Played, row: dict[str, Any]) -> None:
    """Add to the faults in which the turn contradicts itself: its events, its row, and what the client shows."""
    names = [event.name for event in played.events]
    client, faults = played.client, played.faults
    if not names or names[-1] not in ("end", "error"):
        faults.append(f"no end: {names[-3:]}")
        return
    if names.count("meta") != 1 or names.count("end") + names.count("error") != 1 or names.count("answered") > 1:
        faults.append(f"not one beginning and one end: {names}")
    if client.shown != client.confirmed:
        faults.append(f"left over: {client.shown} where {client.confirmed} was confirmed")
    recorded = row.get("response") or ""
    if recorded != "\n\n".join(client.confirmed):
        faults.append(f"recorded {recorded[-200:]!r}, but told {client.confirmed}")
    if played.plan.kind != "ended" and (found := HIDDEN.search(recorded)):  # a marker may be cut off with the answer
        faults.append(f"{found.group()} in the record: {recorded[-200:]!r}")


def compare(played: Played, got: Essence, references: list[Essence]) -> None:
    """Add to the faults what is not as without live text; the first of the references has the whole answer."""
    kind, whole = played.plan.kind, references[0]["texts"]
    for text in set(played.client.early):
        if not any(message.startswith(text) for message in whole):
            played.faults.append(f"shown early, but no beginning of the answer: {text[-100:]!r}")
    if kind == "abort" and got["row"]["error_code"] == "user_aborted":
        for one, other in zip(got["texts"], whole, strict=False):
            if not other.startswith(one.rstrip("\n-")):  # stopped behind the rule that stands before the trailer
                played.faults.append(f"no beginning of the answer: {one!r}")
        return
    candidates = references[1:] if kind in ("cut", "ended") else references
    if kind in ("child", "parent") and len(references) > 1:
        candidates = [*references, _broken_early(played, got, *references)]
    differences = [_differences(kind, got, candidate) for candidate in candidates]
    played.faults += min(differences, key=len)


def _broken_early(played: Played, got: Essence, whole: Essence, early: Essence) -> Essence:
    """`early`, with as much of the first message as Claude Code 2.1.197 had displayed when it broke.

    What it displays of a message is all that there is: when it asks again it does not stream, and displays nothing.
    """
    *first, _ = got["texts"] or [""]
    optional = "".join(answer(played.plan.script).messages[0]).count("-OPEN:")  # chips, at most one
    may_be = len(first) <= 1 and all(whole["texts"][0].startswith(text) for text in first)
    if not may_be or got["chips"] not in (whole["chips"], whole["chips"][optional:]):
        return early
    row = {"response": "\n\n".join(got["texts"]), "chip_count": len(got["chips"])}
    return {**early, "texts": got["texts"], "chips": got["chips"], "row": early["row"] | row}


def _differences(kind: str, got: Essence, expected: Essence) -> list[str]:
    skipped = FIGURES if kind in ("child", "parent", "cut", "abort") else ()
    found = []
    for part in ("texts", "chips", "events", "row"):
        one, other = got[part], expected[part]
        if isinstance(one, dict):
            one, other = (sorted((k, v) for k, v in row.items() if k not in skipped) for row in (one, other))
        if one != other:
            pairs = [pair for pair in zip(one, other, strict=False) if pair[0] != pair[1]]
            rest = one[len(other) :] or other[len(one) :]
            found.append(f"{part} differ: {len(one)} against {len(other)}; {pairs or rest}")
    return found
