"""The attached files that a daemon sends to this machine before their question."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from paliadin.base import errors
from paliadin.files.attachments import Attachment, Attachments, unknown_attachment
from paliadin.turnlog.description import Description


class SentFiles:
    """The attached files in this machine's folder."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._attachments = folder, Attachments(folder)

    async def take(self, request: Mapping[str, object], at: int) -> Mapping[str, object]:
        """Take the part of a file that begins at byte `at`; returns in `have` how many of its bytes are here.

        `drop` in the request removes the file, because its question was not submitted. Raises RelayError.
        """
        attachment, data = Attachment.parse(request.get("attachment")), request.get("data")
        attachment = replace(attachment, person="", turn_id="")  # whose it is, the turn says that is submitted
        if request.get("drop") is True:
            await asyncio.to_thread(self._attachments.discard, attachment.id)
            return {"have": 0}
        try:
            raw = base64.b64decode(data, validate=True) if isinstance(data, str) else b""
        except ValueError as error:
            raise errors.InvalidField("data is not in base64") from error
        try:
            return {"have": await asyncio.to_thread(self._attachments.receive, attachment, at, raw)}
        except OSError as error:  # without a response, it would be sent again and again
            raise errors.RelayError(
                f"the host cannot keep an attached file: {error.strerror}",
                code="attachment_not_kept",
                hint=f"Look at {self._folder} there.",
            ) from error

    def of_turn(self, description: Description) -> list[Attachment]:
        """Return a question's files, which are all here already; raises NotFound, also for another turn's file."""
        attachments = [self._attachments.get(each.id) for each in description.attachments]
        for each in attachments:
            if each.turn_id not in {"", description.turn_id}:
                raise unknown_attachment()
        return attachments

    def claim(self, attachments: Collection[Attachment], turn_id: str) -> None:
        """Note that these files belong to a turn now; raises StorageFull."""
        self._attachments.claim(attachments, turn_id)
