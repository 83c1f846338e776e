"""Find lines of files, and files, in what calls read and found. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from paliadin.evidence.matching import MAX_SOURCE_TEXT, source_at
from paliadin.evidence.model import Source
from paliadin.evidence.results import Call
from paliadin.evidence.search import Hit
from paliadin.evidence.statements import Statement

_READS = re.compile(
    r"\s*(?:cat|ls|stat|du|head|tail|grep|rg|sed -n|wc|sort|cut|less|nl|diff|uniq|column)\s[^>;&]{1,1000}\Z"
)  # complain if there is no file
_ONLY_NUMBERS = re.compile(r"[\d ,–-]{1,200}")


def line_in_file(call: Call, statement: Statement) -> Source | None:
    """The place that shows that these lines of the file were read or found by the call."""
    name = statement.path.replace("\\", "/").removeprefix("./")
    first, last = statement.lines
    result, given = call.result, call.input if isinstance(call.input, Mapping) else {}
    file = result.get("file") if call.name == "Read" and isinstance(result, Mapping) else None
    if isinstance(file, Mapping):
        path = str(file.get("filePath", ""))
        return _line_read(call, first, last) if not name or _is_path(path, name) else None
    text = call.searched
    if not name:
        hit = re.search(rf"(?m)(?:^[^\s:]{{1,200}}:|^|\bline |\bZeile |\s){first}(?=[:)\t\s-]|\Z)", text)
        return source_at(call, text, Hit(*hit.span())) if hit else None
    pattern = rf"(?<![\w.-]){re.escape(name)}(?::|\", line |, line |[(-]){first}(?!\d)"
    if match := re.search(pattern, text):
        return source_at(call, text, Hit(*match.span()))
    if _is_in_a_row(call, name, first, last):
        return call.source
    command = str(given.get("command", "") or given.get("path", ""))
    if name.rsplit("/", 1)[-1] in command:
        if match := re.search(rf"(?m)^\s*{first}[:\t -]", text):
            return source_at(call, text, Hit(*match.span()))
        span = re.search(r"sed -n ['\"]?(\d{1,7}),(\d{1,7})p", command)
        if span and int(span[1]) <= first <= last <= int(span[2]):
            return call.source
        if re.match(r"\s*cat ", command) and "|" not in command and last <= len(text.splitlines()):
            return Source("call", call.id, call.turn_id, last)
    return None


def _line_read(call: Call, first: int, last: int) -> Source | None:
    lines, begin = call.text.splitlines(), call.first_line
    if begin <= first <= last < begin + len(lines):
        return Source("call", call.id, call.turn_id, first, lines[first - begin].strip()[:MAX_SOURCE_TEXT])
    return None


def _is_in_a_row(call: Call, name: str, first: int, last: int) -> bool:
    """True if a row has the file in one cell, and the line, or a range that begins or ends there, in another."""
    wanted = {str(first), str(last)}
    for table in call.tables:
        for row in table.rows[:2_000] if table.width > 1 else ():
            if any(_is_path(cell, name) for cell in row):
                cells = (cell for cell in row if _ONLY_NUMBERS.fullmatch(cell))
                numbers = {number for cell in cells for number in re.findall(r"\d{1,7}", cell)}
                if wanted <= numbers:
                    return True
    return False


def file_of(call: Call, name: str) -> Source | None:
    """The place that shows that there is a file of this name: a path in a result, or that a call with it succeeded."""
    text, plain = call.searched, name.replace("\\", "/").removeprefix("./")
    is_own = not call.is_echo_free and plain in call.input_text  # `echo` says what it is given
    at = -1 if is_own else text.find(plain)
    while at >= 0:
        before, behind = text[at - 1 : at], text[at + len(plain) : at + len(plain) + 1]
        if not (before.isalnum() or (before in {"_", "-"} and before)) and not (
            behind.isalnum() or (behind in {"_", "-"} and behind)
        ):
            return source_at(call, text, Hit(at, at + len(plain)))
        at = text.find(plain, at + 1)
    given = call.input if isinstance(call.input, Mapping) else {}
    path = given.get("file_path") or given.get("notebook_path")
    if isinstance(path, str) and _is_path(path, plain):
        return Source("call", call.id, call.turn_id, None, path[:MAX_SOURCE_TEXT])
    command = str(given.get("command", ""))
    if _has_read(call, command) and re.search(rf"(?<![\w.>-]){re.escape(plain)}(?![\w.-])", command):
        return Source("call", call.id, call.turn_id, None, command[:MAX_SOURCE_TEXT])
    return None


def _has_read(call: Call, command: str) -> bool:
    """True if a command that reads files put something out, and complained of nothing."""
    if not isinstance(call.result, Mapping) or not _READS.match(command) or "||" in command:
        return False
    return bool(str(call.result.get("stdout", "")).strip()) and not str(call.result.get("stderr", "")).strip()


def _is_path(path: str, name: str) -> bool:
    plain = path.replace("\\", "/")
    return plain == name or plain.endswith("/" + name.lstrip("/")) or name.endswith("/" + plain)
