"""Documents, passages, enrichments and topic coverages."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from contentgen_core.model.agent import AgentKey
from contentgen_core.model.area import Area
from contentgen_core.model.document import PrivateDocument
from contentgen_core.model.enrichment import Enrichment
from contentgen_core.model.ids import DocumentId, EnrichmentId, TenantId, TopicCoverageId
from contentgen_core.model.knowledge import KbDocument, KbScope, Origin, Passage, RankedPassage
from contentgen_core.model.topic_coverage import TopicCoverage
from contentgen_core.model.vocabulary import Language
from contentgen_core.testing.builders.base import NICHE_KEY, new_id, sha256, short, with_tenant
from contentgen_core.testing.runtime import MOMENT


def private_document(**changes: Any) -> PrivateDocument:
    id = DocumentId(new_id())
    defaults: dict[str, Any] = {
        "id": id,
        "title": f"Document {short(id)}",
        "created_at": MOMENT,
        "updated_at": MOMENT,
        "file_name": "manual.pdf",
        "media_type": "application/pdf",
        "size": 10,
        "content_hash": sha256(id),
    }
    return PrivateDocument(**with_tenant(defaults, changes))


def kb_document(**changes: Any) -> KbDocument:
    """A document of the platform in the sample niche, without a country, unless given another `scope`."""
    id = DocumentId(new_id())
    defaults: dict[str, Any] = {
        "id": id,
        "scope": KbScope(NICHE_KEY),
        "source_key": f"https://example.com/{id}",
        "title": f"Document {short(id)}",
        "language": Language.EN,
        "origin": Origin.IMPORT,
        "content_hash": sha256(id),
        "created_at": MOMENT,
        "url": f"https://example.com/{id}",
    }
    return KbDocument(**defaults | changes)


def full_document(**changes: Any) -> KbDocument:
    """A document with every field set: a web page that a tenant's enrichment found for one country."""
    scope = KbScope(NICHE_KEY, TenantId(new_id()), "FR")
    defaults: dict[str, Any] = {
        "scope": scope,
        "language": Language.FR,
        "origin": Origin.WEB,
        "fetched_at": MOMENT + timedelta(seconds=5),
        "published": MOMENT.date(),
        "author": "Ohm, Ada; Volt, Bob",
    }
    return kb_document(**defaults | changes)


def passage(document: KbDocument | None = None, text: str = "A heat pump moves heat", **changes: Any) -> Passage:
    """A passage whose terms are the text's words in lower case unless given."""
    defaults: dict[str, Any] = {
        "document": document or kb_document(),
        "chunk_index": 0,
        "text": text,
        "content_hash": sha256(text),
        "terms": tuple(text.lower().split()),
    }
    return Passage(**defaults | changes)


def ranked_passage(passage_: Passage | None = None, **changes: Any) -> RankedPassage:
    defaults = {"combined_score": 0.75, "rerank_score": 0.5, "original_score": 0.25}
    return RankedPassage(**{"passage": passage_ or passage()} | defaults | changes)


def enrichment(**changes: Any) -> Enrichment:
    defaults: dict[str, Any] = {
        "id": EnrichmentId(new_id()),
        "agent_key": AgentKey(NICHE_KEY, "GB"),
        "topic": "Noise limits for heat pumps",
        "provider": "serper",
        "created_at": MOMENT,
    }
    return Enrichment(**with_tenant(defaults, changes))


def topic_coverage(**changes: Any) -> TopicCoverage:
    """One that was never computed."""
    defaults: dict[str, Any] = {"id": TopicCoverageId(new_id()), "area": Area(NICHE_KEY)}
    return TopicCoverage(**with_tenant(defaults, changes))
