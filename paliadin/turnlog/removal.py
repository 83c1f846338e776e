"""Remove turns' folders and captures: one at once, or all that are older than KEEP_DAYS."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Collection, Iterator
from datetime import datetime, timedelta
from pathlib import Path

from paliadin.base.errors import NotFound
from paliadin.base.settings import Settings
from paliadin.files.attachments import Attachment, Attachments
from paliadin.live import capture_room
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import started_at

log = logging.getLogger(__name__)


def remove_turn(settings: Settings, folder: TurnFolder) -> None:
    """Remove a turn's folder, its links in sessions, captures and attached files, and its day's folder if empty."""
    attached = _attached(folder)
    for link in _links(settings, folder):
        link.unlink(missing_ok=True)
    folder.discard()
    if folder.path.parent.is_dir() and not any(folder.path.parent.iterdir()):
        folder.path.parent.rmdir()
    Attachments(settings.attachments_dir).remove(attached)
    remove_captures(settings, [folder.turn_id])  # a request that ends now sees that the folder is gone


def _attached(folder: TurnFolder) -> list[str]:
    """Return the ids of the files that were attached to the turn's question."""
    try:
        return [each.id for each in folder.describe().attachments]
    except NotFound:
        return []


def remove_unneeded_attachments(settings: Settings, queued: Collection[str]) -> None:
    """Remove attached files of no turn and no waiting question; `queued` are the ids of the latter's files."""

    def is_needed(attachment: Attachment) -> bool:
        if not attachment.turn_id:
            return attachment.id in queued
        with contextlib.suppress(NotFound):
            return TurnFolder(settings.response_dir, attachment.turn_id).path.exists()
        return False

    if removed := Attachments(settings.attachments_dir).sweep(is_needed):
        log.info("removed %d attached files that nothing needs", removed)


def remove_captures(settings: Settings, turn_ids: Collection[str]) -> None:
    """Remove the captures of these turns, whether their folders exist or not."""
    capture_room.remove(settings.captures_dir, turn_ids)


def limit_captures(settings: Settings) -> None:
    """Remove captures that are too old or too many, even if capturing is off."""
    capture_room.make_room(settings.captures_dir)


def remove_expired(settings: Settings, now: datetime, is_removable: Callable[[TurnFolder], bool]) -> int:
    """Remove the folders of turns that began more than KEEP_DAYS before `now`; return how many were removed.

    `is_removable` decides about each turn. A folder without turn.json never became a turn, and is removed in any case.
    """
    limit = now - timedelta(days=settings.keep_days)
    removed = 0
    for path in sorted(settings.response_dir.glob("*/*")):
        folder = _expired_turn(settings, path, limit)
        if folder and (is_removable(folder) or not (path / "turn.json").exists()):
            remove_turn(settings, folder)
            removed += 1
    if removed:
        log.info("removed the folders of %d turns from before %s", removed, limit.date())
    return removed


def _expired_turn(settings: Settings, path: Path, limit: datetime) -> TurnFolder | None:
    """Return the turn whose folder `path` is, if it began before `limit`."""
    try:
        folder = TurnFolder(settings.response_dir, path.name)
        return folder if folder.path == path and started_at(folder.turn_id) < limit else None
    except NotFound:  # the name is not a turn id: somebody else's folder
        return None


def _links(settings: Settings, folder: TurnFolder) -> Iterator[Path]:
    """Yield sessions' links to a turn: sessions/<name>/prompts/<prompt_id> and sessions/<name>/expected/<turn_id>."""
    names = [("expected", folder.turn_id)]
    prompt_id_file = folder.path / "prompt_id"
    if prompt_id_file.exists():
        names.append(("prompts", prompt_id_file.read_text("utf-8", "replace").strip()))
    for kind, name in names:
        for session in settings.sessions_dir.glob("*"):
            link = session / kind / name
            if "/" not in name and link.is_symlink():
                yield link
