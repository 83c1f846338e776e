"""The static files' version."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from paliadin.web import pages


def test_a_file_that_was_changed_has_another_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1.0
    monkeypatch.setattr(pages.time, "monotonic", lambda: now)
    file = tmp_path / "js" / "main.js"
    file.parent.mkdir()
    file.write_text("one")
    files = pages.StaticFilesByVersion(tmp_path)
    versions = [files.version()]
    os.utime(file, (1, 1))
    assert files.version() == versions[0], "it is looked up once a second"
    for change in (lambda: os.utime(file, (2, 2)), lambda: file.write_text("three"), file.unlink):
        change()
        now += 2
        versions.append(files.version())
    now += 2
    assert files.version() == versions[-1]
    assert len(set(versions)) == len(versions)
