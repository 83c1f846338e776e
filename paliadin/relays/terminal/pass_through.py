"""Start and keep the pass-through of a session, in a window of its own beside Claude's (paliadin/live, docs/live.md).

Its files are in the session's folder, below `live/`, for this account only: config.json, which holds the secret part
of its address; state.json, which it writes; claude.json, Claude's settings with that address; claude.pid.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import paliadin
from paliadin.base import errors
from paliadin.base.files import write_json, write_text
from paliadin.base.settings import Settings
from paliadin.live.state import CLAUDE, PROBE, STATE, is_held
from paliadin.relays.terminal.claude import PassedThrough, base_python, with_environment
from paliadin.relays.terminal.plugin import copy_once, read_files
from paliadin.relays.terminal.tmux import TmuxServer
from paliadin.relays.terminal.window import Window

WINDOW = "~live"  # behind the session's name; `~` is in no session's name
START_TIMEOUT = 15.0  # seconds until it has tried to reach the API, for which it has 5
PROBE_TIMEOUT = 5.0  # seconds
RETRY = 7.0  # seconds between two attempts to start it again; it waits for its port for 5
CONFIGURATION = "config.json"
ON = "on"


class PassThrough:
    """The pass-through of the session whose folder is `session`, in a window of its own."""

    def __init__(
        self, settings: Settings, terminal: TmuxServer, session: Path, environment: Mapping[str, str] | None
    ) -> None:
        self._settings, self._environment = settings, environment
        self._session, self._folder = session, session / "live"
        self._window = Window(terminal, session.name + WINDOW)
        self._next_try = 0.0  # by the monotonic clock: when `keep` may start it again

    @property
    def is_wanted(self) -> bool:
        """True if live text or captures are switched on."""
        return self._settings.live or self._settings.capture

    @property
    def was_used(self) -> bool:
        """True if the pass-through has ever been used in this session."""
        return self._folder.exists()

    async def start(self, *, for_member: bool) -> PassedThrough | None:
        """Start it anew, before Claude is started with it; None if it is not wanted or cannot run: see `state`."""
        if not self.was_used and not self.is_wanted:
            return None
        await self.close()
        if not self.is_wanted:
            for path in (STATE, CLAUDE):
                (self._folder / path).unlink(missing_ok=True)
            return None
        self._folder.mkdir(mode=0o700, exist_ok=True)
        configuration = {
            "port": 0,
            "secret": secrets.token_urlsafe(24),
            "session": str(self._session),
            "turns": str(self._settings.response_dir),
            "preview": self._settings.live,
            "captures": str(self._settings.captures_dir) if self._settings.capture else None,
            "settings": not for_member,
        }
        state = await self._run(configuration)
        if state["state"] != ON:
            await self.close()
            return None
        write_json(self._folder / CONFIGURATION, configuration | {"port": state["port"]})  # for `keep`
        address = f"http://127.0.0.1:{state['port']}/{configuration['secret']}"
        variables = {**state["claude"], "ANTHROPIC_BASE_URL": address}
        return PassedThrough(self._folder / "claude.json", variables, self._settings.live)

    async def _run(self, configuration: Mapping[str, object]) -> dict[str, Any]:
        """Open the window and wait for its report; the state is "on" only if the pass-through also responds."""
        for path in (STATE, CLAUDE):
            (self._folder / path).unlink(missing_ok=True)
        await self._open_window(configuration)
        state: dict[str, Any] = {}
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(START_TIMEOUT):
                while not (state := self._state()):
                    await asyncio.sleep(0.01)
        if not state:
            state = {"state": "off", "reason": f"it did not start within {START_TIMEOUT:.0f} s"}
        elif state["state"] == ON and not await _responds(state["port"], str(configuration["secret"])):
            state = {"state": "off", "reason": "it does not respond"}
        else:
            return state
        write_json(self._folder / STATE, state)
        return state

    async def _open_window(self, configuration: Mapping[str, object]) -> None:
        write_json(self._folder / CONFIGURATION, configuration)
        folder = await asyncio.to_thread(copy_pass_through, self._settings.home)
        command = [base_python(), "-I", "-S", str(folder), str(self._folder / CONFIGURATION)]
        command = with_environment(command, self._environment)
        await self._window.start(command, self._session, {})

    async def close(self) -> None:
        """End it, if it runs, once no Claude needs it."""
        with contextlib.suppress(errors.TmuxFailed):
            await self._window.close()

    def note_claude(self, pid: int) -> None:
        """Tell it which process is Claude's: it ends with that."""
        write_text(self._folder / CLAUDE, str(pid))

    async def keep(self, claude: int) -> None:
        """Start it again at the same port if it has gone while Claude, which knows only that address, still runs.

        `claude` is Claude's process, 0 if it does not run. The daemon may be killed at any moment, so everything needed
        is on disk, and nothing is removed before its replacement exists.
        """
        if not self.was_used:
            return
        state = self._state()
        noted = _number_in(self._folder / CLAUDE)
        if claude and not noted and state.get("state") == ON:  # a daemon was killed before it could note it
            self.note_claude(claude)
        elif not claude or noted != claude:  # this Claude was started without
            return
        if is_held(self._folder) or time.monotonic() < self._next_try:
            return
        self._next_try = time.monotonic() + RETRY
        await self._open_window(json.loads((self._folder / CONFIGURATION).read_text("utf-8")))

    @property
    def status(self) -> str:
        """Return the state for health: empty if it is not wanted, else `on`, or why it is off."""
        if not self.is_wanted:
            return ""
        state = self._state()
        if not state:
            return "Claude was started without it"
        return ON if state.get("state") == ON else str(state.get("reason"))

    def _state(self) -> dict[str, Any]:
        try:
            state = json.loads((self._folder / STATE).read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return state if isinstance(state, dict) else {}


def copy_pass_through(home: Path) -> Path:
    """Copy the code of the pass-through to $PALIADIN_HOME/pass-through/<hash>: an upgrade does not disturb it."""
    package = Path(paliadin.__file__).parent
    files = {f"paliadin/live/{name}": content for name, content in read_files(package / "live").items()}
    files["paliadin/__init__.py"] = (package / "__init__.py").read_bytes()
    files["__main__.py"] = files["paliadin/live/__main__.py"]
    return copy_once(home / "pass-through", files)


async def _responds(port: int, secret: str) -> bool:
    """Tell whether it responds at its own path."""
    try:
        async with asyncio.timeout(PROBE_TIMEOUT):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(f"GET /{secret}/{PROBE} HTTP/1.1\r\nConnection: close\r\n\r\n".encode("ascii"))
                return (await reader.readline()).startswith(b"HTTP/1.1 204 ")
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return False


def _number_in(path: Path) -> int:
    """Read the number in a file; 0 if there is none."""
    try:
        return int(path.read_text("ascii"))
    except (OSError, ValueError):
        return 0
