"""Restrict the SDK's connections to the Messages API: small reads, no unexpected response heads, no cookies."""

from __future__ import annotations

import asyncio
import functools
import socket
from http.cookiejar import DefaultCookiePolicy
from typing import Any, cast

import aiohttp
from aiohttp.client_proto import ResponseHandler
from anthropic._vendor.httpx_aiohttp.transport import AiohttpTransport
from httpx2 import AsyncClient

AT_ONCE = 16_384  # bytes in the socket, of which the system makes twice that; the event loop parses them in one go
MOST_INTERIM = 10  # heads before a response's own, such as `100 Continue`


def limit(client: AsyncClient) -> None:
    """Make a new client read no more of a response than it has asked for, and keep no cookies.

    A cookie that came for one person's key would go with another's, and jars have no limit.

    The SDK has no public way to its connections; `test_messages_api` notices when there is none any more.
    """
    client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=()))
    by_proxy = client._mounts.values()  # noqa: SLF001  # None: a host of NO_PROXY, for which there is the first one
    for transport in filter(None, (client._transport, *by_proxy)):  # noqa: SLF001
        assert isinstance(transport, AiohttpTransport)  # noqa: S101  # of the SDK's aiohttp client
        transport.client = functools.partial(_session, transport)


def _session(transport: AiohttpTransport) -> aiohttp.ClientSession:
    """Make the session of a transport as the SDK does, but with our sockets and our protocol."""
    connector = aiohttp.TCPConnector(
        keepalive_timeout=transport.limits.keepalive_expiry,
        ssl=transport.ssl_context,
        limit=transport.limits.max_connections or 0,
        socket_factory=_socket,
    )
    factory = functools.partial(_Responses, asyncio.get_running_loop())
    connector._factory = cast("functools.partial[ResponseHandler]", factory)  # noqa: SLF001
    return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())


def _socket(address: Any) -> socket.socket:
    family, kind, protocol, *_ = address
    new_socket = socket.socket(family, kind, protocol)
    new_socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, AT_ONCE)
    return new_socket


class _Responses(ResponseHandler):
    """Ends a connection with too many interim heads, or with a head that no request waits for.

    Aiohttp accepts any number of interim heads, and takes a head that nobody waited for as that of the next response.
    """

    _awaited = False  # a response's own head is still to come
    _interim = 0

    def set_response_params(self, **params: Any) -> None:
        """Begin with the next response."""
        self._awaited, self._interim = True, 0
        super().set_response_params(**params)

    def feed_data(self, data: Any, size: int = 0) -> None:
        """Take a head."""
        is_interim = 100 <= data[0].code < 200
        self._interim += is_interim
        if self._awaited and self._interim <= MOST_INTERIM:
            self._awaited = is_interim
            super().feed_data(data, size)
        elif self.transport:
            self.set_exception(aiohttp.ServerDisconnectedError("a head that a response may not have"))
            self.transport.close()
