"""A client's request for a turn, and the description that is made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paliadin.base.errors import Forbidden, RelayError
from paliadin.base.settings import Settings
from paliadin.files.attachments import Attachment
from paliadin.people.caller import Caller, Door
from paliadin.people.person_key import PersonKey
from paliadin.prompt.client_history import PastTurn
from paliadin.prompt.context import Context
from paliadin.relays.protocol import Guarded
from paliadin.relays.routing import Relays
from paliadin.turnlog.description import Description


@dataclass(frozen=True, slots=True)
class Question:
    """A client's request for a turn. Fields of type `object` are raw and checked by `Turns.ask`.

    `may_wait`: while another turn runs, the question waits until that is over.
    """

    session_id: object
    user_message: object
    caller: Caller
    context: object = None
    may_wait: bool = False
    attachments: object = None  # ids
    history: object = None  # [{"question", "answer"}], oldest first: what was said before, where nothing of it is kept
    as_text: bool = False  # it is no command, although it begins with `/`


def describe(
    question: Question,
    turn_id: str,
    session: str,
    host: str,
    *,
    message: str,
    command: bool = False,
    attachments: Sequence[Attachment] = (),
    history: Sequence[PastTurn] = (),
) -> Description:
    """Build the description of a turn."""
    return Description(
        turn_id,
        session,
        message,
        question.caller.door,
        command=command,
        person=question.caller.person,
        host=host,
        page_origin=question.caller.origin,
        context=Context.parse(question.context),
        attachments=tuple(attachments),
        history=tuple(history),
        checked_at_end=True,
    )


def may_allow(settings: Settings, caller: Caller) -> bool:
    """Tell whether the caller may reply to permissions: the owner at the page, with a key of theirs, or in a drawer.

    In a drawer only where the owner wants that; never on the command line, which a command of Claude's could use.
    """
    if caller.door is Door.WIDGET:
        return caller.origin in settings.permission_origins
    return caller.door is not Door.CLI and not caller.is_member


def check_may_allow(settings: Settings, caller: Caller) -> None:
    """Raise Forbidden unless the caller may reply to permissions."""
    if not may_allow(settings, caller):
        raise Forbidden(
            "permissions are given on Paliadin's own page or in its terminal",
            code="permission_elsewhere",
            status=403,
            hint="`paliadin open` opens the page, `paliadin attach` the terminal.",
        )


async def check(relays: Relays, session: str, person: PersonKey, description: Description) -> Description:
    """Return the question's description with what the session's relay adds to it; `person`: who asks.

    Raises PaliadinError if it cannot be asked there.
    """
    relay, _ = relays.at(session)
    if isinstance(relay, Guarded):
        return await relay.check(person, description)
    if not relays.settings.keeps_words:
        raise RelayError(
            "nothing may be kept of questions here, and a Claude Code keeps all of it",
            code="not_redacted",
            hint="Ask in a conversation over the Messages API.",
        )
    return description


async def admit(relays: Relays, session: str, person: PersonKey, description: Description) -> Description:
    """Have the session's relay count a question that is about to begin, or to wait; as `Guarded.admit`."""
    relay, _ = relays.at(session)
    return await relay.admit(person, description) if isinstance(relay, Guarded) else description
