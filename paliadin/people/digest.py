"""What is stored of a secret: its hash."""

from __future__ import annotations

import hashlib


def digest_of(secret: str) -> str:
    """The hash that is stored. A plain one is enough, since what is hashed is random."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
