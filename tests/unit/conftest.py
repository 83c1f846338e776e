from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.base.settings import Settings, ensure_home, load_settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Of a daemon whose state folder is the test's own, and is there."""
    settings = load_settings({"PALIADIN_HOME": str(tmp_path)})
    ensure_home(settings)
    return settings


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    """A process that does nothing, until the test is over."""
    with subprocess.Popen(["sleep", "100"]) as child:
        yield child
        child.kill()
