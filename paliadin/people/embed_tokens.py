"""Tokens for the drawer in another application: short-lived, and valid for one origin and one person only.

A token holds its own contents, signed with a key that only this process has: nothing is stored, and a restart of the
daemon makes all of them invalid. The drawer then requests a new one. docs/embedding.md lists what a token opens.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from dataclasses import dataclass

LIFETIME = 600  # seconds; the drawer gets a new one from its application by itself


@dataclass(frozen=True, slots=True)
class EmbedGrant:
    """The contents of a valid token: which person may use the drawer on which origin, and until when."""

    origin: str
    person: str
    expires: int  # seconds since 1970


class EmbedTokens:
    """Issues and verifies tokens; those of another instance are not valid here."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def issue(self, origin: str, person: str, now: float | None = None) -> str:
        """Make a token that is valid for LIFETIME seconds from `now` (seconds since 1970; default: the clock)."""
        expires = int(time.time() if now is None else now) + LIFETIME
        contents = base64.urlsafe_b64encode(json.dumps([origin, person, expires]).encode()).decode()
        return f"{contents}.{self._sign(contents)}"

    def verify(self, token: str, origin: str, now: float | None = None) -> EmbedGrant | None:
        """Return the token's contents; None if it has a wrong signature, has expired, or is for another origin."""
        contents, _, signature = token.partition(".")
        if not hmac.compare_digest(signature.encode("utf-8", "surrogateescape"), self._sign(contents).encode()):
            return None
        valid_for, person, expires = json.loads(base64.urlsafe_b64decode(contents).decode())
        if valid_for != origin or expires <= (time.time() if now is None else now):
            return None
        return EmbedGrant(origin, person, expires)

    def _sign(self, contents: str) -> str:
        return hmac.new(self._key, contents.encode("utf-8", "surrogateescape"), hashlib.sha256).hexdigest()
