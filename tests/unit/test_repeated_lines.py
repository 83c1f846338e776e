from __future__ import annotations

import logging

import pytest

from paliadin.base.repeated_lines import INTERVAL, MOST_KINDS, RepeatedLines


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def repeated(clock: Clock) -> RepeatedLines:
    return RepeatedLines(clock)


@pytest.fixture
def log(repeated: RepeatedLines, request: pytest.FixtureRequest) -> logging.Logger:
    logger = logging.getLogger(f"test.{request.node.name}")
    logger.addFilter(repeated)
    return logger


def test_the_first_line_is_written_and_the_others_are_counted_once_a_minute(
    log: logging.Logger, repeated: RepeatedLines, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    for minute in range(3):
        for second in range(60):
            clock.now = 100 + 60 * minute + second
            for _ in range(20):
                log.warning("refused %s\nbecause %s", second, "of it")
            repeated.report()
    assert caplog.messages == ["refused 0\nbecause of it", "refused %s (and 1,219 more)", "refused %s (and 1,200 more)"]


def test_a_line_that_stopped_is_new_when_it_comes_again(
    log: logging.Logger, repeated: RepeatedLines, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        log.error("refused")
        repeated.report()
        clock.now += INTERVAL
        repeated.report()
    assert caplog.messages == ["refused", "refused"]


def test_lines_of_another_kind_are_written(log: logging.Logger, caplog: pytest.LogCaptureFixture) -> None:
    log.warning("a")
    log.error("a")
    log.error("b")
    for kind in (ValueError, KeyError):
        log.error("b", exc_info=kind())
    assert caplog.messages == ["a", "a", "b", "b", "b"]


def test_kinds_without_number_are_not_kept(
    log: logging.Logger, repeated: RepeatedLines, caplog: pytest.LogCaptureFixture
) -> None:
    log.warning("twice")
    log.warning("twice")
    for number in range(2 * MOST_KINDS):
        log.warning(str(number))
    assert len(repeated._kinds) <= MOST_KINDS
    assert "twice (and 1 more)" in caplog.messages
