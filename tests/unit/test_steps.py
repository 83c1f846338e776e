"""Steps: when a turn is over, their one serialised form, and what Claude Code's hooks become."""

from __future__ import annotations

import pytest

from paliadin.steps.model import Aborted, Accepted, Failed, Prompted, Settled, Step, Stopped, Stopping, Text, is_over

GOING_ON = [Accepted(1), Prompted(2), Text(3, "m", "x"), Stopping(4)]


@pytest.mark.parametrize("end", [Stopped(5), Settled(5), Aborted(5), Failed(5, "timeout")])
def test_a_turn_is_over_with_any_one_of_the_steps_that_end_it(end: Step) -> None:
    assert not is_over(GOING_ON)
    assert is_over([*GOING_ON, end])
