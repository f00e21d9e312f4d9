"""Tokens in the links of mails, signed by itsdangerous."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import UTC, datetime
from typing import Final

from itsdangerous import BadData, URLSafeSerializer

from contentgen_core.model.ids import InvitationId, SignInLinkId, TenantId
from contentgen_core.model.trend_alert import TrendAlertId
from contentgen_core.ports.mail import AlertSubscription, InvitationClaim, SignInClaim

NONCE_BYTES: Final = 16
# The purposes that keys are derived for. The NUL keeps them apart from API keys, digested with the same secret.
_PURPOSE: Final = b"\0invitation links"
_ALERTS: Final = b"\0trend alerts"
_SIGN_IN: Final = b"\0sign-in links"


class SignedTokens:
    """Tokens of invitations: signed, not encrypted. `secret`: of the installation."""

    def __init__(self, secret: bytes) -> None:
        self._serializer = _serializer(secret, _PURPOSE, b"invitation")

    def new_nonce(self) -> str:
        return secrets.token_urlsafe(NONCE_BYTES)

    def sign(self, claim: InvitationClaim) -> str:
        payload = [claim.tenant_id, claim.invitation_id, claim.nonce, claim.expires_at.timestamp(), claim.mailed]
        return _text(self._serializer.dumps(payload))

    def read(self, token: str) -> InvitationClaim | None:
        try:
            tenant_id, invitation_id, nonce, expires_at, *mailed = self._serializer.loads(token)
        except (BadData, UnicodeError):
            return None
        expires = datetime.fromtimestamp(expires_at, UTC)
        # Links of former versions were the same in the mail and in the answer: they prove nothing.
        return InvitationClaim(TenantId(tenant_id), InvitationId(invitation_id), nonce, expires, mailed == [True])


class SignedSignInTokens:
    """Tokens of links that sign members in: signed, not encrypted. `secret`: of the installation."""

    def __init__(self, secret: bytes) -> None:
        self._serializer = _serializer(secret, _SIGN_IN, b"sign-in")

    def new_nonce(self) -> str:
        return secrets.token_urlsafe(NONCE_BYTES)

    def sign(self, claim: SignInClaim) -> str:
        return _text(
            self._serializer.dumps([claim.tenant_id, claim.link_id, claim.nonce, claim.expires_at.timestamp()])
        )

    def read(self, token: str) -> SignInClaim | None:
        try:
            tenant_id, link_id, nonce, expires_at = self._serializer.loads(token)
        except (BadData, UnicodeError):
            return None
        expires = datetime.fromtimestamp(expires_at, UTC)
        return SignInClaim(TenantId(tenant_id), SignInLinkId(link_id), nonce, expires)


class SignedAlertTokens:
    """Tokens of trend alerts. The requested alert is in the token: nothing is stored before the address is confirmed.

    `secret`: of the installation.
    """

    def __init__(self, secret: bytes) -> None:
        self._wishes = _serializer(secret, _ALERTS, b"wish")
        self._ends = _serializer(secret, _ALERTS, b"end")

    def sign_subscription(self, wish: AlertSubscription) -> str:
        payload = [wish.email, list(wish.niche_keys), wish.min_score, wish.expires_at.timestamp()]
        return _text(self._wishes.dumps(payload))

    def read_subscription(self, token: str) -> AlertSubscription | None:
        try:
            email, niche_keys, min_score, expires_at = self._wishes.loads(token)
        except (BadData, UnicodeError):
            return None
        return AlertSubscription(email, tuple(niche_keys), min_score, datetime.fromtimestamp(expires_at, UTC))

    def sign_unsubscribe(self, alert_id: TrendAlertId) -> str:
        return _text(self._ends.dumps(alert_id))

    def read_unsubscribe(self, token: str) -> TrendAlertId | None:
        try:
            return TrendAlertId(self._ends.loads(token))
        except (BadData, UnicodeError):
            return None


def _serializer(secret: bytes, purpose: bytes, salt: bytes) -> URLSafeSerializer:
    return URLSafeSerializer(
        hmac.digest(secret, purpose, "sha256"),
        salt=salt,
        signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256},
    )


def _text(token: str | bytes) -> str:
    return token if isinstance(token, str) else token.decode("ascii")
