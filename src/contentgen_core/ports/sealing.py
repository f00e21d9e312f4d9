"""Encryption of tenants' secrets before they are stored."""

from __future__ import annotations

from typing import Protocol


class SecretUnreadable(Exception):
    """Encrypted under a missing key or for another purpose, or damaged."""


class SecretBox(Protocol):
    """`purpose` binds a sealed text to its place (a tenant's integration): for another purpose it does not open."""

    def seal(self, secret: str, purpose: str) -> str:
        """Encrypt a secret under the newest key."""

    def open(self, sealed: str, purpose: str) -> str:
        """Raises SecretUnreadable."""
        ...

    def current(self, sealed: str) -> bool:
        """Whether it is encrypted under the newest key."""
        ...
