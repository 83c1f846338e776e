"""The trailer, a `[paliadin-meta]` block at the end of an answer: recognizes its marks and parses its fields.

Marks are recognized leniently, in any case and with blanks, dashes, underscores, dots, colons, backslashes, asterisks
or backticks between the letters: `[Paliadin_Meta]`, `[ / paliadin meta ]`, `\\[paliadin-meta\\]`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from paliadin.evidence.vocabulary import NUMBER_WORDS

TAGS = ("data", "concept", "navigation", "meta", "other")

_MARKS: dict[str, Literal["open", "close"]] = {"[paliadinmeta]": "open", "[/paliadinmeta]": "close"}
_IGNORED = str.maketrans("", "", " \t\u00a0-_.:*`\\\u2010\u2011\u2012\u2013\u2014\u2015\u2212")

_FIELD = r"(?:used[ _-]?tools|rows[ _-]?seen|classifier[ _-]?tag|calculated)"
_FIELD_KEY = re.compile(rf"\b{_FIELD}\b[\"'`* ]*+[:=]", re.IGNORECASE)
_KEY_LINE = re.compile(
    rf"[^\w\n]*({_FIELD}|[^\W\d][\w -]{{0,40}}(?=\W{{0,3}}[:=](?:\s|$)))[\"'`* ]*[:=]+(.*)", re.IGNORECASE
)
_OWN_KEY_LINE = re.compile(rf"[^\w\n]*({_FIELD})[\"'`* ]*[:=]+(.*)", re.IGNORECASE)  # `eight = …` is none
_BULLET = re.compile(r"\s*(?:[-*•–+]|\d{1,2}[.)])\s+")
_PARENTHESIS = re.compile(r"\([^()]*\)")
_TOOL = re.compile(r"\w[\w.:/-]*")
_NUMBER = re.compile(r"(?<![\w.-])(?:[0-9]{1,3}(?:[.'’\u00a0\u202f][0-9]{3}){1,2}|[0-9]{1,9})(?!\w|[.']\d)")
_ITEM = re.compile(r"[^,;\n\[\]]+")
MAX_READ = 65_536  # characters of a trailer in which fields are looked for; one has a few hundred
MAX_CALCULATED = 60  # calculations of an answer that are read
MAX_CLAIMS = 200  # tools or numbers of rows that a trailer may claim; the others are not read
_ACCOUNT = {"usedtools", "rowsseen", "classifiertag"}
_NO_TOOL = {"none", "null", "nil", "nothing", "n/a", "na", "no", "keine", "nichts"}


@dataclass(frozen=True)
class Trailer:
    """The answer's claims about itself.

    `raw` is the unchanged source from the opening mark to the closing one; without a closing mark, `complete` is False.
    """

    raw: str
    complete: bool = True
    used_tools: tuple[str, ...] = ()
    rows_seen: tuple[int, ...] = ()
    classifier_tag: str | None = None
    rows_unreadable: bool = False  # something stands in rows_seen that is no number
    calculated: tuple[str, ...] = ()  # `fact = expression`, as the answer states them
    is_account: bool = True  # it speaks of the tools; over the Messages API it has the calculations only


def parse_meta_mark(marker: str) -> Literal["open", "close"] | None:
    """Return the kind of mark that a complete `[…]` is; None when it is none."""
    return _MARKS.get(_squash(marker))


def may_be_meta_mark(part: str) -> bool:
    """True while `part`, the beginning of a `[…]`, can still become a mark."""
    squashed = _squash(part)
    return any(mark.startswith(squashed) for mark in _MARKS)


def is_cut_off_mark(part: str) -> bool:
    """True if `part`, at the end of an answer, is a mark that was cut off. It must reach to `[pal`; less is text."""
    return may_be_meta_mark(part) and "pal" in _squash(part)


def parse_trailer(raw: str, *, complete: bool = True) -> Trailer:
    """Parse the block's fields leniently. `raw` begins with the opening mark and, if complete, ends with a closing one.

    A value reaches to the next key, so a list may be YAML or JSON. When a key occurs twice, the last one counts.
    """
    values: dict[str, list[str]] = {}
    current: list[str] = []
    is_calculation = False
    for line in _FIELD_KEY.sub(r"\n\g<0>", _body(raw)[:MAX_READ]).splitlines():
        if key := (_OWN_KEY_LINE if is_calculation else _KEY_LINE).match(line):
            is_calculation = key[1].casefold() == "calculated"
            current = values[re.sub(r"[\W_]", "", key[1]).lower()] = [key[2]]
        else:
            current.append(line)
    text = {key: "\n".join(lines) for key, lines in values.items()}
    words = re.findall(r"[a-z]+", text.get("classifiertag", "").lower())
    rows, unreadable = _rows(text.get("rowsseen", ""))
    return Trailer(
        raw=raw,
        complete=complete,
        used_tools=_tools(text.get("usedtools", "")),
        rows_seen=rows,
        rows_unreadable=unreadable,
        classifier_tag=next((word for word in words if word in TAGS), None),
        calculated=_calculated(values.get("calculated", []), complete=complete),
        is_account=values.keys() & _ACCOUNT != set() or "calculated" not in values,
    )


def _squash(part: str) -> str:
    return part.translate(_IGNORED).lower()


def _body(raw: str) -> str:
    """Return the block without a mark at its end, whole or cut off."""
    last = raw.rfind("[")
    return raw[:last] if may_be_meta_mark(raw[last:]) else raw


def _calculated(lines: Sequence[str], *, complete: bool) -> tuple[str, ...]:
    """Return the stated calculations, one of each line. The last line of a block that was cut off may be cut, too."""
    rows = lines if complete else lines[:-1]
    in_json = re.findall(r'"([^"\n]+)"(?=\s*[,\]])', "\n".join(rows)) if "[" in "".join(rows[:1]) else []
    items = in_json or map(_item, rows)
    return tuple(islice((item for item in items if "=" in item), MAX_CALCULATED))


def _item(line: str) -> str:
    """An item of a list without its mark, and without quotes around all of it."""
    mark = _BULLET.match(line)
    item = line[mark.end() if mark else 0 :].strip().strip("`").strip()
    is_quoted = len(item) > 2 and item[0] == item[-1] and item[0] in "\"'" and item[0] not in item[1:-1]
    return item[1:-1].strip() if is_quoted else item


def _tools(value: str) -> tuple[str, ...]:
    names = (name.rstrip(".:/-") for name in _TOOL.findall(_PARENTHESIS.sub(" ", value)))
    return tuple(islice((name for name in names if name.lower() not in _NO_TOOL), MAX_CLAIMS))


def _rows(value: str) -> tuple[tuple[int, ...], bool]:
    """Return the numbers of rows, also with thousands marks or as words; and whether there is anything else."""
    rows: list[int] = []
    unreadable = False
    for item in islice(_ITEM.findall(_PARENTHESIS.sub(" ", value)), MAX_CLAIMS):
        words = re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)?", item.lower())
        if numbers := _NUMBER.findall(item):
            rows += [int(re.sub(r"\D", "", number)) for number in numbers]
        elif known := [NUMBER_WORDS[word] for word in words if word in NUMBER_WORDS]:
            rows.append(known[0])
        elif re.search(r"\d", item) or (words and not set(words) & _NO_TOOL):
            unreadable = True
    return tuple(rows[:MAX_CLAIMS]), unreadable


_FALLBACKS = {
    "meta": (
        r"^(hi|hello|hey|good (morning|evening)|thanks?( you)?)( (there|paliadin|claude))?\W*$",
        r"^(hallo|moin|servus|guten (morgen|tag|abend)|danke( dir)?)( (paliadin|claude))?\W*$",
        r"\b(who|what) are you\b|\bwhat can you\b|\byour name\b|\bhow do you work\b|\bare you an? ",
        r"\bwer bist du\b|\bwas (kannst|bist) du\b|\bwie hei(ß|ss)t du\b|\bbist du eine?\b",
    ),
    "navigation": (
        r"\bwhere (do|can|should|would) (i|we)\b|\bwhere (is|are)\b|\bhow do i (get|go) to\b",
        r"\b(take me|go|navigate) to\b",
        r"\bwo (finde|find|sehe|seh|stelle|stell|kann|ändere|ist|sind)\b|\bwohin\b",
        r"\bwie komme? ich (zu|zur|zum|auf|in)\b",
    ),
    "concept": (
        r"\bwhat( i|['\u2019])s\b|\bwhat (are|does|do)\b|\bhow does\b|\bexplain\b|\bdefin(e|ition)\b",
        r"\bmeaning of\b|\bdifference between\b",
        r"\bwas (ist|sind|bedeutet|bedeuten|hei(ß|ss)t|versteht)\b|\berklär|\bbedeutung\b|\bunterschied\b",
        r"\bwie funktionier",
    ),
}
_FALLBACK_RULES = {tag: re.compile("|".join(patterns)) for tag, patterns in _FALLBACKS.items()}


def fallback_tag(message: str, observed_tools: Sequence[str]) -> str:
    """Choose the tag of an answer that has none in a trailer, from the question (English or German) and the tools.

    The first rule that applies: a tool ran → data; a greeting, or about the assistant → meta; where something is →
    navigation; what something is → concept; else other.
    """
    if observed_tools:
        return "data"
    text = message.strip().lower()
    return next((tag for tag, rule in _FALLBACK_RULES.items() if rule.search(text)), "other")
