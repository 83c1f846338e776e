"""`paliadin doctor` names what is weak in an installation, and prints no secret."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from unittest.mock import patch

import pytest

from paliadin.base.running_daemon import load_daemon_settings
from paliadin.cli.weak_points import check_weak_points
from paliadin.people.access import Access
from tests.worlds.cli_daemon import Shell, alone

__all__ = ["alone"]

DAY = 24 * 3600


def findings(shell: Shell, **environment: str) -> list[tuple[str, str, str]]:
    """(part, message, hint) of what `doctor` finds weak, each a warning."""
    with patch.dict(os.environ, shell.environment | environment):
        weak = check_weak_points(load_daemon_settings())
    if [part["name"] for part in weak] == ["weak points"]:
        assert weak[0]["state"] == "ok"
        return []
    assert all(part["ok"] and part["state"] == "warning" and part["hint"] for part in weak)
    assert not any("\n" in part["message"] + part["hint"] for part in weak)
    return [(part["name"], part["message"], part["hint"]) for part in weak]


@pytest.fixture
def home(alone: Shell) -> Path:
    """A state folder with a key; nothing in it is weak."""
    state = alone.home / "state"
    Access(state).add_key("app", "embed")
    assert findings(alone) == []
    return state


@pytest.mark.parametrize("mode", ["acceptEdits", "auto", "bypassPermissions"])
def test_a_mode_that_asks_less_is_named(alone: Shell, mode: str) -> None:
    [(part, message, hint)] = findings(alone, PALIADIN_PERMISSION_MODE=mode)
    assert (part, mode in message, "Set it to default" in hint) == ("permission mode", True, True)


@pytest.mark.parametrize("mode", ["default", "plan", "dontAsk"])
def test_a_mode_that_allows_no_more_is_not_named(alone: Shell, mode: str) -> None:
    assert findings(alone, PALIADIN_PERMISSION_MODE=mode) == []


@pytest.mark.parametrize("name", ["ALLOWED_ORIGINS", "PERMISSION_ORIGINS", "APPLICATION", "ADDRESS"])
def test_an_address_without_encryption_is_named_unless_it_stays_here(alone: Shell, name: str) -> None:
    [(part, message, _)] = findings(alone, **{f"PALIADIN_{name}": "http://app.example:81"})
    assert (part, f"PALIADIN_{name} has http://app.example:81" in message) == ("addresses", True)
    for fine in ("https://app.example", "http://localhost:81", "http://a.localhost", "http://127.0.0.1:81"):
        assert findings(alone, **{f"PALIADIN_{name}": fine}) == []


def test_an_address_below_that_of_other_applications_is_named(alone: Shell) -> None:
    [(part, message, hint)] = findings(alone, PALIADIN_ADDRESS="https://office.example/claude")
    assert (part, "other applications" in message, "of its own" in hint) == ("addresses", True, True)


FORCED = 'command="/opt/paliadin-shim --name laptop"'
KEY = "ssh-ed25519 AAAAC3Nza laptop"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (f"{FORCED} {KEY}", "without restrict"),
        (f'from="192.0.2.0/24",{FORCED},no-pty {KEY}', "without restrict"),
        (f"{FORCED},restrict,pty,Port-Forwarding {KEY}", "port-forwarding, pty again"),
    ],
)
def test_a_far_key_that_can_do_more_than_run_the_shim_is_named(alone: Shell, line: str, words: str) -> None:
    (alone.home / ".ssh").mkdir()
    (alone.home / ".ssh" / "authorized_keys").write_text(f"# mine\n{KEY}\n{line}\n")
    [(part, message, _)] = findings(alone)
    assert (part, words in message, "line 3 of" in message) == ("far keys", True, True)
    assert "AAAA" not in message


def test_a_far_key_as_remote_add_writes_it_is_not_named(alone: Shell) -> None:
    (alone.home / ".ssh").mkdir()
    lines = [f'{FORCED},restrict,from="192.0.2.1" {KEY}', f"#{FORCED} {KEY}", f'command="rrsync, paliadin" {KEY}', ""]
    (alone.home / ".ssh" / "authorized_keys").write_text("\n".join(lines))
    assert findings(alone) == []


def test_files_of_the_state_that_are_open_to_others_are_named(alone: Shell, home: Path) -> None:
    (home / "keys").mkdir(mode=0o700)
    for name, mode in {"remotes.json": 0o666, "audit.jsonl": 0o640, "keys/far": 0o640, "keys/far.pub": 0o644}.items():
        (home / name).write_text("{}")
        (home / name).chmod(mode)
    found = {message: hint for part, message, hint in findings(alone) if part == "files"}
    assert set(found) == {
        f"other accounts can read {home / 'audit.jsonl'} (640)",
        f"other accounts can read {home / 'keys' / 'far'} (640)",
        f"other accounts can change {home / 'remotes.json'} (666)",
    }
    assert f"`chmod 600 {home / 'remotes.json'}`" in found[f"other accounts can change {home / 'remotes.json'} (666)"]


def test_a_link_in_the_state_is_named(alone: Shell, home: Path) -> None:
    (home / "keys").symlink_to("/nowhere")
    assert [message for _, message, _ in findings(alone)] == [f"{home / 'keys'} is a link"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_what_is_another_accounts_is_named(alone: Shell, home: Path) -> None:
    (home / "sessions").mkdir(mode=0o700)
    os.chown(home / "sessions", 65534, -1)
    os.chown(home.parent, 65534, -1)
    messages = [message for _, message, _ in findings(alone)]
    assert messages == [
        f"{home / 'sessions'} belongs to another account (its user id is 65534)",
        f"the account with the user id 65534 can replace what is in {home.parent}",
    ]


def test_a_folder_in_which_others_can_replace_the_state_is_named(alone: Shell, home: Path) -> None:
    home.parent.chmod(0o777)
    [(part, message, _)] = findings(alone)
    assert (part, message) == ("files", f"other accounts can replace what is in {home.parent}")
    home.parent.chmod(0o1777)
    assert findings(alone) == []


def test_a_file_with_settings_is_closed_to_writers_and_one_with_a_secret_to_readers(alone: Shell) -> None:
    file = alone.home / "p.toml"
    file.write_text("keep_days = 7\n")
    file.chmod(0o644)
    assert findings(alone, PALIADIN_CONFIG=str(file)) == []
    file.chmod(0o664)
    assert "can change" in findings(alone, PALIADIN_CONFIG=str(file))[0][1]
    file.write_text('database_url = "postgresql://u:secret@127.0.0.1:1/x"\n')
    file.chmod(0o644)
    [(part, message, hint)] = findings(alone, PALIADIN_CONFIG=str(file))
    assert (part, "can read" in message, hint) == ("files", True, f"Run `chmod 600 {file}`.")
    assert "secret" not in message


def test_keys_that_nobody_uses_are_named(alone: Shell, home: Path) -> None:
    stored = json.loads((home / "access.json").read_text())
    now = time.time()
    [fresh] = stored["keys"]
    ages = {"forgotten": (200, None), "idle": (500, 190), "old": (400, 1)}
    for name, (made, used) in ages.items():
        key = {"name": name, "made": now - made * DAY, "last_used": used and now - used * DAY}
        stored["keys"].append(fresh | key)
    (home / "access.json").write_text(json.dumps(stored))
    found = findings(alone)
    assert {part for part, _, _ in found} == {"keys"}
    messages = " | ".join(message for _, message, _ in found)
    assert [f"the key {name} " in messages for name in ("app", *ages)] == [False, True, True, True]
    assert messages.count("not used for half a year") == 2
    assert "old opens embed, and is older than a year" in messages


def test_what_is_weak_changes_no_exit_code_and_is_printed_with_what_to_do(alone: Shell) -> None:
    mode = {"PALIADIN_PERMISSION_MODE": "bypassPermissions"}
    calm, weak, listed = alone("doctor"), alone("doctor", **mode), alone("doctor", "--json", **mode)
    assert calm.exit_code == weak.exit_code == listed.exit_code
    assert "weak points" in calm.stdout
    assert "! permission mode" in weak.stdout
    assert "→ Set it to default" in weak.stdout
    parts = [(part["name"], part["message"], part["hint"]) for part in json.loads(listed.stdout)["parts"]]
    assert [each in parts for each in findings(alone, **mode)] == [True]
