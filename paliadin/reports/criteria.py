"""The owner's criteria and prices: data that ships with Paliadin, and what a file of the owner's says instead."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from paliadin.errors import ConfigError

HERE = Path(__file__).parent
SIDES = ("green_at_least", "yellow_below", "yellow_above", "kill_below", "kill_above")
KINDS = ("input", "output", "cache_read", "cache_write")

Limits = Mapping[str, float]
"""One of SIDES → the threshold."""


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens, by kind; for models whose name begins with `model`."""

    model: str
    per_million: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Prices:
    as_of: date
    source: str
    prices: tuple[Price, ...]

    def cost(self, model: str, tokens: Mapping[str, int]) -> float | None:
        """Of tokens by kind; None for a model that has no price."""
        price = next((price for price in self.prices if model.startswith(price.model)), None)
        if price is None:
            return None
        return sum(price.per_million[kind] * tokens[f"{kind}_tokens"] for kind in KINDS) / 1_000_000


@dataclass(frozen=True, slots=True)
class MonitorSettings:
    gate: Mapping[str, Limits]  # a criterion's name → its limits
    prices: Prices


def load(path: Path | None) -> MonitorSettings:
    """The defaults, and over them the tables `[gate.<criterion>]` and `[prices]` of the owner's TOML file."""
    gate, prices = _read(HERE / "gate.toml"), _read(HERE / "prices.toml")
    own = _read(path) if path else {}
    if unknown := set(own) - {"gate", "prices"}:
        raise _wrong(path, f"it has {unknown.pop()!r}, which is neither gate nor prices")
    own_gate = own.get("gate", {})
    if not isinstance(own_gate, dict) or (unknown := set(own_gate) - set(gate)):
        raise _wrong(path, f"[gate] has criteria that there are not; there are {', '.join(gate)}")
    return MonitorSettings(
        {name: _limits(path, name, own_gate.get(name, limits)) for name, limits in gate.items()},
        _prices(path, own.get("prices", prices)),
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise _wrong(path, str(error)) from error


def _limits(path: Path | None, name: str, limits: object) -> Limits:
    if not isinstance(limits, dict) or not all(side in SIDES and _number(value) for side, value in limits.items()):
        raise _wrong(path, f"[gate.{name}] takes numbers for {', '.join(SIDES)}")
    return {side: float(value) for side, value in limits.items()}


def _prices(path: Path | None, table: object) -> Prices:
    rows = table.get("price") if isinstance(table, dict) else None
    if not isinstance(table, dict) or not isinstance(table.get("as_of"), date) or not isinstance(rows, list):
        raise _wrong(path, "[prices] takes as_of, a date, and [[prices.price]] tables")
    for row in rows:
        if (
            not isinstance(row, dict)
            or not isinstance(row.get("model"), str)
            or not all(_number(row.get(k)) for k in KINDS)
        ):
            raise _wrong(path, f"each price has a model, and numbers for {', '.join(KINDS)}")
    found = tuple(Price(row["model"], {kind: float(row[kind]) for kind in KINDS}) for row in rows)
    return Prices(table["as_of"], str(table.get("source", "")), found)


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _wrong(path: Path | None, why: str) -> ConfigError:
    return ConfigError(f"{path} is not usable: {why}", hint="docs/monitoring.md shows what it may hold.")
