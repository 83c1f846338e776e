"""Texts that were made to take long: what is done for them is bounded. `make bench-text` has the times."""

from __future__ import annotations

import json
from datetime import date

import pytest

from paliadin.base.strict_json import has_more_values
from paliadin.events.answer_filter import AnswerFilter, _Scanner
from paliadin.events.chips import Chip, Destinations
from paliadin.events.known_ids import MAX_SEARCHES, KnownIds
from paliadin.events.trailer import MAX_CLAIMS, parse_trailer
from paliadin.evidence.results import Call
from paliadin.reports.filters import Filter
from paliadin.turnlog.description import Description
from paliadin.web.body import MAX_VALUES


def test_results_are_searched_for_few_ids_that_they_do_not_hold() -> None:
    calls = [Call("t1", "mcp__x__list", {}, "a:b.c b.a", "ok")]
    known = KnownIds(calls, Description.parse({}))
    assert known.holds("b.a")
    for number in range(MAX_SEARCHES):
        assert not known.holds(f"unknown-{number}")
    calls.append(Call("t2", "mcp__x__list", {}, "late", "ok"))
    assert not known.holds("late"), "the answer that asks for so many is no honest one"
    assert known.holds("b.a"), "which was found before"


def test_a_trailer_claims_so_many_tools_and_no_more() -> None:
    many = ", ".join(f"t{number}" for number in range(1_000))
    trailer = parse_trailer(f"[paliadin-meta]\nused_tools: {many}\nrows_seen: {'1 ' * 1_000}\n[/paliadin-meta]")
    assert (len(trailer.used_tools), len(trailer.rows_seen)) == (MAX_CLAIMS, MAX_CLAIMS)


def test_a_path_is_not_matched_in_many_ways() -> None:
    destinations = Destinations({"a": "/{id}" * 20, "b": "/" + "{id}" * 20})
    for path in ("/" + "a" * 280 + "!", "/a" * 140):
        assert destinations.href_for(Chip("nav", "nav", value=path)) is None


def test_brackets_in_a_row_are_one_piece() -> None:
    assert len(list(_Scanner().feed("[" * 10_000))) <= 2
    answer = AnswerFilter()
    shown = [*answer.feed("[[[#a-OPEN:1] [" * 2), *answer.finish()]
    assert next(piece for piece in shown if isinstance(piece, str)) == "[["


def test_chips_without_a_word_between_them_are_not_all_held_back() -> None:
    """A text is shown in parts, so that others get their turn between them: so many chips are no part of one."""
    answer = AnswerFilter()
    shown = [answer.feed("[#a-OPEN:1] \n" * 1_000) for _ in range(10)]
    assert min(map(len, shown)) >= 900
    rest = [*answer.feed("x"), *answer.finish()]
    assert sum(isinstance(piece, Chip) for part in [*shown, rest] for piece in part) == 10_000
    assert str(rest[-1]).strip() == "x"


@pytest.mark.parametrize("value", ["[]", "{}", "1", '""', '{"a": [1]}', '"\\\\"'])
def test_a_body_of_many_values_is_not_parsed(value: str) -> None:
    many = [json.loads(value)] * (2 * MAX_VALUES)
    assert has_more_values(json.dumps(many).encode(), MAX_VALUES)
    assert has_more_values(json.dumps({str(number): one for number, one in enumerate(many)}).encode(), MAX_VALUES)


@pytest.mark.parametrize("text", ["[", "{,", '"', "\\", '\\"[', ',"'])
def test_a_text_may_hold_whatever_it_likes(text: str) -> None:
    for ascii_only in (True, False):
        body = {"user_message": text * 50_000, "context": {"view_mode": text}}
        assert not has_more_values(json.dumps(body, ensure_ascii=ascii_only).encode(), MAX_VALUES)


def test_a_number_of_days_without_end_counts_as_absent() -> None:
    today = date(2026, 1, 1)
    assert Filter.parse({"span": "9" * 10_000}, today) == Filter.parse({}, today)
