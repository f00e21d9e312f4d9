"""Tokens of invitation links, signed with itsdangerous."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import UTC, datetime
from typing import Final

from itsdangerous import BadData, URLSafeSerializer

from contentgen_core.model.ids import InvitationId, TenantId
from contentgen_core.ports.mail import InvitationClaim

NONCE_BYTES: Final = 16
# A name of the key's purpose; with a NUL, so that no client can have it hashed as if it were an API key.
_PURPOSE: Final = b"\0invitation links"


class SignedTokens:
    """What a token says can be read by whoever has it, and changed by nobody without the service's secret."""

    def __init__(self, secret: bytes) -> None:
        self._serializer = URLSafeSerializer(
            hmac.digest(secret, _PURPOSE, "sha256"),
            salt=b"invitation",
            signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256},
        )

    def new_nonce(self) -> str:
        return secrets.token_urlsafe(NONCE_BYTES)

    def sign(self, claim: InvitationClaim) -> str:
        payload = [claim.tenant_id, claim.invitation_id, claim.nonce, claim.expires_at.timestamp()]
        token = self._serializer.dumps(payload)
        return token if isinstance(token, str) else token.decode("ascii")

    def read(self, token: str) -> InvitationClaim | None:
        try:
            tenant_id, invitation_id, nonce, expires_at = self._serializer.loads(token)
        except (BadData, UnicodeError):
            return None
        expires = datetime.fromtimestamp(expires_at, UTC)
        return InvitationClaim(TenantId(tenant_id), InvitationId(invitation_id), nonce, expires)
