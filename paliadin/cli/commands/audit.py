"""The command `paliadin audit`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import click

from paliadin.base.audit import read_audit_log
from paliadin.base.running_daemon import load_daemon_settings
from paliadin.base.terminal_text import json_line, one_line
from paliadin.cli.console import SECOND
from paliadin.cli.echo import echo

HEAD = ("at", "event", "who", "from")


@click.command()
@click.option("--days", type=click.IntRange(1, 366), default=7, show_default=True, help="How far back.")
@click.option("--json", "as_json", is_flag=True, help="Print the lines as they are: one JSON object each.")
def audit(days: int, as_json: bool) -> None:
    """Show who signed in, asked, replied, exported, deleted and changed keys, from where; the newest last.

    The log is $PALIADIN_HOME/audit.jsonl. It is kept for a year, and holds no question and no answer. Where too many
    entries of a kind were left out, it says how many.
    """
    since = datetime.now(UTC) - timedelta(days=days)
    is_empty = True
    for entry in read_audit_log(load_daemon_settings().home, since):
        is_empty = False
        echo(json_line(entry) if as_json else _line(entry))
    if is_empty and not as_json:
        echo(f"The log has no entry of the last {days} days.", err=True)


def _line(entry: Mapping[str, object]) -> str:
    at = datetime.fromisoformat(str(entry["at"])).astimezone().strftime(SECOND)
    fields = ((name, value) for name, value in entry.items() if name not in HEAD and value is not None)
    more = (f"{name}={_word(value)}" for name, value in fields)
    who, whence = _word(entry.get("who") or "-"), one_line(str(entry.get("from") or "-"))
    return "  ".join([at, one_line(str(entry.get("event"))), who, whence, *more])


def _word(value: object) -> str:
    """A value that a caller may have chosen; in quotes where it could be read as several."""
    text = one_line(str(value))
    return json_line(text) if re.search(r'[\s"=]', text) else text
