"""The time zone of the practice's place, where no setting names one."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import TZPATH

import pytest

from paliadin.parts.practice.tools import model
from paliadin.parts.practice.tools.model import zone_of

HOURS = {"Europe/Berlin": (1, 2), "America/New_York": (-5, -4), "UTC": (0, 0)}


def hours_of(name: str | None) -> tuple[float, ...]:
    """The zone's offsets in January and in July."""
    zone = zone_of(name)
    offsets = [datetime(2027, month, 15, tzinfo=zone).utcoffset() for month in (1, 7)]
    return tuple(offset / timedelta(hours=1) for offset in offsets if offset is not None)


@pytest.fixture
def localtime(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """In place of /etc/localtime, in a process without TZ: there is no such file yet."""
    monkeypatch.delenv("TZ", raising=False)
    monkeypatch.setattr(model, "LOCALTIME", tmp_path / "localtime")
    return tmp_path / "localtime"


@pytest.mark.parametrize("name", HOURS)
def test_a_setting_names_the_zone_whatever_the_process_has(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert hours_of(name) == HOURS[name]


@pytest.mark.parametrize("name", HOURS)
@pytest.mark.parametrize("written", ["{}", ":{}"])
def test_without_one_it_is_that_of_the_process(
    localtime: Path, monkeypatch: pytest.MonkeyPatch, name: str, written: str
) -> None:
    localtime.symlink_to(zone_file("Asia/Tokyo"))
    monkeypatch.setenv("TZ", written.format(name))
    assert hours_of(None) == HOURS[name]


@pytest.mark.parametrize("name", HOURS)
def test_and_else_that_of_the_machine(localtime: Path, name: str) -> None:
    localtime.symlink_to(zone_file(name))
    assert hours_of(None) == HOURS[name]


@pytest.mark.parametrize("content", [None, b"", b"no zone"])
@pytest.mark.parametrize("of_process", ["", "CET-1CEST,M3.5.0,M10.5.0/3", "../../etc/passwd", "None/Such"])
def test_where_no_name_is_known_it_is_the_offset_of_today(
    localtime: Path, monkeypatch: pytest.MonkeyPatch, of_process: str, content: bytes | None
) -> None:
    monkeypatch.setenv("TZ", of_process)
    if content is not None:
        localtime.write_bytes(content)
    now = datetime.now().astimezone()
    assert now.astimezone(zone_of(None)).utcoffset() == now.utcoffset()


def zone_file(name: str) -> Path:
    """A file of the machine's zones."""
    return next(path for folder in TZPATH if (path := Path(folder, name)).exists())
