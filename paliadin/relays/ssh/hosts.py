"""Claude on another host: the system's ssh here, `paliadin-shim` there, one JSON object a line between them.

    → {"id": 1, "verb": "submit", "turn": {…}}            request, numbered by this side
    ← {"id": 1, "result": {…}}                            its answer, or
    ← {"id": 1, "error": {"code", "message", "hint"}}
    ← {"log": "<turn_id>", "at": 0, "data": "…\\n"}        whole lines of a turn log that is followed, from byte `at` on

The turn log is written there and mirrored here, byte by byte; everything above the relay reads the mirror.
docs/remote.md has the verbs and their fields.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from paliadin.errors import ConfigError, NotFound
from paliadin.turnlog import write_json

PROTOCOL = 1
LONGEST_LINE = 4 * 1024 * 1024  # bytes; the longest question has 100,000 characters
NAME = re.compile(r"[A-Za-z0-9_-]{1,32}")


@dataclass(frozen=True, slots=True)
class Remote:
    """A host with a Claude: `destination` is what ssh is told, `options` come before it on ssh's command line.

    `key`: the one that may do nothing but ask. `login`: where the owner logs in with their own, to see the terminal.
    `program`, `known_as`: the path of paliadin-shim there, and the name that the key's line gives us.
    """

    name: str
    destination: str
    sessions: tuple[str, ...] = ("main",)
    options: tuple[str, ...] = ()
    key: str = ""
    login: str = ""
    program: str = "paliadin-shim"
    known_as: str = ""

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ConfigError(f"{self.name!r} is no name for a host: use up to 32 letters, digits, - and _")
        # ssh takes what begins with "-" for an option, and options can name a program to run.
        for destination in (self.destination, self.login or self.destination):
            if not re.fullmatch(r"[A-Za-z0-9_.][A-Za-z0-9_.:@%\[\]-]*", destination):
                raise ConfigError(f"{destination!r} is not what ssh calls a host, such as you@host.example")
        # A shell there reads it.
        if not re.fullmatch(r"[A-Za-z0-9_./~+-]+", self.program):
            raise ConfigError(f"{self.program!r} is no path of a program without blanks and quotes")
        if self.known_as and not NAME.fullmatch(self.known_as):
            raise ConfigError(f"{self.known_as!r} is no name: use up to 32 letters, digits, - and _")
        if not self.sessions or not all(NAME.fullmatch(session) for session in self.sessions):
            raise ConfigError("a session's name has up to 32 letters, digits, - and _")


def load_remotes(home: Path) -> dict[str, Remote]:
    """Name → host, as HOME/remotes.json has them; raises ConfigError."""
    path = home / "remotes.json"
    try:
        listed = json.loads(path.read_text("utf-8"))
        remotes = [_remote(name, entry) for name, entry in listed.items()]
    except FileNotFoundError:
        return {}
    except (ValueError, AttributeError, TypeError, KeyError) as error:
        raise ConfigError(
            f"{path} is damaged: {error}", hint="Mend it, or delete it and add the hosts anew."
        ) from error
    return {remote.name: remote for remote in remotes}


def stamp(home: Path) -> object:
    """Another one whenever the list of hosts was written."""
    try:
        found = (home / "remotes.json").stat()
    except FileNotFoundError:
        return None
    return found.st_mtime_ns, found.st_ino, found.st_size


def save_remote(home: Path, remote: Remote) -> None:
    _save(home, load_remotes(home) | {remote.name: remote})


def remove_remote(home: Path, name: str) -> None:
    remotes = load_remotes(home)
    if name not in remotes:
        raise NotFound(f"there is no host named {name}", code="unknown_host", hint="See `paliadin remote list`.")
    del remotes[name]
    _save(home, remotes)


def _remote(name: str, entry: Mapping[str, object]) -> Remote:
    sessions, options = entry.get("sessions", ["main"]), entry.get("options", [])
    if not isinstance(sessions, list) or not isinstance(options, list):
        raise TypeError("sessions and options are lists")
    return Remote(
        name,
        str(entry["destination"]),
        tuple(map(str, sessions)),
        tuple(map(str, options)),
        key=str(entry.get("key", "")),
        login=str(entry.get("login", "")),
        program=str(entry.get("program", "paliadin-shim")),
        known_as=str(entry.get("known_as", "")),
    )


def _save(home: Path, remotes: Mapping[str, Remote]) -> None:
    listed = {
        name: {key: value for key, value in asdict(remote).items() if key != "name"} for name, remote in remotes.items()
    }
    write_json(home / "remotes.json", listed)
