"""The cost of the Messages API in this month: from one sum on the owner is warned, from another on nothing is asked."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol

from paliadin.base.errors import PaliadinError, RelayError
from paliadin.operations.health import make_part
from paliadin.record.snapshot import Row
from paliadin.relays.terminal.requirements import Part, failed
from paliadin.reports.criteria import Prices

FRESH = 30.0  # seconds for which a sum is taken to be right


class TokenStore(Protocol):
    """The store's method that `Budget` uses."""

    async def tokens_of_month(self, host: str) -> list[Row]: ...


@dataclass(frozen=True, slots=True)
class MonthCost:
    """This month's cost in US dollars, by list prices. `unpriced`: models without a price, which are not in the sum."""

    dollars: float
    unpriced: tuple[str, ...] = ()


class Budget:
    """This month's cost against the limits `warns` and `stops`: US dollars in a month, None for no such limit."""

    def __init__(self, store: TokenStore, host: str, prices: Prices, warns: float | None, stops: float | None) -> None:
        self._store, self._host, self._prices = store, host, prices
        self.warns, self.stops = warns, stops
        self._spent = MonthCost(0.0)
        self._valid_until = 0.0  # by the monotonic clock

    @property
    def is_set(self) -> bool:
        """Tell whether there is a limit."""
        return self.warns is not None or self.stops is not None

    async def check(self) -> None:
        """Raise RelayError once this month's money is spent, StoreUnavailable if its sum is not known."""
        if self.stops is not None and (await self.spent()).dollars >= self.stops:
            raise RelayError(
                "what the Messages API may cost in this month is used up",
                code="budget_spent",
                hint="The owner can raise PALIADIN_BUDGET_STOPS; it begins anew with the month.",
            )

    async def spent(self) -> MonthCost:
        """Return this month's cost, half a minute old at most; raises StoreUnavailable."""
        if time.monotonic() >= self._valid_until:
            rows = await self._store.tokens_of_month(self._host)
            costs = {str(row["model"]): self._prices.cost(str(row["model"]), row) for row in rows}
            unpriced = tuple(sorted(model for model, cost in costs.items() if cost is None))
            self._spent = MonthCost(sum(cost or 0.0 for cost in costs.values()), unpriced)
            self._valid_until = time.monotonic() + FRESH
        return self._spent


async def budget_part(budget: Budget) -> Part:
    """Compare this month's cost of the Messages API with what it may be."""
    try:
        spent = await budget.spent()
    except PaliadinError as error:
        return failed("budget", error)
    words = f"the Messages API has cost ${spent.dollars:,.2f} in this month, at list prices"
    if spent.unpriced:
        words += f"; not in it: {', '.join(spent.unpriced)}, without a price"
    if budget.stops is not None and spent.dollars >= budget.stops:
        return make_part(
            "budget", False, "budget_spent", words, "PALIADIN_BUDGET_STOPS says from where on nothing is asked."
        )
    if budget.warns is not None and spent.dollars >= budget.warns:
        stops = "" if budget.stops is None else f" At ${budget.stops:,.2f} nothing is asked any more."
        return make_part("budget", True, "budget_low", words, f"PALIADIN_BUDGET_WARNS is ${budget.warns:,.2f}.{stops}")
    return make_part("budget", True, "ok", words, "")
