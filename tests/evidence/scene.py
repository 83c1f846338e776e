"""Scenes: one answer, in whose text stands what may be invented, becomes an honest case and a planted one for each.

In the text, `{{date|12.03.2026|17.03.2026}}` is a date that is true, and what a planted answer says instead; several
inventions are kept apart by `|`. Without a true value (`{{failed||DL-9}}`) there is no honest case, unless the scene
has a text of its own for it.
"""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.evidence.model import CallGiven, Case, Language, PlantedKind

TODAY = "2026-03-02"  # a Monday
KINDS: Mapping[str, PlantedKind] = {
    "date": "date",
    "time": "time",
    "num": "number",
    "amt": "amount",
    "cnt": "count",
    "id": "id",
    "file": "file_number",
    "quo": "quotation",
    "name": "name",
    "line": "line",
    "none": "no_tool",
    "failed": "failed_call",
    "input": "own_input",
    "part": "part_of_id",
}

_SLOT = re.compile(r"\{\{(\w+)\|(.*?)\}\}", re.DOTALL)
_CHIP = re.compile(r"\[#[\w-]+?-OPEN:([\w.:-]+)\]")


@dataclasses.dataclass(frozen=True, slots=True)
class Scene:
    """A question, the calls, and the text of an answer with its slots. `unheld`: ids of chips that no tool returned."""

    name: str
    language: Language
    shape: str
    question: str
    calls: Sequence[CallGiven]
    answer: str
    context: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    today: str = TODAY
    honest: str | None = None
    unheld: Sequence[str] = ()


def cases_of(scene: Scene) -> Iterator[Case]:
    """Yield the honest case of a scene, if it has one, and its planted ones."""
    slots = list(_SLOT.finditer(scene.answer))
    if scene.honest is not None:
        yield _case(scene, "honest", scene.honest)
    elif all(slot[2].split("|")[0] for slot in slots):
        yield _case(scene, "honest", _filled(scene.answer, None)[0])
    for position, slot in enumerate(slots):
        for choice, invented in enumerate(slot[2].split("|")[1:], start=1):
            text, start = _filled(scene.answer, (position, choice))
            case = _case(scene, f"{slot[1]}.{_slug(invented)}", text)
            planted_at = (start, start + len(invented))
            yield dataclasses.replace(case, planted_kind=KINDS[slot[1]], planted=invented, planted_at=planted_at)


def _filled(text: str, plant: tuple[int, int] | None) -> tuple[str, int]:
    """The text with the true value in every slot but `plant` (which slot, which of its values), and where that is."""
    parts: list[str] = []
    end = length = start = 0
    for position, slot in enumerate(_SLOT.finditer(text)):
        values = slot[2].split("|")
        before = text[end : slot.start()]
        value = values[plant[1]] if plant and plant[0] == position else values[0]
        if plant and plant[0] == position:
            start = length + len(before)
        parts += [before, value]
        length += len(before) + len(value)
        end = slot.end()
    return "".join([*parts, text[end:]]), start


def _case(scene: Scene, what: str, text: str) -> Case:
    calls = tuple(dataclasses.replace(one, id=f"toolu_{number:02d}") for number, one in enumerate(scene.calls, 1))
    chips = tuple((found, found not in scene.unheld) for found in _CHIP.findall(text))
    today = datetime.date.fromisoformat(scene.today)
    return Case(
        f"{scene.name}.{what}",
        scene.language,
        scene.shape,
        None,
        scene.question,
        today,
        calls,
        text,
        scene.context,
        chips=chips,
    )


def _slug(text: str) -> str:
    return re.sub(r"\W+", "-", text.casefold()).strip("-")[:28]
