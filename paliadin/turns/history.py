"""Pages through, searches and rates past turns."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Collection
from typing import Protocol

from paliadin.base.errors import NotFound, StoreUnavailable
from paliadin.people.caller import Caller
from paliadin.record.row import TurnRow, first_row
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import check_turn_id, started_ms
from paliadin.turns.history_details import ItemDetails, to_json
from paliadin.turns.history_items import Item, basics, details_of_row, excerpt, text_with
from paliadin.turns.lifecycle import Turns

MAX_RESULTS = 30
MAX_MESSAGE = 300  # characters of a question in a search result


class HistoryStore(Protocol):
    """The store's methods that `History` uses."""

    async def turn(self, turn_id: str) -> TurnRow | None: ...
    async def turns(self, session_id: str | None, before: str | None, limit: int) -> list[TurnRow]: ...
    async def search(self, session_id: str, words: str, limit: int) -> list[TurnRow]: ...
    async def rate(self, turn_id: str, feedback: str | None, word: str | None) -> bool: ...


class History:
    """Past turns: from a turn's folder while it exists, from its row afterwards.

    Pages come from the folders alone when the database is down.
    """

    def __init__(self, turns: Turns, store: HistoryStore) -> None:
        self._turns, self._store = turns, store
        self._folders = turns.settings.response_dir
        self._details = ItemDetails(turns.destinations)

    async def page(self, session: str, before: str | None, limit: int, known: Collection[str] = ()) -> bytes:
        """Return the JSON object {"turns": [item], "known", "running_turn", "has_more", "since", "version"}.

        The turns are the newest `limit` of the session, of those older than the turn `before`; newest last. The ids
        among them that are in `known` are listed there, and have no item. `since` is `cleared_at`.
        """
        if before is not None:
            check_turn_id(before)
        version = self.version(session)
        queue = self._queue(session)  # before the turns: a question that begins meanwhile is in both, and never in none
        rows: list[TurnRow] = []
        for turns in self._turns.conversations.turn_ranges(session):
            bound = min(filter(None, (before, turns.end)), default=None)
            newest = await self._rows(turns.session, bound, limit + 1 - len(rows))
            rows = [*(row for row in newest if row.turn_id >= turns.start), *rows]
            if len(rows) > limit:
                break
        page_rows = rows[-limit:]
        page = {
            "known": [row.turn_id for row in page_rows if row.turn_id in known],
            "running_turn": self._turns.sessions.of(session),
            "has_more": len(rows) > limit,
            "since": self.cleared_at(session),
            "queue": queue,
            "version": version,
        }
        new = [row for row in page_rows if row.turn_id not in known]
        for row in new:  # a page that is loaded at a turn's end gets it here, and follows nothing
            self._turns.note_read(row.turn_id)
        return await asyncio.to_thread(self._serialise, new, page)

    async def _rows(self, session: str, before: str | None, limit: int) -> list[TurnRow]:
        """The newest `limit` turns that ran in the session before the turn `before`, newest last."""
        unrecorded = self._turns.unrecorded_ids()  # before the query: a turn recorded meanwhile is among the rows
        try:
            rows = await self._store.turns(session, before, limit)
        except StoreUnavailable:
            return await asyncio.to_thread(self._rows_of_folders, session, before, limit)
        missing = set(unrecorded) - {row.turn_id for row in rows}
        added = [row for turn_id in missing if (row := self._row_of_folder(turn_id, session, before))]
        return sorted([*rows, *added], key=lambda row: row.turn_id)[-limit:]

    def version(self, session: str) -> str:
        """Return a version that changes with the newest page of the history: turns begin or end, questions wait."""
        conversation = self._turns.conversations.get(session)
        shown = [
            self._turns.sessions.of(session),
            self._turns.sessions.requests(session),
            self._queue(session),
            self.cleared_at(session),
            conversation.last_at,
            conversation.ended_at,
            conversation.deleted_at,
            conversation.first_shown(),
        ]
        return hashlib.sha256(to_json(shown)).hexdigest()[:16]

    def _queue(self, session: str) -> Item:
        """The questions that wait: {"held", "turns": [{"turn_id", "user_message", "queued_at", "attachments"}]}."""
        queue = self._turns.queues.of(session)
        turns = [
            {
                "turn_id": turn_id,
                "user_message": each.user_message,
                "queued_at": started_ms(turn_id),
                "attachments": [file.described for file in each.attachments],
            }
            for each in queue.turns
            if (turn_id := each.turn_id) not in self._turns.sessions.streams
        ]
        return {"held": queue.held, "turns": turns}

    def _serialise(self, rows: list[TurnRow], page: Item) -> bytes:
        """Read the turns and build the page: in a thread, since they may have many megabytes."""
        items = b", ".join(self._item(row, running=self._turns.sessions.has_more_events(row.turn_id)) for row in rows)
        return b'{"turns": [' + items + b"], " + to_json(page)[1:]

    def _item(self, row: TurnRow, *, running: bool) -> bytes:
        try:
            details = self._details.read(TurnFolder(self._folders, row.turn_id))
        except NotFound:
            details = to_json(details_of_row(row))
        item = basics(row) | self._words(row) | self._asker(row) | {"running": running}
        return to_json(item)[:-1] + b", " + details[1:]

    def _words(self, row: TurnRow) -> Item:
        """The question's text and context from the turn's folder, while it is there: a redacted row has none."""
        if row.redacted is None:
            return {}
        try:
            description = TurnFolder(self._folders, row.turn_id).describe()
        except NotFound:
            return {}
        return {"user_message": description.user_message, "context": description.context.as_json()}

    def _asker(self, row: TurnRow) -> Item:
        """The kind of the agent that asks in the turn, as long as its folder is there."""
        if row.origin != "agent":
            return {}
        with contextlib.suppress(NotFound):
            asker = TurnFolder(self._folders, row.turn_id).describe().asked_by
            return {"asked_by": asker.kind or "agent"} if asker else {}
        return {}

    async def search(self, session: str, words: str) -> list[Item]:
        """Return the turns that hold `words`: [{"turn_id", "started_at", "user_message", "excerpt"}], newest first."""
        rows: list[TurnRow] = []
        for turns in self._turns.conversations.turn_ranges(session):
            newest = await self._store.search(turns.session, words, MAX_RESULTS)
            rows += [row for row in newest if turns.start <= row.turn_id and (not turns.end or row.turn_id < turns.end)]
        rows = sorted(rows, key=lambda row: row.turn_id, reverse=True)[:MAX_RESULTS]
        return await asyncio.to_thread(self._search_results, rows, words)  # answers may have many megabytes

    def _search_results(self, rows: list[TurnRow], words: str) -> list[Item]:
        return [
            {
                "turn_id": row.turn_id,
                "started_at": row.started_at.isoformat(),
                "user_message": row.user_message[:MAX_MESSAGE],
                "excerpt": excerpt(text_with(words, row), words),
            }
            for row in rows
        ]

    async def rate(self, turn_id: str, feedback: str | None, word: str | None, caller: Caller) -> None:
        """Keep the reader's verdict (up, down or None) and their comment.

        Raises NotFound when the turn has no row, or is not the caller's.
        """
        check_turn_id(turn_id)
        row = await self._store.turn(turn_id)
        visible = row is not None and self._turns.conversations.sees(caller, row.session_id)
        if not visible or not await self._store.rate(
            turn_id, feedback, word if self._turns.settings.keeps_words else None
        ):
            raise NotFound("this turn has no row yet", code="unknown_turn", hint="Try again in a moment.")

    def cleared_at(self, session: str) -> int:
        """Return when Claude last began to know nothing of what was said: milliseconds since 1970, or 0 for never.

        It does so by a reset or /clear, or because Claude Code had no transcript any more to go on with.
        """
        return self._turns.session_logs.cleared_at(session)

    def _rows_of_folders(self, session: str, before: str | None, limit: int) -> list[TurnRow]:
        rows: list[TurnRow] = []
        for path in sorted(self._folders.glob("*/*/turn.json"), reverse=True):
            row = self._row_of_folder(path.parent.name, session, before)
            rows += [row] if row else []
            if len(rows) == limit:
                break
        return rows[::-1]

    def _row_of_folder(self, turn_id: str, session: str, before: str | None) -> TurnRow | None:
        if before is not None and turn_id >= before:
            return None
        try:
            row = first_row(TurnFolder(self._folders, turn_id).describe())
        except NotFound:
            return None
        return row if row.session_id == session else None
