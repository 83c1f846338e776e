"""The options that select turns, with the same meaning as the dashboard's filter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import click

from paliadin.base.settings import Settings
from paliadin.reports.days import local_day, owner_zone
from paliadin.reports.filters import FIRST_DAY, VERDICTS, Filter


def _day(_ctx: click.Context, _param: click.Parameter, value: datetime | None) -> str | None:
    return value.date().isoformat() if value else None


_FILTERS = (
    click.option(
        "--from",
        "from",
        metavar="DAY",
        type=click.DateTime(["%Y-%m-%d"]),
        callback=_day,
        help="Only turns of this day and later.",
    ),
    click.option(
        "--to",
        metavar="DAY",
        type=click.DateTime(["%Y-%m-%d"]),
        callback=_day,
        help="Only turns up to this day, included.",
    ),
    click.option("--session", metavar="NAME", help="Only turns of this session."),
    click.option("--person", metavar="NAME", help="Only turns of this person."),
    click.option("--origin", metavar="NAME", help="Only turns from page, widget, cli, api, terminal or agent."),
    click.option("--tag", metavar="NAME", help="Only turns with this tag, such as data."),
    click.option(
        "--verdict", type=click.Choice(VERDICTS), help="Only turns whose answer's facts are all found, or not all, …"
    ),
    click.option("--errors", flag_value="1", help="Only turns that failed."),
)


def filter_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options to a command, which gets their values as keywords; `parse_filter` reads them."""
    for option in reversed(_FILTERS):
        command = option(command)
    return command


def parse_filter(settings: Settings, filters: Mapping[str, str | None]) -> tuple[Filter, ZoneInfo]:
    """Convert the options' values; returns the filter and the zone of its days. No days mean all days."""
    zone = owner_zone(settings.timezone)
    query = {name: value for name, value in filters.items() if value}
    today = local_day(datetime.now(UTC), zone)
    turn_filter = Filter.parse(query | {"to": query.get("to", (today + timedelta(days=1)).isoformat())}, today)
    return (turn_filter if "from" in query else turn_filter.with_days(FIRST_DAY, turn_filter.last)), zone
