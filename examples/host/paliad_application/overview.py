"""The dashboard and the sign-in."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import quote

from .inbox import count_waiting
from .markup import Page, text
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


def login(visit: Visit) -> Page:
    """Who may be chosen, for the page at this address. A real application has a sign-in here."""
    current = visit.reading.person["id"] if visit.reading.person else None
    items = (
        f"<li><a href='?user={quote(each['id'])}'{' aria-current=true' if each['id'] == current else ''}>"
        f"<span class='initials' aria-hidden='true'>{text(_initials(each['name']))}</span>"
        f"<span class='who'>{text(each['name'])}</span>"
        f"<small>{text(each['office'] or visit.t(each['role']))}</small></a></li>"
        for each in visit.reading.people
    )
    words = visit.t(
        "Who is there? The pages and the drawer show what this person may see. The drawer is not on this page."
    )
    return Page(visit.t("Sign in"), f"<p>{words}</p><ul class='people'>{''.join(items)}</ul>")


def _initials(name: str) -> str:
    words = [word for word in name.split() if not word.endswith(".")] or [name]
    return "".join(word[0] for word in (words[0], *words[1:][-1:]) if word).upper()
