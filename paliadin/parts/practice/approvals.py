"""The assistant's suggestions, and people's decisions on them. The database decides who may see and decide."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from paliadin.base.errors import NotFound, PaliadinError
from paliadin.parts.practice.tools.model import Call
from paliadin.parts.practice.transactions import Row


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's yes or no, with their words."""

    approve: bool
    reason: str = ""


class AlreadyDecided(PaliadinError):
    """Somebody has already decided on the suggestion."""

    default_code, default_status = "already_decided", 409


class NotYours(PaliadinError):
    """The person sees the suggestion, but others decide on it."""

    default_code, default_status = "not_an_approver", 403


class ThingGone(PaliadinError):
    """The suggested entry has been deleted meanwhile."""

    default_code, default_status = "suggestion_gone", 409


def unknown() -> NotFound:
    """Build the error for a suggestion that does not exist, or that the person may not see."""
    return NotFound("there is no such suggestion", code="unknown_suggestion", hint="Reload the page.")


async def of_turn(call: Call, turn: str) -> list[Row]:
    """Return this turn's suggestions that the person may see; raises NotFound if there are none."""
    rows = await call.transaction.rows("suggestions", turn=_uuid(turn), request=None)
    if not rows:
        raise unknown()
    return [described(row, call) for row in rows]


async def get(call: Call, suggestion: str) -> Row:
    """Return a suggestion by its id; raises NotFound."""
    row = await call.transaction.row("suggestions", turn=None, request=_uuid(suggestion))
    if row is None:
        raise unknown()
    return described(row, call)


async def decide(call: Call, suggestion: Row, decision: Decision) -> Row:
    """Decide as the person on a suggestion that `get` has returned; returns it with the decision.

    Raises NotFound, AlreadyDecided, NotYours, ThingGone.
    """
    values = {"approve": decision.approve, "note": decision.reason}
    row = await call.transaction.row("decide", request=_uuid(suggestion["id"]), **values)
    outcome = row["outcome"] if row else "unknown"
    if row is None or outcome == "unknown":
        raise unknown()
    if outcome == "already":
        by = row["decider_name"] or row["decider"]
        raise AlreadyDecided(f"{by} has {row['state']} it already", hint="Reload the page to see how it stands.")
    if outcome == "not_yours":
        raise NotYours("others decide on this", hint="Who leads the project decides, or an owner.")
    if outcome == "thing_gone":
        raise ThingGone("what was suggested has been deleted meanwhile", hint="Reject it.")
    decider = {"id": row["decider"], "name": row["decider_name"] or row["decider"]}
    decided = {"state": row["state"], "decided_by": decider, "decided_at": call.local(row["at"])}
    reason = {"reason": decision.reason} if decision.reason else {}
    none = {"may_approve": False, "may_reject": False, "same": 0}
    return {**suggestion, **decided, "decided_as": row["decided"], **reason, **none}


async def figures(call: Call, since: datetime, until: datetime) -> Row:
    """Count the suggestions made in these times: made, approved, rejected, pending, turns, median_seconds, …"""
    return (await call.transaction.rows("suggestion_figures", since=since, until=until))[0]


def described(row: Row, call: Call) -> dict[str, Any]:
    """Return a suggestion as JSON for pages: times at the practice's place, people as {"id", "name"}, nothing empty."""
    people = {
        name: {"id": row[name], "name": row[f"{name}_name"] or row[name]}
        for name in ("requested_by", "decided_by")
        if row[name]
    }
    times = {
        name: call.local(row[name]) for name in ("requested_at", "decided_at", "starts_at", "ends_at") if row[name]
    }
    plain = ("id", "kind", "thing_id", "state", "turn_id", "title", "text", "due_date", "place", "rule", "decided_as")
    texts = {name: str(row[name]) for name in (*plain, "reason") if row[name]}
    project = {"id": row["project_id"], "label": row["project"], "reference": row["reference"]}
    project |= {"status": row["project_status"]}
    is_open = row["state"] == "pending"
    may = {"may_approve": is_open and row["may_approve"], "may_reject": is_open and row["may_reject"]}
    return {**texts, **times, **people, "project": project, **may, "same": row["same"] if is_open else 0}


def _uuid(text: str) -> UUID:
    """Parse an id; raises NotFound for a malformed one, which no suggestion has."""
    try:
        return UUID(text) if len(text) == 36 else UUID("")
    except ValueError:
        raise unknown() from None
