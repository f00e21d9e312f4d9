"""The check of a text from elsewhere, on the wire."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model.document import MAX_TITLE
from contentgen_core.model.grounding import GroundingLevel
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.tenant import Caller
from contentgen_core.model.vocabulary import Language
from contentgen_core.use_cases.articles import verify_text as core
from contentgen_http.wire.base import NOT_BLANK, Answer, AnswerOf, Body, Id, absent_as_none
from contentgen_http.wire.grounding import GroundingTotals, SentenceReceipt

TextToVerify = Annotated[
    str,
    Meta(min_length=1, max_length=core.MAX_TEXT, pattern=NOT_BLANK, description="Plain text or Markdown."),
]
InLanguage = Annotated[Language | UnsetType, Meta(description="The text's language; absent: as its words tell.")]
DocumentIds = Annotated[
    Annotated[list[Id], Meta(min_length=1, max_length=core.MAX_NAMED)] | UnsetType,
    Meta(description="Private documents to check against; those that are ready."),
]
InNiche = Annotated[
    Id | UnsetType, Meta(description="Key or id of an activated niche, or an agent's key: its knowledge base.")
]


class GivenSource(Body, kw_only=True):
    """A source that comes with the request."""

    text: Annotated[
        str, Meta(min_length=1, max_length=core.MAX_SOURCE_CHARS, description="What it says: plain text or Markdown.")
    ]
    title: Annotated[str, Meta(max_length=MAX_TITLE, description="Its title.")] = ""
    url: Annotated[
        Annotated[str, Meta(max_length=core.MAX_SOURCE_URL)] | UnsetType,
        Meta(description="Its address; it is shown, not read."),
    ] = UNSET


Sources = Annotated[
    Annotated[list[GivenSource], Meta(min_length=1, max_length=core.MAX_SOURCES)] | UnsetType,
    Meta(description=f"Sources to check against, of at most {core.MAX_SOURCE_CHARS:,} characters together."),
]


class TextVerification(Body, kw_only=True):
    """A text, and exactly one of sources, documentIds and nicheKey."""

    text: TextToVerify
    sources: Sources = UNSET
    document_ids: DocumentIds = UNSET
    niche_key: InNiche = UNSET
    language: InLanguage = UNSET

    def to_command(self, caller: Caller) -> core.VerifyTextCommand:
        return core.VerifyTextCommand(
            text=self.text,
            caller=caller,
            sources=None
            if self.sources is UNSET
            else tuple(core.GivenSource(s.text, s.title, absent_as_none(s.url)) for s in self.sources),
            document_ids=None if self.document_ids is UNSET else tuple(DocumentId(id) for id in self.document_ids),
            niche_key=absent_as_none(self.niche_key),
            language=absent_as_none(self.language),
        )


class CitedPassage(Answer, kw_only=True):
    """A passage that supports a sentence."""

    number: Annotated[int, Meta(description="What the sentences' citations name it by, from 1.")]
    parent_id: Annotated[
        str, Meta(description="Id of the document; `source-1` is the first of the sources that you sent.")
    ]
    chunk_index: Annotated[int, Meta(description="Place of the passage in its document, from 0.")]
    title: Annotated[str, Meta(description="The document's title.")]
    url: Annotated[str | UnsetType, Meta(description="Its address, where it has one.")] = UNSET
    text: Annotated[str, Meta(description="The passage, which `start` and `end` of a support count in.")]

    @classmethod
    def of(cls, number: int, passage: Passage) -> CitedPassage:
        document = passage.document
        return cls.copy_from(passage, number=number, parent_id=document.id, title=document.title, url=document.url)


class TextReceipt(AnswerOf[core.VerifiedText], kw_only=True):
    """For each sentence of the text, what supports it."""

    level: Annotated[GroundingLevel, Meta(description="full, partial, or none: no sentence is supported.")]
    language: Annotated[Language, Meta(description="The language that the text was read in.")]
    verifier: Annotated[
        str, Meta(description="`lexical`, or the name of the entailment model that judged some of the sentences.")
    ]
    totals: Annotated[GroundingTotals, Meta(description="The receipt in figures.")]
    sources: Annotated[list[CitedPassage], Meta(description="The passages cited, by number.")]
    sentences: Annotated[list[SentenceReceipt], Meta(description="The sentences in the text's order.")]

    @classmethod
    def of(cls, verified: core.VerifiedText) -> TextReceipt:
        return cls.copy_from(
            verified.grounding,
            language=verified.language,
            sources=[CitedPassage.of(number, passage) for number, passage in verified.cited.items()],
        )
