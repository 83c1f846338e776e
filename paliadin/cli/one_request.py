"""One request to the running daemon, for a command that needs no more."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from paliadin.base.running_daemon import load_daemon_settings
from paliadin.cli.client import DaemonClient


def send(method: str, path: str, body: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    """Send a GET, POST or DELETE request; returns the JSON object of the response. Raises as `DaemonClient` does."""

    async def send_it() -> Mapping[str, Any]:
        async with DaemonClient(load_daemon_settings()) as daemon:
            if method == "GET":
                return await daemon.get(path)
            return await (daemon.delete(path) if method == "DELETE" else daemon.post(path, body or {}))

    return asyncio.run(send_it())
