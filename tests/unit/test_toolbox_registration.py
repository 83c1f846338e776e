"""Whether a Claude has its toolboxes, as the locks in its session's folder say."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from paliadin.toolboxes.registration import has_tools


@pytest.mark.parametrize("name", ["mcp-paliad.lock", "mcp.lock"])  # the second: of a version before, which serves all
def test_a_held_lock_says_that_claude_has_its_tools(tmp_path: Path, name: str) -> None:
    assert not has_tools(tmp_path, ["paliad"])
    with (tmp_path / name).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        assert has_tools(tmp_path, ["paliad"])
    assert not has_tools(tmp_path, ["paliad"])


def test_each_toolbox_has_a_server_of_its_own(tmp_path: Path) -> None:
    with (tmp_path / "mcp-paliad.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        assert not has_tools(tmp_path, ["paliad", "notes"])
