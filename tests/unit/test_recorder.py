"""A row that the database does not take, for whatever reason, holds up no other one."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import psycopg
import pytest

from paliadin.base.errors import PaliadinError, StoreUnavailable
from paliadin.base.settings import Settings
from paliadin.events.reducer import Reducer
from paliadin.record import recorder as recorder_module
from paliadin.record.driver import translated_errors
from paliadin.record.recorder import Recorder
from paliadin.record.row import TurnRow
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import new_turn_id


class Store:
    """Never takes the first row in time."""

    def __init__(self) -> None:
        self.finished: list[str] = []
        self.slow = ""

    async def finish(self, row: TurnRow) -> None:
        self.slow = self.slow or row.turn_id
        if row.turn_id == self.slow:
            raise StoreUnavailable("the database did not answer within 5 s")
        self.finished.append(row.turn_id)


async def test_the_others_are_written(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder_module, "RETRY_EVERY", 0.001)
    store = Store()
    recorder = Recorder(settings, cast("Any", store))
    folders = [TurnFolder(settings.response_dir, new_turn_id()) for _ in range(3)]
    async with recorder.running(), asyncio.timeout(20):
        for folder in folders:
            folder.create(Description.parse({"turn_id": folder.turn_id, "session_id": "main"}))
            recorder.finish(folder, Reducer(folder.describe()), watched=True)
        while len(store.finished) < 2:
            await asyncio.sleep(0.001)
    assert sorted(store.finished) == sorted(folder.turn_id for folder in folders[1:])
    assert recorder.waiting == [folders[0].turn_id]


async def test_a_row_that_cannot_be_built_by_a_fault_of_ours_holds_up_no_other_and_is_not_quoted(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad, *others = (TurnFolder(settings.response_dir, new_turn_id()) for _ in range(3))
    written: list[str] = []

    class Rows:
        async def finish(self, turn_id: str) -> None:
            written.append(turn_id)

    def build(turn: TurnFolder, *_: object) -> str:
        if turn == bad:
            raise ValueError("what somebody asked")
        return turn.turn_id

    monkeypatch.setattr(recorder_module, "build_finished_row", build)
    recorder = Recorder(settings, cast("Any", Rows()))
    async with recorder.running(), asyncio.timeout(10):
        for at_once in ([bad, others[0]], [others[1]]):  # the second ones come once the first are done
            for folder in at_once:
                recorder.finish(folder, cast("Any", None), watched=False)
            while recorder.waiting:
                await asyncio.sleep(0.01)
    assert written == [folder.turn_id for folder in others]
    assert "ValueError" in caplog.text
    assert "what somebody asked" not in caplog.text


async def test_one_that_comes_later_does_not_wait_for_many_that_are_not_taken(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each attempt may take seconds: at most the one that is being made, and one of the others, comes before it."""
    monkeypatch.setattr(recorder_module, "RETRY_EVERY", 0.001)
    folders = [TurnFolder(settings.response_dir, new_turn_id()) for _ in range(21)]
    tried: list[str] = []

    class TakesTheLast:
        async def finish(self, row: TurnRow) -> None:
            tried.append(row.turn_id)
            if row.turn_id != folders[-1].turn_id:
                raise StoreUnavailable("the database did not answer within 5 s")

    recorder = Recorder(settings, cast("Any", TakesTheLast()))
    for folder in folders:
        folder.create(Description.parse({"turn_id": folder.turn_id, "session_id": "main"}))
    for folder in folders[:-1]:
        recorder.finish(folder, Reducer(folder.describe()), watched=True)
    for _ in range(39):
        with pytest.raises(StoreUnavailable):
            await recorder._write_all()
    assert len(set(tried)) == 20
    recorder.finish(folders[-1], Reducer(folders[-1].describe()), watched=True)
    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            await recorder._write_all()
    assert folders[-1].turn_id in tried[39:41]


async def test_one_that_failed_once_does_not_wait_for_all_that_come_later_and_are_not_taken(settings: Settings) -> None:
    tried = list[str]()
    folders = [TurnFolder(settings.response_dir, new_turn_id()) for _ in range(6)]

    class TakesTheFirstLater:
        async def finish(self, row: TurnRow) -> None:
            tried.append(row.turn_id)
            if row.turn_id != folders[0].turn_id or len(tried) == 1:
                raise StoreUnavailable("the database did not answer within 5 s")

    recorder = Recorder(settings, cast("Any", TakesTheFirstLater()))
    for folder in folders:  # each of them before the next attempt
        folder.create(Description.parse({"turn_id": folder.turn_id, "session_id": "main"}))
        recorder.finish(folder, Reducer(folder.describe()), watched=True)
        with pytest.raises(StoreUnavailable):
            await recorder._write_all()
    assert folders[0].turn_id not in recorder.waiting


def test_what_is_longer_than_postgres_can_hold_is_refused_for_good() -> None:
    with pytest.raises(PaliadinError) as caught, translated_errors():
        raise psycopg.errors.ProgramLimitExceeded("string too long to represent as jsonb string")
    assert caught.value.code == "row_refused"
