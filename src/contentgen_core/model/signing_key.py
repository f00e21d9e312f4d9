"""The key pairs of the installation by which evidence files are signed."""

from __future__ import annotations

from datetime import datetime

from attrs import evolve, field, frozen

from contentgen_core.model.ids import SigningKeyId


@frozen
class SigningKey:
    """An Ed25519 key pair. `id`: the thumbprint of its public key (RFC 7638). `public`: the public key, in base64url
    without padding, as a JSON Web Key has it (RFC 8037). `sealed`: the private key, encrypted; "" once it is retired:
    nothing is signed with it any more, and what was signed can still be verified."""

    id: SigningKeyId
    public: str
    created_at: datetime
    sealed: str = field(default="", repr=False)
    retired_at: datetime | None = None

    def retired(self, now: datetime) -> SigningKey:
        """The key without its private part."""
        return evolve(self, sealed="", retired_at=now)
