"""The knowledge base: documents, their passages, and which reader sees which."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from functools import cached_property
from typing import Final

from attrs import Factory, field, frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.entity import EntityMention
from contentgen_core.model.ids import DocumentId, TenantId
from contentgen_core.model.vocabulary import Language


class Origin(StrEnum):
    """The way a passage was added. Passages of origin `ai` never count as independent sources."""

    IMPORT = "import"
    WEB = "web"
    AI = "ai"
    DOCUMENT = "document"


PRIVATE: Final = "@private"
"""Instead of a niche's key (which has no `@`): the scope of a tenant's private documents."""


@frozen
class KbScope:
    """The owner and the country of a document. `tenant_id`: None for the platform's, which all tenants read. `country`:
    None for all agents of the niche."""

    niche_key: str
    tenant_id: TenantId | None = None
    country: str | None = None


@frozen
class KbView:
    """The documents visible to a reader: its own and the platform's documents of a niche, without a country or with one
    of these. `document_ids`: only these documents (private documents that the caller selected); None for all."""

    niche_key: str
    tenant_id: TenantId | None = None
    countries: frozenset[str] = frozenset()
    document_ids: frozenset[DocumentId] | None = None

    def sees(self, scope: KbScope) -> bool:
        """Whether documents of this scope are in the view."""
        return (
            scope.niche_key == self.niche_key
            and scope.tenant_id in (None, self.tenant_id)
            and (scope.country is None or scope.country in self.countries)
        )


@frozen
class VectorSpace:
    """The space in which vectors can be compared: one embedding model and one dimension."""

    model: str
    dimension: int


@frozen
class Understanding:
    """The number of passages with vectors, of how many."""

    passages: int
    of: int


@frozen
class KbDocument:
    """A source. `source_key`: its stable name in its scope (URL, id or path); `content_hash`: SHA-256 in hex;
    `published`: the date it states; `fetched_at`: when it was read from the web; `revised_at`: when its text last
    changed, None if it never did; `author`: who wrote it."""

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
    revised_at: datetime | None = None
    author: str | None = None


@frozen
class Passage:
    """A part of a document: what is searched, cited and checked.

    `terms`: the stems of its words in order, without title and heading; `head_terms`: those of title and heading. Both
    come from the text analysis of the passage's language; the lexical index and BM25 count them. `entities`: those it
    names, to be counted when it is stored; a passage read from the store may be without. `chunk_index`: its identity in
    the document, which it keeps when the document changes around it; `place`: where it stands there, from 0."""

    document: KbDocument
    chunk_index: int
    text: str
    content_hash: str
    heading: str = ""
    terms: tuple[str, ...] = ()
    head_terms: tuple[str, ...] = ()
    entities: tuple[EntityMention, ...] = field(default=(), eq=False)
    place: int = field(default=Factory(lambda self: self.chunk_index, takes_self=True))

    @cached_property
    def ref(self) -> SourceRef:
        return SourceRef(self.document.id, self.chunk_index)

    @cached_property
    def words(self) -> frozenset[str]:
        """The terms of the passage, with those of title and heading."""
        return frozenset((*self.terms, *self.head_terms))

    def with_titles(self) -> str:
        """Return the text below its document's title and its heading, as models read it."""
        return "\n".join(filter(None, (self.document.title, self.heading, self.text)))


@frozen
class PassageVersion:
    """The former text of a passage, until its document was revised. `chunk_index`: of the passage."""

    chunk_index: int
    heading: str
    text: str
    replaced_at: datetime


@frozen
class DocumentVersion:
    """The former state of a document. `since`, `until`: when it became so, and was revised; `chunk_indexes`: of its
    passages, in their order."""

    since: datetime
    until: datetime
    title: str
    chunk_indexes: tuple[int, ...]


@frozen
class DocumentHistory:
    """A document, and what it was before: the versions that are kept, newest first."""

    document: KbDocument
    former: tuple[DocumentVersion, ...] = ()

    @property
    def since(self) -> datetime:
        """When the document became as it is."""
        return self.document.revised_at or self.document.created_at

    @property
    def kept_since(self) -> datetime:
        """The time from which on the former texts are kept."""
        return self.former[-1].since if self.former else self.since

    def at(self, time: datetime) -> DocumentVersion | None:
        """The former version of that time, if its text was another one. `time`: not before `kept_since`."""
        return next((version for version in reversed(self.former) if version.until > time), None)


@frozen
class RankedPassage:
    """A passage with its scores, each in 0..1: `original_score` from the index; `rerank_score` by words, or from a
    cross-encoder where one scored it; `combined_score` the final one."""

    passage: Passage
    combined_score: float
    rerank_score: float
    original_score: float

    @property
    def ref(self) -> SourceRef:
        return self.passage.ref


@frozen
class TermStatistics:
    """BM25's corpus statistics of one language in a view. `mean_length`: in terms; `passages_with`: the passages with
    each requested term (absent: none)."""

    passages: int
    mean_length: float
    passages_with: dict[str, int]


@frozen
class IndexHit:
    """A passage with the index's scores: BM25 (0 when no term matches) and cosine (-1..1, None when it is not among the
    nearest)."""

    ref: SourceRef
    text_score: float
    cosine: float | None
