"""All cases, in a fixed order."""

from __future__ import annotations

import functools
import json
from pathlib import Path

from tests.evidence.model import CallGiven, Case
from tests.evidence.scene import Scene, cases_of

FOLDER = Path(__file__).parent / "scenes"


@functools.cache
def all_scenes() -> tuple[Scene, ...]:
    """The scenes of all files in `scenes` (see its README.md)."""
    lines = [line for path in sorted(FOLDER.glob("*.jsonl")) for line in path.read_text("utf-8").split("\n") if line]
    return tuple(scene_of(line) for line in lines)


@functools.cache
def all_cases() -> tuple[Case, ...]:
    """The cases of all scenes."""
    return tuple(case for scene in all_scenes() for case in cases_of(scene))


def scene_of(line: str) -> Scene:
    """A line's scene: its keys are the fields of `Scene`, and those of its calls the fields of `CallGiven`."""
    fields = json.loads(line)
    calls = [CallGiven("", **call) for call in fields.pop("calls")]
    return Scene(calls=calls, **fields)
