"""Signatures of Standard Webhooks (standardwebhooks.com, specification 1.0)."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from standardwebhooks.webhooks import Webhook

PREFIX: Final = "whsec_"
_KEY_BYTES: Final = range(24, 65)  # length of a signing secret, by the specification


def signer_of(secret: str) -> Webhook:
    """Return the signer for a secret as users see it. Raises ValueError unless it is `whsec_` and 24 to 64 bytes in
    Base64.
    """
    if not secret.startswith(PREFIX):
        raise ValueError("the prefix is missing")
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except binascii.Error as error:
        raise ValueError("no Base64") from error
    if len(key) not in _KEY_BYTES:
        raise ValueError("too short or too long")
    return Webhook(key)


def headers_of(message_id: str, at: datetime, body: bytes, signers: Sequence[Webhook]) -> dict[str, str]:
    """Return the headers of a message. `at`: of this attempt; `signers`: none for a message without a signature."""
    headers = {
        "Content-Type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(at.timestamp())),
    }
    if signers:
        headers["webhook-signature"] = " ".join(signer.sign(message_id, at, body.decode()) for signer in signers)
    return headers
