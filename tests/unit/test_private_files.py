"""What the daemon and the command line read of the state folder is this account's alone, as sshd asks of its files."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from paliadin.base.errors import ConfigError
from paliadin.base.running_daemon import is_running, publish, withdraw
from paliadin.base.settings import load_settings
from paliadin.cli.remote_key import authorized_keys_line, make_key
from paliadin.relays.ssh.hosts import Remote, load_remotes, save_remote
from paliadin.relays.ssh.transport import Transport

Reader = Callable[[Path], object]


def read_daemon(home: Path) -> object:
    return is_running(load_settings({"PALIADIN_HOME": str(home)}))


def connect(home: Path) -> None:
    async def run() -> None:
        async with Transport.connected(far(home)):
            pass

    asyncio.run(run())


def far(home: Path) -> Remote:
    nowhere = ("-o", "ProxyCommand=false", "-F", "/dev/null")
    return Remote("far", "me@far.example", options=nowhere, key=str(home / "keys" / "far"), known_as="here")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    publish(load_settings({"PALIADIN_HOME": str(tmp_path)}))
    make_key(far(tmp_path))
    save_remote(tmp_path, far(tmp_path))
    return tmp_path


READERS: list[tuple[str, Reader]] = [
    ("daemon.json", read_daemon),
    ("remotes.json", load_remotes),
    ("keys/far", connect),
    ("keys/far", lambda home: make_key(far(home))),
    ("keys/far.pub", lambda home: authorized_keys_line(far(home))),
]
each_reader = pytest.mark.parametrize(("name", "read"), READERS, ids=["daemon", "hosts", "key", "made key", "public"])


@each_reader
def test_what_this_account_alone_can_use_is_read(home: Path, name: str, read: Reader) -> None:
    read(home)
    assert stat.S_IMODE((home / name).stat().st_mode) == 0o600


@each_reader
def test_what_others_can_change_is_refused(home: Path, name: str, read: Reader) -> None:
    (home / name).chmod(0o620)
    with pytest.raises(ConfigError, match="other accounts can use") as caught:
        read(home)
    assert f"chmod 600 {home / name}" in caught.value.hint


@each_reader
def test_a_link_is_refused(home: Path, name: str, read: Reader) -> None:
    (home / name).rename(home / "elsewhere")
    (home / name).symlink_to(home / "elsewhere")
    with pytest.raises(ConfigError, match="is a link"):
        read(home)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
@each_reader
def test_another_accounts_file_is_refused(home: Path, name: str, read: Reader) -> None:
    os.chown(home / name, 65534, -1)
    with pytest.raises(ConfigError, match="belongs to another account"):
        read(home)


@pytest.mark.parametrize(("name", "read"), [each for each in READERS if each[0] != "keys/far"], ids=lambda each: None)
def test_what_others_could_only_read_is_closed_to_them(home: Path, name: str, read: Reader) -> None:
    (home / name).chmod(0o644)
    read(home)
    assert stat.S_IMODE((home / name).stat().st_mode) == 0o600


def test_a_private_key_that_others_could_read_is_refused(home: Path) -> None:
    (home / "keys" / "far").chmod(0o644)
    with pytest.raises(ConfigError, match="other accounts can use"):
        connect(home)


def test_a_daemon_ends_normally_when_its_file_was_replaced(home: Path) -> None:
    (home / "daemon.json").unlink()
    (home / "daemon.json").symlink_to("elsewhere")
    withdraw(load_settings({"PALIADIN_HOME": str(home)}))
    assert (home / "daemon.json").is_symlink()
