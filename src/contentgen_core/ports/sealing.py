"""Secrets of tenants, encrypted before they are stored."""

from __future__ import annotations

from typing import Protocol


class SecretUnreadable(Exception):
    """Sealed under a key that is not at hand, for another purpose, or damaged."""


class SecretBox(Protocol):
    """`purpose` binds a sealed text to where it belongs (a tenant's integration): moved elsewhere it does not open."""

    def seal(self, secret: str, purpose: str) -> str: ...

    def open(self, sealed: str, purpose: str) -> str:
        """Raises SecretUnreadable."""
        ...

    def current(self, sealed: str) -> bool:
        """Whether it is sealed under the newest key."""
        ...
