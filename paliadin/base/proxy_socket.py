"""The Unix socket for a reverse proxy. Whoever comes through it is treated as over TCP, never as the command line."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

from paliadin.base.command_socket import command_socket_path, is_in_use
from paliadin.base.errors import ConfigError
from paliadin.base.files import check_not_replaceable
from paliadin.base.loopback_sockets import BACKLOG

LONGEST_PATH = 103  # bytes, as macOS allows; Linux allows 107
_ANOTHER = "Choose another path with --socket or PALIADIN_SOCKET."


@contextlib.contextmanager
def listening_for_proxy(path: Path, home: Path) -> Iterator[socket.socket]:
    """Listen at the path during a `with` block, and remove the file at its end; raises ConfigError.

    The file's mode is 0600. In a folder with the setgid bit it is 0660, and the folder's group may connect as well.
    """
    check_proxy_socket(path, home)
    mode = 0o660 if path.parent.stat().st_mode & stat.S_ISGID else 0o600
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o777 & ~mode)  # with a later chmod others could connect, or lead it elsewhere, in between
    try:
        path.unlink(missing_ok=True)
        listener.bind(str(path))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise ConfigError(f"cannot listen on {path}: {error.strerror}", hint=_ANOTHER) from error
    finally:
        os.umask(before)
    status = path.lstat()
    try:
        yield listener
    finally:
        listener.close()
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(status, path.lstat()):
                path.unlink()


def check_proxy_socket(path: Path, home: Path) -> None:
    """Check that a socket can be made at this path, and nothing is lost by it; raises ConfigError. Changes nothing."""
    if len(os.fsencode(path)) > LONGEST_PATH:
        raise ConfigError(
            f"the path {path} is too long for a Unix socket: it has {len(os.fsencode(path))} bytes",
            hint=f"Choose one of at most {LONGEST_PATH} bytes with --socket or PALIADIN_SOCKET.",
        )
    if path == command_socket_path(home):
        raise ConfigError(f"{path} is the command line's socket: whoever connects to it is the owner", hint=_ANOTHER)
    try:
        check_not_replaceable(path)
        status = path.lstat()
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise ConfigError(f"there is no folder {path.parent}", hint=f"Make it: `mkdir {path.parent}`.") from None
        return
    except OSError as error:
        raise ConfigError(f"{path} cannot be used: {error.strerror}", hint=_ANOTHER) from error
    if stat.S_ISLNK(status.st_mode):
        raise ConfigError(f"{path} is a link", hint=f"Delete the link, or {_ANOTHER[0].lower()}{_ANOTHER[1:]}")
    if not stat.S_ISSOCK(status.st_mode) or status.st_uid != os.geteuid():
        raise ConfigError(f"{path} exists, and is not a socket of this account", hint=_ANOTHER)
    if is_in_use(path):
        raise ConfigError(f"another program listens on {path}", hint=f"End it, or {_ANOTHER[0].lower()}{_ANOTHER[1:]}")
