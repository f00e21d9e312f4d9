"""The state that a browser keeps while a person is at the provider, signed by itsdangerous."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

from itsdangerous import BadData, URLSafeTimedSerializer

from contentgen_core.ports.open_id import OpenIdRequest

SECONDS: Final = 600
"""A person has this long to sign in at the provider."""
_BYTES: Final = 32
_PURPOSE: Final = b"\0sign-in by OpenID Connect"
"""The NUL keeps it apart from API keys, digested with the same secret."""


class SignedOpenIdRequests:
    """Signed sign-in requests. `secret`: of the installation."""

    def __init__(self, secret: bytes) -> None:
        self._serializer = URLSafeTimedSerializer(
            hmac.digest(secret, _PURPOSE, "sha256"),
            salt=b"open-id",
            signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256},
        )

    def begin(self, back: str) -> OpenIdRequest:
        state, nonce, verifier = (secrets.token_urlsafe(_BYTES) for _ in range(3))
        return OpenIdRequest(state, nonce, verifier, back)

    def sign(self, request: OpenIdRequest) -> str:
        text = self._serializer.dumps([request.state, request.nonce, request.verifier, request.back])
        return text if isinstance(text, str) else text.decode("ascii")

    def read(self, text: str) -> OpenIdRequest | None:
        try:
            state, nonce, verifier, back = self._serializer.loads(text, max_age=SECONDS)
        except (BadData, UnicodeError):
            return None
        return OpenIdRequest(state, nonce, verifier, back)
