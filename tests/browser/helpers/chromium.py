"""The system's own Chromium: nothing is downloaded for a test."""

from __future__ import annotations

import os
import shutil
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
SHELL = "chromium-headless-shell"  # the same engine without windows: it takes a third less processor time
# A test's first page comes after an empty one, and with a process of its own for each of the two it would load and
# compile the page's scripts anew: half of its processor time. Pages of other sites still have a process of their own.
FEW_PROCESSES = ["--process-per-site", "--in-process-gpu"]
QUIET = ["--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


def find(*names: str) -> str | None:
    """The first of these programs that is installed."""
    return next(filter(None, map(shutil.which, names)), None)


def launch_options(*, whole: bool = False) -> dict[str, Any]:
    """For Playwright's `launch`; `whole`: the browser that people use, with as many processes as there. As root it runs
    only without its sandbox."""
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    names, few = (NAMES, []) if whole else ((SHELL, *NAMES), FEW_PROCESSES)
    return {"executable_path": find(*names), "args": ["--disable-gpu", *few, *QUIET, *root]}
