"""The process of `paliadin-shim`: sshd starts it for a key, and it serves the daemon over stdin and stdout.

Only one runs for each --name; a new one ends the old one.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import logging
import os
import select
import signal
import sys
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from paliadin.base import errors, umask
from paliadin.base.audit import AuditLog
from paliadin.base.files import make_private_folder
from paliadin.base.retained import sweeping
from paliadin.base.running_daemon import publish, withdraw
from paliadin.base.settings import PREFIX, Settings, ensure_home, load_settings
from paliadin.base.tasks import Tasks
from paliadin.relays.ssh.rights import Rights
from paliadin.relays.ssh.shim.command_line import GREETING, parse_arguments
from paliadin.relays.ssh.shim.log_file import write_log_to
from paliadin.relays.ssh.shim.verbs import Shim
from paliadin.relays.ssh.wire_protocol import LONGEST_LINE, Message, encode
from paliadin.relays.terminal import sandbox
from paliadin.relays.terminal.attach import open_terminal
from paliadin.relays.terminal.relay import TerminalRelay

log = logging.getLogger(__name__)

TAKE_OVER_TIMEOUT = 20.0  # seconds for an older shim, whose connection was cut, to end


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `paliadin-shim`: check the command line, then serve, or open a terminal with --attach."""
    umask.make_private()
    options = parse_arguments(arguments)
    _extend_path()
    command = os.environ.get("SSH_ORIGINAL_COMMAND")
    is_login = command is None and sys.stdin.isatty()
    if command is not None or (is_login and not options.attach):
        _refuse(options.name, command)
    try:
        settings = _load_settings(options)
        if options.attach:
            open_terminal(settings, options.attach, read_only=options.read_only)
        sandbox.check(settings)
        write_log_to(settings.home)
        with _hold_lock(settings.home / "shim.lock"):
            asyncio.run(serve(settings, options.name, options.sessions, options.may))
    except errors.PaliadinError as error:
        sys.exit(f"paliadin-shim: {error.message}\n  → {error.hint}")


async def serve(settings: Settings, name: str, sessions: tuple[str, ...], rights: Rights) -> None:
    """Serve requests until the channel ends, or until a newer shim sends SIGTERM."""
    relay = TerminalRelay(settings)
    reader, writer = await _open_channel()
    writing = asyncio.Lock()

    async def send(message: Message) -> None:
        async with writing:
            writer.write(encode(message))
            with contextlib.suppress(ConnectionError):  # the connection was cut; reading ends, too
                await writer.drain()

    shim = Shim(settings, relay, name, sessions, send, rights, _address())
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    async with contextlib.AsyncExitStack() as stack:
        publish(replace(settings, port=0))
        stack.callback(withdraw, settings)
        await stack.enter_async_context(relay.running())
        await stack.enter_async_context(shim.running())
        await stack.enter_async_context(sweeping(shim.retained))
        tasks = await stack.enter_async_context(Tasks())
        tasks.spawn(_read(reader, shim)).add_done_callback(lambda _: ended.set())
        await ended.wait()


async def _read(reader: asyncio.StreamReader, shim: Shim) -> None:
    while True:
        try:
            raw = await reader.readuntil(b"\n")
        except asyncio.IncompleteReadError:
            return
        except asyncio.LimitOverrunError:
            log.warning("%s: a request is longer than %d bytes; the channel is closed", shim.name, LONGEST_LINE)
            return
        await shim.handle(raw)


async def _open_channel() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(LONGEST_LINE)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer)
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, sys.stdout.buffer)
    return reader, asyncio.StreamWriter(transport, protocol, None, loop)


def _load_settings(options: Namespace) -> Settings:
    """Load the account's settings, with a state folder and a tmux session for this --name alone."""
    # ssh may pass variables on (AcceptEnv): whoever holds the key must not change a setting.
    environ = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    account = load_settings(environ, cwd=Path.home())
    home = _make_state_folder(account, options.name)
    changes = {"home": home, "response_dir": home / "turns", "workdir": options.workdir or account.workdir}
    changes["attachments_dir"] = (
        account.attachments_dir / "shims" / options.name
    )  # outside of what Claude is kept out of
    settings = load_settings(environ, options=changes | {"tmux_session": f"{account.tmux_session}-{options.name}"})
    ensure_home(settings)
    # Claude's file tools are kept out of what belongs to other keys, and to this account's own daemon.
    return replace(settings, private=(*settings.private, *account.own_paths))


def _make_state_folder(account: Settings, name: str) -> Path:
    """Make the folder of this --name and those above it, for this account only; raises ConfigError."""
    folder = account.home / "shims" / name
    for path in (account.home, folder.parent, folder):
        make_private_folder(path)
    return folder


def _address() -> str:
    """Return the address from which the key is used, as sshd reports it."""
    return os.environ.get("SSH_CONNECTION", "").partition(" ")[0]


def _extend_path() -> None:
    """Add the usual folders of tmux and Claude Code to PATH; sshd sets a short one, and reads no start-up file."""
    folders = [folder for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    home = Path.home()
    personal = [Path(sys.executable).parent, home / ".local/bin", home / "bin", home / ".npm-global/bin"]
    usual = [
        *map(str, personal),
        "/usr/local/bin",
        "/opt/homebrew/bin",
        "/home/linuxbrew/.linuxbrew/bin",
        "/usr/bin",
        "/bin",
    ]
    os.environ["PATH"] = os.pathsep.join(dict.fromkeys([*folders, *usual]))


@contextlib.contextmanager
def _hold_lock(lock: Path) -> Iterator[None]:
    """Hold the lock file of this --name. An older shim is ended: it may not know yet that its connection was cut.

    A shim whose own connection is closed already ends itself instead: the one that holds the lock may be newer.
    """
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        deadline = time.monotonic() + TAKE_OVER_TIMEOUT
        while not _try_lock(descriptor):
            if time.monotonic() > deadline:
                raise errors.ConfigError(
                    "another paliadin-shim of this name did not exit", hint=f"End the process whose id is in {lock}."
                )
            if _is_closed(sys.stdout.fileno()):
                sys.exit("paliadin-shim: the connection was closed before the lock was free")
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


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_closed(descriptor: int) -> bool:
    """Tell whether the reading end of this pipe or socket is closed."""
    poll = select.poll()
    poll.register(descriptor, 0)
    return bool(poll.poll(0))  # with no events asked for, only POLLERR (a pipe on Linux) and POLLHUP are reported


def _refuse(name: str, command: str | None) -> None:
    """Exit with one friendly line: the key was used to log in, or for another `command`, which is noted in shim.log."""
    if command is not None:
        with contextlib.suppress(OSError, errors.PaliadinError):
            _log_refusal(name, command)
    sys.exit(GREETING)


def _log_refusal(name: str, command: str) -> None:
    folder = _make_state_folder(load_settings({}), name)
    write_log_to(folder)
    log.warning("%s: another command was refused (%d bytes): %s", name, len(command), ascii(command[:200]))
    AuditLog(folder).write("refused", name, origin=_address(), what="another command", size=len(command))
