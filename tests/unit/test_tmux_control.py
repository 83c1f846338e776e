"""The client in control mode."""

from __future__ import annotations

from pathlib import Path

import pytest

from paliadin.base.errors import MissingDependency
from paliadin.relays.terminal.tmux_control import ControlClient


def test_a_tmux_that_was_removed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingDependency, match="tmux is not installed"):
        ControlClient("paliadin-none", "none")
