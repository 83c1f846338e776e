"""The gate's criteria and the prices: defaults that ship with Paliadin, and the owner's file that overrides them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from paliadin.base.errors import ConfigError

HERE = Path(__file__).parent
SIDES = ("green_at_least", "yellow_below", "yellow_above", "kill_below", "kill_above")
KINDS = ("input", "output", "cache_read", "cache_write")

Limits = Mapping[str, float]
"""The limits of a criterion: one of SIDES → the threshold."""


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens, by kind; for models whose name begins with `model`."""

    model: str
    per_million: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Prices:
    """A price list. `source` is the address it was taken from."""

    as_of: date
    source: str
    prices: tuple[Price, ...]

    def cost(self, model: str, tokens: Mapping[str, int | None]) -> float | None:
        """Return the US dollars for `tokens` (input_tokens, output_tokens, …).

        None for a model without a price, and if no count is known.
        """
        price = next((price for price in self.prices if model.startswith(price.model)), None)
        counts = {kind: tokens[f"{kind}_tokens"] for kind in KINDS}
        if price is None or set(counts.values()) == {None}:
            return None
        return sum(price.per_million[kind] * (count or 0) for kind, count in counts.items()) / 1_000_000


@dataclass(frozen=True, slots=True)
class MonitorSettings:
    """The owner's choices for the dashboard and the reports."""

    gate: Mapping[str, Limits]  # a criterion's name → its limits
    prices: Prices


def load_monitor_settings(path: Path | None) -> MonitorSettings:
    """Return the defaults, overridden by the tables `[gate.<criterion>]` and `[prices]` of the owner's TOML file.

    A criterion that has no limits by default is off, and missing here, unless the owner's file names it.

    Raises ConfigError when a file cannot be read, or holds a wrong name or value.
    """
    gate, prices = _read(HERE / "gate.toml"), _read(HERE / "prices.toml")
    owner = _read(path) if path else {}
    if unknown := set(owner) - {"gate", "prices"}:
        raise _unusable(path, f"it has {unknown.pop()!r}, which is neither gate nor prices")
    owner_gate = owner.get("gate", {})
    if not isinstance(owner_gate, dict):
        raise _unusable(path, "gate must be a table, with a table [gate.<criterion>] for each criterion")
    if criteria := sorted(set(owner_gate) - set(gate)):
        raise _unusable(path, f"[gate.{criteria[0]}] is not a criterion; the criteria are {', '.join(gate)}")
    return MonitorSettings(
        {
            name: _limits(path, name, owner_gate.get(name, limits))
            for name, limits in gate.items()
            if limits or name in owner_gate
        },
        _prices(path, owner.get("prices", prices)),
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise _unusable(path, str(error)) from error


def _limits(path: Path | None, name: str, limits: object) -> Limits:
    if not isinstance(limits, dict) or not all(side in SIDES and _is_amount(value) for side, value in limits.items()):
        raise _unusable(path, f"[gate.{name}] takes numbers for {', '.join(SIDES)}")
    return {side: float(value) for side, value in limits.items()}


def _prices(path: Path | None, table: object) -> Prices:
    rows = table.get("price") if isinstance(table, dict) else None
    if not isinstance(table, dict) or not isinstance(table.get("as_of"), date) or not isinstance(rows, list):
        raise _unusable(path, "[prices] takes as_of, a date, and [[prices.price]] tables")
    for row in rows:
        if (
            not isinstance(row, dict)
            or not isinstance(row.get("model"), str)
            or not all(_is_amount(row.get(k)) for k in KINDS)
        ):
            raise _unusable(path, f"each price needs a model, and numbers for {', '.join(KINDS)}")
    prices = tuple(Price(row["model"], {kind: float(row[kind]) for kind in KINDS}) for row in rows)
    return Prices(table["as_of"], str(table.get("source", "")), prices)


def _is_amount(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _unusable(path: Path | None, reason: str) -> ConfigError:
    return ConfigError(f"{path} is not usable: {reason}", hint="docs/monitoring.md shows what the file may hold.")
