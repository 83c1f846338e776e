"""A daemon without the messages relay loads nothing of it, and has none of its routes; where it is on, it waits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAKE = """
import json, sys
from paliadin.base.settings import load_settings
from paliadin.daemon import make_parts
from paliadin.people.access import Access

settings = load_settings({"PALIADIN_HOME": sys.argv[1]} | json.loads(sys.argv[2]))
settings.sessions_dir.mkdir()
api = make_parts(settings, Access(settings.home), None, None, {}).api
paths = [route.path for route in api.routes()]
print(json.dumps([paths, sorted(sys.modules)]))
"""


@pytest.mark.parametrize(
    ("values", "is_on"),
    [({}, False), ({"PALIADIN_RELAY": "messages"}, True), ({"PALIADIN_API_KEY": "a-key-for-tests"}, True)],
)
def test_what_is_off_is_not_there(tmp_path: Path, values: dict[str, str], is_on: bool) -> None:
    command = [sys.executable, "-c", MAKE, str(tmp_path), json.dumps(values)]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    ended = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr.decode()
    paths, loaded = json.loads(ended.stdout)
    assert ("/api/paliadin/limits" in paths) is is_on
    assert (
        any(name.startswith("paliadin.parts.messages.") for name in loaded if not name.endswith(".settings")) is is_on
    )
    assert ("paliadin.parts.messages.own_keys" in loaded) is is_on
    assert "cryptography" not in loaded
    assert not any(name.startswith(("paliadin.parts.messages.workers", "procrastinate")) for name in loaded)
    assert "anthropic" not in loaded  # it takes most of a second, and is loaded beside the daemon's start
