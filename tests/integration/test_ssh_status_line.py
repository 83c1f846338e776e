"""The figures of a Claude on another host, and its model and mode chosen here, over a real ssh."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from tests.integration.test_conversations import listed
from tests.integration.test_ssh import FAR, both, far, near
from tests.integration.test_ssh_conversations import asks, codes
from tests.worlds.far import Far
from tests.worlds.world import World, eventually

__all__ = ["both", "far", "near"]  # fixtures
pytestmark = pytest.mark.timeout(120)


def change(world: World, **fields: object) -> httpx2.Response:
    with world.client() as client:
        return client.patch(f"/api/paliadin/conversations/{FAR}", json=fields)


def item(world: World) -> dict[str, Any]:
    return listed(world)[FAR]


@pytest.mark.long
def test_the_figures_of_a_claude_there_are_shown_here_and_grow(near: World) -> None:
    near.turn("How are you?", session_id=FAR)
    eventually(lambda: item(near).get("cost"), 20, "what it has cost is known here")
    before = item(near)
    assert before["model"].startswith("claude-")
    assert before["permission_mode"] == "default"
    assert before["context_used"] is not None
    near.turn("And now?", session_id=FAR)
    eventually(lambda: item(near)["cost"] > before["cost"], 20, "it costs more than before")


@pytest.mark.long
def test_model_and_mode_are_chosen_over_the_line(near: World, far: Far) -> None:
    near.turn("Hello", session_id=FAR)
    assert change(near, model="haiku", permission_mode="acceptEdits").status_code == 200
    near.turn("Who are you now?", session_id=FAR)
    assert "haiku" in near.api.requests[-1][1].model
    eventually(lambda: "haiku" in item(near)["model"], 20, "the other model is known here")
    eventually(lambda: item(near)["permission_mode"] == "acceptEdits", 20, "and its mode")
    assert change(near, model=None, permission_mode=None).status_code == 200
    eventually(lambda: item(near)["permission_mode"] == "default", 20, "it is as its settings say")


@pytest.mark.long
def test_nothing_is_changed_there_in_mid_turn_or_in_a_session_of_somebody_elses(near: World, far: Far) -> None:
    running = near.ask("scene:slow change", session_id=FAR)
    refused = change(near, model="haiku")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "turn_in_flight")
    near.post(f"stream/{running}/abort")
    list(near.follow(running))
    changes = {"model": "haiku"}
    responses = asks(far, {"verb": "configure", "session_id": "other", "changes": changes}, {"verb": "status"})
    assert codes(responses) == ["unknown_session", ""]
    assert "other" not in responses[1]["result"]["sessions"]
