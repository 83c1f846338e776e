"""When what is older is looked through for garbage."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from paliadin.base import garbage_collection as garbage
from paliadin.base.garbage_collection import PUT_OFF_FOR, OldGarbage


class Circle:
    """Garbage that only the collector finds."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    time, thresholds = [1000.0], gc.get_threshold()
    monkeypatch.setattr(garbage, "monotonic", lambda: time[0])
    monkeypatch.setattr(gc, "freeze", lambda: None)
    yield time
    gc.set_threshold(*thresholds)


def old_garbage() -> weakref.ref[Circle]:
    circle = Circle()
    for _ in range(20):  # it becomes old, and a look is due by Python's own count
        gc.collect(1)
    return weakref.ref(circle)


def test_it_is_looked_for_as_soon_as_nothing_is_going_on(now: list[float]) -> None:
    busy = True
    old = OldGarbage(lambda: busy)
    found = old_garbage()
    old.every_second()
    assert found() is not None
    busy = False
    old.every_second()
    assert found() is None


def test_while_something_is_always_going_on_it_is_looked_for_once_a_minute(now: list[float]) -> None:
    old = OldGarbage(lambda: True)
    for _ in range(2):
        found = old_garbage()
        now[0] += PUT_OFF_FOR - 1
        old.every_second()
        assert found() is not None
        now[0] += 2
        old.every_second()
        assert found() is None


def test_nothing_is_looked_through_where_nothing_has_come(now: list[float]) -> None:
    old = OldGarbage(lambda: False)
    gc.collect()
    circle = weakref.ref(Circle())
    old.every_second()
    assert circle() is not None


def test_python_does_not_look_for_it_by_itself(now: list[float]) -> None:
    OldGarbage(lambda: True)
    found = old_garbage()
    kept = [[number] for number in range(200_000)]
    assert found() is not None
    assert kept
