"""Private documents on the wire."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import document as model
from contentgen_core.model.document import MAX_BYTES, MAX_DESCRIPTION, MAX_TAG, MAX_TAGS, MAX_TITLE, DocumentStatus
from contentgen_core.model.text import Span
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.found_by import FoundBy
from contentgen_core.ports.repositories.documents import DocumentPage
from contentgen_core.use_cases.documents.add import MAX_URL
from contentgen_core.use_cases.documents.edit import DocumentChanges
from contentgen_core.use_cases.documents.search import MAX_QUERY, MAX_RESULTS, Found
from contentgen_grounded.bootstrap.file_types import LABELS
from contentgen_http.wire.base import NOT_BLANK, AgentKeyText, Answer, AnswerOf, Body, Id, Query, kept
from contentgen_http.wire.kb import KbSource

Title = Annotated[str, Meta(min_length=1, max_length=MAX_TITLE)]
SearchText = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MAX_QUERY,
        pattern=NOT_BLANK,
        description="Words or a question.",
        examples=["flow temperature"],
    ),
]
ResultLimit = Annotated[int, Meta(ge=1, le=MAX_RESULTS, description="Results at most.")]


class Document(AnswerOf[model.PrivateDocument], kw_only=True):
    """A private document."""

    id: Annotated[str, Meta(description="Its id: what documentIds of generate-plan takes.")]
    title: Annotated[str, Meta(description="Its title.", examples=["Heating manual"])]
    status: Annotated[DocumentStatus, Meta(description="processing, ready (searchable) or failed.")]
    tags: Annotated[list[str], Meta(description="Your tags.")]
    size: Annotated[int, Meta(description="Bytes of the original; 0 until a page has been read.")]
    words: Annotated[int, Meta(description="Words of its text; once it is ready.")]
    passages: Annotated[int, Meta(description="Passages it was cut into; once it is ready.")]
    created_at: Annotated[datetime, Meta(description="When it was added.")]
    updated_at: Annotated[datetime, Meta(description="When it last changed.")]
    description: Annotated[str | UnsetType, Meta(description="Your description.")] = UNSET
    file_name: Annotated[str | UnsetType, Meta(description="Name of the uploaded file.")] = UNSET
    url: Annotated[str | UnsetType, Meta(description="Address of the page.")] = UNSET
    media_type: Annotated[str | UnsetType, Meta(description="What its bytes are.", examples=["application/pdf"])] = (
        UNSET
    )
    language: Annotated[Language | UnsetType, Meta(description="Language of its text; once it is ready.")] = UNSET
    published: Annotated[date | UnsetType, Meta(description="The date that it states, if any; once it is ready.")] = (
        UNSET
    )
    author: Annotated[
        str | UnsetType,
        Meta(
            description="Who wrote it, as it states; shown in lists of sources. Once it is ready.", examples=["Ada Ohm"]
        ),
    ] = UNSET
    error: Annotated[str | UnsetType, Meta(description="Why it failed; when it did.")] = UNSET


class DocumentQuery(Query, kw_only=True):
    """Which documents."""

    page: Annotated[int, Meta(ge=1, le=100_000, description="Page, from 1.")] = 1
    limit: Annotated[int, Meta(ge=1, le=100, description="Documents a page.")] = 20
    status: Annotated[DocumentStatus | UnsetType, Meta(description="Only these.")] = UNSET


class DocumentList(Answer, kw_only=True):
    """Documents, newest first."""

    documents: Annotated[list[Document], Meta(description="The documents of this page.")]
    total: Annotated[int, Meta(description="How many there are on all pages.")]
    page: Annotated[int, Meta(description="The page.")]
    limit: Annotated[int, Meta(description="Documents a page.")]

    @classmethod
    def of(cls, found: DocumentPage, page: int, limit: int) -> DocumentList:
        documents = [Document.of(document) for document in found.documents]
        return cls(documents=documents, total=found.total, page=page, limit=limit)


class AvailableDocuments(AnswerOf[DocumentPage], kw_only=True):
    """Documents that an article can be written from."""

    documents: Annotated[list[Document], Meta(description="Those that are ready, newest first; 2,000 at most.")]
    total: Annotated[int, Meta(description="How many are ready.")]


class UploadForm(Body, kw_only=True):
    """A file, as multipart/form-data."""

    file: Annotated[
        bytes, Meta(description=f"A file of one of these types: {LABELS}; {MAX_BYTES // 2**20} MB at most.")
    ]
    # Empty where a person leaves the field of a form empty.
    title: Annotated[
        Annotated[str, Meta(max_length=MAX_TITLE)] | UnsetType,
        Meta(description="A title; else the one in the file, or the words of its name."),
    ] = UNSET


class DocumentUrl(Body, kw_only=True):
    """A page of the web to read."""

    url: Annotated[
        str,
        Meta(min_length=1, max_length=MAX_URL, description="Its address.", examples=["https://example.org/manual.pdf"]),
    ]
    title: Annotated[Title | UnsetType, Meta(description="A title; else the page's own.")] = UNSET


class DocumentPatch(Body, kw_only=True):
    """What to change; what is absent stays."""

    title: Annotated[Title | UnsetType, Meta(description="A new title.", examples=["Heating manual"])] = UNSET
    description: Annotated[
        Annotated[str, Meta(max_length=MAX_DESCRIPTION)] | UnsetType | None,
        Meta(description="A new description; null clears it."),
    ] = UNSET
    tags: Annotated[
        Annotated[list[Annotated[str, Meta(min_length=1, max_length=MAX_TAG)]], Meta(max_length=MAX_TAGS)] | UnsetType,
        Meta(description="All tags, replacing the former ones."),
    ] = UNSET

    def to_changes(self) -> DocumentChanges:
        tags = kept(self.tags)
        return DocumentChanges(
            kept(self.title), kept(self.description), tuple(tags) if isinstance(tags, list) else tags
        )


class SearchBody(Body, kw_only=True):
    """What to look for."""

    query: SearchText
    limit: ResultLimit = 10


class SearchQuery(Query, kw_only=True):
    """What to look for, and where."""

    query: SearchText
    agent_key: Annotated[
        AgentKeyText | UnsetType, Meta(description="Only what this agent sees of its niche's knowledge base.")
    ] = UNSET
    niche_key: Annotated[
        Id | UnsetType, Meta(description="Only the knowledge base of this niche, by its key or id.")
    ] = UNSET
    limit: ResultLimit = 10


class Highlight(Answer, kw_only=True):
    """Characters of the content that hold a word of the query."""

    start: Annotated[int, Meta(description="The first character, from 0.")]
    end: Annotated[int, Meta(description="One beyond the last.")]


class NearestSentence(AnswerOf[Span], kw_only=True):
    """Characters of the content that are the sentence nearest to the query."""

    start: Annotated[int, Meta(description="The first character, from 0.")]
    end: Annotated[int, Meta(description="One beyond the last.")]


class SearchResult(KbSource, kw_only=True):
    """A passage that was found, why, and where to look in it."""

    found_by: Annotated[
        FoundBy,
        Meta(
            description="words: the passage, its title or its heading has a word of the query; meaning: it is among "
            "those whose meaning is nearest to the query; both."
        ),
    ]
    nearest_sentence: Annotated[
        NearestSentence | UnsetType,
        Meta(description="By meaning where a model knows the language, else by words; absent where none is near."),
    ] = UNSET
    highlights: Annotated[list[Highlight], Meta(description="In order.")]


class SearchResults(AnswerOf[tuple[Found, ...]], kw_only=True):
    """Passages, best first."""

    results: Annotated[list[SearchResult], Meta(description="The passages.")]

    @classmethod
    def of(cls, found: tuple[Found, ...]) -> SearchResults:
        return cls(results=[_result(one) for one in found])


def _result(found: Found) -> SearchResult:
    return SearchResult.copy_from(
        KbSource.of(found.ranked),
        found_by=found.found_by,
        nearest_sentence=found.sentence,
        highlights=[Highlight(start=start, end=end) for start, end in found.highlights],
    )
