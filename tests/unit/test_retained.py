"""What keeps data: it is swept regularly, and one that fails holds up no other."""

from __future__ import annotations

import asyncio
import logging

import pytest

from paliadin.base.errors import StorageFull
from paliadin.base.retained import LeftBehind, Retained, remove_person, remove_turns, sweeping


async def test_what_fails_is_tried_again_and_holds_up_no_other(caplog: pytest.LogCaptureFixture) -> None:
    swept = list[str]()

    async def full() -> None:
        swept.append("full")
        raise OSError("no space left")

    async def sweep() -> None:
        swept.append("other")

    listed = [Retained("`full/`", "", "", sweep=full, every=0.01), Retained("", "", "", sweep=sweep, every=0.01)]
    caplog.set_level(logging.WARNING)
    async with sweeping([*listed, Retained("", "", "")]), asyncio.timeout(10):
        while min(swept.count("full"), swept.count("other")) < 2:
            await asyncio.sleep(0.01)
    assert "`full/`: no space left" in caplog.text
    before = list(swept)
    await asyncio.sleep(0.03)
    assert swept == before


async def test_turns_go_in_the_order_of_the_list_and_a_failure_leaves_the_rest() -> None:
    asked = list[str]()

    def keeper(name: str, count: int) -> Retained:
        async def of_turns(turn_ids: object) -> int:
            asked.append(name)
            if count < 0:
                raise OSError(name)
            return count

        return Retained(name, "", "", of_turns=of_turns)

    assert await remove_turns([keeper("a", 1), keeper("b", 2), Retained("", "", "")], ["t"]) == 2
    with pytest.raises(OSError, match="c"):
        await remove_turns([keeper("c", -1), keeper("d", 1)], ["t"])
    assert asked == ["a", "b", "c"]
    assert await remove_turns([], ["t"]) == 0


async def test_what_says_nothing_of_people_leaves_nothing_and_refuses_nobody() -> None:
    plain = Retained("", "", "")
    await plain.check_new("ann", "Ann")
    await plain.of_conversation("main")
    assert await plain.of_person("ann", True) == LeftBehind()


async def test_what_is_kept_of_somebody_goes_though_one_entry_fails() -> None:
    gone: list[str] = []

    async def fails(_person_id: str, _deletes: bool) -> LeftBehind:
        raise StorageFull("no space")

    async def goes(person_id: str, _deletes: bool) -> LeftBehind:
        gone.append(person_id)
        return LeftBehind()

    with pytest.raises(StorageFull):
        await remove_person(
            [Retained("", "", "", of_person=fails), Retained("", "", "", of_person=goes)], "ann", deletes=True
        )
    assert gone == ["ann"]
