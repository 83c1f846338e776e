"""The details of the history's items as JSON; those of ended turns are cached beside their logs."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import get_args

from paliadin import __version__
from paliadin.base.errors import PaliadinError
from paliadin.base.files import write_text
from paliadin.events.chips import Destinations
from paliadin.events.model import EventData, field_names
from paliadin.record.reading import read_turn
from paliadin.turnlog.folder import TurnFolder
from paliadin.turns.history_items import details_of_log


class ItemDetails:
    """Reads the details of turns' items. Those of a turn that has ended are kept in a file beside its log."""

    def __init__(self, destinations: Destinations) -> None:
        self._destinations = destinations
        shapes = [[kind.event, *field_names(kind)] for kind in get_args(EventData)]
        pages = [dict(destinations.templates), list(destinations.routes)]
        self._made_by = hashlib.sha256(to_json([__version__, shapes, pages])).hexdigest()[:16]

    def read(self, folder: TurnFolder) -> bytes:
        """Return the details of the turn; raises NotFound when its folder is gone."""
        path = folder.path / "history.json"
        stamp = f"{self._made_by} {_size(folder.log.path)}\n".encode()  # another log, or another way to read it
        cached = _read(path)
        if cached.startswith(stamp):
            return cached[len(stamp) :]
        reducer = read_turn(folder, self._destinations)
        details = to_json(details_of_log(reducer))
        if reducer.ended:
            _keep(path, stamp + details)
        return details


def _keep(path: Path, data: bytes) -> None:
    try:
        write_text(path, data.decode())
    except (OSError, PaliadinError):  # the disk is full, or the turn was deleted: it is read from the log again
        path.unlink(missing_ok=True)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


def to_json(value: object) -> bytes:
    return json.dumps(value).encode()
