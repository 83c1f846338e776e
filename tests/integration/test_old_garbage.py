"""The running daemon looks for garbage among what is older: when it may do so, unit/test_garbage.py tries."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.worlds.world import ROOT, World, eventually

pytestmark = pytest.mark.any_version

# Python loads a module of this name as it starts. This one notes each look in a file.
NOTES_LOOKS = """
import os
from paliadin.base.garbage_collection import OldGarbage

look = OldGarbage.every_second

def noted(self):
    look(self)
    with open(os.environ["LOOKS"], "a") as file:
        file.write("looked\\n")

OldGarbage.every_second = noted
"""


def test_the_daemon_looks_every_second(world: World, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(NOTES_LOOKS)
    looks = tmp_path / "looks"
    looks.write_text("")
    world.variables |= {"PYTHONPATH": f"{tmp_path}:{ROOT}", "LOOKS": str(looks)}
    world.start()
    eventually(lambda: looks.read_text().count("looked") >= 2, 15, "two looks")
