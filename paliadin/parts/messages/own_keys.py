"""People's own keys for the Messages API: kept in the database, sealed with a secret that is in the state folder.

Whoever has only one of both has no key. A sealed key says whose it is: put into another person's row, it opens nothing.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from paliadin.base.errors import ConfigError, OwnKeyRefused
from paliadin.base.secret_file import make_secret, read_secret
from paliadin.people.person_key import PersonKey
from paliadin.record.snapshot import Row

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

FILE = "own_keys.secret"
"""The file of the secret, in the state folder. It is made with the first key."""


class KeyStore(Protocol):
    """The store's methods that `OwnKeys` uses."""

    async def own_key(self, person: str) -> Row | None: ...
    async def save_own_key(self, person: str, sealed: str) -> None: ...
    async def remove_own_key(self, person: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class OwnKeys:
    """The keys of everybody at this daemon, by `PersonKey.as_text`. Every method raises StoreUnavailable."""

    store: KeyStore
    home: Path

    async def saved_at(self, person: PersonKey) -> datetime | None:
        """Return since when there is a key of theirs; None without one."""
        row = await self.store.own_key(person.as_text)
        return row["saved_at"] if row else None

    async def of(self, person: PersonKey) -> str | None:
        """Return their key, None without one; raises OwnKeyRefused for one that can no longer be opened."""
        row = await self.store.own_key(person.as_text)
        # The first one loads the library, which takes a moment.
        return await asyncio.to_thread(self._opened, person.as_text, row["sealed"]) if row else None

    async def save(self, person: PersonKey, key: str) -> None:
        """Keep a key of theirs in place of an earlier one; raises StorageFull, ConfigError for a damaged secret."""
        fernet = await asyncio.to_thread(self._fernet, make=True)
        await self.store.save_own_key(person.as_text, fernet.encrypt(_joined(person.as_text, key)).decode())

    async def remove(self, person: PersonKey) -> bool:
        """Remove their key; return whether there was one."""
        return await self.store.remove_own_key(person.as_text)

    def _opened(self, person: str, sealed: str) -> str:
        from cryptography.fernet import InvalidToken  # noqa: PLC0415  # an extra's, and few have a key

        try:
            whose, _, key = self._fernet().decrypt(sealed).decode().rpartition("\n")
        except (InvalidToken, FileNotFoundError, ConfigError):
            raise OwnKeyRefused("the key that is kept for you cannot be opened any more") from None
        if whose != person:
            raise OwnKeyRefused("the key that is kept for you is somebody else's")
        return key

    def _fernet(self, *, make: bool = False) -> Fernet:
        from cryptography.fernet import Fernet  # noqa: PLC0415

        path = self.home / FILE
        try:
            return Fernet(make_secret(path) if make else read_secret(path))
        except ValueError as error:
            raise ConfigError(
                f"{path} is damaged", hint=f"Put the file back from a backup, or delete {path}: keys are entered again."
            ) from error


def _joined(person: str, key: str) -> bytes:
    """Return the text that is sealed. A key has no line break, so it begins behind the last one."""
    return f"{person}\n{key}".encode()
