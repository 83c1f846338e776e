from __future__ import annotations

import dataclasses
import re
from collections import Counter
from typing import get_args

import pytest

from tests.evidence.corpus import all_cases, all_scenes
from tests.evidence.engine import Paliadin
from tests.evidence.invention import failed_text, holds_value, traces
from tests.evidence.model import Case, Half, PlantedKind, of_half
from tests.evidence.score import Judged, score

CASES = all_cases()
PLANTED = [case for case in CASES if case.planted is not None]


def test_the_corpus_is_large_and_in_both_languages() -> None:
    languages = Counter(case.language for case in CASES)
    assert len(CASES) >= 300
    assert min(languages["de"], languages["en"]) >= 0.4 * len(CASES)
    assert len(all_scenes()) >= 60
    assert len({case.shape for case in CASES}) >= 15


def test_names_are_unique() -> None:
    assert [name for name, times in Counter(case.name for case in CASES).items() if times > 1] == []


@pytest.mark.parametrize(("half", "least"), [("tuning", 30), ("aside", 0)])
def test_each_half_has_honest_answers_and_inventions(half: Half, least: int) -> None:
    kinds = Counter(case.planted_kind for case in of_half(CASES, half))
    assert kinds[None] >= 30
    assert kinds.total() >= 200
    assert min(kinds[kind] for kind in get_args(PlantedKind)) >= least


@pytest.mark.parametrize(
    ("name", "half"),
    [
        ("last-a.honest", "aside"),
        ("last-a.date.x", "aside"),
        ("later-a.honest", "tuning"),
        ("a.last-honest", "tuning"),
    ],
)
def test_the_halves_follow_from_the_names_of_the_scenes_alone(name: str, half: Half) -> None:
    assert dataclasses.replace(CASES[0], name=name).half == half


def test_an_answer_has_no_slot_left() -> None:
    assert [case.name for case in CASES if re.search(r"\{\{|\|\}|\}\}", case.answer)] == []


@pytest.mark.parametrize("kind", get_args(PlantedKind))
def test_what_was_planted_stands_at_its_place_and_follows_from_nothing(kind: PlantedKind) -> None:
    for case in (case for case in PLANTED if case.planted_kind == kind):
        assert case.planted is not None
        assert case.planted_at is not None
        assert case.answer[slice(*case.planted_at)] == case.planted
        assert (case.name, traces(case)) == (case.name, [])


def test_a_failed_call_holds_what_was_taken_from_it_and_no_tool_ran_for_what_is_claimed_without_any() -> None:
    for case in PLANTED:
        if case.planted_kind == "failed_call":
            assert holds_value(str(case.planted), failed_text(case)), case.name
        if case.planted_kind == "no_tool":
            assert [one.name for one in case.calls if one.outcome == "ok"] == [], case.name


def test_the_search_for_traces_finds_another_notation_a_sum_and_a_count() -> None:
    case = next(one for one in PLANTED if one.name.startswith("fristen-liste-de.date"))
    for text in ("12.03.2026", "March 12", "12. März 2026"):
        assert traces(dataclasses.replace(case, planted=text)) != []
    for text in ("drei", "10 Tage"):
        assert traces(dataclasses.replace(case, planted=text, planted_kind="number")) != []
    fees = next(one for one in PLANTED if one.name.startswith("gebuehren-summe-de.amt"))
    for text in ("4.330 EUR", "2.965 €", "1.275,00 EUR"):
        assert traces(dataclasses.replace(fees, planted=text)) != []


class Doubting:
    """An engine that takes each digit for a number that nothing supports."""

    name = "doubting"

    def claims(self, case: Case) -> tuple[Judged, ...]:
        return tuple(Judged(*match.span(), "number", "unsupported") for match in re.finditer(r"\d", case.answer))

    def holds(self, case: Case, chip_id: str) -> bool | None:
        return False


class Trusting(Doubting):
    """The opposite."""

    name = "trusting"

    def claims(self, case: Case) -> tuple[Judged, ...]:
        return tuple(Judged(one.start, one.end, one.kind, "found") for one in super().claims(case))

    def holds(self, case: Case, chip_id: str) -> bool | None:
        return True


def test_doubting_everything_flags_all_dates_and_is_all_false_alarms() -> None:
    total = score(Doubting(), CASES)
    assert total.flagged["amount"] == total.planted["amount"] > 0
    assert total.share_doubted == 1
    assert total.honest_doubted > 0
    assert total.chips_wrong[True] == total.chips[True] > 0
    assert total.chips_wrong[False] == 0 < total.chips[False]


def test_the_figures_of_the_check_do_not_fall_behind_what_they_were() -> None:
    """On every fourth scene for tuning; docs/evidence.md has the figures of all, and of those that were set aside."""
    scenes = sorted({case.scene for case in of_half(CASES, "tuning")})[::4]
    total = score(Paliadin(), [case for case in CASES if case.scene in scenes])
    assert total.planted.total() >= 400
    assert total.share_flagged >= 0.9
    assert total.honest_claims_marked <= 0.08 * total.honest_claims  # these answers state no calculations


def test_trusting_everything_flags_nothing_and_doubts_nothing() -> None:
    total = score(Trusting(), CASES)
    assert (total.share_flagged, total.share_doubted, total.honest_doubted) == (0, 0, 0)
    assert total.claims["number"] > 0
    assert len(total.mistakes) == len(PLANTED) + total.chips[False]
    assert total.chips_wrong[False] == total.chips[False] > 0


def test_a_mistake_shows_its_sentence() -> None:
    case = next(one for one in PLANTED if one.name.startswith("fristen-naechste-de.date"))
    mistake = score(Trusting(), [case]).mistakes[0]
    assert f"⟦{case.planted}⟧" in mistake.sentence
    assert "\n" not in mistake.sentence
