"""Signing of JSON documents, so that anybody can tell whether one was changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from attrs import field, frozen

from contentgen_core.errors import ContentgenError
from contentgen_core.model.ids import SigningKeyId


class NotAuthentic(ContentgenError):
    """A file is not, byte for byte, what a known key signed. The text says why."""

    code = "not_authentic"


@frozen
class NewSigningKey:
    """A key pair that was just made. `id`, `public`: see `SigningKey`; `secret`: the private key."""

    id: SigningKeyId
    public: str
    secret: str = field(repr=False)


@frozen
class VerifiedDocument:
    """A document whose signature holds. `key_id`: of the key that signed it."""

    document: Mapping[str, Any]
    key_id: SigningKeyId


class DocumentSigner(Protocol):
    """Signs and verifies documents. Files are `{"evidence": document, "signature": …}` in the canonical form of RFC
    8785; the signature is a detached JSON Web Signature over the document in that form. Takes milliseconds: call it in
    a thread."""

    def new_key(self) -> NewSigningKey: ...

    def signed(self, document: Mapping[str, Any], key_id: SigningKeyId, secret: str) -> bytes:
        """Return the signed file of a document of JSON's types. Raises ValueError for a document without canonical
        form."""
        ...

    def verified(self, file: bytes, keys: Mapping[SigningKeyId, str]) -> VerifiedDocument:
        """Verify a signed file. `keys`: the trusted public keys, by id. Raises NotAuthentic."""
        ...
