"""The keys that verify evidence files, on the wire."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model.signing_key import SigningKey
from contentgen_http.wire.base import Answer, AnswerOf


class PublicKey(Answer, kw_only=True):
    """A JSON Web Key (RFC 7517) of the kind OKP (RFC 8037)."""

    kty: Annotated[Literal["OKP"], Meta(description="Always OKP.")] = "OKP"
    crv: Annotated[Literal["Ed25519"], Meta(description="Always Ed25519.")] = "Ed25519"
    alg: Annotated[Literal["EdDSA"], Meta(description="Always EdDSA.")] = "EdDSA"
    use: Annotated[Literal["sig"], Meta(description="Always sig.")] = "sig"
    kid: Annotated[str, Meta(description="Its thumbprint (RFC 7638).")]
    x: Annotated[str, Meta(description="The public key, in base64url.")]
    iat: Annotated[int, Meta(description="When it was made, in seconds since 1970.")]
    exp: Annotated[
        int | UnsetType, Meta(description="Since when nothing is signed with it any more, in seconds since 1970.")
    ] = UNSET


class PublicKeys(AnswerOf[Iterable[SigningKey]], kw_only=True):
    """A JSON Web Key Set: the present key first, then all before it."""

    keys: Annotated[list[PublicKey], Meta(description="The keys.")]

    @classmethod
    def of(cls, keys: Iterable[SigningKey]) -> PublicKeys:
        return cls(
            keys=[
                PublicKey(
                    kid=key.id,
                    x=key.public,
                    iat=int(key.created_at.timestamp()),
                    exp=UNSET if key.retired_at is None else int(key.retired_at.timestamp()),
                )
                for key in keys
            ]
        )
