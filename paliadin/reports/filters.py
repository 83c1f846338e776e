"""Filters for turns: parsed from the parameters of an address, turned into SQL conditions. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date, timedelta
from typing import Any, get_args
from zoneinfo import ZoneInfo

from paliadin.evidence.model import Verdict
from paliadin.reports.days import start_of

LONGEST_SPAN = 3700  # days
SPANS: Mapping[str, int] = {"7": 7, "30": 30, "90": 90, "365": 365, "all": LONGEST_SPAN}  # parameter → days
LONGEST_VALUE = 400  # characters
FIRST_DAY, LAST_DAY = date(2000, 1, 2), date(9000, 1, 1)

SEARCH_VECTOR = "to_tsvector('simple', left(t.user_message, 20000) || ' ' || left(coalesce(t.response, ''), 100000))"
# A word matches words that begin with it; text that Postgres takes as one token (a-1, example.com) matches as it is.
SEARCH_QUERY = (
    "((nullif(plainto_tsquery('simple', %(q)s)::text, '') || ':*')::tsquery || to_tsquery('simple', %(beginnings)s))"
)
_JOINED_TEXTS = "(select string_agg(w #>> '{}', ' ') from jsonb_path_query(t.joined, '$[*].text') w)"
HAS_WORDS = (
    f"select t.turn_id from paliadin.turns t where {SEARCH_VECTOR} @@ {SEARCH_QUERY}"  # noqa: S608  # only constants
    f" union all select t.turn_id from paliadin.turns t where t.joined <> '[]'"
    f" and to_tsvector('simple', {_JOINED_TEXTS}) @@ {SEARCH_QUERY}"
)
IS_ERROR = "(f.error_code is not null and f.error_code <> 'user_aborted')"
# Asked on the page, in the drawer, on the command line or through the API, and over: `abandoned` is known then.
IS_INTERACTIVE = "(f.abandoned is not null and f.origin in ('page', 'widget', 'cli', 'api'))"
IS_FROM_PERSON = "f.origin <> 'agent'"  # not begun by Claude itself
IS_CHECKED = "f.claims_checked > 0"  # the answer had something to check
IS_UNSUPPORTED = "f.verdict in ('unsupported', 'differs')"  # something was not found, or does not add up
IS_DEAD = "f.error_code in ('pane_died', 'tmux_unresponsive', 'relay_unreachable')"

# Field of Filter → condition on a row f of turn_facts; the field's value is the parameter of the same name.
CONDITIONS: Mapping[str, str] = {
    "session": "f.session_id = %(session)s",
    "person": "f.person = %(person)s",
    "origin": "f.origin = %(origin)s",
    "tag": "f.tag = %(tag)s",
    "errors": IS_ERROR,
    "error": "f.error_code = %(error)s",
    "tool": "%(tool)s = any(f.tools)",
    "normalized_prompt": "f.prompt_form = %(normalized_prompt)s",
    "prompt": "f.prompt = %(prompt)s",
    "model": "f.model = %(model)s",
    "page": "f.page = %(page)s",
    "verdict": "f.verdict = %(verdict)s",
    "q": f"f.turn_id in ({HAS_WORDS})",
}
# Value of the field `flag` → condition that has no field of its own.
FLAGS: Mapping[str, str] = {
    "finished": "f.finished",
    "tool": "f.used_a_tool and f.finished",
    "abandoned": f"f.abandoned and {IS_INTERACTIVE}",
    "watched": IS_INTERACTIVE,  # an older name, which saved addresses have
    "disagrees": "f.evidence_agrees = false",
    "claimed": "f.evidence_agrees is not null",
    "checked": IS_CHECKED,
    "fallback": "f.tag_by_fallback",
    "up": "f.feedback = 'up'",
    "down": "f.feedback = 'down'",
    "asked": "cardinality(f.waits_ms) > 0",
    "tool_failed": "false = any(f.tool_ok)",
    "died": f"{IS_DEAD} and {IS_FROM_PERSON}",
    "person": IS_FROM_PERSON,
    "nopage": "f.page is null",
    "notag": "f.tag is null",
    "noform": "f.prompt_form = ''",
    "nomodel": "f.model is null",
}
VERDICTS: tuple[str, ...] = get_args(Verdict)
# Field of Filter → its parameter in an address, where that has another name: saved addresses have it.
PARAMETERS: Mapping[str, str] = {"normalized_prompt": "form"}
SORTS: Mapping[str, str] = {
    "newest": "f.started_at desc, f.turn_id desc",
    "slowest": "f.duration_ms desc nulls last, f.turn_id desc",
    "waited": "f.first_text_ms desc nulls last, f.turn_id desc",
    "tokens": "0.0 + coalesce(f.input_tokens, 0) + coalesce(f.output_tokens, 0) + coalesce(f.cache_read_tokens, 0)"
    " + coalesce(f.cache_write_tokens, 0) desc, f.turn_id desc",
    "unsupported": "f.claims_unsupported desc nulls last, f.turn_id desc",
}


@dataclass(frozen=True, slots=True)
class Filter:
    """A choice of turns: those from the day `first` to the day `last` inclusive that meet every other field.

    An empty text sets no condition.
    """

    first: date
    last: date
    span: int | None = 7  # days of one of SPANS, ending today; None: first and last were chosen
    session: str = ""
    person: str = ""
    origin: str = ""
    tag: str = ""
    errors: str = ""
    error: str = ""
    tool: str = ""
    normalized_prompt: str = ""  # a question without case and punctuation, numbers and dates as "#" (migrations)
    prompt: str = ""
    model: str = ""
    page: str = ""
    verdict: str = ""  # one of VERDICTS
    q: str = ""
    flag: str = ""

    @classmethod
    def parse(cls, query: Mapping[str, str], today: date) -> Filter:
        """Read an address's query parameters; invalid values count as absent."""
        names = [field.name for field in fields(cls)[3:]]
        texts = {name: query.get(PARAMETERS.get(name, name), "")[:LONGEST_VALUE].replace("\0", "") for name in names}
        if texts["flag"] not in FLAGS:
            texts["flag"] = ""
        if texts["verdict"] not in VERDICTS:
            texts["verdict"] = ""
        first, last = _day(query.get("from")), _day(query.get("to"))
        if first or last:
            last = last or today
            first = max(first or last, last - timedelta(days=LONGEST_SPAN - 1))
            return cls(min(first, last), last, None, **texts)
        days = SPANS.get(query.get("span", ""), SPANS["7"])
        return cls(today - timedelta(days=days - 1), today, days, **texts)

    @property
    def is_all(self) -> bool:
        """True if it is about all turns on record, however old."""
        return self.span == LONGEST_SPAN

    @property
    def days(self) -> int:
        """The number of days from first to last."""
        return (self.last - self.first).days + 1

    def previous(self) -> Filter:
        """Return the same filter for as many days, just before these."""
        return replace(
            self, first=self.first - timedelta(days=self.days), last=self.first - timedelta(days=1), span=None
        )

    def with_days(self, first: date, last: date | None = None) -> Filter:
        """Return the same filter for other days; without `last`, for the day `first`."""
        return replace(self, first=first, last=last or first, span=None)

    def query(self) -> dict[str, str]:
        """Return the query parameters that `parse` reads as this filter."""
        names_of_spans = {days: name for name, days in SPANS.items()}
        days = {"from": self.first.isoformat(), "to": self.last.isoformat()}
        if self.span:
            days = {"span": names_of_spans[self.span]}
        return days | self.query_without_days()

    def query_without_days(self) -> dict[str, str]:
        """Return the query parameters of all fields but the days."""
        names = [field.name for field in fields(self)[3:]]
        texts = {PARAMETERS.get(name, name): getattr(self, name) for name in names}
        return {name: value for name, value in texts.items() if value}

    def conditions(self, *, ids_known: bool = False) -> str:
        """Return the SQL of all fields but the days; empty, or it begins with `and`.

        `ids_known=True`: the turns that contain the words of `q` were already looked up; their ids are the SQL
        parameter `matching`, so the text is not searched again.
        """
        replaced = {"q": "f.turn_id = any(%(matching)s)"} if ids_known else {}
        chosen = [replaced.get(name, sql) for name, sql in CONDITIONS.items() if getattr(self, name)]
        return "".join(f" and ({sql})" for sql in (*chosen, *([FLAGS[self.flag]] if self.flag else [])))

    def where(self, *, ids_known: bool = False) -> str:
        """Return the SQL of all fields and the days; `ids_known`: see `conditions`."""
        return f"f.started_at >= %(start)s and f.started_at < %(end)s{self.conditions(ids_known=ids_known)}"

    def values(self, zone: ZoneInfo) -> dict[str, Any]:
        """Return the parameters of `where`; the days begin and end in `zone`."""
        start, end = start_of(self.first, zone), start_of(self.last + timedelta(days=1), zone)
        beginnings = " & ".join(f"{word}:*" for word in re.findall(r"\w+", self.q))
        values = {name: getattr(self, name) for name in CONDITIONS}
        return {"start": start, "end": end, "beginnings": beginnings} | values


def _day(text: str | None) -> date | None:
    try:
        day = date.fromisoformat(text or "")
    except ValueError:
        return None
    return day if FIRST_DAY <= day <= LAST_DAY else None
