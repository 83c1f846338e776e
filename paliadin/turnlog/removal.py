"""Declares what turns leave on this machine's disk, and removes it: folders, captures and attached files."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from paliadin.base.errors import NotFound
from paliadin.base.retained import Retained
from paliadin.base.settings import Settings
from paliadin.files.attachments import Attachment, Attachments
from paliadin.live import capture_room
from paliadin.turnlog.folder import TurnFolder, remove_if_empty
from paliadin.turnlog.ids import started_at

log = logging.getLogger(__name__)

FOLDER = "`$PALIADIN_HOME/turns/<day>/<turn_id>/`"
KEPT_FOR = 30.0  # seconds after its end in which a reader may come back to a turn of which nothing is kept


def kept_of_turns(
    settings: Settings, is_removable: Callable[[TurnFolder], bool], queued: Callable[[], Collection[str]] = tuple
) -> list[Retained]:
    """Return what turns leave on the disk, also of what is switched off by now.

    `is_removable` tells whether a turn that is too old may go. `queued` returns the ids of the files that are attached
    to questions which wait.
    """
    return [
        Retained(
            FOLDER,
            "all of a turn: question, answer, every step, tool inputs and results, pictures that tools returned (from "
            "another host those that somebody has looked at), a saved screen; with `PALIADIN_LIVE`, in `live.jsonl` "
            "while it runs, the text of the answer as it is generated ([live.md](live.md))",
            "`PALIADIN_KEEP_DAYS` (30), then the janitor removes it",
            of_turns=lambda turn_ids: asyncio.to_thread(remove_folders, settings, turn_ids),
            sweep=lambda: asyncio.to_thread(remove_expired, settings, datetime.now(UTC), is_removable),
        ),
        Retained(
            "`$PALIADIN_HOME/captures/`",
            "only with `PALIADIN_CAPTURE`: [whole requests to Claude's API](#captures) and their responses",
            "7 days, at most 1 GB",
            of_turns=lambda turn_ids: asyncio.to_thread(remove_captures, settings, turn_ids),
            sweep=lambda: asyncio.to_thread(capture_room.make_room, settings.captures_dir),
        ),
        Retained(
            "`$PALIADIN_HOME-attachments/`",
            "attached files, whole, with their names",
            "with their turn's folder; a file that no question has, a day",
            sweep=lambda: asyncio.to_thread(remove_unneeded_attachments, settings, queued()),
        ),
    ]


def kept_for_readers(settings: Settings, running_ids: Callable[[], Collection[str]]) -> Retained:
    """Return what is kept of turns where no words may be kept. `running_ids` are those of turns that are followed."""
    return Retained(
        f"{FOLDER} with [`PALIADIN_AUDIT=redacted`](messages.md#nothing-kept)",
        "all of a turn, as above",
        "until 30 s after the turn's end: until then a reader may come back to it",
        sweep=lambda: asyncio.to_thread(remove_read, settings, running_ids),
        every=2.0,
    )


def is_recorded(folder: TurnFolder) -> bool:
    """Tell whether the turn's finished row is in the database, so that its folder may be removed."""
    return folder.recorded.exists()


def existing_folder(settings: Settings, turn_id: str) -> TurnFolder | None:
    """Return the turn's folder; None if there is none, or this is not a turn id."""
    with contextlib.suppress(NotFound):
        folder = TurnFolder(settings.response_dir, turn_id)
        return folder if folder.path.exists() else None
    return None


def remove_folders(settings: Settings, turn_ids: Collection[str]) -> int:
    """Remove the folders of these turns as `remove_turn` does; returns how many there were."""
    folders = [folder for turn_id in turn_ids if (folder := existing_folder(settings, turn_id))]
    for folder in folders:
        remove_turn(settings, folder)
    return len(folders)


def remove_turn(settings: Settings, folder: TurnFolder) -> None:
    """Remove a turn's folder, its links in sessions, captures and attached files, and its day's folder if empty."""
    attached = _attached(folder)
    for link in _links(settings, folder):
        link.unlink(missing_ok=True)
    folder.discard()
    remove_if_empty(folder.path.parent)
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
        return existing_folder(settings, attachment.turn_id) is not None

    if removed := Attachments(settings.attachments_dir).sweep(is_needed):
        log.info("removed %d attached files that nothing needs", removed)


def remove_captures(settings: Settings, turn_ids: Collection[str]) -> int:
    """Remove the captures of these turns, whether their folders exist or not; returns 0: they alone are no turn."""
    capture_room.remove(settings.captures_dir, set(turn_ids))
    return 0


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


def remove_read(settings: Settings, running_ids: Callable[[], Collection[str]]) -> None:
    """Remove the folders of turns whose row was written KEPT_FOR ago, but for those that are followed."""
    running, until = running_ids(), time.time() - KEPT_FOR
    for marker in settings.response_dir.glob("*/*/recorded"):
        if marker.stat().st_mtime <= until and marker.parent.name not in running:
            remove_turn(settings, TurnFolder(settings.response_dir, marker.parent.name))


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
