"""A decision that a form of the inbox sends: it is checked, made, and its outcome told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from http import HTTPStatus
from urllib.parse import parse_qs

from .database import Row
from .inbox import LONGEST_NOTE
from .language import Language
from .markup import INVISIBLE

LONGEST_FORM = 10_000  # bytes
DECISIONS = {"approve": True, "reject": False}


@dataclass(frozen=True)
class Decision:
    """What a form says. With a `problem`, in English, it is not made."""

    approve: bool = False
    note: str = ""
    problem: str = ""


def refused(headers: Message) -> tuple[HTTPStatus, str] | None:
    """Why a form with these headers is not read: the response's status, and words; None if it is."""
    length = headers.get("Content-Length", "")
    if not (length.isascii() and length.isdigit() and len(length) < 10):
        return HTTPStatus.LENGTH_REQUIRED, "The form's length is missing."
    if int(length) > LONGEST_FORM:
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The form is too long."
    if headers.get_content_type() != "application/x-www-form-urlencoded":
        return HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "This is no form of the inbox."
    return None


def read_form(body: bytes) -> Decision:
    """Read the form's body."""
    try:
        fields = parse_qs(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=5)
    except ValueError:
        return Decision(problem="This is no form of the inbox.")
    if not set(fields) <= {"decision", "note"} or any(len(values) > 1 for values in fields.values()):
        return Decision(problem="This is no form of the inbox.")
    [wanted], [note] = fields.get("decision", [""]), fields.get("note", [""])
    note = " ".join(note.split())
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
