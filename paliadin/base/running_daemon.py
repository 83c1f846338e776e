"""HOME/daemon.json: where the daemon of this HOME is. The command line finds it there, whatever the daemon was told."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from paliadin.config import Settings, load_settings
from paliadin.turnlog import write_json

_TOLD = ("name", "host", "port", "tmux_socket", "tmux_session", "workdir", "response_dir")


def publish(settings: Settings) -> None:
    """Say where the daemon is; `settings` has the port that it really got."""
    told = {name: getattr(settings, name) for name in _TOLD}
    plain = {name: str(value) if isinstance(value, Path) else value for name, value in told.items()}
    write_json(_file(settings), {"pid": os.getpid(), **plain})


def withdraw(settings: Settings) -> None:
    told = _read(settings)
    if told and told["pid"] == os.getpid():
        _file(settings).unlink(missing_ok=True)


def find_daemon(home: Path | None = None) -> Settings:
    """The settings of this process, with what the running daemon of its HOME uses; raises ConfigError."""
    settings = load_settings(options={"home": home})
    told = _read(settings)
    if told is None or not _alive(told.pop("pid")):
        return settings
    return load_settings(options={"home": home, **told})


def is_running(settings: Settings) -> bool:
    told = _read(settings)
    return told is not None and _alive(told["pid"])


def _read(settings: Settings) -> dict[str, Any] | None:
    try:
        told = json.loads(_file(settings).read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    return told if isinstance(told, dict) and {"pid", *_TOLD} <= set(told) else None


def _file(settings: Settings) -> Path:
    return settings.home / "daemon.json"


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # it is there, and somebody else's
        return False
    return True
