"""The questions with their recorded results and their answers, as cases."""

from __future__ import annotations

import dataclasses
import functools
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.evidence.model import CallGiven, Case
from tests.evidence.practice.questions import Question
from tests.evidence.practice.rounds import ROUNDS
from tests.evidence.scene import Scene, cases_of

FOLDER = Path(__file__).parent
TODAY = "2026-11-26"  # the day of the recorded results, a Thursday
_HEAD = re.compile(r"^=== (.+)\n", re.MULTILINE)
_LAST_NUMBER = re.compile(r"\d+\Z")


@functools.cache
def practice_cases(name: str) -> tuple[Case, ...]:
    """The cases of a round: honest answers, and those with one invention each."""
    results = json.loads((FOLDER / "results.json").read_text("utf-8"))
    answers = _answers(*(["de", "en"] if name == "first" else [name]))
    scenes = [_scene(each, question, results[each], answers[each]) for each, question in ROUNDS[name].items()]
    return tuple(_with_ids_of_others(case) for scene in scenes for case in cases_of(scene))


def _answers(*files: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for file in files:
        parts = _HEAD.split((FOLDER / f"answers_{file}.md").read_text("utf-8"))
        found |= {name: text.strip() for name, text in zip(parts[1::2], parts[2::2], strict=True)}
    return found


def _scene(name: str, question: Question, results: list[str], answer: str) -> Scene:
    calls = [
        CallGiven("", f"mcp__paliad__{tool}", dict(arguments), [{"type": "text", "text": text}])
        for (tool, arguments), text in zip(question.calls, results, strict=True)
    ]
    language = "de" if name.endswith("-de") else "en"
    return Scene(name, language, "practice", question.text, calls, answer, today=TODAY)


def _with_ids_of_others(case: Case) -> Case:
    """The honest case with a chip more for each of its own: the next id of that kind, which no result holds."""
    chips = dict.fromkeys(chip for chip, _ in case.chips) if case.planted is None else {}
    return dataclasses.replace(case, chips=(*case.chips, *((_next_id(chip, case), False) for chip in chips)))


def _next_id(chip: str, case: Case) -> str:
    held = "\n".join(text for call in case.calls for text in _texts(call.result))
    number = int(_LAST_NUMBER.findall(chip)[0])
    while re.search(rf"{(other := _LAST_NUMBER.sub(str(number), chip))}(?!\d)", held):
        number += 1
    return other


def _texts(result: list[dict[str, str]]) -> Iterator[str]:
    yield from (block["text"] for block in result)
