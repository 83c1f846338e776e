"""Conversations over the Messages API: the daemon, the SDK, and the scripted API; no Claude Code runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from tests.integration.conftest import make_world
from tests.worlds.world import World, last, text_of


@pytest.fixture(scope="module")
def messages(
    tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]
) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("messages"), one_claude, api):
        world.options |= {"RELAY": "messages", "API_KEY": "key-of-the-tests", "API_URL": api[1]}
        world.start()
        yield world


def test_an_answer_comes(messages: World) -> None:
    events = messages.turn("Hello")
    for e in events:
        print(e)
    assert events[-1].name == "end", events[-1].data
    assert text_of(events).startswith("You said")
    assert text_of(messages.turn("scene:remember")) == "I remember 2 prompts."
