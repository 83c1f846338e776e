"""Opens an address with a ticket in the browser, without naming it on a command line, which any account can read."""

from __future__ import annotations

import html
import secrets
import webbrowser
from collections.abc import Callable
from functools import partial
from pathlib import Path

from paliadin.base.files import write_text


def open_in_browser(home: Path, address: str) -> Callable[[], None]:
    """Open a file of this account's that leads to the address; returns the function that deletes the file."""
    file = home / f"open-{secrets.token_hex(8)}.html"
    target = html.escape(address)
    write_text(file, f'<!doctype html><meta http-equiv="refresh" content="0; url={target}"><title>Paliadin</title>\n')
    webbrowser.open(file.as_uri())
    return partial(file.unlink, missing_ok=True)
