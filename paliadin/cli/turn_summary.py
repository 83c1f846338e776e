"""What is said of a turn when it has ended, from the data of its events. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paliadin.cli.facts import difference_lines

JsonObject = Mapping[str, Any]


def chip_detail(chip: JsonObject) -> str:
    """Where a chip leads, and what no tool bears out, in brackets after a blank; "" for a chip that leads nowhere."""
    if chip.get("action") in {"nav", "filter"}:
        return f" ({chip['href']}; suggested by Claude, no tool named it)" if chip.get("href") else ""
    detail = chip.get("href") or ("" if chip["verified"] else "not verified: no tool returned it")
    return f" ({detail})" if detail else ""


def summary(evidence: JsonObject, end: JsonObject) -> str:
    """Sum up a turn, as `3.2 s · 1,204 tokens read, 33 written · data · Read, Grep`.

    `evidence` and `end` are the data of those events. The tools that the answer claims are added if others ran, and
    the rows if others were seen.
    """
    usage = {name: count for name, count in (end.get("usage") or {}).items() if count is not None}
    parts = [
        f"{end['duration_ms'] / 1000:.1f} s" if end.get("duration_ms") is not None else "",
        f"{_input_tokens(usage):,} tokens read, {usage.get('output_tokens', 0):,} written" if usage else "",
        str(evidence.get("classifier_tag") or ""),
        ", ".join(evidence.get("observed_tools") or []) or "no tools",
        _claimed(evidence),
        "stopped" if end.get("aborted") else "",
    ]
    return " · ".join(part for part in parts if part)


def _claimed(evidence: JsonObject) -> str:
    if evidence.get("agrees") is not False:
        return ""
    differences = evidence.get("differences") or []
    if differences and all(each["what"] == "rows" for each in differences):
        return "; ".join(difference_lines(differences))
    return f"claims {', '.join(evidence['used_tools']) or 'none'}"


def _input_tokens(usage: JsonObject) -> int:
    return sum(usage.get(key, 0) for key in ("input_tokens", "cache_read_tokens", "cache_write_tokens"))
