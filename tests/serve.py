"""Runs the daemon for a test: `python -m tests.serve {"settings": {...}, "environment": {...}}`; prints its address."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sys

from paliadin.config import load_settings
from paliadin.daemon import serve

if __name__ == "__main__":
    plan = json.loads(sys.argv[1])
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(
            serve(
                load_settings(plan["settings"]),
                announce=lambda url: print(url, flush=True),  # noqa: T201  # read by tests/world.py
                environment=plan["environment"],
            )
        )
