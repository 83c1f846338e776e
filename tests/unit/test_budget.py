"""What the Messages API may cost in a month: the owner is told at one sum, and nothing is asked from another on."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from paliadin.base.errors import RelayError, StoreUnavailable
from paliadin.parts.messages import budget
from paliadin.parts.messages.budget import Budget, MonthCost, budget_part
from paliadin.reports.criteria import Price, Prices

PRICES = Prices(
    date(2026, 11, 1), "", (Price("m", {"input": 10.0, "output": 20.0, "cache_read": 1.0, "cache_write": 0.0}),)
)


def tokens(model: str, million: float) -> dict[str, Any]:
    counts = dict.fromkeys(("output_tokens", "cache_read_tokens", "cache_write_tokens"), 0)
    return {"model": model, "input_tokens": int(million * 1_000_000), **counts}


class Store:
    """Says what was used, and how often it was asked."""

    def __init__(self, *rows: dict[str, Any]) -> None:
        self.rows, self.asked, self.is_away = list(rows), 0, False

    async def tokens_of_month(self, host: str) -> list[dict[str, Any]]:
        assert host == "api.example"
        if self.is_away:
            raise StoreUnavailable("away")
        self.asked += 1
        return self.rows


def make(store: Store, warns: float | None = None, stops: float | None = None) -> Budget:
    return Budget(store, "api.example", PRICES, warns, stops)


async def test_from_a_sum_on_nothing_is_asked() -> None:
    await make(Store(tokens("m-1", 0.49)), stops=5.0).check()
    with pytest.raises(RelayError) as refused:
        await make(Store(tokens("m-1", 0.3), tokens("m-2", 0.2)), stops=5.0).check()
    assert (refused.value.code, refused.value.status) == ("budget_spent", 503)


async def test_without_such_a_sum_nobody_is_asked() -> None:
    store = Store(tokens("m", 1e6))
    await make(store, warns=1.0).check()
    assert store.asked == 0
    assert not make(store).is_set


async def test_a_sum_is_taken_to_be_right_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(budget.time, "monotonic", lambda: now)
    store = Store()
    watched = make(store, stops=5.0)
    await watched.check()
    store.rows = [tokens("m", 1)]
    await watched.check()
    assert store.asked == 1
    now += budget.FRESH
    with pytest.raises(RelayError):
        await watched.check()


async def test_where_nobody_can_say_nothing_is_asked() -> None:
    store = Store()
    store.is_away = True
    with pytest.raises(StoreUnavailable):
        await make(store, stops=5.0).check()


async def test_a_model_without_a_price_is_named_and_costs_nothing() -> None:
    spent = await make(Store(tokens("x", 9), tokens("m", 0.1))).spent()
    assert spent == MonthCost(1.0, ("x",))


@pytest.mark.parametrize(
    ("million", "ok", "state"), [(0.1, True, "ok"), (0.4, True, "budget_low"), (0.5, False, "budget_spent")]
)
async def test_the_owner_is_told(million: float, ok: bool, state: str) -> None:
    part = await budget_part(make(Store(tokens("m", million), tokens("x", 1)), warns=4.0, stops=5.0))
    assert (part["name"], part["ok"], part["state"]) == ("budget", ok, state)
    assert f"${million * 10:.2f}" in part["message"]
    assert "not in it: x" in part["message"]
