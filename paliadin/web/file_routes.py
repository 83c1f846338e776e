"""The HTTP routes of the files in Claude's working folder: to pick from, to look at; the owner's only.

They show files for a conversation of the owner's on this machine. One on another host has its files there, and a
member's has none.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.files.listing import FileList
from paliadin.files.matching import LONGEST_QUERY, Match
from paliadin.files.shown_file import look_at, open_picture
from paliadin.files.text_window import TextWindow, read_window
from paliadin.files.working_folder import WorkingFolder
from paliadin.people.caller import Scope
from paliadin.turns.lifecycle import Turns
from paliadin.web.body import parse_number, read_object
from paliadin.web.file_response import PICTURE_HEADERS, PICTURE_TYPES, PictureResponse
from paliadin.web.paths import API
from paliadin.web.peer_daemons import Peers
from paliadin.web.scoped_routes import Declared, ScopedRoute, caller_of

MOST_MATCHES = 50  # in one response
MOST_CHECKED = 100  # paths in one request
AT_ONCE = 4  # readings of files; a folder on a disk that hangs holds as many threads

Result = TypeVar("Result")


@dataclass
class FileRoutes:
    """The handlers of /files. Requests for a peer's session are forwarded to it."""

    settings: Settings
    turns: Turns
    peers: Peers

    def routes(self) -> list[Declared]:
        """The routes to mount."""
        return [
            ScopedRoute(f"{API}/files", self.search, scope=Scope.OWNER),
            ScopedRoute(f"{API}/files/check", self.check, scope=Scope.OWNER, methods=["POST"]),
            ScopedRoute(f"{API}/files/text", self.show_text, scope=Scope.OWNER),
            ScopedRoute(f"{API}/files/content", self.show_picture, scope=Scope.OWNER),
        ]

    @cached_property
    def _folder(self) -> WorkingFolder:
        return WorkingFolder(self.settings.workdir, self.settings.own_paths)

    @cached_property
    def _list(self) -> FileList:
        return FileList(self._folder)

    @cached_property
    def _reading(self) -> asyncio.Semaphore:
        return asyncio.Semaphore(AT_ONCE)

    async def search(self, request: Request) -> Response:
        """The files and folders that match the letters best."""
        if peer := await self._peer(request):
            return await self.peers.forward(peer, request)
        query = request.query_params.get("q", "")
        if len(query) > LONGEST_QUERY:
            raise errors.InvalidField(f"q must have at most {LONGEST_QUERY} characters")
        index = await self._list.index()
        matches = await self._read(lambda: index.search(query, MOST_MATCHES))
        if not matches and (newer := await self._list.newer()):
            index, matches = newer, await self._read(lambda: newer.search(query, MOST_MATCHES))
        return JSONResponse({"files": [_match(each) for each in matches], "total": len(index.entries)})

    async def check(self, request: Request) -> Response:
        """Of each path, what can be shown of it: null for what is missing, outside, or no file."""
        body = await read_object(request)
        if peer := await self._peer(request, body.get("session_id", "main")):
            return await self.peers.forward(peer, request, json.dumps(body).encode())
        paths = body.get("paths")
        if not isinstance(paths, list) or len(paths) > MOST_CHECKED or not all(isinstance(path, str) for path in paths):
            raise errors.InvalidField(f"paths must be a list of at most {MOST_CHECKED} strings")
        return JSONResponse({"files": await self._read(lambda: [self._describe(path) for path in paths])})

    async def show_text(self, request: Request) -> Response:
        """Lines of a text file."""
        if peer := await self._peer(request):
            return await self.peers.forward(peer, request)
        query = request.query_params
        path = self._folder.relative(query.get("path", ""))
        first = max(parse_number(query.get("first", "1")), 1)
        last = parse_number(query.get("last", "1000"))

        def read() -> TextWindow:
            with self._folder.open_file(path) as file:
                return read_window(file, first, last)

        window = await self._read(read)
        lines = [{"text": text, "left_out": left_out} for text, left_out in window.lines]
        return JSONResponse({"path": path, "first": window.first, "lines": lines, "total": window.total})

    async def show_picture(self, request: Request) -> Response:
        """A picture, as the bytes of its file."""
        if peer := await self._peer(request):
            response = await self.peers.forward(peer, request)
            if response.status_code == 200 and response.headers.get("content-type") not in PICTURE_TYPES:
                raise errors.RelayUnreachable(f"the daemon {peer} sends something else than a picture")
            response.headers.update(PICTURE_HEADERS)
            return response
        path = self._folder.relative(request.query_params.get("path", ""))
        return PictureResponse(*await self._read(lambda: open_picture(self._folder, path)), path)

    def _describe(self, path: str) -> dict[str, Any] | None:
        """What the page has to know of a file before it shows it."""
        try:
            path = self._folder.relative(path)
            shown = look_at(self._folder, path)
        except errors.PaliadinError:
            return None
        picture = shown.picture
        size = {"width": picture.width, "height": picture.height} if picture else {}
        return {"path": path, "kind": shown.kind, "version": shown.version, **size}

    async def _peer(self, request: Request, session: object = None) -> str | None:
        """The peer that has the session; None when its files are here. Raises NotFound when they are neither."""
        session = request.query_params.get("session_id", "main") if session is None else session
        if peer := await self.peers.find_by_session(request, session):
            return peer
        name = self.turns.conversations.resolve(session, caller_of(request))
        if self.settings.names.short(name) is None or self.turns.conversations.get(name).person:
            raise errors.NotFound(
                "this conversation's Claude does not work in the folder of this machine",
                code="files_elsewhere",
                hint="Name the file in your question.",
            )
        return None

    async def _read(self, work: Callable[[], Result]) -> Result:
        async with self._reading:
            return await asyncio.to_thread(work)


def _match(match: Match) -> dict[str, Any]:
    entry = match.entry
    return {"path": entry.path, "ignored": entry.ignored, "marks": list(match.marks), "obstacle": entry.obstacle}
