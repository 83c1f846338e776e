"""Ports for the tests' servers.

A daemon that is restarted takes the port that it had. So its port is not one that the system hands out to whoever asks
next, and each process that runs tests has a range of its own: the first of which it can hold the first port.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import socket

_FIRST, _RANGES, _A_RANGE = 20_000, 12, 1_000  # below 32768, where Linux begins with those that it hands out


@functools.cache  # taken when it is first needed
def _own_range() -> itertools.cycle[int]:
    """Hold a range for as long as this process runs, by its first port; the others, in turn, are for its servers."""
    for first in range(_FIRST, _FIRST + _RANGES * _A_RANGE, _A_RANGE):
        with contextlib.suppress(OSError):
            socket.create_server(("127.0.0.1", first)).detach()  # stays open: nobody closes the descriptor
            return itertools.cycle(range(first + 1, first + _A_RANGE))
    raise OSError("no range of ports is free: too many processes run these tests")


def own_port() -> int:
    """A port of this process's range on which nobody listens now."""
    for port in itertools.islice(_own_range(), _A_RANGE):
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
    raise OSError("none of this process's ports is free")


def close_listener(listener: socket.socket) -> None:
    """Close it, and end the `accept` in which a thread may wait: closed alone, it goes on listening there."""
    with contextlib.suppress(OSError):  # macOS knows no such shutdown, and needs none
        listener.shutdown(socket.SHUT_RDWR)
    listener.close()
