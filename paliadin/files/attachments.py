"""The files that a person attaches to a question, in a folder of their own, where Claude may read them.

<attachments>/<id>.json        its entry; a file without one was never received completely
<attachments>/<id>/<name>      the file, under a name that Claude Code understands behind `@`
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import BinaryIO

from paliadin.base.errors import BadRequest, InvalidField, NotFound, PaliadinError
from paliadin.base.files import make_private_folder, storage_error, write_json
from paliadin.base.strict_json import JsonObject, parse_json
from paliadin.files.attachment_names import LONGEST_NAME, check_name, file_name
from paliadin.files.content import Kind, check_content

MAX_BYTES = 20 * 1024 * 1024  # of one file
MAX_FILES = 10  # of one question
MOST_UNSENT = 100  # files of one person that no question has yet
UNSENT_SECONDS = 24 * 3600.0  # after which a file is removed that no question has
MAX_EMBEDDED = 256 * 1024  # bytes; above, Claude Code silently leaves out a file that is named behind `@`
_APPENDING = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_CHUNK = 1024 * 1024  # bytes
_ID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Attachment:
    """One attached file. `bytes` is its size, `digest` its SHA-256, `turn_id` the turn that has it; "" for none yet."""

    id: str
    name: str
    bytes: int
    kind: Kind
    digest: str
    person: str = ""
    turn_id: str = ""

    @classmethod
    def parse(cls, value: object) -> Attachment:
        """Parse the result of `as_json`; raises InvalidField for anything else."""
        values = {field.name: value.get(field.name) for field in fields(cls)} if isinstance(value, Mapping) else {}
        texts = all(isinstance(values.get(name), str) for name in ("id", "name", "digest"))
        size, kind = values.get("bytes"), values.get("kind")
        if not texts or type(size) is not int or not 0 <= size <= MAX_BYTES or kind not in tuple(Kind):
            raise InvalidField("an attachment is not described as it should be")
        if not _ID.fullmatch(str(values["id"])) or len(str(values["name"])) > LONGEST_NAME:
            raise InvalidField("an attachment has no id, or too long a name")
        owners = {name: str(values[name] or "") for name in ("person", "turn_id")}
        return cls(str(values["id"]), str(values["name"]), size, Kind(kind), str(values["digest"]), **owners)

    def as_json(self) -> JsonObject:
        """Return the attachment as its entry has it."""
        return asdict(self)

    @property
    def described(self) -> JsonObject:
        """Return the attachment for a turn's description and for clients."""
        return {"id": self.id, "name": self.name, "bytes": self.bytes, "kind": self.kind, "digest": self.digest}

    @property
    def is_embedded(self) -> bool:
        """True if Claude Code puts the content into the request by itself, so that no tool has to read it."""
        return self.kind in {Kind.IMAGE, Kind.TEXT} and self.bytes <= MAX_EMBEDDED

    @property
    def file_name(self) -> str:
        """The name on disk: nothing in it ends a quoted `@"path"`, or is special in a rule or a terminal."""
        return file_name(self.name)


class Attachments:
    """The attached files in one folder, which is made with the first of them. Methods block on the disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, attachment: Attachment) -> Path:
        """Return the path of the file."""
        return self._folder / attachment.id / attachment.file_name

    def add(self, name: str, source: BinaryIO, person: str) -> Attachment:
        """Store a person's file; raises BadRequest for a file that cannot be attached, and StorageFull."""
        name = check_name(name)
        self._check_unsent(person, 0)
        return self._put(Attachment(secrets.token_hex(16), name, 0, Kind.OTHER, "", person), source)

    def put(self, attachment: Attachment, source: BinaryIO) -> None:
        """Store a file that another daemon describes; raises BadRequest if it differs from the description."""
        put = self._put(attachment, source)
        if put.digest != attachment.digest:
            self.remove([attachment.id])
            raise BadRequest("the file that arrived is not the one that was described", code="attachment_damaged")

    def receive(self, attachment: Attachment, at: int, data: bytes) -> int:
        """Store bytes from `at` on of a file that another daemon describes; returns how many of its bytes are here.

        Bytes that would leave a gap are ignored. Raises BadRequest, StorageFull.
        """
        with contextlib.suppress(NotFound):
            return self.get(attachment.id).bytes
        make_private_folder(self._folder)
        part = self._folder / f"{attachment.id}.part"
        size = part.stat().st_size if part.exists() else 0
        if at != size or not data:
            return size
        if not size:
            self._check_unsent(attachment.person, sum(1 for _ in self._folder.glob("*.part")))
        if size + len(data) > attachment.bytes:
            raise BadRequest("more bytes arrived than the file has", code="attachment_damaged")
        try:
            with os.fdopen(os.open(part, _APPENDING, 0o600), "ab") as file:
                file.write(data)
        except OSError as error:
            raise storage_error(error, part) from error
        if size + len(data) == attachment.bytes:
            with part.open("rb") as file:
                part.unlink()
                self.put(attachment, file)
        return size + len(data)

    def _check_unsent(self, person: str, parts: int) -> None:
        """Raise BadRequest when too many files of a person's wait for their questions, incomplete ones included."""
        recent = self._all(time.time() - UNSENT_SECONDS)  # of thousands: older ones are swept, or a question's
        if parts + sum(each.person == person and not each.turn_id for each in recent) >= MOST_UNSENT:
            raise BadRequest(
                f"{MOST_UNSENT} files wait already for their questions",
                code="too_many_attachments",
                status=409,
                hint="Send some of them, or take some away.",
            )

    def _put(self, attachment: Attachment, source: BinaryIO) -> Attachment:
        """Write the file, then its entry."""
        make_private_folder(self._folder)
        folder = self._folder / attachment.id
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            size, digest = _write(self.path(attachment), source)
            kind = check_content(self.path(attachment), attachment.name)
            attachment = replace(attachment, bytes=size, kind=kind, digest=digest)
            write_json(self._entry(attachment.id), attachment.as_json())
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise storage_error(error, folder) from error
        except PaliadinError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return attachment

    def get(self, attachment_id: object) -> Attachment:
        """Return a file's entry; raises NotFound."""
        if isinstance(attachment_id, str) and _ID.fullmatch(attachment_id):
            with contextlib.suppress(OSError, ValueError, InvalidField):
                attachment = Attachment.parse(parse_json(self._entry(attachment_id).read_text("utf-8")))
                if self.path(attachment).is_file():
                    return attachment
        raise unknown_attachment()

    def claim(self, attachments: Collection[Attachment], turn_id: str) -> None:
        """Note that these files belong to a turn now; raises StorageFull."""
        for each in attachments:
            write_json(self._entry(each.id), replace(each, turn_id=turn_id).as_json())

    def copy(self, attachment: Attachment, person: str) -> Attachment:
        """Attach a turn's file once more, for another turn; the copy takes no space."""
        copied = replace(attachment, id=secrets.token_hex(16), person=person, turn_id="")
        try:
            (self._folder / copied.id).mkdir(mode=0o700)
            os.link(self.path(attachment), self.path(copied))
            write_json(self._entry(copied.id), copied.as_json())
        except FileNotFoundError as error:  # it was taken away meanwhile
            self.remove([copied.id])
            raise unknown_attachment() from error
        except OSError as error:
            self.remove([copied.id])
            raise storage_error(error, self._folder) from error
        return copied

    def remove(self, ids: Collection[str]) -> None:
        """Remove these files; one that is gone is no error."""
        for each in filter(_ID.fullmatch, ids):
            self._entry(each).unlink(missing_ok=True)  # first: what has no entry is swept away
            (self._folder / f"{each}.part").unlink(missing_ok=True)
            shutil.rmtree(self._folder / each, ignore_errors=True)

    def discard(self, attachment_id: str) -> None:
        """Remove a file that belongs to no turn, or its incomplete part."""
        with contextlib.suppress(NotFound):
            if self.get(attachment_id).turn_id:
                return
        self.remove([attachment_id])

    def sweep(self, is_needed: Callable[[Attachment], bool], now: float | None = None) -> int:
        """Remove unneeded files that are older than a day, and remains of others.

        Returns how many files were removed.
        """
        oldest, removed = (time.time() if now is None else now) - UNSENT_SECONDS, 0
        attachments = {each.id: each for each in self._all()}
        for path in self._folder.iterdir() if self._folder.is_dir() else ():
            ident = path.stem
            attachment = attachments.get(ident)
            if not _ID.fullmatch(ident) or (attachment and path.suffix == ".json"):
                continue
            with contextlib.suppress(FileNotFoundError):
                if path.stat().st_mtime < oldest and not (attachment and is_needed(attachment)):
                    self.remove([ident])
                    removed += 1
        return removed

    def _entry(self, attachment_id: str) -> Path:
        return self._folder / f"{attachment_id}.json"

    def _all(self, newer_than: float = 0.0) -> list[Attachment]:
        """Yield all files, or those whose entry was written after a time, in seconds since 1970."""
        attachments = []
        for path in self._folder.glob("*.json"):
            with contextlib.suppress(NotFound, FileNotFoundError):
                if path.stat().st_mtime > newer_than:
                    attachments.append(self.get(path.stem))
        return attachments


def _write(path: Path, source: BinaryIO) -> tuple[int, str]:
    """Write the content of `source`; returns (bytes, SHA-256). Raises BadRequest for more than MAX_BYTES."""
    size, digest = 0, hashlib.sha256()
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        while chunk := source.read(_CHUNK):
            size += len(chunk)
            if size > MAX_BYTES:
                raise too_large()
            digest.update(chunk)
            file.write(chunk)
    return size, digest.hexdigest()


def unknown_attachment() -> NotFound:
    """Build the error for a file that does not exist, or that the caller may not see."""
    return NotFound(
        "there is no attached file with this id",
        code="unknown_attachment",
        hint="It was removed with its turn, or never sent: attach it again.",
    )


def too_large() -> BadRequest:
    """Build the error for a file of more than MAX_BYTES."""
    return BadRequest(
        f"the file is larger than {MAX_BYTES // 1024 // 1024} MB",
        code="attachment_too_large",
        status=413,
        hint="Put it into the folder that Claude works in, and name it there with `@`.",
    )


def check_ids(value: object) -> list[str]:
    """Return the field `attachments` of a request: ids, each once; raises InvalidField."""
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(each, str) and len(each) == 32 for each in value):
        raise InvalidField("attachments must be a list of ids")
    if len(value) > MAX_FILES:
        raise InvalidField(
            f"a question takes at most {MAX_FILES} files",
            code="too_many_attachments",
            hint="Send the others with another question.",
        )
    return list(dict.fromkeys(value))
