"""The options that say which turns are meant, as the dashboard's filter does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import click

from paliadin.config import Settings
from paliadin.monitor.days import local_day, owner_zone
from paliadin.monitor.filters import FIRST_DAY, Filter


def _day(_ctx: click.Context, _param: click.Parameter, value: datetime | None) -> str | None:
    return value.date().isoformat() if value else None


_FILTERS = (
    click.option(
        "--from", "from", metavar="DAY", type=click.DateTime(["%Y-%m-%d"]), callback=_day, help="From this day on."
    ),
    click.option("--to", metavar="DAY", type=click.DateTime(["%Y-%m-%d"]), callback=_day, help="Up to this day."),
    click.option("--session", metavar="NAME", help="Only those of this session."),
    click.option("--person", metavar="NAME", help="Only this person's."),
    click.option("--origin", metavar="NAME", help="Only those from page, widget, cli, api, terminal or agent."),
    click.option("--tag", metavar="NAME", help="Only those of this kind, such as data."),
    click.option("--errors", flag_value="1", help="Only those that failed."),
)


def filter_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options; it gets their values as keywords for `meant_by`."""
    for option in reversed(_FILTERS):
        command = option(command)
    return command


def meant_by(settings: Settings, filters: Mapping[str, str | None]) -> tuple[Filter, ZoneInfo]:
    """All that was ever asked, unless days are said."""
    zone = owner_zone(settings.timezone)
    said = {name: value for name, value in filters.items() if value}
    today = local_day(datetime.now(UTC), zone)
    wanted = Filter.parse(said | {"to": said.get("to", (today + timedelta(days=1)).isoformat())}, today)
    return (wanted if "from" in said else wanted.on(FIRST_DAY, wanted.last)), zone
