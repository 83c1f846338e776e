"""The history over HTTP: what a client has is not sent again, and a finished turn is read once."""

from __future__ import annotations

from tests.worlds.turns import folder_of
from tests.worlds.world import World, eventually


def test_turns_that_the_client_has_are_only_named(played_world: World) -> None:
    first, second = (
        list(played_world.follow(turn_id)) and turn_id for turn_id in map(played_world.ask, ("One", "Two"))
    )
    page = played_world.get(f"history?session_id=main&limit=2&known={first},nonsense,{'x' * 500}")
    assert (page["known"], [item["turn_id"] for item in page["turns"]]) == ([first], [second])
    assert page["has_more"] in {True, False}
    page = played_world.get(f"history?session_id=main&limit=2&known={first},{second}")
    assert (page["known"], page["turns"]) == ([first, second], [])


def test_a_finished_turn_is_read_from_a_file_beside_its_log_until_the_log_changes(played_world: World) -> None:
    turn_id = played_world.ask("Remember this")
    list(played_world.follow(turn_id))
    kept = folder_of(played_world, turn_id) / "history.json"
    eventually((kept.parent / "recorded").exists, what="the row is written")

    def item() -> dict:
        [found] = played_world.get("history?session_id=main&limit=1")["turns"]
        return found

    before = item()
    assert kept.stat().st_mode & 0o077 == 0
    stamp, details = kept.read_text().split("\n", 1)
    kept.write_text(f"{stamp}\n" + details.replace("You said", "From the file:"))
    assert item()["response"].startswith("From the file:")
    with (kept.parent / "events.jsonl").open("a") as log:
        log.write('\n{"hook": {"hook_event_name": "Notification"}}\n')
    assert item() == before
    kept.write_text("")  # damaged
    assert item() == before
