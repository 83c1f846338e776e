"""The keys of other machines that run paliadin-shim here: the lines of this account's ~/.ssh/authorized_keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from paliadin.base.settings import Settings
from paliadin.relays.terminal.requirements import Part, warning

PROGRAM = "paliadin-shim"
_OUT = "Take that out of the line."
# What `restrict` takes away, and such an option gives back.
_GIVEN_BACK = ("agent-forwarding", "port-forwarding", "pty", "user-rc", "x11-forwarding")
_OPTION = re.compile(r'([A-Za-z0-9-]+)(?:="((?:[^"\\]|\\.)*)")?(,|[ \t]|$)')


def check_far_keys(_settings: Settings) -> Iterator[Part]:
    """Check that each key of another machine can run the shim, and do nothing else."""
    path = Path.home() / ".ssh" / "authorized_keys"
    try:
        lines = path.read_text("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return
    for number, line in enumerate(lines, 1):
        options = parse_options(line)
        if PROGRAM not in options.get("command", ""):
            continue
        where = f"line {number} of {path} runs {PROGRAM}"
        hint = "Write restrict behind its command, or run `paliadin remote add … --install` again over there."
        if "restrict" not in options:
            yield warning("far keys", f"{where} without restrict: the key can also forward ports", hint)
        elif given_back := [name for name in _GIVEN_BACK if name in options]:
            yield warning("far keys", f"{where}, and allows {', '.join(given_back)} again", _OUT)


def parse_options(line: str) -> dict[str, str]:
    """Return the options at the beginning of a line of authorized_keys: name in lower case → value, or empty."""
    options: dict[str, str] = {}
    text = line.strip()
    while match := _OPTION.match(text):
        options[match[1].lower()] = (match[2] or "").replace('\\"', '"')
        text = text[match.end() :]
        if match[3] != ",":
            break
    return options
