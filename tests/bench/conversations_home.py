"""A home with many conversations, as two years of use leave it: turns of the last weeks have folders, all have rows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
from psycopg.rows import dict_row

from paliadin.base.files import write_json
from paliadin.base.session_names import make_session_name
from paliadin.base.settings import Settings, ensure_home
from paliadin.conversations.conversation import Conversation
from paliadin.conversations.repository import FILE
from paliadin.steps.model import Accepted, Prompted, Settled, Step, Text, ToolEnded, ToolStarted, Usage
from paliadin.turnlog.append import append
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from tests.tools.seed_history import seed
from tests.worlds.postgres import copy_template, server
from tests.worlds.world import World

SPREAD = """
update paliadin.turns set session_id = (%(names)s::text[])[place] from (
    select turn_id as id,
        1 + (row_number() over (order by started_at, turn_id) - 1) * %(count)s / count(*) over () as place
    from paliadin.turns) as placed
where turn_id = id
"""
MARGIN = timedelta(days=2)  # younger than KEEP_DAYS: the daemon must not remove them while it is measured
TABLE = "| a | b |\n|---|---|\n" + "".join(f"| {row} | value {row} |\n" for row in range(8))
EXTRA = f"\n\n## What was found\n\n{TABLE}\n- one\n- two\n\n`code` and **bold**.\n"


@dataclass
class Seeded:
    """A conversation of the home: its id and its turns, oldest first."""

    session: str
    turns: list[str] = field(default_factory=list)
    folders: int = 0  # of so many turns, the newest ones, there are folders, too


def fill(world: World, conversations: int, turns: int, *, kept: int) -> list[Seeded]:
    """Fill the home of a daemon that was never started; returns the conversations, oldest first, beside `main`.

    `kept`: only so many of them stay, the newest ones.
    """
    settings, now = world.settings, datetime.now(UTC)
    ensure_home(settings)
    copy_template(settings.home, whole=True)
    names = [make_session_name() for _ in range(conversations)]
    with server(settings.home) as conninfo:
        seed(conninfo, turns, now)
        with psycopg.connect(conninfo, row_factory=dict_row) as connection:
            connection.execute(SPREAD, {"names": names, "count": conversations})
            connection.execute("delete from paliadin.turns where session_id <> all(%s)", [names[-kept:]])
            rows = connection.execute("select * from paliadin.turns order by started_at, turn_id").fetchall()
        with psycopg.connect(conninfo, autocommit=True) as connection:
            connection.execute("vacuum full analyze")
    made = {name: Seeded(name) for name in names[-kept:]}
    for row in rows:
        conversation = made[row["session_id"]]
        conversation.turns.append(str(row["turn_id"]))
        if row["started_at"] > now - timedelta(days=settings.keep_days) + MARGIN:
            conversation.folders += 1
            _write_turn(settings, row)
    for name in made:
        _describe(settings, name, [row for row in rows if row["session_id"] == name])
    return list(made.values())


def _write_turn(settings: Settings, row: dict[str, Any]) -> None:
    """The folder of a turn that has ended and is recorded."""
    turn, at = TurnFolder(settings.response_dir, str(row["turn_id"])), _ms(row["started_at"])
    named = {name: row[name] for name in ("session_id", "person", "host", "origin", "user_message")}
    turn.create(Description.parse({"turn_id": turn.turn_id, **named}))
    tools: list[Step] = []
    for number, name in enumerate(row["observed_tools"]):
        tools += [
            ToolStarted(at, f"t{number}", name, {"query": row["user_message"]}),
            ToolEnded(at, f"t{number}", name, "ok", TABLE, 8),
        ]
    answer = Text(at, "m", (row["response"] or "") + EXTRA, final=True)
    used = Usage(at, {"input_tokens": 100, "output_tokens": 40}, "scripted")
    for step in (Accepted(at, "scripted"), Prompted(at, row["user_message"]), *tools, answer, used, Settled(at)):
        turn.log.append(step)
    turn.recorded.touch()
    turn.watched.touch()


def _describe(settings: Settings, name: str, rows: list[dict[str, Any]]) -> None:
    """The folder of a conversation whose Claude was started twice, and is parked."""
    folder, first, last = settings.sessions_dir / name, rows[0], rows[-1]
    folder.mkdir(mode=0o700)
    for row in (first, last):
        start = {"hook_event_name": "SessionStart", "source": "startup", "session_id": name}
        append(folder / "events.jsonl", {"at": _ms(row["started_at"]), "hook": start})
    made = replace(Conversation(), created_at=_ms(first["started_at"]))
    asked = made.asked(str(first["turn_id"]), first["user_message"], _ms(last["started_at"]))
    write_json(folder / FILE, asked.ended(_ms(last["finished_at"]), failed=False).as_json())


def _ms(time: datetime) -> int:
    return round(time.timestamp() * 1000)
