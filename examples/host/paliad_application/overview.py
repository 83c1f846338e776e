"""The dashboard."""

from __future__ import annotations

from datetime import timedelta

from .inbox import count_waiting
from .markup import Page
from .visit import Visit


def dashboard(visit: Visit) -> Page:
    """What waits, what is due this week, and what comes."""
    week = "d.status = 'open' and due_date <= %(day)s"
    sunday = visit.today + timedelta(days=6 - visit.today.weekday())
    coming = visit.appointments("starts_at >= now() and starts_at < now() + interval '7 days'")
    body = visit.section("Due this week", visit.deadlines(week, day=sunday))
    body += visit.section("Appointments of the next seven days", coming)
    if waiting := count_waiting(visit.reading):
        words = visit.t("Waiting for your decision")
        body = f"<p class='notice'><a href='/inbox'>👀 {words}: {waiting}</a></p>{body}"
    return Page(visit.t("Dashboard"), body)
