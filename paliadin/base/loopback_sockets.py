"""The daemon's port: sockets that listen at every loopback address where a browser may look for the page."""

from __future__ import annotations

import contextlib
import errno
import socket

from paliadin.base.errors import ConfigError
from paliadin.base.settings import Settings

TRIED_BY_BROWSERS = ("127.0.0.1", "::1")
"""What browsers take `<label>.localhost` for. Chromium tries ::1 first."""

BACKLOG = 4096  # clients that connect before we serve, or all at once, wait instead of being refused
_MISSING = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}  # there is no IPv6, so nobody else can listen there either
_ATTEMPTS = 20  # to find a port that is free at every address, when any port will do
_HINTS = {
    errno.EADDRINUSE: "Is it Paliadin? `paliadin open` opens its page. Otherwise choose another port: PALIADIN_PORT.",
    errno.EACCES: "Ports below 1024 need root: choose another one with --port or PALIADIN_PORT.",
    errno.EADDRNOTAVAIL: "This machine has no such address: set PALIADIN_HOST to 127.0.0.1.",
}


def listen(settings: Settings) -> list[socket.socket]:
    """Return sockets that listen on the settings' port, the first one at their host; none if there is no port.

    The others are at TRIED_BY_BROWSERS: another program there would get the page's cookie. An address that this machine
    lacks is left out. Raises ConfigError when another address cannot be had.
    """
    if settings.port is None:
        return []
    for _ in range(_ATTEMPTS if settings.port == 0 else 0):
        with contextlib.suppress(ConfigError):  # somebody has that port at another address
            return _listen_everywhere(settings.host, 0)
    return _listen_everywhere(settings.host, settings.port)


def _listen_everywhere(host: str, port: int) -> list[socket.socket]:
    listeners: list[socket.socket] = []
    with contextlib.ExitStack() as opened:
        for address in (host, *TRIED_BY_BROWSERS):
            if any(address == listener.getsockname()[0] for listener in listeners):
                continue
            try:
                listeners.append(opened.enter_context(_listen(address, port)))
            except OSError as error:
                if listeners and error.errno in _MISSING:
                    continue
                where = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
                hint = _HINTS.get(error.errno or 0, "")
                raise ConfigError(f"cannot listen on {where}: {error.strerror}", hint=hint) from error
            port = listeners[-1].getsockname()[1]
        opened.pop_all()
    return listeners


def _listen(address: str, port: int) -> socket.socket:
    """Return a socket that listens at the address; raises OSError."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    # asyncio sets TCP_NODELAY only if the protocol is named; without it a kept-alive connection adds 44 ms a response.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address, port))
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener
