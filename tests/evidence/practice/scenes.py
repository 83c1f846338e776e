"""The questions with their recorded results and their answers, as scenes."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from pathlib import Path

from tests.evidence.model import Case
from tests.evidence.practice.questions import QUESTIONS, Question
from tests.evidence.results import mcp
from tests.evidence.scene import Scene, cases_of

FOLDER = Path(__file__).parent
TODAY = "2026-11-26"  # the day of the recorded results, a Thursday
_HEAD = re.compile(r"^=== (.+)\n", re.MULTILINE)


@functools.cache
def practice_cases() -> tuple[Case, ...]:
    """The cases of all questions: honest answers, and those with one invention each."""
    results = json.loads((FOLDER / "results.json").read_text("utf-8"))
    answers = _answers("de") | _answers("en") | _answers("second") | _answers("third")
    scenes = [_scene(name, question, results[name], answers[name]) for name, question in QUESTIONS.items()]
    return tuple(case for scene in scenes for case in cases_of(scene))


def _answers(language: str) -> Mapping[str, str]:
    parts = _HEAD.split((FOLDER / f"answers_{language}.md").read_text("utf-8"))
    return {name: text.strip() for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def _scene(name: str, question: Question, results: list[str], answer: str) -> Scene:
    calls = [
        mcp(f"paliad__{tool}", dict(arguments), text)
        for (tool, arguments), text in zip(question.calls, results, strict=True)
    ]
    language = "de" if name.endswith("-de") else "en"
    return Scene(name, language, "practice", question.text, calls, answer, today=TODAY)
