"""The files of the page: each at an address with the version of them all, which browsers may keep, and packed."""

from __future__ import annotations

import functools
import gzip
import hashlib
import os
import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope as Connection

_PACKED = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
_LINE = r"(?:(?!\*/)[^\n])*"  # of a comment, without its end
_DOC_COMMENT = re.compile(
    rf"^[ \t]*/\*\*(?:{_LINE}|{_LINE}\n(?:[ \t]*\*(?!/){_LINE}\n)*[ \t]*)\*/[ \t]*$", re.MULTILINE
)
_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")


class StaticFilesByVersion(StaticFiles):
    """The static files, also at `~<version>/…`, where a browser asks for each once: the page has over a hundred.

    There they come packed. At their plain addresses they are as they are, and it asks on each use whether they have
    changed. The parts' own files, of the folders in `pages` by the part's name, are at `parts/<name>/page/…`.
    """

    def __init__(self, directory: Path, pages: Mapping[str, Path]) -> None:
        super().__init__(directory=directory)
        self._folders = [directory, *pages.values()]
        self._pages = {name: StaticFiles(directory=folder) for name, folder in pages.items()}
        self._version, self._looked_at = "", 0.0

    def version(self) -> str:
        """Return the version of the files, which changes with any of them; looked up once a second."""
        if time.monotonic() > self._looked_at + 1:
            paths = sorted(path for folder in self._folders for path in folder.rglob("*") if path.is_file())
            facts = [(str(path), status.st_size, status.st_mtime_ns) for path in paths if (status := path.stat())]
            self._version = hashlib.sha256(repr(facts).encode()).hexdigest()[:16]
            self._looked_at = time.monotonic()
        return self._version

    def get_path(self, scope: Connection) -> str:
        version, _, path = super().get_path(scope).partition("/")
        return path if version.startswith("~") else super().get_path(scope)

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        match path.split("/", 3):
            case ["parts", name, "page", rest] if name in self._pages:
                return self._pages[name].lookup_path(rest)
        return super().lookup_path(path)

    def file_response(self, full_path: Any, stat_result: Any, scope: Connection, status_code: int = 200) -> Response:
        is_current = super().get_path(scope).startswith(f"~{self.version()}/")
        path = Path(full_path)
        if is_current and path.suffix in _PACKED and _takes_gzip(scope):
            response: Response = PlainTextResponse(
                packed(path, self.version()), media_type=_PACKED[path.suffix], headers={"content-encoding": "gzip"}
            )
        else:
            response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["vary"] = (
            "Origin, Accept-Encoding"  # kept for one application's drawer, it must not serve another's
        )
        response.headers["cache-control"] = "max-age=31536000, immutable" if is_current else "no-cache"
        return response


def without_doc_comments(source: str) -> str:
    """Remove a script's JSDoc, a third of its packed size; every line keeps its number, for error messages."""
    return _DOC_COMMENT.sub(lambda match: "\n" * match[0].count("\n"), source)


@functools.lru_cache(maxsize=1_000)
def packed(path: Path, _version: str) -> bytes:
    """Return the file as gzip, our own script without its JSDoc; made once for each version of the files."""
    text = path.read_text("utf-8")
    is_own = path.suffix == ".js" and "vendor" not in path.parts  # a library's first comment is its licence
    return gzip.compress((without_doc_comments(text) if is_own else text).encode())


def _takes_gzip(scope: Connection) -> bool:
    return scope["method"] == "GET" and _GZIP.search(Headers(scope=scope).get("accept-encoding", "")) is not None
