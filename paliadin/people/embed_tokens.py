"""Tokens for the drawer in another application: short-lived, good for one origin and one person, and for little else.

A token says what it is for and is signed with a key made of the owner's token: nothing is stored, a new owner's token
ends them all.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from dataclasses import dataclass

LIFETIME = 600  # seconds; the drawer asks its host for a new one by itself


@dataclass(frozen=True, slots=True)
class Embedded:
    """Who may do what from where, as a token says."""

    origin: str
    person: str
    expires: int  # seconds since 1970


class EmbedTokens:
    def __init__(self, owner_token: str) -> None:
        self._key = hmac.digest(owner_token.encode(), b"paliadin embed", "sha256")

    def make(self, origin: str, person: str, now: float | None = None) -> str:
        expires = int(time.time() if now is None else now) + LIFETIME
        said = base64.urlsafe_b64encode(json.dumps([origin, person, expires]).encode()).decode()
        return f"{said}.{self._sign(said)}"

    def read(self, token: str, origin: str, now: float | None = None) -> Embedded | None:
        """What the token says; None if it is not ours, over, or another origin's."""
        said, _, signature = token.partition(".")
        if not hmac.compare_digest(signature.encode("utf-8", "surrogateescape"), self._sign(said).encode()):
            return None
        given, person, expires = json.loads(base64.urlsafe_b64decode(said).decode())
        if given != origin or expires <= (time.time() if now is None else now):
            return None
        return Embedded(given, person, expires)

    def _sign(self, said: str) -> str:
        return hmac.new(self._key, said.encode("utf-8", "surrogateescape"), hashlib.sha256).hexdigest()
