from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from paliadin.base.command_socket import command_socket_path
from paliadin.base.errors import ConfigError
from paliadin.base.proxy_socket import LONGEST_PATH, listening_for_proxy


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "proxy.sock"


def refusal(path: Path, home: Path = Path("/nowhere")) -> ConfigError:
    with pytest.raises(ConfigError) as refused, listening_for_proxy(path, home):
        pass
    assert refused.value.hint
    return refused.value


def test_the_socket_is_for_this_account_and_gone_at_the_end(path: Path) -> None:
    umask = os.umask(0)
    try:
        with listening_for_proxy(path, path.parent):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
            assert os.umask(0) == 0, "the process has its umask back"
    finally:
        os.umask(umask)
    assert not path.exists()


def test_in_a_folder_with_the_setgid_bit_its_group_may_connect_as_well(path: Path) -> None:
    group = 54321 if os.geteuid() == 0 else os.getegid()
    os.chown(path.parent, -1, group)
    path.parent.chmod(0o2750)
    with listening_for_proxy(path, Path("/nowhere")):
        assert (stat.S_IMODE(path.stat().st_mode), path.stat().st_gid) == (0o660, group)


def test_what_a_dead_daemon_left_behind_is_replaced(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    with listening_for_proxy(path, Path("/nowhere")), socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))


def test_a_living_socket_stays_with_its_owner(path: Path) -> None:
    with listening_for_proxy(path, Path("/nowhere")):
        assert "another program listens" in refusal(path).message
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(path))


@pytest.mark.parametrize("kind", ["file", "folder", "pipe"])
def test_what_is_no_socket_is_kept(path: Path, kind: str) -> None:
    {"file": path.touch, "folder": path.mkdir, "pipe": lambda: os.mkfifo(path)}[kind]()
    assert "is not a socket of this account" in refusal(path).message
    assert path.exists()


def test_a_link_is_refused_wherever_it_leads(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path.with_name("real")))
    path.symlink_to("real")
    assert "is a link" in refusal(path).message
    assert path.is_symlink()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_another_accounts_socket_is_refused(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    os.chown(path, 54321, -1)
    assert "is not a socket of this account" in refusal(path).message


def test_a_folder_in_which_everybody_can_replace_it_is_refused(path: Path) -> None:
    path.parent.chmod(0o777)
    assert "everybody can replace" in refusal(path).message
    path.parent.chmod(0o1777)
    with listening_for_proxy(path, Path("/nowhere")):
        assert path.is_socket()


def test_a_path_that_is_too_long_a_missing_folder_and_the_command_lines_socket_are_refused(tmp_path: Path) -> None:
    assert f"at most {LONGEST_PATH} bytes" in refusal(tmp_path / ("ü" * 60)).hint
    assert "there is no folder" in refusal(tmp_path / "absent" / "socket").message
    home = Path("/nowhere")
    assert "the command line's socket" in refusal(command_socket_path(home), home).message


def test_what_took_its_place_meanwhile_is_not_removed(path: Path) -> None:
    with listening_for_proxy(path, Path("/nowhere")):
        path.unlink()
        path.touch()
    assert path.is_file()
