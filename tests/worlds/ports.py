"""Ports for the tests' servers.

A daemon that is restarted takes the port that it had. So its port is not one that the system hands out to whoever asks
next, and each worker of pytest-xdist has a range of its own.
"""

from __future__ import annotations

import itertools
import os
import socket

_FIRST, _A_WORKER = 20_000, 1_000  # below 32768, where Linux begins with those that it hands out

_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
_ports = itertools.cycle(range(_FIRST + _worker * _A_WORKER, _FIRST + (_worker + 1) * _A_WORKER))


def own_port() -> int:
    """A port of this worker's range on which nobody listens now."""
    for port in itertools.islice(_ports, _A_WORKER):
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
    raise OSError(f"no port from {_FIRST + _worker * _A_WORKER} on is free")
