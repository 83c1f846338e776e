"""The account that the daemon runs under."""

from __future__ import annotations

import getpass
import os


def account_name() -> str:
    """Return the owner's name: that of the account that the daemon runs under, or its number if it has no name."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return str(os.getuid())
