"""The HTTP routes of attached files: take one for a question, show one, take one away again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.types import Receive, Send
from starlette.types import Scope as Connection

from paliadin.base import errors
from paliadin.files.attachments import MAX_BYTES, too_large, unknown_attachment
from paliadin.files.content import Kind
from paliadin.files.pictures import HEAD_BYTES, read_picture
from paliadin.people.caller import Scope
from paliadin.turns.attaching import check_may_attach
from paliadin.turns.lifecycle import Turns
from paliadin.web.openapi.schema import ANYTHING, ATTACHMENT_ID, one_of, record, reference
from paliadin.web.route_declaration import PICTURES, SESSION_IN_QUERY, AtPeer, Operation, Whose, route
from paliadin.web.scoped_routes import add_to_audit, caller_of, peer_of

if TYPE_CHECKING:
    from starlette.datastructures import UploadFile

MAX_UPLOAD_BYTES = MAX_BYTES + 64 * 1024  # of a body: the file, and what multipart puts around it
MAX_DISCARDED = 10 * MAX_BYTES  # bytes that are read of a file that is too large, so that its sender gets the response
MAX_UPLOADS = 4  # at once; the others wait
PATIENCE = 30.0  # seconds without a byte, after which an upload is given up
LONGEST_UPLOAD = 600.0  # seconds in all; a trickle would keep its place for ever
_FORM_HINT = "curl sends one with `-F file=@name`."
_ESCAPED = re.compile("%22|%0D|%0A")  # all that browsers escape in the name of a form's file
_OF_ATTACHMENT = {"attachment_id": ATTACHMENT_ID}
_SHOWN_HEADERS = {
    "cache-control": "private, max-age=3600, immutable",
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
}


@dataclass
class AttachmentRoutes:
    """The handlers of /attachments."""

    turns: Turns

    def __post_init__(self) -> None:
        self._uploads = asyncio.Semaphore(MAX_UPLOADS)

    @route(
        "POST",
        "attachments",
        Scope.CONVERSATION,
        replace(SESSION_IN_QUERY, at_peer=AtPeer.HANDLER),
        audit="file attached",
    )
    @Operation(reference("Attachment"), 201, errors=(400, 408, 409, 413, 422, 507))
    async def upload(self, request: Request) -> Response:
        """Take a file for a question: the field `file` of a multipart form."""
        check_may_attach(caller_of(request))  # before anything of the body is read
        if peer_of(request):
            raise errors.BadRequest(
                "files cannot be attached to a conversation of another daemon here",
                code="attach_elsewhere",
                hint="Open that daemon's own page.",
            )
        try:
            async with self._uploads, _form(request) as file:
                name = _ESCAPED.sub(lambda match: '"' if match[0] == "%22" else " ", file.filename or "")
                attachment = await self.turns.attaching.receive(name, file.file, caller_of(request))
        except errors.BadRequest as error:
            if error.status != 413 or _length(request) <= MAX_DISCARDED:
                raise
            # Else the server would read, and throw away, all that still comes.
            return JSONResponse(error.body(), error.status, {"connection": "close"})
        add_to_audit(request, attachment_id=attachment.id, bytes=attachment.bytes)
        return JSONResponse(dict(attachment.described), 201)

    @route("GET", "attachments/{attachment_id}", Scope.CONVERSATION, Whose.NAMED)
    @Operation(ANYTHING, path=_OF_ATTACHMENT, media=("application/octet-stream", *PICTURES), errors=(404,))
    async def show(self, request: Request) -> Response:
        """An attached file: a picture as such, any other one to be saved."""
        attachment, path = await self.turns.attaching.shown(request.path_params["attachment_id"], caller_of(request))
        try:
            media_type, status = await asyncio.to_thread(_look_at, path, attachment.kind)
        except FileNotFoundError as error:  # it was taken away meanwhile
            raise unknown_attachment() from error
        disposition = "inline" if media_type.startswith("image/") else "attachment"
        return _SentFile(
            path,
            media_type=media_type,
            stat_result=status,
            filename=attachment.name,
            content_disposition_type=disposition,
            headers=_SHOWN_HEADERS,
        )

    @route("DELETE", "attachments/{attachment_id}", Scope.CONVERSATION, Whose.NAMED)
    @Operation(record({"withdrawn": one_of(True)}), path=_OF_ATTACHMENT, errors=(404,))
    async def withdraw(self, request: Request) -> Response:
        """Remove a file that no question has yet."""
        await self.turns.attaching.withdraw(request.path_params["attachment_id"], caller_of(request))
        return JSONResponse({"withdrawn": True})


def _look_at(path: Path, kind: Kind) -> tuple[str, os.stat_result]:
    """The media type to send the file with, and its size and time; raises FileNotFoundError."""
    with path.open("rb") as file:
        picture = read_picture(file.read(HEAD_BYTES)) if kind is Kind.IMAGE else None
        return picture.media_type if picture else "application/octet-stream", os.fstat(file.fileno())


class _SentFile(FileResponse):
    """A file that may be taken away just before it is sent: then the connection ends, which tells the client."""

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
        with contextlib.suppress(FileNotFoundError):
            await super().__call__(scope, receive, send)


@asynccontextmanager
async def _form(request: Request) -> AsyncIterator[UploadFile]:
    """Read a multipart form with one file, bounded in size and time; the file is gone after the block."""
    from starlette.datastructures import UploadFile  # noqa: PLC0415  # with python-multipart 10 ms, which few need
    from starlette.formparsers import MultiPartException, MultiPartParser  # noqa: PLC0415

    if "content-length" in request.headers and _length(request) > MAX_UPLOAD_BYTES:
        raise too_large()
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise errors.MalformedBody("the body is not a multipart form", hint=_FORM_HINT)
    try:
        parser = MultiPartParser(_without_charset(request), _bounded(request), max_files=1, max_fields=4)
        form = await parser.parse()
    except (MultiPartException, KeyError, ValueError) as error:
        raise errors.MalformedBody("the body is not a valid multipart form with one file", hint=_FORM_HINT) from error
    except OSError as error:
        raise errors.StorageFull("the disk for temporary files is full") from error
    try:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise errors.InvalidField("the form has no file in its field `file`")
        yield file
    finally:
        await form.close()


def _without_charset(request: Request) -> Headers:
    """The form's header with its boundary only. Starlette would decode names by any codec that a client names.

    Punycode takes quadratic time (256 KB: 22 s of the event loop). Browsers and curl name none, and send UTF-8.
    Raises KeyError without a boundary.
    """
    from python_multipart.multipart import parse_options_header  # noqa: PLC0415  # as above

    boundary = parse_options_header(request.headers["content-type"])[1][b"boundary"]
    quoted = boundary.replace(b"\\", rb"\\").replace(b'"', rb"\"")
    return Headers(raw=[(b"content-type", b'multipart/form-data; boundary="' + quoted + b'"')])


def _length(request: Request) -> float:
    """The length that the request states, in bytes; infinite if it states none."""
    length = request.headers.get("content-length", "")
    return int(length) if length.isdecimal() and len(length) < 16 else float("inf")


async def _bounded(request: Request) -> AsyncGenerator[bytes, None]:
    """The body's pieces; raises BadRequest for too many bytes, or when none comes for PATIENCE."""
    size, pieces, loop = 0, aiter(request.stream()), asyncio.get_running_loop()
    end = loop.time() + LONGEST_UPLOAD
    while True:
        try:
            async with asyncio.timeout_at(min(end, loop.time() + PATIENCE)):
                piece = await anext(pieces)
        except StopAsyncIteration:
            return
        except TimeoutError as error:
            raise errors.BadRequest("the file took too long to arrive", code="body_too_slow", status=408) from error
        size += len(piece)
        if size > MAX_UPLOAD_BYTES:
            raise too_large()
        yield piece
