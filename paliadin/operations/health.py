"""The health report: the state of each part, for `paliadin health`, the page's banner and monitoring."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from paliadin import __version__
from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.record.database_startup import Database
from paliadin.record.recorder import Recorder
from paliadin.relays.protocol import DEFAULT_SESSION
from paliadin.relays.terminal.requirements import MIN_FREE_BYTES, Part, failed
from paliadin.turns.lifecycle import Turns

Check = Callable[[], Awaitable[Part]]
"""Looks at something that is not the core's, and returns its part of the report."""

OF_CLAUDE = frozenset({"claude", "live"})  # the parts that are about the session's own Claude


async def health_report(
    turns: Turns,
    database: Database,
    demo_questions: Mapping[str, Sequence[str]] | None,
    checks: Sequence[Check],
    session: str | None,
) -> dict[str, Any]:
    """Return {"ok", "parts": [{"name", "ok", "state", "message", "hint"}], "scripted", "version"}.

    `session`: report on this session's Claude, wherever it runs; None: on the default session and every remote host.
    `demo_questions`: what to ask a scripted model, by language; None when the model is a real one. `checks` are
    further parts.
    """
    claude = [*await _claude_parts(turns, session or DEFAULT_SESSION), *([] if session else await _host_parts(turns))]
    parts = [*claude, await _database_part(database, turns.recorder), _storage_part(turns.settings)]
    parts += [await check() for check in checks]
    report: dict[str, Any] = {
        "ok": all(part["ok"] for part in parts),
        "parts": parts,
        "scripted": demo_questions is not None,
        "version": __version__,
    }
    return report | ({"demo_questions": demo_questions} if demo_questions is not None else {})


def without_the_machine(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the report as a member gets it: database and disk without their messages, which name folders."""
    parts = [part if part["name"] in OF_CLAUDE else {**part, "message": "", "hint": ""} for part in report["parts"]]
    return {**report, "parts": parts}


async def _claude_parts(turns: Turns, session: str) -> list[Part]:
    """The state of the session's Claude and, where it is wanted, of its pass-through."""
    try:
        state = await turns.relays.state(session)
    except errors.PaliadinError as error:
        return [failed("claude", error)]
    part = make_part("claude", state.ok, state.state, state.message, state.hint)
    part |= {"host": state.host, "retry_at": state.retry_at} if state.retry_at else {}
    return [part, *([_live_part(state.live)] if state.live else [])]


def _live_part(live: str) -> Part:
    """The state of the pass-through: Claude runs without it as well."""
    if live == "on":
        return make_part("live", True, "on", "Claude's requests go through the pass-through", "")
    hint = "Claude runs without it, and answers come line by line: see docs/live.md. /exit in the terminal tries again."
    return make_part("live", True, "warning", f"the pass-through is off: {live}", hint)


async def _host_parts(turns: Turns) -> list[Part]:
    """A part for each remote host: the state of the Claude in its first session."""
    sessions: dict[str, str] = {}
    for session in turns.relays.sessions():
        sessions.setdefault(turns.relays.host(session), session)
    return await asyncio.gather(*(_host_part(turns, host, session) for host, session in sessions.items()))


async def _host_part(turns: Turns, host: str, session: str) -> Part:
    try:
        state = await turns.relays.state(session)
    except errors.PaliadinError as error:
        return failed(f"host {host}", error)
    return make_part(f"host {host}", state.ok, "connected" if state.ok else state.state, state.message, state.hint)


async def _database_part(database: Database, recorder: Recorder) -> Part:
    try:
        await database.ping()
    except errors.PaliadinError as error:
        return failed("database", error)
    if recorder.last_error:  # it responds, but accepts no row: its disk may be full
        return failed("database", recorder.last_error)
    if recorder.backlog:
        return make_part("database", True, "catching_up", f"{recorder.backlog} rows are being written", "")
    return make_part("database", True, "up", f"{database.label} Postgres responds", "")


def _storage_part(settings: Settings) -> Part:
    free = shutil.disk_usage(settings.home).free
    if free < MIN_FREE_BYTES:
        hint = errors.StorageFull.default_hint
        return make_part("storage", False, "low", f"{free // 2**20} MB are free for {settings.home}", hint)
    return make_part("storage", True, "ok", f"{free / 2**30:.1f} GB are free", "")


def make_part(name: str, ok: bool, state: str, message: str, hint: str) -> Part:
    """Return one part of the report."""
    return {"name": name, "ok": ok, "state": state, "message": message, "hint": hint}
