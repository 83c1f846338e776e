"""The rights of a key on a remote host: `--may` in its line of authorized_keys. The shim enforces them there. Pure.

Every key may read its sessions and turns. `ask` adds questions, replies to Claude's own questions, Stop, a new
conversation and the deletion of its turns; `allow` adds replies to permission requests.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from paliadin.base.errors import Forbidden

Right = Literal["ask", "allow"]
Rights = frozenset[Right]

READ = "read"
_NAMES: tuple[Right, ...] = ("ask", "allow")
ALL: Rights = frozenset(_NAMES)

_REFUSALS: Mapping[Right, str] = {
    "ask": "this key may only read what Claude does there",
    "allow": "this key may not reply to permission requests there",
}
_DESCRIPTIONS: Mapping[Rights, str] = {
    frozenset(): "only read",
    frozenset({"ask"}): "ask, but not reply to permission requests",
    frozenset({"allow"}): "read, and reply to permission requests, but not ask",
    ALL: "ask, and reply to permission requests",
}


def parse_rights(text: str) -> Rights:
    """Parse `read`, or `ask` and `allow` separated by a comma; raises ValueError."""
    names = text.split(",")
    if not set(names) <= {READ, *_NAMES}:
        raise ValueError("give read, ask, allow or ask,allow")
    return frozenset(right for right in _NAMES if right in names)


def format_rights(rights: Rights) -> str:
    """Write the rights as `parse_rights` reads them."""
    return ",".join(right for right in _NAMES if right in rights) or READ


def describe_rights(rights: Rights) -> str:
    """Say for a person what the key may do: the end of a sentence that begins with "the key may"."""
    return _DESCRIPTIONS[rights]


def check_right(rights: Rights, needed: Right) -> None:
    """Raise Forbidden (`not_allowed`) unless `needed` is among the rights."""
    if needed not in rights:
        raise Forbidden(
            _REFUSALS[needed],
            code="not_allowed",
            status=403,
            hint=f"It may {describe_rights(rights)} (--may in its line of ~/.ssh/authorized_keys on that host). "
            "Do this in the terminal there, or have that line changed.",
        )
