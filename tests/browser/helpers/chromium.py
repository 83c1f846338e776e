"""The system's own Chromium: nothing is downloaded for a test."""

from __future__ import annotations

import os
import shutil
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = ["--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


def find() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


def launch_options() -> dict[str, Any]:
    """For Playwright's `launch`. As root Chromium runs only without its sandbox."""
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    return {"executable_path": find(), "args": ["--disable-gpu", *QUIET, *root]}
