"""The Messages API through the official SDK, which is loaded when it is needed.

Only this module, `connections` and `failures` know the SDK. A stream is read as pieces of text and, at its end, as the
whole message.
"""

from __future__ import annotations

import asyncio
import copy
import itertools
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, cast

import anthropic
import httpx2

from paliadin.base.checked_numbers import count_of
from paliadin.base.errors import ApiUnreachable, StreamBroken
from paliadin.base.read_pace import Pace
from paliadin.parts.messages import connections
from paliadin.parts.messages.failures import translated
from paliadin.parts.messages.limited_body import ErrorBody, LimitedBody
from paliadin.parts.messages.limits import MessageLimits
from paliadin.parts.messages.message import ErrorEvent, Message, MessageReader, TextPiece
from paliadin.parts.messages.request import Block
from paliadin.parts.messages.retries import wait_before_retry

logging.getLogger("anthropic").setLevel(logging.WARNING)  # it logs a line for each request

CONNECT_TIMEOUT = 5.0  # seconds; what comes between two bytes of an answer is limited by the turn's time
NO_KEY = "none"  # where there is only people's own; without a value the SDK would look for one in the environment
WRONG_ENVIRONMENT = (
    "Look at HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE in the daemon's environment:"
    " a proxy's address begins with http:// or https://."
)
COUNT_TIMEOUT = 5.0  # seconds for a count of tokens, of which there is an estimate as well


class MessagesApi:
    """A client of the API with one key, None where each person has an own one (`with_key`).

    `limits`: how much the API may send for a message. A request that failed before anything came is sent again.
    """

    def __init__(self, key: str | None, base_url: str, timeout: float, limits: MessageLimits) -> None:
        self._limits, self._line = limits, asyncio.Lock()
        limit = anthropic.Timeout(timeout, connect=CONNECT_TIMEOUT)
        http_client = self._connections(base_url, limit)
        self._client = anthropic.AsyncAnthropic(
            api_key=key or NO_KEY,
            base_url=base_url,
            timeout=limit,
            max_retries=0,  # `_send` tries again
            http_client=http_client,
            default_headers={"Accept-Encoding": "identity"},
            open_telemetry=False,  # our own traces hold no text
        )
        self._is_own_key = False

    def _connections(self, base_url: str, limit: anthropic.Timeout) -> httpx2.AsyncClient:
        try:
            # A redirect would take the key along to wherever it leads.
            client = anthropic.DefaultAioHttpClient(
                base_url=base_url, timeout=limit, follow_redirects=False, event_hooks={"response": [self._restrain]}
            )
        except (ValueError, OSError, httpx2.InvalidURL):  # the SDK reads the environment here
            raise ApiUnreachable("the connections to the API cannot be made", hint=WRONG_ENVIRONMENT) from None
        connections.limit(client)
        return client

    def with_key(self, key: str) -> MessagesApi:
        """Return a client with a person's own key, over the same connections."""
        other = copy.copy(self)
        other._client, other._is_own_key = self._client.with_options(api_key=key), True  # noqa: SLF001  # it is ours
        return other

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()

    async def stream(self, request: Mapping[str, Any], message: Message) -> AsyncGenerator[TextPiece | None, None]:
        """Send a request; yields None once the API has taken it, then each piece of text, and fills `message`.

        Raises RelayError. Closing it closes the connection, and the API stops there.
        """
        with translated(own_key=self._is_own_key):
            response = await self._send(request)
            try:
                yield None
                reader = MessageReader(message, self._limits)
                async for part in response.aiter_bytes():
                    for piece in reader.feed(part):
                        yield piece
            except ErrorEvent as error:
                raise anthropic.APIStatusError(str(error), response=response, body=error.body) from None
            finally:
                await response.aclose()
        if not reader.is_complete:
            raise StreamBroken("the connection to the model broke off in the middle of the answer")

    async def _send(self, request: Mapping[str, Any]) -> httpx2.Response:
        """Send a request, and again where that may help; raises the SDK's errors."""
        for attempt in itertools.count(1):
            try:
                return await self._send_once(request)
            except anthropic.APIStatusError as error:
                wait = wait_before_retry(attempt, error.status_code, error.response.headers)
                if wait is None:
                    raise
            except anthropic.APIConnectionError:
                wait = wait_before_retry(attempt, None, {})
                if wait is None:
                    raise
            await asyncio.sleep(wait)
        raise AssertionError  # it counts without end

    async def _send_once(self, request: Mapping[str, Any]) -> httpx2.Response:
        """Send a request; returns the response, whose body is still to come. The SDK's own stream has no limits."""
        response = await self._client.post(
            "/v1/messages",
            cast_to=httpx2.Response,
            body={**request, "stream": True},
            stream=True,
            stream_cls=anthropic.AsyncStream[httpx2.Response],
        )
        return cast("httpx2.Response", response)

    async def count(self, model: str, messages: Sequence[Block]) -> int | None:
        """Return how many tokens the messages have, None if the API does not tell; raises RelayError."""
        try:
            with translated(own_key=self._is_own_key):
                async with asyncio.timeout(COUNT_TIMEOUT):
                    counted = await self._client.messages.count_tokens(model=model, messages=messages)  # type: ignore[arg-type]
                    return count_of(counted.input_tokens)
        except TimeoutError:
            raise ApiUnreachable(f"the API did not count the tokens within {COUNT_TIMEOUT:g} s") from None

    async def _restrain(self, response: httpx2.Response) -> None:
        """Keep the SDK from unpacking a body, since none was asked for packed, and limit how much of it is read."""
        response.headers.pop("content-encoding", None)  # 300 MB of blanks are 300 KB, and would stop the daemon
        body, pace = response.stream, Pace(self._line)
        assert isinstance(body, httpx2.AsyncByteStream)  # noqa: S101  # of an asynchronous client
        is_message = response.is_success
        response.stream = LimitedBody(body, self._limits.response_bytes, pace) if is_message else ErrorBody(body, pace)
