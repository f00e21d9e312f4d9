"""Encryption of tenants' secrets under the installation's keys, by Fernet (AES-128-CBC with HMAC-SHA256)."""

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
    """The port for sealing secrets.

    `keys`: returns the keys, newest first, each of at least 32 characters; ValueError for none or a shorter one. The
    first encrypts, all decrypt. It is called again before each encryption, and when no key decrypts a text: another
    process may have introduced a new one.
    """

    def __init__(self, keys: Callable[[], Sequence[str]]) -> None:
        self._keys = keys
        self._boxes = self._make_boxes()

    def seal(self, secret: str, purpose: str) -> str:
        self._boxes = self._make_boxes()  # never under a key that is about to be forgotten
        return self._boxes[0].encrypt(msgspec.json.encode((purpose, secret))).decode("ascii")

    def open(self, sealed: str, purpose: str) -> str:
        plain = self._try_open(sealed)
        if plain is None:
            self._boxes = self._make_boxes()
            plain = self._try_open(sealed)
        if plain is None:
            raise SecretUnreadable("sealed under a key that is not at hand, or damaged")
        sealed_for, secret = msgspec.json.decode(plain, type=tuple[str, str])
        if not hmac.compare_digest(sealed_for.encode(), purpose.encode()):
            raise SecretUnreadable("sealed for another purpose")
        return secret

    def current(self, sealed: str) -> bool:
        self._boxes = self._make_boxes()
        return self._try_open(sealed, self._boxes[:1]) is not None

    def _try_open(self, sealed: str, boxes: Sequence[Fernet] | None = None) -> bytes | None:
        for box in self._boxes if boxes is None else boxes:
            with suppress(InvalidToken):
                return box.decrypt(sealed.encode("utf-8", "replace"))
        return None

    def _make_boxes(self) -> list[Fernet]:
        keys = self._keys()
        if not keys or any(len(key) < MIN_KEY_CHARACTERS for key in keys):
            raise ValueError(f"the keys that secrets are sealed with need at least {MIN_KEY_CHARACTERS} characters")
        return [Fernet(_derive_key(key)) for key in keys]


def _derive_key(key: str) -> bytes:
    """A Fernet key derived from one of ours, which has enough entropy to need no slow derivation."""
    return base64.urlsafe_b64encode(hashlib.sha256(b"contentgen sealing 1\0" + key.encode()).digest())
