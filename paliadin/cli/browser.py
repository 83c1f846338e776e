"""Opens an address with a ticket in the browser, without naming it on a command line, which any account can read."""

from __future__ import annotations

import html
import secrets
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from paliadin.base import umask
from paliadin.base.files import write_text
from paliadin.base.running_daemon import OPEN_PAGE

OPEN = "import sys, webbrowser; sys.exit(not webbrowser.open(sys.argv[1]))"
NO_BROWSER = "No browser could be started here. Open the address yourself: it works once, within an hour."
BY_PATH = "Safari does not find this address: it needs that of `paliadin open --by-path`."


def open_in_browser(home: Path, address: str) -> Callable[[], None] | None:
    """Open a file of this account's that leads to the address.

    Returns the function that deletes the file; None, without a file, when there is no browser.
    """
    file = home / OPEN_PAGE.format(secrets.token_hex(8))
    target = html.escape(address)
    write_text(file, f'<!doctype html><meta http-equiv="refresh" content="0; url={target}"><title>Paliadin</title>\n')
    # In a process of its own, so that what the browser saves has the owner's usual mode.
    opened = subprocess.run([sys.executable, "-I", "-c", OPEN, file.as_uri()], check=False, umask=umask.of_owner())
    if opened.returncode:
        file.unlink(missing_ok=True)
        return None
    return partial(file.unlink, missing_ok=True)
