"""Who waits for changes of sessions is told of those that it waits for, once, and of the daemon's end."""

from __future__ import annotations

import asyncio

from paliadin.conversations.changes import Changes


async def test_what_changed_meanwhile_is_told_once_to_whom_it_is_about() -> None:
    changes = Changes()
    changes.note("nobody listens")
    with changes.subscribed() as everything, changes.subscribed() as one:
        one.only = "b"
        assert changes.have_readers
        changes.note("a")
        changes.note("b", "a")
        assert await everything.take() == {"a", "b"}
        assert await one.take() == {"a", "b"}
        waiting = asyncio.create_task(one.take())
        changes.note("c")
        await asyncio.sleep(0)
        assert not waiting.done()
        changes.close()
        assert await waiting == set()
        assert one.closed
    with changes.subscribed() as late:
        assert late.closed
        assert await late.take() == set()
    assert not changes.have_readers


async def test_a_turn_that_is_over_before_its_reader_looks_is_told_all_the_same() -> None:
    changes = Changes()
    with changes.subscribed(turns=True) as page, changes.subscribed() as listing:
        changes.note("a", turn="first")
        changes.note("b", turn="of another one")
        assert page.begun_in("a") == ["first"]
        changes.note("a", turn="second")
        changes.note("a")
        assert [page.begun_in("a"), page.begun_in("a"), listing.begun_in("a")] == [["second"], [], []]
