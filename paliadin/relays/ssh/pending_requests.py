"""Number the requests on one channel, and match each response to its request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from paliadin.base import errors
from paliadin.relays.ssh.wire_protocol import Message, encode

MAX_PENDING = 64
SHIM_HINT = "Install the same Paliadin on both machines; see docs/remote.md."
_STATUS = {
    "unknown_interrupt": 404,
    "unknown_session": 404,
    "unknown_turn": 404,
    "unknown_picture": 404,
    "no_transcript": 404,
    "invalid_field": 422,
    "not_allowed": 403,
}


class PendingRequests:
    """The requests to one host that have no response yet. `host` is its name in the list of hosts, for messages."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._waiting: dict[int, asyncio.Future[Message]] = {}
        self._number = 0

    async def send(
        self, write: Callable[[bytes], None], verb: str, seconds: float, fields: Mapping[str, object]
    ) -> Message:
        """Write one request and wait for its result.

        Raises the error of the response; RelayUnreachable when the channel breaks first, when too many requests
        wait already, or when no response comes within `seconds`.
        """
        if len(self._waiting) >= MAX_PENDING:
            message = f"{MAX_PENDING} requests to the host {self._host} are still pending"
            raise errors.RelayUnreachable(message, hint="Wait a moment, then try again.")
        self._number += 1
        number = self._number
        response: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._waiting[number] = response
        try:
            write(encode({"id": number, "verb": verb, **fields}))
            async with asyncio.timeout(seconds):
                return await response
        except TimeoutError:
            raise errors.RelayUnreachable(f"the host {self._host} did not respond within {seconds:.0f} s") from None
        finally:
            self._waiting.pop(number, None)

    def settle(self, message: Message) -> None:
        """Hand a response to the request of its number; ignore one that belongs to no request."""
        response = self._waiting.get(message["id"])
        if response is None or response.done():
            return
        result = message.get("result", {})
        if "error" in message:
            response.set_exception(_refusal(message["error"]))
        elif isinstance(result, Mapping):
            response.set_result(result)
        else:
            response.set_exception(errors.RelayError(f"the host {self._host} responded with no object", hint=SHIM_HINT))

    def fail_all(self, error: errors.PaliadinError) -> None:
        """Raise `error` in every waiting request, since the channel broke."""
        for response in self._waiting.values():
            if not response.done():
                response.set_exception(error)


def _refusal(error: object) -> errors.PaliadinError:
    """Build the exception for the `error` of a response."""
    refusal = error if isinstance(error, Mapping) else {}
    code, message = str(refusal.get("code")), str(refusal.get("message"))
    if code == "turn_in_flight":
        return errors.TurnInFlight(message, None)
    hint, status = str(refusal.get("hint") or ""), _STATUS.get(code, 503)
    kind = errors.NotFound if status == errors.NotFound.default_status else errors.PaliadinError
    return kind(message, hint=hint, code=code, status=status)
