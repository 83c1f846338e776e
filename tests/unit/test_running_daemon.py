from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from paliadin.base.running_daemon import load_daemon_settings, publish, withdraw
from paliadin.base.settings import load_settings
from paliadin.parts.practice.settings import PracticeSettings


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PALIADIN_HOME", str(tmp_path))
    monkeypatch.setenv("PALIADIN_CONFIG", "")
    return tmp_path


def test_the_command_line_uses_what_the_running_daemon_uses(home: Path) -> None:
    values = {"PORT": "4711", "TMUX_SOCKET": "other", "WORKDIR": "/srv", "RESPONSE_DIR": "/srv/turns"}
    daemon = load_settings({"PALIADIN_HOME": str(home)} | {f"PALIADIN_{key}": value for key, value in values.items()})
    publish(daemon)
    loaded = load_daemon_settings()
    assert (loaded.port, loaded.tmux_socket, loaded.workdir, loaded.response_dir) == (
        4711,
        "other",
        Path("/srv"),
        Path("/srv/turns"),
    )
    assert (home / "daemon.json").stat().st_mode & 0o777 == 0o600
    withdraw(daemon)
    assert load_daemon_settings().port == 8724


def test_the_command_line_has_the_parts_on_that_the_daemon_has(home: Path) -> None:
    publish(load_settings({"PALIADIN_HOME": str(home), "PALIADIN_PALIAD": "true", "PALIADIN_SECOND_PAIR": "false"}))
    assert load_daemon_settings().part(PracticeSettings) == PracticeSettings(paliad=True)
    publish(load_settings({"PALIADIN_HOME": str(home)}))
    assert load_daemon_settings().part(PracticeSettings) == PracticeSettings()


def test_what_a_killed_daemon_left_behind_does_not_count(home: Path) -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    publish(load_settings({"PALIADIN_HOME": str(home), "PALIADIN_PORT": "4711"}))
    published = json.loads((home / "daemon.json").read_text("utf-8"))
    (home / "daemon.json").write_text(json.dumps(published | {"pid": pid}), "utf-8")
    assert load_daemon_settings().port == 8724


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": 1}', "null"])
def test_a_damaged_file_does_not_count(home: Path, text: str) -> None:
    (home / "daemon.json").write_text(text, "utf-8")
    assert load_daemon_settings().port == 8724


def test_only_its_own_daemon_withdraws_what_is_published(home: Path) -> None:
    settings = load_settings({"PALIADIN_HOME": str(home)})
    publish(settings)
    published = json.loads((home / "daemon.json").read_text("utf-8"))
    (home / "daemon.json").write_text(json.dumps(published | {"pid": os.getppid()}), "utf-8")
    withdraw(settings)
    assert (home / "daemon.json").exists()
