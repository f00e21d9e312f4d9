"""Secrets encrypted under keys of the installation: AES-128-CBC with HMAC-SHA256, as Fernet puts them together."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Sequence

import msgspec
from cryptography.fernet import Fernet, InvalidToken

from contentgen_core.ports.sealing import SecretUnreadable

MIN_KEY_CHARACTERS = 32


class FernetBox:
    """`keys`: texts of at least 32 characters, newest first. The first seals; all of them open."""

    def __init__(self, keys: Sequence[str]) -> None:
        """Raises ValueError without a key, or for one that is too short."""
        if not keys or any(len(key) < MIN_KEY_CHARACTERS for key in keys):
            raise ValueError(f"the keys that secrets are sealed with need at least {MIN_KEY_CHARACTERS} characters")
        self._boxes = [Fernet(_derived(key)) for key in keys]

    def seal(self, secret: str, purpose: str) -> str:
        return self._boxes[0].encrypt(msgspec.json.encode((purpose, secret))).decode("ascii")

    def open(self, sealed: str, purpose: str) -> str:
        for box in self._boxes:
            try:
                plain = box.decrypt(sealed.encode("utf-8", "replace"))
            except InvalidToken:
                continue
            sealed_for, secret = msgspec.json.decode(plain, type=tuple[str, str])
            if not hmac.compare_digest(sealed_for.encode(), purpose.encode()):
                raise SecretUnreadable("sealed for another purpose")
            return secret
        raise SecretUnreadable("sealed under a key that is not at hand, or damaged")

    def current(self, sealed: str) -> bool:
        try:
            self._boxes[0].decrypt(sealed.encode("utf-8", "replace"))
        except InvalidToken:
            return False
        return True


def _derived(key: str) -> bytes:
    """A key has entropy enough by itself; this only gives it Fernet's form, and a use of its own."""
    return base64.urlsafe_b64encode(hashlib.sha256(b"contentgen sealing 1\0" + key.encode()).digest())
