"""The demo's answers, from a made-up practice's tools: each fact in them is a result's, for everybody on any day."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from paliadin.base.errors import PaliadinError
from paliadin.demo import office, script
from paliadin.demo.scene import PREFIX
from paliadin.events.answer_filter import AnswerFilter
from paliadin.events.trailer import parse_trailer
from paliadin.evidence.check import Answer, Call, check, holds_id
from paliadin.parts.practice.practice import Practice
from paliadin.parts.practice.toolbox import in_words
from paliadin.parts.practice.transactions import User
from tests.unit.test_demo_script import NOT_FOUND, conversation, text_of, uses
from tests.worlds.office import MADE

TURN = "0199e0f2-7a3c-7def-8123-456789abcdef"
TODAY = datetime.now(UTC).date()
QUESTIONS = script.questions(*office.file_numbers(MADE, office.MEMBER))
MORE = {
    "en": (
        "Which deadlines are open?",
        "Which courts are in Munich?",
        "Which appointments are there?",
        "When does the period for the opposition end, if service was today?",
        "What is the state of demo-project-19?",
    ),
    "de": (
        "Welche Fristen sind offen?",
        "Welche Gerichte sind in Düsseldorf?",
        "Welche Termine gibt es?",
        "Wann endet die Frist zum Einspruch, wenn heute zugestellt wurde?",
        "Wie steht es um demo-project-19?",
    ),
}
CHIP = re.compile(r"\[(?:#[\w-]+-OPEN:|court: |glossary: )([^\]]+)\]")
Results = list[tuple[str, str, bool]]


@pytest.fixture
async def practice(office_database: str) -> AsyncIterator[Practice]:
    users = [User(each.id, each.name, each.office, each.language, each.role) for each in MADE.people]
    practice = Practice(lambda: users, "UTC")
    async with practice.connected(office_database):
        yield practice


async def asked(practice: Practice, person: str, question: str) -> tuple[str, Results, list[Call]]:
    """The answer, with its trailer, and what the tools returned before it."""
    results: Results = []
    calls: list[Call] = []
    while called := uses(message := script.play(conversation(question, *results))):
        [use] = called
        assert use.name.startswith(PREFIX), use.name
        failed = False
        try:
            content = await practice.call(person, use.name.removeprefix(PREFIX), dict(use.input), TURN)
        except PaliadinError as error:
            content, failed = in_words(error), True
        results.append((use.name, content, failed))
        text = [{"type": "text", "text": content}]
        calls.append(Call(f"t{len(calls)}", use.name, use.input, text, "failed" if failed else "ok"))
        assert len(calls) < 5
    return text_of(message), results, calls


def visible(answer: str) -> str:
    """The answer without its trailer and its chips."""
    shown = AnswerFilter()
    return "".join(piece for piece in shown.feed(answer) + shown.finish() if isinstance(piece, str))


def calculations(answer: str) -> Sequence[str]:
    """What the answer's trailer states of its calculations."""
    _, mark, trailer = answer.partition("[paliadin-meta]")
    return parse_trailer(mark + trailer).calculated


@pytest.mark.parametrize("lang", ["en", "de"])
async def test_every_fact_of_an_answer_is_in_a_result_and_every_chip_leads_somewhere(
    practice: Practice, lang: str
) -> None:
    chips = set()
    for person in (office.OWNER.id, office.MEMBER, "claire-whitmere"):
        for question in (*QUESTIONS[lang][:6], *MORE[lang]):
            answer, _, calls = await asked(practice, person, question)
            stated = calculations(answer)
            given = Answer((("m", visible(answer)),), calls, question, today=TODAY, claims_data=True, calculated=stated)
            doubted = [
                (claim.text, claim.status) for claim in check(given) if claim.status in ("unsupported", "unknown")
            ]
            if person == office.OWNER.id and (question != QUESTIONS[lang][1] or is_something_due()):
                assert visible(answer).strip() != NOT_FOUND[lang], question
            assert doubted == [], (person, question, answer)
            for match in CHIP.finditer(answer):
                assert holds_id(given, match[1]), (person, question, match[0])
                chips.add(match[0].split(":")[0])
    assert chips == {"[#deadline-OPEN", "[#project-OPEN", "[#appointment-OPEN", "[court", "[glossary"}


def is_something_due() -> bool:
    """Whether the practice has a deadline this week; on a weekend it may have none."""
    monday = TODAY - timedelta(days=TODAY.weekday())
    due = (each.due_date for each in MADE.deadlines if each.status == "open" and each.approval_status != "rejected")
    return any(monday <= day < monday + timedelta(days=7) for day in due)


KEPT = {"kind", "thing_kind", "status", "approval_status", "days_left", "action"}  # what scenes choose by


def changed(value: Any, key: str = "") -> Any:
    """The value with all that it says changed, in the same form: other dates, texts and numbers."""
    if isinstance(value, dict):
        return {name: changed(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [changed(each, key) for each in value]
    if key in KEPT or isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return value + 7000
    if re.fullmatch(r"\d{4}-\d\d-\d\d(T.*)?", value):
        return str(date.fromisoformat(value[:10]) + timedelta(days=3500)) + value[10:]
    return f"«{value[::-1]}»"


def texts(value: Any, key: str = "") -> Iterator[str]:
    """Every text and date in a result that an answer could hold, but for short ones."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from texts(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each, key)
    elif isinstance(value, str) and len(value) > 5 and key not in KEPT:
        yield value


@pytest.mark.parametrize("lang", ["en", "de"])
async def test_no_scene_answers_from_anything_but_what_the_tools_returned(practice: Practice, lang: str) -> None:
    """When the same calls return something else, nothing of what they returned before is in the answer."""
    compared = 0
    for question in (*QUESTIONS[lang][:6], *MORE[lang]):
        answer, results, _ = await asked(practice, office.OWNER.id, question)
        others = [(name, json.dumps(changed(json.loads(content))), failed) for name, content, failed in results]
        other = text_of(script.play(conversation(question, *others)))
        assert not uses(script.play(conversation(question, *others)))
        for content in (json.loads(content) for _, content, _ in results):
            before = {text for text in texts(content) if text in answer and text.lower() not in question.lower()}
            compared += len(before)
            assert not {text for text in before if text in other}, question
        days = set(re.findall(r"\b\d\d\.\d\d\.\d{4}|\b\d+ [A-Z][a-z]+ \d{4}", visible(answer)))
        assert not days & set(re.findall(r"\b\d\d\.\d\d\.\d{4}|\b\d+ [A-Z][a-z]+ \d{4}", visible(other))), question
    assert compared > 60


async def test_what_is_somebody_elses_is_answered_as_what_does_not_exist(practice: Practice) -> None:
    of_others = office.file_numbers(MADE, office.MEMBER)[1]
    hidden = next(each.id for each in MADE.projects if each.reference == of_others)
    for lang, words in (("en", "What is the state of {}?"), ("de", "Wie steht es um {}?")):
        for named in (of_others, hidden, "UPC_CFI_1/1999", "demo-project-9999"):
            answer, results, _ = await asked(practice, office.MEMBER, words.format(named))
            assert visible(answer).strip() == NOT_FOUND[lang], named
            assert len(results) == 1
            assert results[0][2] == ("-project-" in named)  # by its id the tool refuses, by its number it finds nothing
        answer, _, _ = await asked(practice, office.OWNER.id, words.format(of_others))
        assert hidden in answer


@pytest.mark.parametrize("day", ["2027-01-03", "2028-02-29", "2026-12-31", "2027-05-01"])
def test_there_is_a_project_of_others_on_any_day(day: str) -> None:
    made = office.make_office(date.fromisoformat(day))
    assert all(all(office.file_numbers(made, person.id)) for person in made.people if person is not office.OWNER)
