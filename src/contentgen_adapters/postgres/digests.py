"""Digests of texts that are too long for an index."""

from __future__ import annotations

import hashlib


def digest(text: str) -> bytes:
    """SHA-256 of any text, also of one that PostgreSQL could not store (which then finds nothing)."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
