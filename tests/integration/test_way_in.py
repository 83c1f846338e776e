"""The commands `paliadin open`, `token` and `audit` beside a running daemon."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from paliadin.base.audit import LEAVES_OUT, LEFT_OUT, MOST_ENTRIES, read_audit_log
from paliadin.base.command_socket import command_socket_path
from paliadin.demo.scripted_api import ScriptedApi
from tests.integration.conftest import make_world
from tests.worlds.world import ROOT, World

API = "/api/paliadin"
# Opens the address that the file leads to, as a browser would, and says what it found.
BROWSER = """#!/bin/sh
exec {python} - "$1" <<'EOF'
import html, pathlib, re, stat, sys, urllib.request
file = pathlib.Path(sys.argv[1].removeprefix("file://"))
address = html.unescape(re.search('url=(.*?)"', file.read_text())[1])
opened = urllib.request.build_opener(urllib.request.HTTPCookieProcessor).open(address)
mode = stat.S_IMODE(file.stat().st_mode)
pathlib.Path("{seen}").write_text(f"{{opened.status}} {{mode:o}} {{file}} {{sys.argv[1:]}}")
EOF
"""


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("way-in"), one_claude, api):
        world.scripted = True
        world.start()
        yield world


def paliadin(world: World, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "HOME": str(world.root), "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT)}
    environment |= {"PALIADIN_HOME": str(world.settings.home), **variables}
    command = [sys.executable, "-m", "paliadin", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=90, check=False)


def stranger(world: World) -> httpx2.Client:
    return httpx2.Client(base_url=f"http://127.0.0.1:{world.options['PORT']}", trust_env=False, timeout=30)


def test_open_prints_an_address_that_signs_one_browser_in(daemon: World) -> None:
    host = f"{daemon.label}.localhost:{daemon.options['PORT']}"
    addresses = [paliadin(daemon, "open", "--print").stdout.strip() for _ in range(2)]
    assert len(set(addresses)) == 2
    for address in (daemon.announced, *addresses):
        path = address.removeprefix(f"http://{host}")
        assert path.startswith("/paliadin?ticket=")
        for expected in (303, 401):
            with stranger(daemon) as browser:
                assert browser.get(path, headers={"Host": host}).status_code == expected  # programs do not resolve it


def test_open_prints_an_address_for_browsers_that_do_not_find_the_pages_host(daemon: World) -> None:
    address = paliadin(daemon, "open", "--print", "--by-path").stdout.strip()
    assert address.startswith(f"http://127.0.0.1:{daemon.options['PORT']}/~{daemon.label}/paliadin?ticket=")
    with stranger(daemon) as browser:
        assert browser.get(address).status_code == 303
        assert browser.get(f"/~{daemon.label}{API}/history").status_code == 200
    with stranger(daemon) as second:
        assert second.get(address).status_code == 401


def test_open_opens_a_browser_without_the_ticket_on_its_command_line(daemon: World, tmp_path: Path) -> None:
    script, seen = tmp_path / "browser", tmp_path / "seen"
    script.write_text(BROWSER.format(python=sys.executable, seen=seen))
    script.chmod(0o755)
    opened = paliadin(daemon, "open", "--by-path", BROWSER=f"{script} %s")  # Python does not find the page's host
    assert opened.returncode == 0, opened.stderr
    status, mode, file, arguments = seen.read_text().split(" ", 3)
    assert (status, mode) == ("200", "600")
    ticket = opened.stdout.strip().rpartition("=")[2]
    assert ticket not in arguments
    assert not Path(file).exists()


def test_where_there_is_no_browser_open_says_so_and_the_address_stays_valid(daemon: World) -> None:
    opened = paliadin(daemon, "open", BROWSER="/nowhere/browser %s")  # without a screen or a terminal there is no other
    assert opened.returncode == 0, opened.stderr
    assert "Open the address yourself" in opened.stderr
    assert list(daemon.settings.home.glob("open-*")) == []
    path = opened.stdout.strip().partition("/paliadin")[2]
    with stranger(daemon) as browser:
        assert browser.get(f"/~{daemon.label}/paliadin{path}").status_code == 303


def test_keys_are_made_listed_renewed_and_taken_back(daemon: World) -> None:
    first = paliadin(daemon, "token", "add", "prometheus", "--for", "metrics").stdout.strip()
    listed = json.loads(paliadin(daemon, "token", "list", "--json").stdout)
    [key] = [key for key in listed["keys"] if key["name"] == "prometheus"]
    assert key["purposes"] == ["metrics"]
    assert "prometheus" in paliadin(daemon, "token", "list").stdout
    second = paliadin(daemon, "token", "rotate", "prometheus").stdout.strip()
    with stranger(daemon) as client:

        def status(secret: str, path: str = "/metrics") -> int:
            return client.get(path, headers={"Authorization": f"Bearer {secret}"}).status_code

        assert [status(first), status(second), status(second, f"{API}/history")] == [401, 200, 403]
        assert paliadin(daemon, "token", "remove", "prometheus").returncode == 0
        assert status(second) == 401
    again = paliadin(daemon, "token", "remove", "prometheus")
    assert again.returncode == 1
    assert "there is no key of this name" in again.stderr


def test_a_browser_is_signed_out_or_all_are(daemon: World) -> None:
    browsers = [stranger(daemon) for _ in range(3)]
    for browser in browsers:
        address = paliadin(daemon, "open", "--print").stdout.strip().rpartition("/")[2]
        assert browser.get(f"/~{daemon.label}/{address}").status_code == 303
    path = f"/~{daemon.label}{API}/access"

    def inside(before: str = daemon.label) -> list[bool]:
        return [each.get(path.replace(daemon.label, before)).status_code == 200 for each in browsers]

    [own] = [each["id"] for each in browsers[1].get(path).json()["browsers"] if each["current"]]
    assert paliadin(daemon, "token", "remove", own).returncode == 0
    assert inside() == [True, False, True]
    label = daemon.label
    assert paliadin(daemon, "token", "rotate").returncode == 0
    assert daemon.label != label
    assert inside(label) == inside() == [False, False, False]
    with daemon.client() as program:
        assert program.get(f"{API}/history").status_code == 200  # its key stays
    for browser in browsers:
        browser.close()


def test_the_audit_log_is_shown(daemon: World) -> None:
    paliadin(daemon, "token", "add", "shown", "--for", "embed")
    shown = paliadin(daemon, "audit").stdout.splitlines()[-1]
    assert "key made" in shown
    assert "cli" in shown
    assert "name=shown" in shown
    last = json.loads(paliadin(daemon, "audit", "--json").stdout.splitlines()[-1])
    assert (last["event"], last["name"], last["purpose"]) == ("key made", "shown", "embed")


def test_a_daemon_that_ends_writes_how_many_entries_its_audit_log_has_left_out(daemon: World) -> None:
    with daemon.client() as program:
        for _ in range(MOST_ENTRIES + 5):
            assert program.get(f"{API}/export").status_code == 200
    daemon.restart()
    entries = list(read_audit_log(daemon.settings.home))
    assert sum(entry["event"] == "exported" for entry in entries) == MOST_ENTRIES
    written = [(entry["event"], entry["of"], entry.get("entries")) for entry in entries if "of" in entry]
    assert written == [(LEAVES_OUT, "exported", None), (LEFT_OUT, "exported", 5)]
    assert f"{LEFT_OUT}  {entries[0]['who']}  -  of=exported  entries=5" in paliadin(daemon, "audit").stdout


def test_the_command_lines_socket_is_for_this_account_alone(daemon: World) -> None:
    home = daemon.settings.home
    socket = command_socket_path(home)
    assert stat.S_ISSOCK(socket.stat().st_mode)
    assert socket.stat().st_mode & 0o077 == 0
    assert socket.parent.stat().st_mode & 0o077 == 0
