"""The HTTP routes of the files in Claude's working folder: to pick from, to look at; the owner's only.

They show files for a conversation of the owner's on this machine. One on another host has its files there, and a
member's has none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.files.attachable import Obstacle
from paliadin.files.listing import FileList
from paliadin.files.matching import LONGEST_QUERY, Match
from paliadin.files.shown_file import Kind, look_at, open_picture
from paliadin.files.text_window import TextWindow, read_window
from paliadin.files.working_folder import MAX_PATH, WorkingFolder
from paliadin.people.caller import Scope
from paliadin.turns.lifecycle import Turns
from paliadin.web.body import parse_number, read_object
from paliadin.web.file_response import PICTURE_HEADERS, PictureResponse
from paliadin.web.openapi.schema import ANYTHING, BOOL, DIGITS, TEXT, WHOLE, array, nullable, one_of, record
from paliadin.web.route_declaration import OF_SESSION, PICTURES, SESSION_IN_BODY, SESSION_IN_QUERY, Operation, route
from paliadin.web.scoped_routes import session_of

MOST_MATCHES = 50  # in one response
MOST_CHECKED = 100  # paths in one request
AT_ONCE = 4  # readings of files; a folder on a disk that hangs holds as many threads

_PATH = {**TEXT, "minLength": 1, "maxLength": MAX_PATH}
_DESCRIBED = record({"path": TEXT, "kind": one_of(*map(str, Kind)), "version": TEXT}, {"width": WHOLE, "height": WHOLE})
_OBSTACLE = nullable(one_of(*map(str, Obstacle)))
_FOUND = record({"path": TEXT, "ignored": BOOL, "marks": array(WHOLE), "obstacle": _OBSTACLE})
_LINE = record({"text": TEXT, "left_out": WHOLE})

Result = TypeVar("Result")


@dataclass
class FileRoutes:
    """The handlers of /files."""

    settings: Settings
    turns: Turns

    @cached_property
    def _folder(self) -> WorkingFolder:
        return WorkingFolder(self.settings.workdir, self.settings.own_paths)

    @cached_property
    def _list(self) -> FileList:
        return FileList(self._folder)

    @cached_property
    def _reading_slots(self) -> asyncio.Semaphore:
        return asyncio.Semaphore(AT_ONCE)

    @route("GET", "files", Scope.OWNER, SESSION_IN_QUERY)
    @Operation(
        record({"files": array(_FOUND), "total": WHOLE}),
        query={"q": {**TEXT, "maxLength": LONGEST_QUERY}},
        errors=(404, 422, 503),
    )
    async def search(self, request: Request) -> Response:
        """The files and folders of Claude's folder that match the letters `q` best; `marks` are the numbers of the
        characters of `path` that match, `total` is how many there are. With an `obstacle` a question cannot name the
        file, and `path` is what may be shown of its name.
        """
        self._check_place(request)
        query = request.query_params.get("q", "")
        if len(query) > LONGEST_QUERY:
            raise errors.InvalidField(f"q must have at most {LONGEST_QUERY} characters")
        index = await self._list.index()
        matches = await self._read(lambda: index.search(query, MOST_MATCHES))
        if not matches and (newer := await self._list.newer()):
            index, matches = newer, await self._read(lambda: newer.search(query, MOST_MATCHES))
        return JSONResponse({"files": [_match(each) for each in matches], "total": len(index.entries)})

    @route("POST", "files/check", Scope.OWNER, SESSION_IN_BODY)
    @Operation(
        record({"files": array(nullable(_DESCRIBED))}),
        body=record({"paths": {**array(TEXT), "maxItems": MOST_CHECKED}}, OF_SESSION),
        errors=(404, 422, 503),
    )
    async def check(self, request: Request) -> Response:
        """The kind of the file at each path; null for one that is not there, or not in Claude's folder."""
        self._check_place(request)
        paths = (await read_object(request)).get("paths")
        if not isinstance(paths, list) or len(paths) > MOST_CHECKED or not all(isinstance(path, str) for path in paths):
            raise errors.InvalidField(f"paths must be a list of at most {MOST_CHECKED} strings")
        return JSONResponse({"files": await self._read(lambda: [self._describe(path) for path in paths])})

    @route("GET", "files/text", Scope.OWNER, SESSION_IN_QUERY)
    @Operation(
        record({"path": TEXT, "first": WHOLE, "lines": array(_LINE)} | {"total": nullable(WHOLE)}),
        query={"path": _PATH, "first": DIGITS, "last": DIGITS},
        errors=(404, 422, 503),
    )
    async def show_text(self, request: Request) -> Response:
        """Lines of a text file, from `first` to `last`; of each, how many bytes are left out at its end. `total`: the
        number of all lines, null for a file that is too large to count them.
        """
        self._check_place(request)
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

    @route("GET", "files/content", Scope.OWNER, replace(SESSION_IN_QUERY, headers=PICTURE_HEADERS))
    @Operation(ANYTHING, query={"path": _PATH}, errors=(404, 413, 422, 503), media=PICTURES)
    async def show_picture(self, request: Request) -> Response:
        """A picture."""
        self._check_place(request)
        path = self._folder.relative(request.query_params.get("path", ""))
        return PictureResponse(*await self._read(lambda: open_picture(self._folder, path)), path)

    def _describe(self, path: str) -> dict[str, Any] | None:
        """Describe a file to the page, before it shows it; None if it cannot be shown."""
        try:
            path = self._folder.relative(path)
            file = look_at(self._folder, path)
        except errors.PaliadinError:
            return None
        picture = file.picture
        size = {"width": picture.width, "height": picture.height} if picture else {}
        return {"path": path, "kind": file.kind, "version": file.version, **size}

    def _check_place(self, request: Request) -> None:
        """Raise NotFound when the session's files are not on this machine."""
        name = session_of(request)
        if self.settings.names.short(name) is None or self.turns.conversations.get(name).person:
            raise errors.NotFound(
                "this conversation's Claude does not work in the folder of this machine",
                code="files_elsewhere",
                hint="Name the file in your question.",
            )

    async def _read(self, work: Callable[[], Result]) -> Result:
        async with self._reading_slots:
            return await asyncio.to_thread(work)


def _match(match: Match) -> dict[str, Any]:
    entry = match.entry
    return {"path": entry.path, "ignored": entry.ignored, "marks": list(match.marks), "obstacle": entry.obstacle}
