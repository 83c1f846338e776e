"""Slash commands: tells whether a message that begins with `/` is a command of Claude's that can be run from here."""

from __future__ import annotations

from paliadin.base.errors import BadRequest
from paliadin.people.caller import Caller, Scope
from paliadin.relays.commands import TERMINAL_ONLY, is_offered, is_run, name_of, only_run
from paliadin.relays.offers import Offers
from paliadin.relays.routing import Relays

OWN = frozenset({"new", "clear", "reset", "compact", "model", "mode", "rename", "export"})
"""The commands that Paliadin itself carries out; no client sends them as a question."""


async def is_command(message: str, caller: Caller, session: str, relays: Relays, *, has_files: bool = False) -> bool:
    """Tell whether a message is a command that the session's Claude is to run.

    Raises BadRequest for one that begins with `/` and is none (it is never sent as text without a word), and for a
    command with attached files, which would be its arguments. Raises RelayError when Claude's offers cannot be had.
    """
    if not message.startswith("/"):
        return False
    name = name_of(message)
    command = f"/{name[:80]}"
    if not caller.may_call(Scope.OWNER):
        raise _refusal("commands are run on the owner's own page only", "command_elsewhere")
    if name in OWN:
        raise _refusal(f"{command} is done by Paliadin itself, not by a question", "own_command")
    offers = await relays.offers(session)
    if is_run(name, offers):
        if has_files:
            raise _refusal(f"{command} is a command, with which no attached files can be sent", "files_with_command")
        return True
    if name in TERMINAL_ONLY or is_offered(name, offers):
        raise _refusal(f"{command} works in Claude's terminal only", "terminal_command")
    raise _refusal(f"{command} is no command of this Claude", "unknown_command")


def check_flag(value: object) -> bool:
    """Return the field `as_text` of a request; raises BadRequest."""
    if not isinstance(value, bool):
        raise BadRequest("as_text must be true or false", code="invalid_field", status=422)
    return value


def _refusal(text: str, code: str) -> BadRequest:
    hint = "Send it as text (`as_text`; `--as-text` on the command line), or choose one of the page's list behind `/`."
    if code == "terminal_command":
        hint = "Run `paliadin attach` and type it there, or send it as text (`as_text`)."
    if code == "files_with_command":
        hint = "Take the files away, or send it as text (`as_text`; `--as-text` on the command line)."
    return BadRequest(text, code=code, status=422, hint=hint)


async def list_offers(relays: Relays, session: str) -> Offers:
    """List the offers of the session's Claude; of its commands, those that can be run with a question."""
    return only_run(await relays.offers(session))
