"""Files that go with a question from the command line: sent before it, and taken away if it is not asked."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote

from paliadin.base.errors import PaliadinError
from paliadin.cli.client import DaemonClient


@asynccontextmanager
async def attached(
    daemon: DaemonClient, session: str, files: Sequence[Path], is_asked: Callable[[], bool]
) -> AsyncIterator[dict[str, str]]:
    """Send the files to the daemon; yields their ids, with the name of each.

    If an error ends the block before the question, they go again. Raises PaliadinError, also for a file that cannot be
    read.
    """
    names: dict[str, str] = {}
    try:
        for path in files:
            try:
                with path.open("rb") as source:
                    sent = await daemon.upload(f"attachments?session_id={quote(session, safe='')}", path.name, source)
            except OSError as error:
                raise PaliadinError(f"{path} cannot be read: {error.strerror}", code="unreadable_file") from error
            except PaliadinError as error:
                named = error.message if path.name in error.message else f"{path.name}: {error.message}"
                raise PaliadinError(named, hint=error.hint, code=error.code) from error
            names[str(sent["id"])] = path.name
        yield names
    except BaseException:
        for each in () if is_asked() else names:
            with contextlib.suppress(PaliadinError):
                await daemon.delete(f"attachments/{each}")
        raise
