"""Takes turns' folders away: at once, or when their time is over."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

from paliadin.config import Settings
from paliadin.errors import NotFound
from paliadin.turnlog import TurnFolder, started_at

log = logging.getLogger(__name__)


def remove(settings: Settings, folder: TurnFolder) -> None:
    """The folder, the session's links to it, and the day's folder if that is empty now."""
    for link in _links(settings, folder):
        link.unlink(missing_ok=True)
    folder.discard()
    if folder.path.parent.exists() and not any(folder.path.parent.iterdir()):
        folder.path.parent.rmdir()


def sweep(settings: Settings, now: datetime, may_go: Callable[[TurnFolder], bool]) -> int:
    """Remove every folder of a turn that began more than KEEP_DAYS ago and may go; returns how many.

    Half a folder, which never became a turn, may go always.
    """
    over = now - timedelta(days=settings.keep_days)
    removed = 0
    for path in sorted(settings.response_dir.glob("*/*")):
        folder = _old_turn(settings, path, over)
        if folder and (may_go(folder) or not (path / "turn.json").exists()):
            remove(settings, folder)
            removed += 1
    if removed:
        log.info("removed the folders of %d turns from before %s", removed, over.date())
    return removed


def _old_turn(settings: Settings, path: Path, over: datetime) -> TurnFolder | None:
    try:
        folder = TurnFolder(settings.response_dir, path.name)
        return folder if folder.path == path and started_at(folder.turn_id) < over else None
    except NotFound:  # nothing of ours
        return None


def _links(settings: Settings, folder: TurnFolder) -> Iterator[Path]:
    """sessions/<name>/prompts/<prompt_id> and expected/<turn_id>."""
    names = [("expected", folder.turn_id)]
    mark = folder.path / "prompt_id"
    if mark.exists():
        names.append(("prompts", mark.read_text("utf-8", "replace").strip()))
    for kind, name in names:
        for session in settings.sessions_dir.glob("*"):
            link = session / kind / name
            if "/" not in name and link.is_symlink():
                yield link
