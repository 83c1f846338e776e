"""The shim's own log, shim.log in the state folder of its --name: for its account only, and bounded in size."""

from __future__ import annotations

import logging
import os
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from paliadin.base.terminal_text import LineFormatter

MAX_SIZE = 1_000_000  # bytes of one file
OLDER_FILES = 3


class _PrivateLog(RotatingFileHandler):
    """A log handler that gives its file the mode 0600, also an existing one, and follows no link."""

    def _open(self) -> TextIOWrapper:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(self.baseFilename, flags, 0o600)
        os.fchmod(descriptor, 0o600)
        return os.fdopen(descriptor, "a", encoding="utf-8", errors="backslashreplace")


def write_log_to(folder: Path) -> None:
    """Have every logger of this process write to the folder's shim.log, with three older files."""
    handler = _PrivateLog(folder / "shim.log", maxBytes=MAX_SIZE, backupCount=OLDER_FILES)
    handler.setFormatter(LineFormatter("%(asctime)s %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.INFO)
    logging.getLogger("watchfiles").setLevel(logging.WARNING)  # it logs every change of a file
