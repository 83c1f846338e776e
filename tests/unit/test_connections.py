from __future__ import annotations

from itertools import count
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from paliadin.web.connections import HEAD_TIMEOUT, IDLE_TIMEOUT, STUCK_TIMEOUT, Activity, Connections


def some(*names: str, most: int = 10) -> Connections[str]:
    connections: Connections[str] = Connections(most)
    for at, name in enumerate(names):
        connections.open(name, float(at))
    return connections


def test_the_oldest_silent_one_goes_first() -> None:
    connections = some("a", "b", "c")
    assert connections.next_to_go() == "a"
    connections.note("a", Activity.REQUEST, 3.0)
    assert connections.next_to_go() == "b"
    connections.close("b")
    assert connections.next_to_go() == "c"


def test_one_that_had_its_response_goes_before_one_that_still_waits_for_it() -> None:
    connections = some("a", "b", "c")
    for name in "cb":
        connections.note(name, Activity.REQUEST, 3.0)
        connections.note(name, Activity.IDLE, 4.0)
    assert connections.next_to_go() == "c"
    connections.note("c", Activity.HEAD, 5.0)
    assert connections.next_to_go() == "b"
    connections.note("b", Activity.REQUEST, 6.0)
    assert connections.next_to_go() == "a"


def test_of_those_with_a_request_one_whose_client_takes_nothing_goes_first() -> None:
    connections = some("a", "b", "c")
    for name in "abc":
        connections.note(name, Activity.REQUEST, 3.0)
    assert connections.oldest_silent() is None
    assert connections.next_to_go() == "a"
    connections.note_unsent("c", 1000, 5.0)
    connections.note_unsent("b", 1000, 6.0)
    assert connections.next_to_go() == "c"


def test_a_head_has_its_time_however_it_trickles_in() -> None:
    connections = some("a")
    for second in range(1, int(HEAD_TIMEOUT) + 1):
        connections.note("a", Activity.HEAD, second)
    assert connections.overdue(HEAD_TIMEOUT) == []
    assert connections.overdue(HEAD_TIMEOUT + 0.1) == ["a"]


def test_one_that_is_kept_alive_may_be_idle_for_longer_and_its_next_head_has_its_time() -> None:
    connections = some("a", "b")
    for name in "ab":
        connections.note(name, Activity.REQUEST, 2.0)
        connections.note(name, Activity.IDLE, 10.0)
    connections.note("b", Activity.HEAD, 20.0)
    assert connections.overdue(20.0 + HEAD_TIMEOUT) == []
    assert connections.overdue(20.1 + HEAD_TIMEOUT) == ["b"]
    assert set(connections.overdue(10.1 + IDLE_TIMEOUT)) == {"a", "b"}


def test_a_request_has_all_the_time_it_needs_while_its_client_takes_what_is_sent() -> None:
    connections = some("a", "b")
    for name in "ab":
        connections.note(name, Activity.REQUEST, 2.0)
    connections.note_unsent("b", 500, 100.0)
    assert connections.overdue(100.0 + STUCK_TIMEOUT) == []
    connections.note_unsent("b", 500, 110.0)
    assert connections.overdue(100.1 + STUCK_TIMEOUT) == ["b"]
    connections.note_unsent("b", 400, 120.0)
    assert connections.overdue(120.0 + STUCK_TIMEOUT) == []
    connections.note_unsent("b", 0, 121.0)
    assert connections.overdue(1e9) == []


class Flood(RuleBasedStateMachine):
    """Connections come, ask, are answered and go in any order; whoever accepts makes room first."""

    def __init__(self) -> None:
        super().__init__()
        self.connections: Connections[int] = Connections(4)
        self.doing: dict[int, Activity] = {}
        self.numbers = count()
        self.now = 0.0

    @rule(seconds=st.floats(0, 40))
    def wait(self, seconds: float) -> None:
        self.now += seconds
        for each in self.connections.overdue(self.now):
            assert self.doing[each] is not Activity.REQUEST, "nothing was unsent"
            self.connections.close(each)
            del self.doing[each]

    @rule()
    def accept(self) -> None:
        while self.connections.full:
            gone = self.connections.next_to_go()
            assert gone is not None
            assert self.doing[gone] is not Activity.REQUEST or set(self.doing.values()) == {Activity.REQUEST}
            self.connections.close(gone)
            del self.doing[gone]
        number = next(self.numbers)
        self.connections.open(number, self.now)
        self.doing[number] = Activity.HEAD

    @precondition(lambda self: self.doing)
    @rule(data=st.data(), doing=st.sampled_from(Activity))
    def do(self, data: Any, doing: Activity) -> None:
        number = data.draw(st.sampled_from(sorted(self.doing)))
        self.connections.note(number, doing, self.now)
        self.doing[number] = doing

    @invariant()
    def all_are_known(self) -> None:
        assert len(self.connections) == len(self.doing) <= 4
        assert set(self.connections.busy) == {one for one, doing in self.doing.items() if doing is Activity.REQUEST}


TestFlood = Flood.TestCase


@settings(max_examples=30)
@given(st.lists(st.sampled_from("abc")))
def test_what_was_closed_is_forgotten(names: list[str]) -> None:
    connections = some("a", "b", "c")
    for name in names:
        connections.close(name)
        connections.note(name, Activity.REQUEST, 9.0)
        connections.note_unsent(name, 9, 9.0)
    assert len(connections) == 3 - len(set(names))
