"""The knowledge base: documents, the passages they are cut into, and who sees which."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from typing import Final

from attrs import field, frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.entity import EntityMention
from contentgen_core.model.ids import DocumentId, TenantId
from contentgen_core.model.vocabulary import Language


class Origin(StrEnum):
    """How a passage came into the KB. `ai` ones never count as independent sources."""

    IMPORT = "import"
    WEB = "web"
    AI = "ai"
    DOCUMENT = "document"


PRIVATE: Final = "@private"
"""In the place of a niche's key (which holds no `@`): the scope of a tenant's private documents."""


@frozen
class KbScope:
    """Where a document belongs. No tenant: the platform's, for everybody. No country: for every agent of the niche."""

    niche_key: str
    tenant_id: TenantId | None = None
    country: str | None = None


@frozen
class KbView:
    """What one reader sees: its own and the platform's documents of a niche, without a country or with one of these.

    `document_ids` narrows the view further to named documents (private documents chosen by hand).
    """

    niche_key: str
    tenant_id: TenantId | None = None
    countries: frozenset[str] = frozenset()
    document_ids: frozenset[DocumentId] | None = None

    def sees(self, scope: KbScope) -> bool:
        return (
            scope.niche_key == self.niche_key
            and scope.tenant_id in (None, self.tenant_id)
            and (scope.country is None or scope.country in self.countries)
        )


@frozen
class KbDocument:
    """One source. `source_key` is its stable name in its scope (URL, id or path); `content_hash` is SHA-256 in hex.
    `published`: the date the source gives itself; `fetched_at`: when it was read from the web."""

    id: DocumentId
    scope: KbScope
    source_key: str
    title: str
    language: Language
    origin: Origin
    content_hash: str
    created_at: datetime
    url: str | None = None
    fetched_at: datetime | None = None
    published: date | None = None


@frozen
class Passage:
    """A cut of a document: what is searched, cited and checked.

    `terms`: the stems of its words in order, title and heading excluded; `head_terms`: those of title and heading.
    Both come from the text analysis of the passage's language and are what the lexical index and BM25 count.
    `entities`: what it names, for whoever stores it to count; a passage read back may come without.
    """

    document: KbDocument
    chunk_index: int
    text: str
    content_hash: str
    heading: str = ""
    terms: tuple[str, ...] = ()
    head_terms: tuple[str, ...] = ()
    entities: tuple[EntityMention, ...] = field(default=(), eq=False)

    @property
    def ref(self) -> SourceRef:
        return SourceRef(self.document.id, self.chunk_index)


@frozen
class RankedPassage:
    """A passage with its scores, each in 0..1: `original` from the index, `rerank` lexical or, once a cross-encoder has
    read it, that one's, `combined` final."""

    passage: Passage
    combined_score: float
    rerank_score: float
    original_score: float

    @property
    def ref(self) -> SourceRef:
        return self.passage.ref


@frozen
class TermStatistics:
    """BM25's corpus figures of one language within one view: passages, their mean length in terms, and in how many
    passages each asked term occurs (absent: none)."""

    passages: int
    mean_length: float
    passages_with: dict[str, int]


@frozen
class IndexHit:
    """Scores as the index gives them: BM25 (0 when the words do not meet) and cosine (-1..1, None when not near)."""

    ref: SourceRef
    text_score: float
    cosine: float | None
