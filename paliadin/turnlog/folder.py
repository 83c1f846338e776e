"""The folder of a turn: its description (turn.json), its log, and the marker files beside them."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from paliadin.base.errors import NotFound, StorageFull
from paliadin.base.files import storage_error, write_json
from paliadin.base.strict_json import parse_json
from paliadin.live.state import PREVIEW_LOG
from paliadin.turnlog.description import Description
from paliadin.turnlog.follow import follow
from paliadin.turnlog.ids import check_turn_id, started_at, unknown_turn
from paliadin.turnlog.log import FileTurnLog
from paliadin.turnlog.read import Line


@dataclass(frozen=True, slots=True)
class TurnFolder:
    """The folder <turns>/<UTC day of the id>/<turn_id>/. Its path raises NotFound when `turn_id` is not a turn id."""

    turns: Path
    turn_id: str
    is_ours: bool = False  # this process alone writes in it: no hook of this machine, and no pass-through

    @property
    def path(self) -> Path:
        return self.turns / started_at(check_turn_id(self.turn_id)).strftime("%Y-%m-%d") / self.turn_id

    @property
    def log(self) -> FileTurnLog:
        return FileTurnLog(self.path / "events.jsonl", self.is_ours)

    def preview(self) -> AsyncIterator[Line]:
        """Yield the present and future lines of the preview log, which need not exist. Endless."""
        return follow(self.preview_path, is_ours=self.is_ours)

    @property
    def preview_path(self) -> Path:
        """The path of the preview log, which the pass-through writes while the turn runs (docs/live.md)."""
        return self.path / PREVIEW_LOG

    def drop_preview(self) -> None:
        """Delete the preview log at the end of the turn."""
        with contextlib.suppress(OSError):
            self.preview_path.unlink(missing_ok=True)

    @property
    def recorded(self) -> Path:
        """The path of a marker, an empty file: the finished row is in the database."""
        return self.path / "recorded"

    @property
    def watched(self) -> Path:
        """The path of a marker, an empty file: somebody saw the turn end, or came back within a minute."""
        return self.path / "watched"

    def create(self, description: Description) -> None:
        """Make the folder with turn.json and an empty log; raises StorageFull. After an error nothing of it remains."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.path.mkdir(mode=0o700, parents=True)  # its day's folder may have gone meanwhile, with its last turn
        except OSError as error:
            raise storage_error(error, self.path) from error
        try:
            (self.path / "answers").mkdir(mode=0o700)
            self.rewrite(description)
            os.close(os.open(self.log.path, os.O_CREAT | os.O_WRONLY, 0o600))
        except StorageFull:
            self.discard()
            raise
        except OSError as error:
            self.discard()
            raise storage_error(error, self.path) from error

    def rewrite(self, description: Description) -> None:
        """Write turn.json again; raises StorageFull and OSError."""
        write_json(self.path / "turn.json", description.as_json())

    def discard(self) -> None:
        """Delete the folder with everything in it; no error when it is gone already.

        Files that another process writes into it meanwhile, such as a reader's history.json, are deleted as well. Of a
        link only the link itself is deleted.
        """
        if self.path.is_symlink() or self.path.parent.is_symlink():
            (self.path.parent if self.path.parent.is_symlink() else self.path).unlink()
            return
        while self.path.exists():
            for path in sorted(self.path.glob("**/*"), reverse=True):
                remove_if_empty(path)
            remove_if_empty(self.path)

    def describe(self) -> Description:
        """Read turn.json; raises NotFound when there is no such turn, or its folder was removed after KEEP_DAYS."""
        try:
            description = parse_json((self.path / "turn.json").read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise unknown_turn() from error
        if not isinstance(description, dict) or description.get("turn_id") != self.turn_id:
            raise NotFound(
                "the turn's file turn.json is damaged",
                code="unknown_turn",
                hint="Restore the file, or delete the turn.",
            )
        return Description.parse(description)


def remove_if_empty(path: Path) -> None:
    """Delete a file, a link or an empty folder; no error when it is gone, or when the folder is no longer empty."""
    try:
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
    except OSError as error:
        if error.errno not in {errno.ENOENT, errno.ENOTEMPTY}:
            raise
