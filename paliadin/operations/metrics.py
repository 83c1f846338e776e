"""The metrics of /metrics, in Prometheus' format: counts and times, never a text of a turn."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from paliadin.base.errors import PaliadinError
from paliadin.events.failures import CODES
from paliadin.events.reducer import Reducer
from paliadin.evidence.model import Evidence, count_claims
from paliadin.turns.lifecycle import Turns

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
BUCKETS = (0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800)  # seconds
OTHER = "other"


@dataclass
class Metrics:
    """Counts and times since the daemon started. `count_turn` is called for each turn that ends."""

    registry: CollectorRegistry = field(default_factory=CollectorRegistry)

    def __post_init__(self) -> None:
        registry = self.registry
        self._turns = Counter("paliadin_turns", "Turns that ended, by outcome.", ["outcome"], registry=registry)
        self._answers = Counter(
            "paliadin_answers", "Answers whose claims were checked, by verdict.", ["verdict"], registry=registry
        )
        self._claims = Counter(
            "paliadin_claims", "Claims of these answers, by what is known of them.", ["status"], registry=registry
        )
        self._duration = Histogram(
            "paliadin_turn_duration_seconds",
            "From acceptance to the end of a turn.",
            buckets=BUCKETS,
            registry=registry,
        )
        self._first_text = Histogram(
            "paliadin_first_text_seconds", "From acceptance to a turn's first text.", buckets=BUCKETS, registry=registry
        )
        self._streams = Gauge("paliadin_streams_active", "Event streams that are being followed.", registry=registry)
        self._waiting = Gauge(
            "paliadin_rows_waiting", "Ended turns whose row waits for the database.", registry=registry
        )
        self._lag = Gauge(
            "paliadin_database_lag_seconds", "How long the row that waits longest has waited.", registry=registry
        )
        self._sessions = Gauge(
            "paliadin_sessions", "Sessions by the state of their Claude.", ["state"], registry=registry
        )
        self._ended_at: dict[str, float] = {}  # turn_id → time.monotonic() of turns whose row may still wait

    def count_turn(self, turn_id: str, reducer: Reducer) -> None:
        """Count a turn that has ended; `reducer` has seen its whole log."""
        code = reducer.error_code or "answered"
        self._turns.labels(code if code in {*CODES, "user_aborted", "answered"} else OTHER).inc()
        for histogram, milliseconds in (
            (self._duration, reducer.duration_ms),
            (self._first_text, reducer.first_text_ms),
        ):
            if milliseconds is not None:
                histogram.observe(milliseconds / 1000)
        self._count_claims(reducer.evidence())
        self._ended_at[turn_id] = time.monotonic()

    def _count_claims(self, evidence: Evidence) -> None:
        if evidence.claims is None:
            return
        self._answers.labels(evidence.verdict or OTHER).inc()
        for status, count in count_claims(evidence.claims).items():
            self._claims.labels(status).inc(count)

    async def render(self, turns: Turns) -> bytes:
        """Return the text for a scraper, with the current state of every session."""
        waiting = set(turns.recorder.waiting)
        self._ended_at = {turn_id: at for turn_id, at in self._ended_at.items() if turn_id in waiting}
        self._streams.set(turns.sessions.readers)
        self._waiting.set(len(waiting))
        self._lag.set(max((time.monotonic() - at for at in self._ended_at.values()), default=0))
        self._sessions.clear()
        for state in await _states(turns):
            self._sessions.labels(state).inc()
        return generate_latest(self.registry)


async def _states(turns: Turns) -> list[str]:
    try:
        return [state.state for state in await turns.conversations.states()]
    except PaliadinError as error:  # tmux does not respond
        return [error.code]
