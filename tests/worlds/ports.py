"""Ports for the tests' servers.

A daemon that is restarted takes the port that it had. So its port is not one that the system hands out to whoever asks
next, and each process that runs tests has a range of its own: the first of which it can hold the first port.
"""

from __future__ import annotations

import contextlib
import itertools
import socket

_FIRST, _RANGES, _A_RANGE = 20_000, 12, 1_000  # below 32768, where Linux begins with those that it hands out


def _take_range() -> tuple[socket.socket, range]:
    """(what holds the range for as long as this process runs, its other ports)"""
    for first in range(_FIRST, _FIRST + _RANGES * _A_RANGE, _A_RANGE):
        with contextlib.suppress(OSError):
            return socket.create_server(("127.0.0.1", first)), range(first + 1, first + _A_RANGE)
    raise OSError("no range of ports is free: too many processes run these tests")


_held: tuple[socket.socket, itertools.cycle[int]] | None = None


def own_port() -> int:
    """A port of this process's range on which nobody listens now."""
    global _held  # noqa: PLW0603  # taken when it is first needed
    if _held is None:
        holder, ports = _take_range()
        _held = holder, itertools.cycle(ports)
    for port in itertools.islice(_held[1], _A_RANGE):
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
    raise OSError("none of this process's ports is free")
