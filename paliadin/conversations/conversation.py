"""A conversation: what is kept of it beside its turns, its file, and the rule for its title. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from paliadin.base.errors import InvalidField, NotFound
from paliadin.base.session_names import SESSION
from paliadin.base.strict_json import JsonObject
from paliadin.base.visible_text import escape_invisible
from paliadin.turnlog.ids import check_turn_id

UNDO_MS = 10_000  # milliseconds in which a deletion can be taken back
LONGEST_TITLE = 200  # characters
LONGEST_OWN_TITLE = 80  # the same, of one that is made of the first question


@dataclass(frozen=True, slots=True)
class BranchPoint:
    """The place at which a branch leaves another conversation: before the turn `turn_id` of `session_id`."""

    session_id: str
    turn_id: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation, without its turns. Times are milliseconds since 1970; None: that has not happened yet.

    `person` is a member's id or, in an application, their name there; empty for the owner's. `origin` is that of the
    application in whose drawer it was made; None: it was made at the page.
    """

    title: str = ""  # empty until the first question, which is the title until the user gives another
    titled: bool = False  # the user has given the title
    person: str = ""
    origin: str | None = None
    pinned: bool = False
    archived: bool = False
    created_at: int | None = None
    last_at: int | None = None  # its last question
    ended_at: int | None = None  # its last answer
    failed: bool = False  # the last turn ended with an error
    tasks: int = 0  # how many went on in the background when Claude last reported
    first_turn: str | None = None  # the first of its own: a branch shows those of another conversation before
    branch_of: BranchPoint | None = None
    deleted_at: int | None = None  # it is shown no more, and about to be removed
    # Turn ids: it was deleted and began anew. The turns before each of them are shown only where branches need them.
    emptied: tuple[str, ...] = ()

    @classmethod
    def parse(cls, value: object) -> Conversation:
        """Make a conversation from its `as_json`; a damaged or missing field is as in a new one."""
        if not isinstance(value, Mapping):
            return cls()
        valid = {field.name: value[field.name] for field in fields(cls) if _fits(field.name, value.get(field.name))}
        emptied = value.get("emptied")
        ids = tuple(filter(_is_turn_id, emptied)) if isinstance(emptied, list) else ()
        return cls(**valid | {"branch_of": _branch_point(value.get("branch_of")), "emptied": ids})

    def as_json(self) -> dict[str, object]:
        """The conversation as its file has it."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        point = self.branch_of
        return values | {"branch_of": point and {"session_id": point.session_id, "turn_id": point.turn_id}}

    def asked(self, turn_id: str, question: str, at: int) -> Conversation:
        """Return the conversation with one more question in it."""
        title = self.title or title_of(question)
        last_at = max(at, self.last_at or 0)
        return replace(self, title=title, first_turn=self.first_turn or turn_id, last_at=last_at, failed=False)

    @property
    def is_begun(self) -> bool:
        """True once something was asked in it, or it was given a title: then it is listed."""
        return self.last_at is not None or self.titled

    def first_shown(self, end: str | None = None) -> str:
        """Return the id from which on its turns are shown, "" for all of them: earlier ones were deleted.

        With `end`: from which on a branch that leaves before the turn `end` shows them.
        """
        return max((each for each in self.emptied if end is None or each < end), default="")

    def needs(self, turn_id: str, branches: Iterable[str]) -> bool:
        """Tell whether the turn is shown here or in a branch; `branches` are the ids before which branches leave."""
        is_shown = self.deleted_at is None and turn_id >= self.first_shown()
        return is_shown or any(self.first_shown(end) <= turn_id < end for end in branches)

    def may_come_back(self, now: int) -> bool:
        """Tell whether it was deleted so recently that this can be taken back."""
        return self.deleted_at is not None and now < self.undo_until

    @property
    def undo_until(self) -> int:
        """The time until which a deletion can be taken back."""
        return (self.deleted_at or 0) + UNDO_MS

    def ended(self, at: int, *, failed: bool, tasks: int | None = None) -> Conversation:
        """Return the conversation after its last turn has ended; `tasks` is None if Claude did not report any."""
        return replace(self, ended_at=at, failed=failed, tasks=self.tasks if tasks is None else tasks)


_SURROGATE = re.compile("[\ud800-\udfff]")  # no text that can be sent has any
_KINDS: Mapping[str, type] = {
    **dict.fromkeys(("title", "person", "origin", "first_turn"), str),
    **dict.fromkeys(("titled", "pinned", "archived", "failed"), bool),
    **dict.fromkeys(("created_at", "last_at", "ended_at", "deleted_at", "tasks"), int),
}


def _fits(name: str, value: object) -> bool:
    return name in _KINDS and type(value) is _KINDS[name] and not (isinstance(value, str) and _SURROGATE.search(value))


def _branch_point(value: object) -> BranchPoint | None:
    match value:
        case {"session_id": str(session), "turn_id": str(turn_id)}:
            return BranchPoint(session, turn_id) if SESSION.fullmatch(session) and _is_turn_id(turn_id) else None
    return None


def _is_turn_id(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(check_turn_id(value))
    except NotFound:
        return False


def title_of(question: str) -> str:
    """Make a title of a question: its first words in one line, with nothing invisible in them."""
    text = escape_invisible(" ".join(question[: 4 * LONGEST_OWN_TITLE].split()))
    if len(text) <= LONGEST_OWN_TITLE:
        return text
    words, space, _ = text[: LONGEST_OWN_TITLE - 1].rpartition(" ")
    return (words if space and len(words) > LONGEST_OWN_TITLE // 2 else text[: LONGEST_OWN_TITLE - 1]) + "…"


def changed(conversation: Conversation, fields_to_change: JsonObject) -> Conversation:
    """Apply a request's changes: title, pinned, archived, and `deleted: false`, which takes a deletion back.

    Raises InvalidField.
    """
    changes: dict[str, Any] = {}
    for name, value in fields_to_change.items():
        if name == "title":
            changes |= {"title": check_title(value), "titled": True}
        elif name in {"pinned", "archived"} and isinstance(value, bool):
            changes[name] = value
        elif name == "deleted" and value is False:
            changes["deleted_at"] = None
        else:
            raise InvalidField(
                f"{name[:40]!r} cannot be changed to this",
                hint="Change title, pinned or archived; `deleted: false` takes a deletion back.",
            )
    return replace(conversation, **changes)


def check_title(value: object) -> str:
    """Return a title that a request gives, in one line and with nothing invisible in it; raises InvalidField."""
    if not isinstance(value, str) or len(value) > LONGEST_TITLE:
        raise InvalidField(f"title must be a text of at most {LONGEST_TITLE} characters")
    title = escape_invisible(" ".join(value.split()))
    if not title:
        raise InvalidField("title must have a letter")
    return title
