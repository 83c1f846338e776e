"""The page has words of its own, in both languages, for whatever code the daemon may send it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from paliadin.base import errors
from paliadin.relays.protocol import SessionState, State
from paliadin.words.catalogue import words

ROOT = Path(__file__).parents[2]
ELSEWHERE = {"cli", "store", "practice"}  # folders whose errors end in the terminal, at the start, or have own words
# A column of the row; the embedded database's; `doctor`'s.
NEVER_SENT = {"user_aborted", "not_ours", "unreadable"}


def codes(kind: type[errors.PaliadinError] = errors.PaliadinError) -> Iterator[str]:
    if not ELSEWHERE & set(kind.__module__.split(".")):  # another test may have loaded those
        yield kind.default_code
    for special in kind.__subclasses__():
        yield from codes(special)


def codes_in_calls() -> Iterator[str]:
    """Those that a call names as `code="…"`."""
    for path in (ROOT / "paliadin").rglob("*.py"):
        if not ELSEWHERE & set(path.parts) or path.name in {"routes.py", "people.py"}:
            yield from re.findall(r'\bcode="(\w+)"', path.read_text("utf-8"))


def test_every_code_and_every_state_that_is_not_well_has_words_in_both_languages() -> None:
    wrong = {str(state) for state in State if not SessionState("", "", state, "").ok}
    wanted = {
        *codes(),
        *codes_in_calls(),
        *wrong,
        "no_hooks",
        "unreachable",
        "low",
        "not_found",
        "method_not_allowed",
    } - NEVER_SENT
    assert wanted <= {key.split(".")[1] for key in words("errors")}
