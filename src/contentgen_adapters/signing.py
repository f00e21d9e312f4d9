"""Signed JSON documents: canonical JSON (RFC 8785) and a detached JSON Web Signature (RFC 7515, appendix F) with
Ed25519 (RFC 8037)."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from jwt import PyJWS
from jwt.exceptions import PyJWTError

from contentgen_core.model.ids import SigningKeyId
from contentgen_core.ports.signing import NewSigningKey, NotAuthentic, VerifiedDocument

ALGORITHM: Final = "EdDSA"
TYPE: Final = "contentgen-evidence"
DOCUMENT: Final = "evidence"
SIGNATURE: Final = "signature"
MAX_FILE: Final = 64 * 1024 * 1024
"""Bytes of a file that is verified."""
_jws: Final = PyJWS(algorithms=[ALGORITHM])


class Ed25519Signer:
    """The port `DocumentSigner`."""

    def new_key(self) -> NewSigningKey:
        key = Ed25519PrivateKey.generate()
        public = _encoded(key.public_key().public_bytes_raw())
        return NewSigningKey(thumbprint(public), public, _encoded(key.private_bytes_raw()))

    def signed(self, document: Mapping[str, Any], key_id: SigningKeyId, secret: str) -> bytes:
        payload = _canonical(document)
        key = Ed25519PrivateKey.from_private_bytes(_decoded(secret))
        header, _, signature = _jws.encode(payload, key, ALGORITHM, {"kid": key_id, "typ": TYPE}).split(".")
        return _canonical({DOCUMENT: document, SIGNATURE: f"{header}..{signature}"})

    def verified(self, file: bytes, keys: Mapping[SigningKeyId, str]) -> VerifiedDocument:
        document, signature = _parts(file)
        header, _, end = signature.partition("..")
        key_id = _key_id(header)
        if key_id not in keys:
            raise NotAuthentic("It is signed with a key that is not among those given.")
        try:
            key = Ed25519PublicKey.from_public_bytes(_decoded(keys[key_id]))
            # A signature has bits to spare at its end, which two texts may differ in.
            whole = _encoded(_decoded(end)) == end
            _jws.decode(f"{header}.{_encoded(_canonical(document))}.{end}", key, [ALGORITHM])
        except (PyJWTError, ValueError):
            whole = False
        if not whole:
            raise NotAuthentic("The signature does not belong to what the file says: it was changed.")
        return VerifiedDocument(document, key_id)


def thumbprint(public: str) -> SigningKeyId:
    """The thumbprint (RFC 7638) of an Ed25519 public key in base64url."""
    key = {"crv": "Ed25519", "kty": "OKP", "x": public}
    return SigningKeyId(_encoded(hashlib.sha256(_canonical(key)).digest()))


def _parts(file: bytes) -> tuple[Mapping[str, Any], str]:
    """Raises NotAuthentic."""
    if len(file) > MAX_FILE:
        raise NotAuthentic("It is too large for an evidence file.")
    try:
        parsed = json.loads(file)
        same = _canonical(parsed) == file
    except (ValueError, RecursionError) as error:
        raise NotAuthentic("It is no evidence file: it cannot be read as JSON.") from error
    if not isinstance(parsed, dict) or set(parsed) != {DOCUMENT, SIGNATURE}:
        raise NotAuthentic(f"It is no evidence file: it has to have `{DOCUMENT}` and `{SIGNATURE}`, and nothing else.")
    document, signature = parsed[DOCUMENT], parsed[SIGNATURE]
    if not isinstance(document, dict) or not isinstance(signature, str):
        raise NotAuthentic("It is no evidence file: its two parts are not what they have to be.")
    if not same:
        raise NotAuthentic("Its bytes are not those that were written: a program has changed or formatted it.")
    return document, signature


def _key_id(header: str) -> SigningKeyId:
    """Raises NotAuthentic."""
    try:
        parsed = json.loads(_decoded(header))
        key_id = parsed["kid"] if parsed["typ"] == TYPE and parsed["alg"] == ALGORITHM else None
    except (ValueError, KeyError, TypeError, RecursionError):
        key_id = None
    if not isinstance(key_id, str):
        raise NotAuthentic("Its signature is not one of an evidence file.")
    return SigningKeyId(key_id)


def _canonical(value: Any) -> bytes:
    """Raises ValueError."""
    return rfc8785.dumps(value)


def _encoded(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode("ascii")


def _decoded(text: str) -> bytes:
    """Raises ValueError."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
