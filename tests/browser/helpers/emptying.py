"""An empty conversation for the next test, with the daemon and the Claude of the one before."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from paliadin.cli.record import with_store
from paliadin.record.store import Store
from paliadin.turnlog.folder import TurnFolder
from paliadin.turns.deletion import delete_turns, kept_here
from tests.worlds.world import World, eventually


def empty(world: World, session: str = "main") -> None:
    """Stop what runs in a conversation, delete what was asked, and let Claude forget it."""
    page = world.get(f"history?session_id={session}&limit=200")
    if page["running_turn"]:  # a test whose page was closed before its Stop had left it
        world.post(f"stream/{page['running_turn']}/abort")
    for queued in page["queue"]["turns"]:
        with world.client() as client:
            client.delete(f"/api/paliadin/queue/{queued['turn_id']}")
    turns = {turn["turn_id"]: session for turn in page["turns"]}
    if not turns:
        return
    folders = [TurnFolder(world.settings.response_dir, turn_id) for turn_id in turns]
    eventually(lambda: all(folder.recorded.exists() for folder in folders), 20, "the rows are written")
    settings = world.settings

    async def delete(store: Store) -> int:
        return await delete_turns(settings, kept_here(settings, store, ()), turns, here_only=True)

    with ThreadPoolExecutor(1) as thread:  # Playwright has this one's event loop
        thread.submit(with_store, settings, delete).result()
    response = world.post("reset", {"session_id": session})
    assert response.status_code == 200, response.text
