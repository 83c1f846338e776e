"""Read the files that the hooks keep of each session's Claude: figures, permission mode, what its processes cost."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping
from pathlib import Path

from paliadin.base.checked_numbers import number_of
from paliadin.base.settings import Settings
from paliadin.base.settings_values import PERMISSION_MODES
from paliadin.base.strict_json import parse_json
from paliadin.relays.figures import Figures, StartOptions, visible_path
from paliadin.relays.offers import one_line
from paliadin.relays.terminal import start_options

STATUS, COSTS, MODE = "status.json", "costs.jsonl", "permission_mode"
FILES = (STATUS, COSTS, MODE, start_options.FILE)
MAX_FILE = 1024 * 1024  # bytes

_Version = tuple[tuple[int, int] | None, ...]


class FigureFiles:
    """Reads the figures of sessions from their folders, and a folder again only when one of its files has changed.

    `environment` is Claude's; None: this process's.
    """

    def __init__(self, settings: Settings, environment: Mapping[str, str] | None) -> None:
        self._settings = settings
        environ = os.environ if environment is None else environment
        self._home = (environ.get("HOME") or str(Path.home())).rstrip("/")
        self._kept: dict[str, tuple[_Version, Figures]] = {}

    def of(self, sessions: Collection[str]) -> dict[str, Figures]:
        """Return the figures of these sessions; nothing where the status line is off."""
        return {session: self._of(session) for session in sessions} if self._settings.status_line else {}

    def _of(self, session: str) -> Figures:
        folder = f"{self._settings.sessions_dir}/{session}"
        version = tuple(_version(f"{folder}/{name}") for name in FILES)
        cached = self._kept.get(session)
        if cached is None or cached[0] != version:
            self._kept[session] = cached = version, self._read(Path(folder), version)
        return cached[1]

    def _read(self, folder: Path, version: _Version) -> Figures:
        status_file = _mapping(_read(folder / STATUS))
        status = _mapping(_parse_json(status_file.get("status")))
        model, context = _mapping(status.get("model")), _mapping(status.get("context_window"))
        mode, cwd = (_text(folder / MODE) or "").strip(), status.get("cwd")
        options = start_options.OptionsFile(folder)
        return Figures(
            one_line(model.get("id")),
            one_line(model.get("display_name")),
            mode if mode in PERMISSION_MODES else "",
            self._folder(folder, cwd),
            number_of(context.get("used_percentage")),
            _total([*_costs(folder / COSTS), status_file]) if status_file else None,
            self._wanted(folder, options.read()),
            options.is_pending,
            max((each[0] // 1_000_000 for each in version if each), default=0),
        )

    def _wanted(self, folder: Path, chosen: StartOptions) -> StartOptions:
        if (folder / "member.json").exists():
            return StartOptions(self._settings.model or "", "default")
        settings = self._settings
        return StartOptions(chosen.model or settings.model or "", chosen.permission_mode or settings.permission_mode)

    def _folder(self, folder: Path, reported: object) -> str:
        """Return the folder that Claude reported, or the one that it will be started in; "" for a member's Claude."""
        if isinstance(reported, str):
            return self._shortened(reported)
        return "" if (folder / "member.json").exists() else self._shortened(str(self._settings.workdir))

    def _shortened(self, path: str) -> str:
        inside = self._home and (path == self._home or path.startswith(f"{self._home}/"))
        return visible_path("~" + path[len(self._home) :] if inside else path)


def remove_figures(folder: Path) -> None:
    """Remove the files of a session's figures: the session begins anew."""
    for path in (*(folder / name for name in FILES), *folder.glob(f"{STATUS}.*")):  # a hook that was killed leaves one
        path.unlink(missing_ok=True)


def _total(spans: Collection[Mapping[str, object]]) -> float:
    """Add up what the spans cost; each has the first and last figure of one process of Claude Code in one session.

    A span can stand in the file twice, since two hooks may run at the same time; it counts once.
    """
    last = {tuple(json.dumps(span.get(name)) for name in ("run", "id", "first")): span for span in spans}
    costs = [[number_of(span.get(name)) or 0 for name in ("last", "first")] for span in last.values()]
    return sum(max(until - before, 0) for until, before in costs)


def _costs(path: Path) -> list[Mapping[str, object]]:
    return [_mapping(_parse_json(line)) for line in (_text(path) or "").splitlines()]


def _read(path: Path) -> object:
    return _parse_json(_text(path))


def _parse_json(text: object) -> object:
    """Parse a JSON text; returns any other value as it is."""
    if not isinstance(text, str):
        return text
    try:
        return parse_json(text)
    except ValueError:
        return None


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _text(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return file.read(MAX_FILE).decode("utf-8", "replace")
    except OSError:
        return None


def _version(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)  # noqa: PTH116  # a Path takes five times as long, and the list asks for hundreds
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino
