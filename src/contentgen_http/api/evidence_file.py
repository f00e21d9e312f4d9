"""The signed evidence file of an article, as every surface gives it out, and its verification."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from contentgen_core.errors import InvalidInput
from contentgen_core.model.ids import ArticleId, SigningKeyId
from contentgen_core.model.signing_key import SigningKey
from contentgen_core.model.tenant import Caller
from contentgen_core.policies.text.printable import printable
from contentgen_core.ports.signing import DocumentSigner, NotAuthentic, VerifiedDocument
from contentgen_core.services import CoreServices
from contentgen_http.wire.article_evidence import FORMER, Evidence
from contentgen_http.wire.public_keys import PublicKey, PublicKeys

FORMER_REVIEWS: Final = (
    "This file is of a former form, in which an approval of the article counted as a review of each of its sentences: "
    "it does not tell which of them a person reviewed. Make the article's evidence anew."
)


async def evidence_file(services: CoreServices, caller: Caller, article_id: ArticleId) -> tuple[dict[str, Any], bytes]:
    """The document, and the file that it is signed in. Raises NotFound, ConcurrentChange, NotConfigured."""
    gathered = await services.writing.evidence(caller, article_id)

    def made() -> dict[str, Any]:
        document: dict[str, Any] = msgspec.to_builtins(Evidence.of(gathered, services.options.public_url))
        return document

    document = await asyncio.to_thread(made)  # an article may have thousands of sentences
    return document, await services.writing.sign(document)


def public_keys(keys: Iterable[SigningKey]) -> list[PublicKey]:
    return PublicKeys.of(keys).keys


def read_key_set(content: bytes) -> list[PublicKey]:
    """The keys of a JSON Web Key Set. Raises InvalidInput."""
    try:
        return msgspec.json.decode(content, type=PublicKeys).keys
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidInput.of("keys", f"no JSON Web Key Set of a service: {error}") from error


def verified(signer: DocumentSigner, content: bytes, keys: Iterable[PublicKey]) -> VerifiedDocument:
    """The evidence in a file. Raises NotAuthentic, also for what claims to be made after its key was retired."""
    known = {SigningKeyId(key.kid): key for key in keys}
    found = signer.verified(content, {id: key.x for id, key in known.items()})
    try:
        evidence = msgspec.convert(found.document, Evidence)
    except msgspec.ValidationError as error:
        raise NotAuthentic(f"It is signed, but it is no evidence of an article: {error}.") from error
    retired_at = known[found.key_id].exp
    if retired_at is not msgspec.UNSET and int(evidence.made_at.timestamp()) > retired_at:
        raise NotAuthentic("It says that it was made after its key was retired.")
    return found


def summary(found: VerifiedDocument) -> dict[str, object]:
    """What a verified file says, in short."""
    evidence = msgspec.convert(found.document, Evidence)
    verdicts = Counter(
        "unchecked" if sentence.check is msgspec.UNSET else sentence.check.verdict.value
        for sentence in evidence.sentences
    )
    return {
        "authentic": True,
        "key": found.key_id,
        "madeAt": evidence.made_at,
        "article": evidence.article.id,
        "title": printable(evidence.article.title),
        "textHash": evidence.text.text_hash,
        "approval": evidence.approval.state.value,
        "sentences": len(evidence.sentences),
        **verdicts,
        "reviewed": sum(bool(sentence.reviews) for sentence in evidence.sentences),
        "sources": len(evidence.sources),
        "publications": len(evidence.publications),
        **({"note": FORMER_REVIEWS} if evidence.format == FORMER else {}),
    }
