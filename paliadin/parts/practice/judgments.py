"""Imports judgments from a file: JSON Lines, or one JSON list. All or nothing; docs/practice.md has the format."""

from __future__ import annotations

import hashlib
import stat
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from datetime import date
from pathlib import Path
from typing import Any, BinaryIO

import psycopg

from paliadin.base.errors import BadRequest
from paliadin.base.strict_json import parse_json
from paliadin.parts.practice.made_up.words import MARK

MADE_UP_FILE = Path(__file__).with_name("reference") / "made_up_judgments.json"
MADE_UP_PREFIX = "DEMO "  # of the case numbers of made-up judgments; no court gives such a number

MIB = 2**20
LARGEST_FILE = 200 * MIB
LARGEST_LIST = 32 * MIB  # a list is read as a whole, lines are read one by one
LONGEST_LINE = 16 * MIB  # a body with every letter written as an escape
LONGEST = {"case_number": 100, "court": 200, "division": 200, "headnote": 20_000, "source": 500, "body": 2 * MIB}
"""Bytes of UTF-8 that a field may have."""

REQUIRED = ("case_number", "date", "language", "headnote", "body")
FIELDS = frozenset({*REQUIRED, "court", "division", "source"})
ONE_LINE = frozenset({"case_number", "court", "division", "source"})
LANGUAGES = ("de", "en")

Connection = psycopg.Connection[Any]
Courts = Mapping[str, set[tuple[str, str]]]
"""A court's id, name or alias, in lower case → (id, short name) of the courts with it."""

_UPSERT = """
insert into paliad.judgments
    (id, case_number, court_id, division, decided_on, language, headnote, body, source, made_up)
values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
on conflict (id) do update set
    (case_number, court_id, division, decided_on, language, headnote, body, source, made_up) = row(
        excluded.case_number, excluded.court_id, excluded.division, excluded.decided_on, excluded.language,
        excluded.headnote, excluded.body, excluded.source, excluded.made_up)
returning xmax = 0
"""


class MalformedFile(BadRequest):
    """A file of judgments that cannot be imported; the message says where and why."""

    default_code = "malformed_file"
    default_hint = "Nothing was imported. docs/practice.md describes the format."


@dataclass(frozen=True, slots=True)
class Judgment:
    """A judgment's row; `court_id` is None if the division belongs to no court in the reference data."""

    id: str
    case_number: str
    court_id: str | None
    division: str
    decided_on: date
    language: str
    headnote: str
    body: str
    source: str | None
    made_up: bool


@dataclass(frozen=True, slots=True)
class Imported:
    """The number of new judgments, and of those that replaced one with the same case number, court and date."""

    new: int
    replaced: int


def import_file(connection: Connection, path: Path, *, made_up: bool = False) -> Imported:
    """Import a file's judgments in one transaction.

    Raises MalformedFile, with the line (or the entry of a list), for a file that is too large or has an entry that is
    not as described, and OSError for one that cannot be read. `made_up`: they are marked as made up.
    """
    with _opened(path) as file, connection.transaction():
        courts, seen, counts = _courts(connection), dict[str, str](), [0, 0]
        for where, entry in _entries(file, path.name):
            judgment = _judgment(entry, where, courts, made_up=made_up)
            if judgment.id in seen:
                raise MalformedFile(
                    f"{where}: it has the case number, court and date of {seen[judgment.id]}",
                    hint="Nothing was imported. Tell the two apart in their case numbers, or leave one out.",
                )
            seen[judgment.id] = where
            counts[_replaces(connection, judgment, where)] += 1
    return Imported(*counts)


def _opened(path: Path) -> BinaryIO:
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise MalformedFile(f"{path.name} is not a file")
    if status.st_size > LARGEST_FILE:
        raise MalformedFile(
            f"{path.name} has more than {LARGEST_FILE // MIB} MB", hint="Split it, and import each part."
        )
    return path.open("rb")


def _entries(file: BinaryIO, name: str) -> Iterator[tuple[str, object]]:
    """Yield (position, value) for each entry of the file."""
    start = file.read(4).removeprefix(b"\xef\xbb\xbf")  # a byte order mark, as some programs write it
    file.seek(0)
    if start.lstrip()[:1] == b"[":
        yield from _listed(file, name)
        return
    for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE + 1), b""), 1):
        where = f"{name}, line {number}"
        if len(line) > LONGEST_LINE:
            raise MalformedFile(f"{where}: it is longer than {LONGEST_LINE // MIB} MB")
        if file.tell() > LARGEST_FILE:
            raise MalformedFile(f"{where}: the file has grown beyond {LARGEST_FILE // MIB} MB meanwhile")
        if line.strip() and line != b"\xef\xbb\xbf":
            yield where, _parsed(line, where)


def _listed(file: BinaryIO, name: str) -> Iterator[tuple[str, object]]:
    content = file.read(LARGEST_LIST + 1)
    if len(content) > LARGEST_LIST:
        raise MalformedFile(
            f"{name} is a list of more than {LARGEST_LIST // MIB} MB",
            hint="Nothing was imported. Write each entry on a line of its own, without the list (JSON Lines).",
        )
    entries = _parsed(content, name)
    if not isinstance(entries, list):
        raise MalformedFile(f"{name} is neither a list nor JSON Lines")
    yield from ((f"{name}, entry {number}", entry) for number, entry in enumerate(entries, 1))


def _parsed(content: bytes, where: str) -> object:
    try:
        return parse_json(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise MalformedFile(f"{where}: it is not UTF-8 (byte {error.start + 1})") from None
    except ValueError as error:
        raise MalformedFile(f"{where}: it is not JSON: {error}") from None


def _judgment(entry: object, where: str, courts: Courts, *, made_up: bool) -> Judgment:
    if not isinstance(entry, dict):
        raise MalformedFile(f"{where}: it is no object with the fields of a judgment")
    if unknown := sorted(map(str, entry.keys() - FIELDS)):
        raise MalformedFile(f"{where}: there is no field {unknown[0][:40]!r}, only {', '.join(sorted(FIELDS))}")
    texts = {name: _text(entry, name, where) for name in sorted(FIELDS)}
    case_number, language = str(texts["case_number"]), str(texts["language"])
    if language not in LANGUAGES:
        raise MalformedFile(f"{where}: language is neither de nor en")
    if case_number.startswith(MADE_UP_PREFIX) is not made_up:
        raise MalformedFile(f"{where}: {MADE_UP_PREFIX.strip()} is the beginning of made-up case numbers only")
    decided_on = _date(str(texts["date"]), where, future=made_up)
    court_id, division = _court(texts["court"], texts["division"], where, courts)
    return Judgment(
        _id(case_number, court_id or division.casefold(), decided_on, made_up=made_up),
        case_number,
        court_id,
        division,
        decided_on,
        language,
        str(texts["headnote"]),
        str(texts["body"]),
        texts["source"],
        made_up,
    )


def _text(entry: Mapping[str, object], name: str, where: str) -> str | None:
    """Return a field's text, stripped; None for one that may be missing."""
    value = entry.get(name)
    if value is None and name not in REQUIRED:
        return None
    if not isinstance(value, str) or not value.strip():
        raise MalformedFile(f"{where}: {name} is missing, or no text")
    try:
        size = len(value.encode("utf-8"))
    except UnicodeEncodeError:
        raise MalformedFile(f"{where}: {name} has half a character (a lone surrogate)") from None
    if size > LONGEST.get(name, 20):
        raise MalformedFile(f"{where}: {name} has more than {LONGEST.get(name, 20)} bytes")
    if "\0" in value or (name in ONE_LINE and not value.strip().isprintable()):
        raise MalformedFile(f"{where}: {name} has control characters")
    return value.strip()


def _date(text: str, where: str, *, future: bool) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise MalformedFile(f"{where}: date is no day such as 2026-11-26")
    if day > date.today() and not future:  # noqa: DTZ011  # a day here or there makes no difference
        raise MalformedFile(f"{where}: date is in the future")
    return day


def _court(court: str | None, division: str | None, where: str, courts: Courts) -> tuple[str | None, str]:
    """Return (id, division); a division alone need not be known."""
    matches = courts.get((court or division or "").casefold(), set())
    if court and len(matches) != 1:
        reason = "of several courts" if matches else "of no court in the reference data"
        raise MalformedFile(
            f"{where}: court is the name {reason}",
            hint="Nothing was imported. Give a court's id or full name, or only the division.",
        )
    if not division and not court:
        raise MalformedFile(f"{where}: it has neither court nor division")
    [(court_id, short)] = matches if len(matches) == 1 else [(None, "")]
    return court_id, division or short


def _courts(connection: Connection) -> Courts:
    rows = connection.execute("select id, short, array[id, short, name_de, name_en] || aliases from paliad.courts")
    courts: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for id_, short, names in rows.fetchall():
        for name in names:
            courts[name.casefold()].add((id_, short))
    return dict(courts)


def _id(case_number: str, court: str, decided_on: date, *, made_up: bool) -> str:
    key = "\0".join((" ".join(case_number.split()), court, decided_on.isoformat()))
    return f"{MARK if made_up else ''}judgment-{hashlib.sha256(key.encode()).hexdigest()[:16]}"


def _replaces(connection: Connection, judgment: Judgment, where: str) -> bool:
    """Write a judgment; return whether one was there already."""
    try:
        [(is_new,)] = connection.execute(_UPSERT, astuple(judgment)).fetchall()
    except psycopg.errors.ProgramLimitExceeded:
        raise MalformedFile(f"{where}: it has more different words than can be indexed (1 MB)") from None
    return not is_new
