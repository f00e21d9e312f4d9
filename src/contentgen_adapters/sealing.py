"""Secrets encrypted under keys of the installation: AES-128-CBC with HMAC-SHA256, as Fernet puts them together."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec
from cryptography.fernet import Fernet, InvalidToken

from contentgen_core.ports.sealing import SecretUnreadable

MIN_KEY_CHARACTERS = 32


class FernetBox:
    """`keys`: gives texts of at least 32 characters, newest first. The first seals; all of them open. They are asked
    for again when none opens a text: another process may have begun to seal under a new one."""

    def __init__(self, keys: Callable[[], Sequence[str]]) -> None:
        """Raises ValueError without a key, or for one that is too short."""
        self._keys = keys
        self._boxes = self._made()

    def seal(self, secret: str, purpose: str) -> str:
        return self._boxes[0].encrypt(msgspec.json.encode((purpose, secret))).decode("ascii")

    def open(self, sealed: str, purpose: str) -> str:
        plain = self._opened(sealed)
        if plain is None:
            self._boxes = self._made()
            plain = self._opened(sealed)
        if plain is None:
            raise SecretUnreadable("sealed under a key that is not at hand, or damaged")
        sealed_for, secret = msgspec.json.decode(plain, type=tuple[str, str])
        if not hmac.compare_digest(sealed_for.encode(), purpose.encode()):
            raise SecretUnreadable("sealed for another purpose")
        return secret

    def current(self, sealed: str) -> bool:
        return self._opened(sealed, self._boxes[:1]) is not None

    def _opened(self, sealed: str, boxes: Sequence[Fernet] | None = None) -> bytes | None:
        for box in self._boxes if boxes is None else boxes:
            with suppress(InvalidToken):
                return box.decrypt(sealed.encode("utf-8", "replace"))
        return None

    def _made(self) -> list[Fernet]:
        keys = self._keys()
        if not keys or any(len(key) < MIN_KEY_CHARACTERS for key in keys):
            raise ValueError(f"the keys that secrets are sealed with need at least {MIN_KEY_CHARACTERS} characters")
        return [Fernet(_derived(key)) for key in keys]


def _derived(key: str) -> bytes:
    """A key has entropy enough by itself; this only gives it Fernet's form, and a use of its own."""
    return base64.urlsafe_b64encode(hashlib.sha256(b"contentgen sealing 1\0" + key.encode()).digest())
