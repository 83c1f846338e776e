"""Attached files and the questions that take them along: who may attach, and to whom a file is shown."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from paliadin.base.errors import Forbidden, NotFound
from paliadin.files.attachments import Attachment, Attachments, check_ids, unknown_attachment
from paliadin.people.caller import Caller
from paliadin.turnlog.description import Description


class Attaching:
    """Takes files for questions, and gives each one to the turn that has it.

    `describe` returns a turn's description to a caller who may see it, and raises NotFound to others. `waiting` returns
    the ids of the files that belong to questions which wait in a queue, also those of an earlier daemon.
    """

    def __init__(
        self, folder: Path, describe: Callable[[str, Caller], object], waiting: Callable[[], set[str]]
    ) -> None:
        self._files, self._describe, self._waiting = Attachments(folder), describe, waiting
        self._given: set[str] = set()  # to a question of this daemon's, which may be about to claim it

    async def receive(self, name: str, source: BinaryIO, caller: Caller) -> Attachment:
        """Take a file; raises Forbidden, BadRequest for what cannot be attached, and StorageFull."""
        check_may_attach(caller)
        return await asyncio.to_thread(self._files.add, name, source, caller.person)

    async def chosen(self, ids: object, caller: Caller) -> list[Attachment]:
        """Return the files that a request for a turn names; raises InvalidField, NotFound and Forbidden.

        A file of an earlier question, as when that is asked again, is given to both.
        """
        file_ids = check_ids(ids)
        if not file_ids:
            return []
        check_may_attach(caller)
        attachments = [await self._get(each, caller) for each in file_ids]
        own = {each.id for each in attachments if not each.turn_id} - self._given - self._waiting()
        self._given |= own
        return [
            each if each.id in own else await asyncio.to_thread(self._files.copy, each, caller.person)
            for each in attachments
        ]

    async def release(self, attachments: Sequence[Attachment], ids: object) -> None:
        """Take back the files that `chosen` gave to a question that is not asked: files may come again, copies go."""
        for each in attachments:
            self._given.discard(each.id)
            if isinstance(ids, list) and each.id not in ids:
                with contextlib.suppress(NotFound):
                    if not (await asyncio.to_thread(self._files.get, each.id)).turn_id:
                        await asyncio.to_thread(self._files.remove, [each.id])

    async def claim(self, description: Description) -> None:
        """Give the files that a turn's description names to the turn; raises NotFound if one is gone."""
        for each in description.attachments:
            attachment = await asyncio.to_thread(self._files.get, each.id)
            await asyncio.to_thread(self._files.claim, [attachment], description.turn_id)

    async def shown(self, attachment_id: str, caller: Caller) -> tuple[Attachment, Path]:
        """Return a file that the caller may see, and its path; raises NotFound."""
        attachment = await self._get(attachment_id, caller)
        return attachment, self._files.path(attachment)

    async def withdraw(self, attachment_id: str, caller: Caller) -> None:
        """Remove a file that no question has yet, nor is about to claim; raises NotFound."""
        attachment = await self._get(attachment_id, caller)
        if not attachment.turn_id and attachment.id not in self._given | self._waiting():
            self._given.add(attachment.id)  # to nobody: a question that names it now does not find it
            await asyncio.to_thread(self._files.remove, [attachment.id])

    async def _get(self, attachment_id: str, caller: Caller) -> Attachment:
        """Return a file of the caller's; raises NotFound for others' files, as for those that do not exist."""
        attachment = await asyncio.to_thread(self._files.get, attachment_id)
        if attachment.turn_id:
            try:
                self._describe(attachment.turn_id, caller)
            except NotFound as error:
                raise unknown_attachment() from error
        elif attachment.person != caller.person or caller.is_member:
            raise unknown_attachment()
        return attachment


def check_may_attach(caller: Caller) -> None:
    """Raise Forbidden for a member: their Claude opens no files at all."""
    if caller.is_member:
        raise Forbidden(
            "files can be attached in the owner's conversations only",
            code="no_attachments",
            status=403,
            hint="Write what matters into the question.",
        )


def message_or_names(message: object, attachments: Sequence[Attachment]) -> object:
    """Return the text of a question; the names of its files where it has no text."""
    is_blank = isinstance(message, str) and not message[:10_000].strip()
    return ", ".join(each.name for each in attachments) if is_blank and attachments else message
