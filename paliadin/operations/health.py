"""How each part is: for `health`, for the page's banner, and for whoever watches."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from typing import Any

from paliadin import __version__, errors
from paliadin.config import Settings
from paliadin.database import Database
from paliadin.machine import LEAST_FREE, Part, failed
from paliadin.recorder import Recorder
from paliadin.turns import DEFAULT_SESSION, Turns


async def health(
    settings: Settings,
    turns: Turns,
    database: Database,
    recorder: Recorder,
    questions: Mapping[str, Sequence[str]] | None,
    *,
    session: str | None = None,
) -> dict[str, Any]:
    """{"ok", "parts": [{"name", "ok", "state", "message", "hint"}], "scripted", "version"}.

    `session`: as it concerns this one, wherever it lives; None: the one here, and every other host.
    `questions`: what is worth asking a scripted model, by language; None when the model is a real one.
    """
    claude = [await _claude(turns, session or DEFAULT_SESSION), *([] if session else _hosts(turns))]
    parts = [*claude, await _database(database, recorder), _storage(settings)]
    answer: dict[str, Any] = {
        "ok": all(part["ok"] for part in parts),
        "parts": parts,
        "scripted": questions is not None,
        "version": __version__,
    }
    return answer | ({"demo_questions": questions} if questions is not None else {})


async def _claude(turns: Turns, session: str) -> Part:
    try:
        state = await turns.relay.state(session)
    except errors.PaliadinError as error:
        return failed("claude", error)
    part = _part("claude", state.ok, state.state, state.message, state.hint)
    return part | ({"host": state.host, "retry_at": state.retry_at} if state.retry_at else {})


def _hosts(turns: Turns) -> list[Part]:
    parts = []
    for name, relay in turns.relay.remotes.items():
        trouble = relay.trouble()
        message, hint = (trouble.message, trouble.hint) if trouble else (f"{relay.remote.destination} answers", "")
        state = "unreachable" if trouble else "connected"
        parts.append(_part(f"host {name}", trouble is None, state, message, hint))
    return parts


async def _database(database: Database, recorder: Recorder) -> Part:
    try:
        await database.ping()
    except errors.PaliadinError as error:
        return failed("database", error)
    if recorder.trouble:  # it answers, but takes no row: its disk may be full
        return failed("database", recorder.trouble)
    if recorder.backlog:
        return _part("database", True, "catching_up", f"{recorder.backlog} rows are being written", "")
    return _part("database", True, "up", f"{database.kind} Postgres answers", "")


def _storage(settings: Settings) -> Part:
    free = shutil.disk_usage(settings.home).free
    if free < LEAST_FREE:
        hint = errors.StorageFull.default_hint
        return _part("storage", False, "low", f"{free // 2**20} MB are free for {settings.home}", hint)
    return _part("storage", True, "ok", f"{free / 2**30:.1f} GB are free", "")


def _part(name: str, ok: bool, state: str, message: str, hint: str) -> Part:
    return {"name": name, "ok": ok, "state": state, "message": message, "hint": hint}
