"""The file `$PALIADIN_HOME/daemon.json`: with which settings the daemon of this state folder runs.

The command line reads them there, since the daemon may have been started with other options or another environment.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from paliadin.base.errors import ConfigError
from paliadin.base.files import read_private, write_json
from paliadin.base.part_modules import switched_on
from paliadin.base.settings import Settings, load_settings

OPEN_PAGE = "open-{}.html"  # in PALIADIN_HOME: leads a browser to an address with a ticket; deleted once it is open
_PUBLISHED = ("name", "host", "port", "tmux_socket", "tmux_session", "workdir", "response_dir")
_PUBLISHED_IF_SET = ("socket", "address")


def publish(settings: Settings) -> None:
    """Write this process's id and settings to the file; `settings.port` is the port that it really listens on."""
    values = {name: getattr(settings, name) for name in _PUBLISHED}
    values |= {name: value for name in _PUBLISHED_IF_SET if (value := getattr(settings, name))}
    values |= switched_on(settings.parts)
    plain = {name: str(value) if isinstance(value, Path) else value for name, value in values.items()}
    plain["port"] = "none" if settings.port is None else settings.port
    write_json(_file(settings), {"pid": os.getpid(), **plain})


def withdraw(settings: Settings) -> None:
    """Delete the file if this process wrote it."""
    try:
        published = _read(settings)
    except ConfigError:  # something else is in its place
        return
    if published and published["pid"] == os.getpid():
        _file(settings).unlink(missing_ok=True)


def load_daemon_settings(home: Path | None = None) -> Settings:
    """Load this process's settings, and put those of the running daemon of its state folder over them.

    Raises ConfigError.
    """
    settings = load_settings(options={"home": home})
    published = _read(settings)
    if published is None or not _is_alive(published.pop("pid")):
        return settings
    return load_settings(options={"home": home, **published})


def is_running(settings: Settings) -> bool:
    """True while the process that wrote the file is alive."""
    published = _read(settings)
    return published is not None and _is_alive(published["pid"])


def _read(settings: Settings) -> dict[str, Any] | None:
    """The file's object; None when there is no file, or it lacks a field. Raises ConfigError."""
    try:
        published = json.loads(read_private(_file(settings), tighten=True))
    except (FileNotFoundError, ValueError):
        return None
    return published if isinstance(published, dict) and {"pid", *_PUBLISHED} <= set(published) else None


def _file(settings: Settings) -> Path:
    return settings.home / "daemon.json"


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # another user's process has that id now: the daemon is gone
        return False
    return True
