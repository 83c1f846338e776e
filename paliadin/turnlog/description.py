"""The description of a turn: the question, its asker and its origin. Pure; `TurnFolder` keeps it as turn.json."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace

from paliadin.base.checked_numbers import time_of
from paliadin.base.errors import InvalidField
from paliadin.base.strict_json import JsonObject
from paliadin.files.attachments import Attachment
from paliadin.people.person_key import PersonKey
from paliadin.prompt.client_history import PastTurn
from paliadin.prompt.context import Context


@dataclass(frozen=True, slots=True)
class Asker:
    """An agent that asks the user after the end of the turn that started it (skill/hooks/interrupt.py)."""

    agent: str  # its id
    kind: str


@dataclass(frozen=True, slots=True)
class Description:
    """The facts about a turn beside its log. A hook that makes a turn knows only the first fields.

    `session_id` is the session's name where the turn runs. `person` is who asked: a member's id, a name in an
    application, or the owner's account.
    """

    turn_id: str
    session_id: str = ""
    user_message: str = ""
    origin: str = ""  # page, widget, cli, api, terminal, agent; on a host, remote
    asked_by: Asker | None = None  # there is no question: an agent asks for something
    command: bool = False  # one of Claude Code's commands or skills: typed as it is, without an envelope
    person: str = ""
    host: str | None = None  # None until the daemon has taken up a turn that a hook made
    page_origin: str | None = None
    context: Context = field(default_factory=Context)
    attachments: tuple[Attachment, ...] = ()
    history: tuple[PastTurn, ...] = ()  # what was said before, as the reader's browser tells it, oldest first
    began_at: int | None = None  # when a question that waited was asked at last, in milliseconds since 1970
    own_key: PersonKey | None = None  # whose own key for the Messages API pays for it; None: the installation's
    limit_lifted: bool = False  # one beyond the questions of an hour: the owner has lifted their limit
    questions_left: int | None = None  # how many the person may still ask in that hour, once they are few
    unprepared: bool = False  # stages have not finished with it, and the relay does not have it
    log_head: int = 0  # bytes of its log that were written here before the relay got it
    checked_at_end: bool = False  # the daemon checks the answer before the turn ends; older turns lack it

    @classmethod
    def parse(cls, value: Mapping[str, object]) -> Description:
        """Parse the result of `as_json` or a hook's file; a missing or damaged field has its default. Never raises."""
        left = value.get("questions_left")
        return cls(
            turn_id=_text(value.get("turn_id")),
            session_id=_text(value.get("session_id")),
            user_message=_text(value.get("user_message")),
            origin=_text(value.get("origin")),
            asked_by=_asker(value.get("asked_by")),
            command=value.get("command") is True,
            person=_text(value.get("person")),
            host=None if value.get("host") is None else _text(value["host"]),
            page_origin=_text(value.get("page_origin")) or None,
            context=_context(value.get("context")),
            attachments=tuple(_attachments(value.get("attachments"))),
            history=tuple(_past_turns(value.get("history"))),
            began_at=time_of(value.get("began_at")),
            own_key=_own_key(value),
            limit_lifted=value.get("limit_lifted") is True,
            questions_left=left if type(left) is int else None,
            unprepared=value.get("unprepared") is True,
            log_head=head if type(head := value.get("log_head")) is int and head > 0 else 0,
            checked_at_end=value.get("checked_at_end") is True,
        )

    def as_json(self) -> JsonObject:
        """Return the description as in turn.json, and for other programs that carry the turn."""
        always = {
            "turn_id": self.turn_id,
            "session_id": self.session_id,
            "person": self.person,
            "host": self.host,
            "origin": self.origin,
            "page_origin": self.page_origin,
            "context": self.context.as_json(),
            "user_message": self.user_message,
        }
        sometimes = {
            "attachments": [each.described for each in self.attachments] or None,
            "command": self.command or None,
            "history": [asdict(each) for each in self.history] or None,
            "asked_by": self.asked_by and asdict(self.asked_by),
            "began_at": self.began_at,
            "own_key": self.own_key and self.own_key.as_text,
            "limit_lifted": self.limit_lifted or None,
            "questions_left": self.questions_left,
            "unprepared": self.unprepared or None,
            "log_head": self.log_head or None,
            "checked_at_end": self.checked_at_end or None,
        }
        return always | {name: value for name, value in sometimes.items() if value is not None}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _own_key(value: Mapping[str, object]) -> PersonKey | None:
    whose = value.get("own_key")
    whose = value.get("person") if whose is True else whose  # an earlier version noted only that it was the asker's
    return PersonKey.parse(whose) if isinstance(whose, str) and whose else None


def _asker(value: object) -> Asker | None:
    if not isinstance(value, Mapping):
        return None
    return Asker(_text(value.get("agent")), _text(value.get("kind")))


def _context(value: object) -> Context:
    try:
        context = Context.parse(value)
    except InvalidField:
        return Context()
    return replace(context, selection_cut=isinstance(value, Mapping) and value.get("selection_cut") is True)


def _attachments(value: object) -> Iterable[Attachment]:
    for each in value if isinstance(value, list) else ():
        try:
            yield Attachment.parse(each)
        except InvalidField:
            continue


def _past_turns(value: object) -> Iterable[PastTurn]:
    for each in value if isinstance(value, list) else ():
        match each:
            case {"question": str(question), "answer": str(answer)}:
                yield PastTurn(question, answer, _text(each.get("turn_id")))
