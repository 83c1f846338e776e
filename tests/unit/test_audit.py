"""The audit log: a line for each event, of any text; rotated, kept for a year, and never in the way."""

from __future__ import annotations

import json
import os
import stat
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from paliadin.base import audit
from paliadin.base.audit import (
    HOUR,
    KEPT,
    LEAVES_OUT,
    LEFT_OUT,
    LONGEST_FIELD,
    MOST_ENTRIES,
    REMOVED,
    AuditLog,
    read_audit_log,
)
from paliadin.cli.commands.audit import audit as show_audit


def test_a_line_says_what_who_from_where_and_when(tmp_path: Path) -> None:
    AuditLog(tmp_path).write("asked", "ada", origin="https://app.example", turn="1")
    [entry] = read_audit_log(tmp_path)
    at = datetime.fromisoformat(str(entry.pop("at")))
    assert abs(datetime.now(UTC) - at) < timedelta(minutes=1)
    assert entry == {"event": "asked", "who": "ada", "from": "https://app.example", "turn": "1"}
    assert stat.S_IMODE((tmp_path / "audit.jsonl").stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["a\nb", "\x1b[2J", '"}', "Ä 🦊 \u202e", "\ud800", "x" * 5000])
def test_any_text_is_one_line_and_is_cut(tmp_path: Path, text: str) -> None:
    AuditLog(tmp_path).write("asked", text)
    raw = (tmp_path / "audit.jsonl").read_bytes()
    assert raw.count(b"\n") == 1
    assert raw.isascii()
    assert not [byte for byte in raw[:-1] if byte < 0x20]
    assert json.loads(raw)["who"] == text[:LONGEST_FIELD]


def test_lines_of_several_threads_do_not_mix(tmp_path: Path) -> None:
    written = AuditLog(tmp_path)
    threads = [
        threading.Thread(target=lambda who=who: [written.write("asked", who, number=each) for each in range(200)])
        for who in ("a" * 200, "b" * 200, "c" * 200, "d" * 200, "e" * 200)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(read_audit_log(tmp_path))) == 1000


def test_a_large_file_is_put_aside_and_read_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "MAX_BYTES", 500)
    written = AuditLog(tmp_path)
    for number in range(30):
        written.write("asked", "ada", number=number)
    files = sorted(tmp_path.iterdir())
    assert len(files) > 3
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 and path.stat().st_size < 700 for path in files)
    assert [entry["number"] for entry in read_audit_log(tmp_path)] == list(range(30))


def entries_of(folder: Path) -> list[tuple[object, ...]]:
    """(event, who) of each entry, and what a line on left out or removed entries says."""
    return [
        (each["event"], each["who"], *(each[name] for name in ("of", "entries") if name in each))
        for each in read_audit_log(folder)
    ]


def test_of_what_one_person_repeats_only_the_number_is_written(tmp_path: Path) -> None:
    now = 0.0
    log = AuditLog(tmp_path, clock=lambda: now)
    for _ in range(20_000):
        log.write("agreed", "ada", origin="page")
    log.write("asked", "ada")
    log.write("agreed", "ben")
    counted = [("agreed", "ada")] * MOST_ENTRIES
    tail = [(LEAVES_OUT, "ada", "agreed"), ("asked", "ada"), ("agreed", "ben")]
    assert entries_of(tmp_path) == [*counted, *tail]
    assert (tmp_path / "audit.jsonl").stat().st_size < 150 * (MOST_ENTRIES + 3)
    now = HOUR - 1
    log.report()
    assert len(entries_of(tmp_path)) == MOST_ENTRIES + 3
    now = HOUR
    log.report()
    log.write("agreed", "ada")
    left_out = (LEFT_OUT, "ada", "agreed", 20_000 - MOST_ENTRIES)
    assert entries_of(tmp_path)[MOST_ENTRIES + 3 :] == [left_out, ("agreed", "ada")]


@pytest.mark.parametrize("way", ["at the end", "with another entry"])
def test_how_many_entries_are_missing_is_written_in_any_case(tmp_path: Path, way: str) -> None:
    now = 0.0
    log = AuditLog(tmp_path, clock=lambda: now)
    for _ in range(MOST_ENTRIES + 7):
        log.write("agreed", "ada")
    if way == "at the end":
        log.report(is_end=True)
    else:
        now = HOUR
        log.write("asked", "ben")
    assert (LEFT_OUT, "ada", "agreed", 7) in entries_of(tmp_path)


def test_of_invented_names_not_all_are_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "MOST_KINDS", 20)
    log = AuditLog(tmp_path)
    for _ in range(MOST_ENTRIES + 1):
        log.write("asked", "ada")
    for number in range(50):
        log.write("asked", f"person {number}")
    assert len(log._kinds) <= 21
    assert (LEFT_OUT, "ada", "asked", 1) in entries_of(tmp_path)


def test_all_files_together_have_a_limit_and_a_line_says_what_was_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "MAX_BYTES", 2_000)
    monkeypatch.setattr(audit, "MAX_ALL", 10_000)
    log = AuditLog(tmp_path)
    for number in range(1000):
        log.write("asked", f"person {number}", number=number)
        assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 10_000 + 2 * 2_300
    entries = list(read_audit_log(tmp_path))
    numbers = [each["number"] for each in entries if each["event"] == "asked"]
    assert numbers == list(range(1000))[-len(numbers) :]
    removed = [each for each in entries if each["event"] == REMOVED]
    assert removed
    assert all(int(str(each["bytes"])) > 2_000 and each["until"] for each in removed)


def test_files_that_ended_before_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    end = datetime.now(UTC) - timedelta(days=9)
    line = json.dumps({"at": datetime.now(UTC).isoformat(), "event": "x"})
    (tmp_path / f"audit-{end.strftime('%Y%m%dT%H%M%S%fZ')}.jsonl").write_text(line + "\n")
    assert len(list(read_audit_log(tmp_path))) == 1
    assert list(read_audit_log(tmp_path, datetime.now(UTC) - timedelta(days=7))) == []


def test_what_is_older_than_a_year_is_deleted(tmp_path: Path) -> None:
    for days in (KEPT.days + 1, KEPT.days - 1):
        end = datetime.now(UTC) - timedelta(days=days)
        (tmp_path / f"audit-{end.strftime('%Y%m%dT%H%M%S%fZ')}.jsonl").write_text(
            json.dumps({"at": end.isoformat(), "event": str(days)}) + "\n"
        )
    AuditLog(tmp_path)
    assert [entry["event"] for entry in read_audit_log(tmp_path)] == [str(KEPT.days - 1)]


def test_only_what_is_newer_is_read(tmp_path: Path) -> None:
    written = AuditLog(tmp_path)
    written.write("before", "ada")
    [first] = read_audit_log(tmp_path)
    written.write("after", "ada")
    since = datetime.fromisoformat(str(first["at"])) + timedelta(microseconds=1)
    entries = list(read_audit_log(tmp_path, since))
    assert [entry["event"] for entry in entries] == ["after"]
    assert len(list(read_audit_log(tmp_path))) == 2


def test_lines_that_do_not_parse_are_skipped(tmp_path: Path) -> None:
    AuditLog(tmp_path).write("asked", "ada")
    with (tmp_path / "audit.jsonl").open("a") as file:
        file.write('{"at": "x"}\n[]\n{"event": "x"}\nnull\n{"at": 3}\n{"broken')
    assert [entry["event"] for entry in read_audit_log(tmp_path)] == ["asked"]


def test_a_full_disk_tears_one_entry_and_says_so_and_the_next_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    log = AuditLog(tmp_path)
    with monkeypatch.context() as full:
        write = os.write
        full.setattr("os.write", lambda file, line: write(file, line[:30]))
        log.write("asked", "ada")
    assert "cannot be written: No space left" in caplog.text
    log.write("replied", "ada")
    assert [entry["event"] for entry in read_audit_log(tmp_path)] == ["replied"]


def test_two_processes_that_put_a_large_file_aside_at_once_raise_no_alarm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(audit, "MAX_BYTES", 10)
    log, write = AuditLog(tmp_path), os.write

    def write_and_be_second(file: int, line: bytes) -> int:
        (tmp_path / "audit.jsonl").rename(tmp_path / "audit-29990101T000000000000Z.jsonl")
        return write(file, line)

    monkeypatch.setattr("os.write", write_and_be_second)
    log.write("asked", "ada")
    assert caplog.text == ""
    assert [entry["event"] for entry in read_audit_log(tmp_path)] == ["asked"]


def test_a_link_is_not_followed_and_nothing_fails_without_a_disk(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "elsewhere").write_text("theirs\n")
    (tmp_path / "audit.jsonl").symlink_to(tmp_path / "elsewhere")
    AuditLog(tmp_path).write("asked", "ada")
    assert (tmp_path / "elsewhere").read_text() == "theirs\n"
    AuditLog(tmp_path / "missing").write("asked", "ada")
    assert caplog.text.count("the audit log cannot be written") == 2


def test_an_empty_log_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIADIN_HOME", str(tmp_path))
    ended = CliRunner().invoke(show_audit, ["--days", "3"])
    assert (ended.stdout, ended.stderr) == ("", "The log has no entry of the last 3 days.\n")
    assert CliRunner().invoke(show_audit, ["--json"]).output == ""


def test_what_a_person_is_called_is_not_read_as_more_than_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALIADIN_HOME", str(tmp_path))
    log = AuditLog(tmp_path)
    log.write("reset", "root  page  reply=allow", origin="widget https://app.example")
    log.write("signed in", "ada", origin="page", browser="Mozilla/5.0 (X11)")
    lines = CliRunner().invoke(show_audit, []).output.splitlines()
    assert lines[0].endswith('reset  "root page reply=allow"  widget https://app.example')
    assert lines[1].endswith('signed in  ada  page  browser="Mozilla/5.0 (X11)"')
