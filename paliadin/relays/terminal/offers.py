"""Ask Claude Code for its offers, in a separate process that sends nothing to the API and keeps nothing.

`claude -p` answers the control request `initialize` before any prompt, in 0.5 to 0.8 s (2.1.197, 2.1.330). It runs no
hook and starts no MCP server. It does run what the settings of its folder name, such as `apiKeyHelper`, without asking
whether to trust the folder: so these settings, and the folder's own commands, are left out until a Claude has been
started there in a terminal, where it asks.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import re
import subprocess
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from paliadin.base.errors import RelayError
from paliadin.base.processes import running
from paliadin.base.settings import Settings
from paliadin.base.settings_values import PERMISSION_MODES
from paliadin.base.strict_json import parse_json
from paliadin.relays.offers import Offers
from paliadin.relays.terminal.claude import find_claude

# In seconds.
KEPT_FOR = 60.0
FAILURE_KEPT_FOR = 5.0
TIMEOUT = 15.0  # for all of it
EXIT_TIMEOUT = 2.0  # from the end of its input
HELP_TIMEOUT = 10.0
MAX_LINE = 32 * 1024 * 1024  # bytes of the response; 2.1.330's has 18,000, a folder's 10,000 skills add 5 MB
_MODES = re.compile(r"--permission-mode[^(]{0,500}\(choices:([^)]{0,1000})\)")
_OPTIONS = ("-p", "--no-session-persistence", "--strict-mcp-config", "--verbose")
_STREAMS = ("--input-format", "stream-json", "--output-format", "stream-json")
_REQUEST = {"type": "control_request", "request_id": "offers", "request": {"subtype": "initialize"}}


@dataclass(frozen=True, slots=True)
class _Place:
    """The folder and program of a Claude Code that is asked: `changed_at` is the time of the program's last change."""

    program: Path
    changed_at: int
    workdir: Path
    is_trusted: bool


class OfferLists:
    """Returns what Claude Code offers in a folder. Each list is kept for KEPT_FOR, and requested once at a time.

    `environment` is the one that Claude runs in; None: this process's.
    """

    def __init__(self, settings: Settings, plugin: Path, environment: Mapping[str, str] | None) -> None:
        self._settings, self._plugin, self._environment = settings, plugin, environment
        self._asked: dict[_Place, tuple[float, asyncio.Task[Offers]]] = {}  # (when, by the monotonic clock)

    async def of(self, workdir: Path, *, is_trusted: bool) -> Offers:
        """Return the offers of the Claude in this folder; raises RelayError when it cannot be run, or gives none.

        `is_trusted`: a Claude was started there in a terminal, so its owner has trusted the folder.
        """
        program = Path(find_claude(self._settings))
        place = _Place(program, program.stat().st_mtime_ns, workdir, is_trusted)
        now = time.monotonic()
        self._asked = {each: kept for each, kept in self._asked.items() if not _is_old(*kept, now)}
        if place not in self._asked:
            self._asked[place] = now, asyncio.create_task(self._ask(place))
        return await asyncio.shield(self._asked[place][1])

    async def _ask(self, place: _Place) -> Offers:
        try:
            async with asyncio.timeout(TIMEOUT):
                response = await self._initialize(place)
                modes = await asyncio.to_thread(permission_modes, place.program, place.changed_at)
        except (OSError, ValueError, TimeoutError) as error:
            reason = "in time" if isinstance(error, TimeoutError) else f"({type(error).__name__})"
            raise RelayError(
                f"Claude Code did not say what it offers {reason}",
                code="offers_unavailable",
                hint="Try again. `paliadin health` shows whether Claude Code can be run.",
            ) from error
        return replace(Offers.parse(response), modes=modes)

    async def _initialize(self, place: _Place) -> object:
        settings = json.dumps({"disableAllHooks": True})
        command = [str(place.program), *_OPTIONS, "--settings", settings, "--plugin-dir", str(self._plugin), *_STREAMS]
        command += [] if place.is_trusted else ["--setting-sources", "user"]
        streams = {"stdin": PIPE, "stdout": PIPE, "stderr": DEVNULL, "limit": MAX_LINE}
        async with running(command, **streams, cwd=place.workdir, env=self._environment) as process:
            response = await _exchange(process)
            with contextlib.suppress(TimeoutError, OSError):
                async with asyncio.timeout(EXIT_TIMEOUT):  # it gives back what it has locked
                    await process.wait()
            return response


def _is_old(asked_at: float, task: asyncio.Task[Offers], now: float) -> bool:
    failed = task.done() and (task.cancelled() or task.exception() is not None)
    return now - asked_at > (FAILURE_KEPT_FOR if failed else KEPT_FOR)


async def _exchange(process: Process) -> object:
    """Send the request, and return the response's content; raises ValueError when there is none."""
    if process.stdin is None or process.stdout is None:
        raise ValueError("no pipes")
    process.stdin.write(json.dumps(_REQUEST).encode() + b"\n")
    with contextlib.suppress(ConnectionError):  # it has ended; what it said is read
        await process.stdin.drain()
    while line := await process.stdout.readline():
        message = parse_json(line.decode("utf-8", "replace"))
        match message:
            case {"type": "control_response", "response": {"subtype": "success", "response": content}}:
                process.stdin.close()
                return content
            case {"type": "control_response"}:
                raise ValueError("refused")
    raise ValueError("it ended")


@functools.cache
def permission_modes(program: Path, _changed_at: int) -> tuple[str, ...]:
    """Return the permission modes that Claude Code's help lists; all known ones if it lists none. Takes 0.2 s."""
    try:
        printed = subprocess.run([program, "--help"], check=False, capture_output=True, timeout=HELP_TIMEOUT).stdout
    except (OSError, subprocess.TimeoutExpired):
        return PERMISSION_MODES
    match = _MODES.search(printed.decode("utf-8", "replace"))
    listed = set(re.findall(r'"(\w+)"', match[1])) if match else set()
    # 2.1.330 lists `manual` in the place of `default`, and takes both.
    listed |= {"default"} if "manual" in listed else set()
    return tuple(mode for mode in PERMISSION_MODES if mode in listed) or PERMISSION_MODES
