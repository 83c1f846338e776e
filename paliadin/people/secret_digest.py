"""The hash that is stored in place of a secret."""

from __future__ import annotations

import hashlib


def digest_of(secret: str) -> str:
    """Return a secret's hash. A plain one is enough, since the secret is random."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
