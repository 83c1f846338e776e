"""A decision that a form of the inbox sends: it is checked, made, and its outcome told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus

from .database import Row
from .forms import NO_FORM, read_fields
from .inbox import LONGEST_NOTE
from .language import Language
from .markup import INVISIBLE

DECISIONS = {"approve": True, "reject": False}


@dataclass(frozen=True)
class Decision:
    """What a form says. With a `problem`, in English, it is not made."""

    approve: bool = False
    note: str = ""
    problem: str = ""


def read_form(body: bytes) -> Decision:
    """Read the form's body."""
    fields = read_fields(body, {"decision", "note"})
    if fields is None:
        return Decision(problem=NO_FORM)
    wanted, note = fields.get("decision", ""), " ".join(fields.get("note", "").split())
    if wanted not in DECISIONS:
        return Decision(note=note, problem="Choose one of the two: approve or reject.")
    if len(note) > LONGEST_NOTE:
        return Decision(note=note[:LONGEST_NOTE], problem="The note is too long: it may have 500 characters.")
    if INVISIBLE.search(note):
        return Decision(note=note, problem="The note holds characters that cannot be seen. Type it anew.")
    return Decision(DECISIONS[wanted], note)


def told(outcome: Row, language: Language) -> tuple[HTTPStatus, str]:
    """How a decision went that was not made: the response's status, and words."""
    if outcome["outcome"] == "already":
        verb = language.t(
            "has approved it already, on" if outcome["state"] == "approved" else "has rejected it already, on"
        )
        name = outcome["decider_name"] or outcome["decider"]
        return HTTPStatus.CONFLICT, f"{name} {verb} {language.time(outcome['at'])}."
    return REFUSED[outcome["outcome"]][0], language.t(REFUSED[outcome["outcome"]][1])


REFUSED: Mapping[str, tuple[HTTPStatus, str]] = {
    "not_yours": (HTTPStatus.FORBIDDEN, "This is for others to decide."),
    "thing_gone": (HTTPStatus.CONFLICT, "What was asked for has been deleted meanwhile. It can only be rejected."),
}
