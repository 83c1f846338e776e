"""The process of `paliadin-shim`: its channel is stdin and stdout, one shim at a time for a name."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import fcntl
import json
import logging
import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from paliadin import __version__, errors
from paliadin.config import PREFIX, Settings, ensure_home, load_settings
from paliadin.folders import sweep
from paliadin.relay.attach import open_terminal
from paliadin.relay.local import LocalRelay
from paliadin.remote import LONGEST_LINE, NAME
from paliadin.remote.shim import Shim, may_go
from paliadin.running import publish, withdraw

log = logging.getLogger(__name__)

SWEEP_EVERY = 3600.0  # seconds
TAKE_OVER = 20.0  # seconds for the shim of a line that was cut to let go
GREETING = (
    f"paliadin-shim {__version__}: this key lets a Paliadin elsewhere ask the Claude Code here, and nothing else."
)


def main(arguments: Sequence[str] | None = None) -> None:
    """The entry point of `paliadin-shim`."""
    given = _arguments(arguments)
    _extend_path()
    asked = os.environ.get("SSH_ORIGINAL_COMMAND")
    by_hand = asked is None and sys.stdin.isatty()
    if asked is not None or (by_hand and not given.attach):
        _refuse(given.name, asked)
    try:
        settings = _settings(given)
        if given.attach:
            open_terminal(settings, given.attach, read_only=given.read_only)
        logging.basicConfig(filename=settings.home / "shim.log", level=logging.INFO, format="%(asctime)s %(message)s")
        logging.getLogger("watchfiles").setLevel(logging.WARNING)  # a line for each change
        with _alone(settings.home / "shim.lock"):
            asyncio.run(serve(settings, given.name, given.sessions))
    except errors.PaliadinError as error:
        sys.exit(f"paliadin-shim: {error.message}\n  → {error.hint}")


async def serve(settings: Settings, name: str, sessions: tuple[str, ...]) -> None:
    """Until the channel's end, or SIGTERM by the shim that comes after this one."""
    relay = LocalRelay(settings)
    reader, writer = await _channel()
    writing = asyncio.Lock()

    async def send(message: Mapping[str, object]) -> None:
        async with writing:
            writer.write(json.dumps(message).encode("ascii") + b"\n")
            with contextlib.suppress(ConnectionError):  # the line was cut; reading it ends, too
                await writer.drain()

    shim = Shim(settings, relay, name, sessions, send)
    publish(replace(settings, port=0))
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    reading = asyncio.create_task(_read(reader, shim))
    sweeping = asyncio.create_task(_sweep(settings))
    waiting = asyncio.create_task(ended.wait())
    try:
        await asyncio.wait({reading, waiting}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (reading, waiting, sweeping):
            task.cancel()
        await asyncio.gather(reading, waiting, sweeping, return_exceptions=True)
        await shim.close()
        await relay.close()
        withdraw(settings)


async def _sweep(settings: Settings) -> None:
    """The mirror is what the other side reads: here a turn's folder is kept as long as this account says."""
    while True:
        try:
            await asyncio.to_thread(sweep, settings, datetime.now(UTC), may_go)
        except OSError as error:
            log.warning("old folders could not be removed: %s", error)
        await asyncio.sleep(SWEEP_EVERY)


async def _read(reader: asyncio.StreamReader, shim: Shim) -> None:
    while True:
        try:
            raw = await reader.readuntil(b"\n")
        except asyncio.IncompleteReadError:
            return
        except asyncio.LimitOverrunError:
            log.warning("%s: a line of more than %d bytes; the channel is closed", shim.name, LONGEST_LINE)
            return
        await shim.handle(raw)


async def _channel() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(LONGEST_LINE)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer)
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, sys.stdout.buffer)
    return reader, asyncio.StreamWriter(transport, protocol, None, loop)


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="paliadin-shim", description=GREETING)
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    parser.add_argument("--name", type=_name, required=True, help="who comes with this key, for the record here")
    parser.add_argument("--sessions", type=_names, default=("main",), help="those that it may use, with commas")
    parser.add_argument("--workdir", type=Path, help="the folder that Claude works in; else the home folder")
    parser.add_argument("--attach", type=_name, metavar="SESSION", help="for a person with a login: its terminal")
    parser.add_argument("--read-only", action="store_true", help="with --attach: no key reaches Claude")
    return parser.parse_args(arguments)


def _settings(given: argparse.Namespace) -> Settings:
    """The account's own settings, with a HOME, and a tmux session, for this name alone."""
    # ssh may carry variables (AcceptEnv), and so might the key's owner: they are not asked.
    environ = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    account = load_settings(environ, cwd=Path.home())
    account.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    home = account.home / "shims" / given.name
    options = {"home": home, "response_dir": home / "turns", "workdir": given.workdir or account.workdir}
    settings = load_settings(environ, options=options | {"tmux_session": f"{account.tmux_session}-{given.name}"})
    ensure_home(settings)
    return settings


def _extend_path() -> None:
    """sshd gives little of a PATH, and reads no start-up file for it: tmux and Claude Code may be elsewhere."""
    given = [folder for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    home = Path.home()
    own = [Path(sys.executable).parent, home / ".local/bin", home / "bin", home / ".npm-global/bin"]
    usual = [
        *map(str, own),
        "/usr/local/bin",
        "/opt/homebrew/bin",
        "/home/linuxbrew/.linuxbrew/bin",
        "/usr/bin",
        "/bin",
    ]
    os.environ["PATH"] = os.pathsep.join(dict.fromkeys([*given, *usual]))


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Ends the shim of a line that was cut, which may not know of that yet."""
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        deadline = time.monotonic() + TAKE_OVER
        while not _locked(descriptor):
            if time.monotonic() > deadline:
                raise errors.ConfigError(
                    "another paliadin-shim of this name does not let go", hint=f"See the process named in {lock}."
                )
            holder = os.pread(descriptor, 20, 0)
            if holder.isdigit():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(holder), signal.SIGTERM)
            time.sleep(0.05)  # nothing else runs in this process yet
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(descriptor)


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _refuse(name: str, asked: str | None) -> None:
    """Somebody logs in with the key, or wants another command: one friendly line, and one in the system's log."""
    if asked is not None:
        with contextlib.suppress(OSError, errors.PaliadinError):
            _log_refusal(name, asked)
    sys.exit(GREETING)


def _log_refusal(name: str, asked: str) -> None:
    home = load_settings({}).home / "shims" / name
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    logging.basicConfig(filename=home / "shim.log", level=logging.INFO, format="%(asctime)s %(message)s")
    log.warning("%s: another command was refused (%d bytes): %s", name, len(asked), ascii(asked[:200]))


def _name(text: str) -> str:
    if not NAME.fullmatch(text):
        raise argparse.ArgumentTypeError("up to 32 letters, digits, - and _")
    return text


def _names(text: str) -> tuple[str, ...]:
    return tuple(_name(item) for item in text.split(","))
