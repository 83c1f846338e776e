"""The daemon's Unix socket for the command line. The kernel says whose process connects, so it needs no secret."""

from __future__ import annotations

import contextlib
import hashlib
import os
import socket
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paliadin.base.errors import ConfigError

_LONGEST_PATH = 100  # bytes; macOS allows 103, Linux 107
_LOCAL_PEERCRED = 1  # <sys/un.h> of macOS and the BSDs; its level is 0


def command_socket_path(home: Path) -> Path:
    """Return the socket's path, the same for the daemon and the command line of a state folder."""
    path = home / "daemon.sock"
    if len(os.fsencode(path)) <= _LONGEST_PATH:
        return path
    digest = hashlib.sha256(os.fsencode(home)).hexdigest()[:16]
    return Path("/tmp") / f"paliadin-{os.geteuid()}-{digest}" / "daemon.sock"  # noqa: S108  # in a folder of mode 0700


class CommandSocket(socket.socket):
    """A listening Unix socket that accepts this account's processes only."""

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection; one of another account's is closed, as if there had been none."""
        connection, address = super().accept()
        if _peer_account(connection) == os.geteuid():
            return connection, address
        connection.close()
        raise ConnectionAbortedError  # asyncio then waits for the next one


@contextlib.contextmanager
def listening_for_commands(home: Path) -> Iterator[CommandSocket]:
    """Listen during a `with` block; raises ConfigError when another daemon uses this state folder."""
    path = command_socket_path(home)
    _make_folder(path.parent)
    if is_in_use(path):
        raise ConfigError(
            f"another daemon runs with {home}", hint="End it first, or choose another folder with PALIADIN_HOME."
        )
    path.unlink(missing_ok=True)
    with CommandSocket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))
        path.chmod(0o600)
        listener.listen(64)
        try:
            yield listener
        finally:
            path.unlink(missing_ok=True)
            if path.parent != home:
                with contextlib.suppress(OSError):  # a web process that was killed has left a socket of its own there
                    path.parent.rmdir()


def _make_folder(folder: Path) -> None:
    """Make the folder if it is missing; raises ConfigError if it is another account's, as one in /tmp may be."""
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    status = folder.lstat()
    if status.st_uid != os.geteuid() or status.st_mode & 0o077 or folder.is_symlink():
        raise ConfigError(f"{folder} is not a folder that only this account can use", hint=f"Delete {folder}.")


def is_in_use(path: Path) -> bool:
    """True while a process listens on the socket at this path."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True


def _peer_account(connection: socket.socket) -> int:
    """The user id of the process at the other end."""
    if hasattr(socket, "SO_PEERCRED"):  # Linux
        _, account, _ = struct.unpack("iII", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    else:
        _, account = struct.unpack("II", connection.getsockopt(0, _LOCAL_PEERCRED, 76)[:8])
    return int(account)
