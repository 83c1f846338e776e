"""Judgments from a file: all of them or none, and what is wrong is told with its line."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import psycopg
import pytest

from paliadin.parts.practice import judgments, tables
from paliadin.parts.practice.judgments import Imported, MalformedFile, import_file

GOOD: Mapping[str, Any] = {
    "case_number": "UPC_CFI_1/2025",
    "court": "upc-ld-munich",
    "date": "2025-03-12",
    "language": "en",
    "headnote": "A headnote about urgency.",
    "body": "1. The application was lodged.\n\n2. It is dismissed.",
    "source": "https://example.org/1",
}
LINE = json.dumps(GOOD).encode()


@pytest.fixture
def practice(practice_database: str) -> Iterator[psycopg.Connection[Any]]:
    with tables.connected(practice_database) as connection:
        yield connection


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "judgments.jsonl"


def lines(*entries: Mapping[str, Any]) -> bytes:
    return b"".join(json.dumps(GOOD | entry, ensure_ascii=False).encode() + b"\n" for entry in entries)


def rows(practice: psycopg.Connection[Any], columns: str) -> list[tuple[Any, ...]]:
    return practice.execute(f"select {columns} from paliad.judgments order by case_number".encode()).fetchall()  # noqa: S608


def test_lines_and_a_list_are_imported_alike(practice: psycopg.Connection[Any], file: Path) -> None:
    german = {"case_number": "4a O 1/25", "court": "LG Düsseldorf", "language": "de", "source": None}
    known = {"case_number": "X", "court": None, "division": "Cour d'appel de Paris"}
    entries = [GOOD, GOOD | german, GOOD | known]
    file.write_bytes(b"\xef\xbb\xbf" + b"\r\n\n".join(json.dumps(each).encode() for each in entries))
    assert import_file(practice, file) == Imported(3, 0)
    by_lines = rows(practice, "*")
    file.write_text("\n [" + ",\n".join(map(json.dumps, entries)) + "]", "utf-8")
    assert import_file(practice, file) == Imported(0, 3)
    assert rows(practice, "*") == by_lines
    assert rows(practice, "case_number, court_id, division, source is null, made_up") == [
        ("4a O 1/25", "lg-duesseldorf", "LG Düsseldorf", True, False),
        ("UPC_CFI_1/2025", "upc-ld-munich", "Munich LD", False, False),
        ("X", None, "Cour d'appel de Paris", False, False),
    ]


def test_the_same_case_court_and_date_is_replaced_and_another_day_is_another_judgment(
    practice: psycopg.Connection[Any], file: Path
) -> None:
    file.write_bytes(lines({}))
    import_file(practice, file)
    file.write_bytes(
        lines({"headnote": "New", "court": "Munich LD", "case_number": "UPC_CFI_1/2025 "}, {"date": "2025-03-13"})
    )
    assert import_file(practice, file) == Imported(1, 1)
    assert rows(practice, "headnote, decided_on::text") == [
        ("New", "2025-03-12"),
        ("A headnote about urgency.", "2025-03-13"),
    ]


def test_a_division_that_names_a_court_is_that_court(practice: psycopg.Connection[Any], file: Path) -> None:
    file.write_bytes(lines({"court": None, "division": "Lokalkammer München"}))
    import_file(practice, file)
    assert rows(practice, "court_id, division") == [("upc-ld-munich", "Lokalkammer München")]


def test_what_was_imported_is_found_in_its_language(practice: psycopg.Connection[Any], file: Path) -> None:
    file.write_bytes(lines({}, {"case_number": "2", "language": "de", "headnote": "Verletzungen", "body": "Klagen"}))
    import_file(practice, file)
    for words, language, found in (("urgencies", "english", "UPC_CFI_1/2025"), ("Verletzung Klage", "german", "2")):
        query = "select case_number from paliad.judgments where searched @@ websearch_to_tsquery(%s::regconfig, %s)"
        assert practice.execute(query, (language, words)).fetchall() == [(found,)]


WRONG: Mapping[str, tuple[bytes, str]] = {
    "no JSON": (b"{", "line 2: it is not JSON"),
    "a number": (b"7", "line 2: it is no object"),
    "not UTF-8": (LINE.replace(b"urgency", b"\xff"), r"line 2: it is not UTF-8 \(byte \d+\)"),
    "NaN": (LINE.replace(b'"en"', b"NaN"), "line 2: it is not JSON: NaN"),
    "nested": (b"[" * 5000 + b"]" * 5000, "line 2: it is not JSON: nested too deeply"),
    "an unknown field": (lines({"made_up": True}), "line 2: there is no field 'made_up', only body, case_number"),
    "no body": (lines({"body": None}), "line 2: body is missing, or no text"),
    "an empty headnote": (lines({"headnote": " \n"}), "line 2: headnote is missing, or no text"),
    "a list as a body": (lines({"body": ["x"]}), "line 2: body is missing, or no text"),
    "no court": (lines({"court": None}), "line 2: it has neither court nor division"),
    "an unknown court": (lines({"court": "Amtsgericht Nirgendwo"}), "line 2: court is the name of no court"),
    "another language": (lines({"language": "fr"}), "line 2: language is neither de nor en"),
    "no such day": (lines({"date": "2025-02-29"}), "line 2: date is no day"),
    "another form of a day": (lines({"date": "20250312"}), "line 2: date is no day"),
    "a week": (lines({"date": "2025-W11-3"}), "line 2: date is no day"),
    "the future": (lines({"date": "2099-01-01"}), "line 2: date is in the future"),
    "a made-up number": (lines({"case_number": "DEMO 1"}), "line 2: DEMO is the beginning of made-up"),
    "a NUL": (lines({"body": "a\0b"}), "line 2: body has control characters"),
    "a newline in a number": (lines({"case_number": "1\n2"}), "line 2: case_number has control characters"),
    "an override": (lines({"division": "LD \u202eevil"}), "line 2: division has control characters"),
    "half a character": (LINE.replace(b"urgency", b"\\ud800"), "line 2: headnote has half a character"),
    "a long number": (lines({"case_number": "1" * 101}), "line 2: case_number has more than 100 bytes"),
    "a long body": (lines({"body": "ä" * (2**20 + 1)}), "line 2: body has more than 2097152 bytes"),
    "words beyond the index": (
        lines({"body": " ".join(f"w{number:07x}" for number in range(200_000))}),
        "line 2: it has more different words than can be indexed",
    ),
    "the same again": (lines({"case_number": "First"}), "line 2: it has the case number, court and date of .* line 1"),
}


def test_what_is_wrong_is_told_with_its_line_and_nothing_is_imported(
    practice: psycopg.Connection[Any], file: Path
) -> None:
    for wrong, (content, message) in WRONG.items():
        file.write_bytes(lines({"case_number": "First"}) + content.strip() + b"\n" + lines({"case_number": "Third"}))
        with pytest.raises(MalformedFile, match=message) as refused:
            import_file(practice, file)
        assert refused.value.hint.startswith("Nothing was imported"), wrong
        assert rows(practice, "id") == [], wrong


def test_an_entry_of_a_list_is_named_by_its_number(practice: psycopg.Connection[Any], file: Path) -> None:
    file.write_bytes(b"[" + LINE + b", {}]")
    with pytest.raises(MalformedFile, match=r"judgments\.jsonl, entry 2: body is missing"):
        import_file(practice, file)
    file.write_bytes(b"[" + LINE + b",")
    with pytest.raises(MalformedFile, match=r"judgments\.jsonl: it is not JSON"):
        import_file(practice, file)
    assert rows(practice, "id") == []


def test_what_is_too_large_is_refused_before_it_is_read(
    practice: psycopg.Connection[Any], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with file.open("wb") as opened:
        opened.truncate(judgments.LARGEST_FILE + 1)
    with pytest.raises(MalformedFile, match="has more than 200 MB"):
        import_file(practice, file)
    monkeypatch.setattr(judgments, "LARGEST_LIST", 100)
    file.write_bytes(b"[" + LINE + b"]")
    with pytest.raises(MalformedFile, match="is a list of more than") as refused:
        import_file(practice, file)
    assert "JSON Lines" in refused.value.hint
    monkeypatch.setattr(judgments, "LONGEST_LINE", 100)
    file.write_bytes(LINE)
    with pytest.raises(MalformedFile, match="line 1: it is longer than"):
        import_file(practice, file)


def test_what_is_no_file_is_not_opened(practice: psycopg.Connection[Any], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(MalformedFile, match="is not a file"):
            import_file(practice, path)
    with pytest.raises(FileNotFoundError):
        import_file(practice, tmp_path / "nothing")


def test_an_empty_file_has_no_judgments(practice: psycopg.Connection[Any], file: Path) -> None:
    for content in (b"", b"\n\n", b"[]", b"\xef\xbb\xbf"):
        file.write_bytes(content)
        assert import_file(practice, file) == Imported(0, 0)


def test_a_name_of_several_courts_is_not_guessed(practice: psycopg.Connection[Any], file: Path) -> None:
    practice.execute("update paliad.courts set aliases = '{The Court}' where id in ('bgh', 'bpatg')")
    file.write_bytes(lines({"court": "the court"}))
    with pytest.raises(MalformedFile, match="court is the name of several courts"):
        import_file(practice, file)
    file.write_bytes(lines({"court": None, "division": "The Court"}))
    import_file(practice, file)
    assert rows(practice, "court_id, division") == [(None, "The Court")]
