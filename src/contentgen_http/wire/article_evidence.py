"""The evidence file of an article on the wire."""

from __future__ import annotations

import hashlib
from datetime import date, datetime
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, UnsetType, field

from contentgen_core.model.ai_use import AiUse
from contentgen_core.model.approval import ApprovalState
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.grounding import Grounding
from contentgen_core.model.knowledge import Origin
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.web_address import web_address_or_none
from contentgen_core.use_cases.articles import evidence as gathered
from contentgen_core.use_cases.articles.grounding_receipt import Staleness
from contentgen_grounded.version import VERSION
from contentgen_http.wire.approval import PostDetails
from contentgen_http.wire.article_coverage import ArticleCoverage
from contentgen_http.wire.base import Answer, AnswerOf, Query, optional, utc
from contentgen_http.wire.evidence_history import (
    EvidenceCorrection,
    EvidencePerson,
    EvidencePublication,
    EvidenceVersion,
    Hash,
    moment_of,
    person_of,
)
from contentgen_http.wire.grounding import CheckedSentence, GroundingTotals, checked_sentence

FORMER: Final = "contentgen-evidence/1"
"""The form in which an approval of the article counted as a review of each of its sentences."""
FORMAT: Literal["contentgen-evidence/2"] = "contentgen-evidence/2"


class EvidenceQuery(Query, kw_only=True):
    format: Annotated[
        Literal["json", "pdf"] | UnsetType,
        Meta(description="The form; absent: what the Accept header asks for first, otherwise json."),
    ] = UNSET


class EvidenceSoftware(Answer, kw_only=True):
    """What made the file."""

    name: Annotated[str, Meta(description="Its name.")] = "contentgen"
    version: Annotated[str, Meta(description="Its version.")] = VERSION


class EvidenceArticle(AnswerOf[gathered.ArticleEvidence], kw_only=True):
    """The article as it is now."""

    id: Annotated[str, Meta(description="Its id.")]
    title: Annotated[str, Meta(description="Its title.")]
    topic: Annotated[str, Meta(description="What it was to be about.")]
    language: Annotated[Language, Meta(description="What it is written in.")]
    niche_key: Annotated[str, Meta(description="The niche whose knowledge base it was written from.")]
    status: Annotated[ArticleStatus, Meta(description="Its state.")]
    created_at: Annotated[datetime, Meta(description="When it was asked for (UTC).")]
    created_by: Annotated[EvidencePerson | UnsetType, Meta(description="Who asked for it.")] = UNSET
    updated_at: Annotated[datetime, Meta(description="When it last changed (UTC).")]
    published_at: Annotated[datetime | UnsetType, Meta(description="When it was first published (UTC).")] = UNSET
    is_public: Annotated[bool, Meta(description="Whether the service shows it to everybody.")]
    translation_of: Annotated[str | UnsetType, Meta(description="Id of the article that it is a translation of.")] = (
        UNSET
    )

    @classmethod
    def of(cls, evidence: gathered.ArticleEvidence) -> EvidenceArticle:
        article = evidence.article
        return cls.copy_from(
            article,
            topic=article.brief.topic,
            language=article.brief.language,
            created_by=person_of(evidence, article.created_by),
        )


class EvidenceText(AnswerOf[gathered.ArticleEvidence], kw_only=True):
    """The text that all of this is about: the present one."""

    content: Annotated[str, Meta(description="Markdown, with its citations `[n]`.")]
    content_hash: Annotated[Hash, Meta(description="SHA-256 of content in UTF-8.")]
    excerpt: Annotated[str | UnsetType, Meta(description="Its excerpt.")] = UNSET
    meta_title: Annotated[str | UnsetType, Meta(description="Its title for search engines.")] = UNSET
    meta_description: Annotated[str | UnsetType, Meta(description="Its description for search engines.")] = UNSET
    featured_image: Annotated[str | UnsetType, Meta(description="Address of its image.")] = UNSET
    text_hash: Annotated[
        Hash,
        Meta(
            description="What approvals and versions name it by: SHA-256 of the JSON list of title, content, excerpt, "
            "metaTitle, metaDescription and featuredImage (null where absent), without spaces, in UTF-8."
        ),
    ]
    version: Annotated[int | UnsetType, Meta(description="The number of its version, where one was kept.")] = UNSET
    published_at: Annotated[
        datetime | UnsetType,
        Meta(description="When this very text first went out (UTC); absent where another version did, or none."),
    ] = UNSET

    @classmethod
    def of(cls, evidence: gathered.ArticleEvidence) -> EvidenceText:
        article, seo, version = evidence.article, evidence.article.seo, evidence.version
        return cls.copy_from(
            article,
            content_hash=hashlib.sha256(article.content.encode("utf-8", "surrogatepass")).hexdigest(),
            meta_title=UNSET if seo is None else seo.meta_title,
            meta_description=UNSET if seo is None else seo.meta_description,
            version=UNSET if version is None else version.number,
            published_at=UNSET if version is None else version.published_at,
        )


class EvidenceWriting(AnswerOf[gathered.ArticleEvidence], kw_only=True):
    """What wrote it, as far as that is recorded."""

    ai_use: Annotated[
        AiUse,
        Meta(
            description="none (no language model wrote any of it: people did, or sentences are copied from the "
            "sources), assisted (a model wrote some of it, and people wrote in it too) or generated (by a model)."
        ),
    ]
    model: Annotated[
        str | UnsetType,
        Meta(description="The model's name; `extractive` copies sentences, and is no language model."),
    ] = UNSET
    plan_model: Annotated[
        str | UnsetType, Meta(description="The model that planned it, where another one wrote it.")
    ] = UNSET
    input_tokens: Annotated[int | UnsetType, Meta(description="Tokens that models read, in all attempts.")] = UNSET
    output_tokens: Annotated[int | UnsetType, Meta(description="Tokens that models wrote, in all attempts.")] = UNSET
    cached_tokens: Annotated[
        int | UnsetType, Meta(description="Of the tokens read, those that its vendor had kept, as it said.")
    ] = UNSET

    @classmethod
    def of(cls, evidence: gathered.ArticleEvidence) -> EvidenceWriting:
        usage = evidence.article.usage
        if usage is None:
            return cls(ai_use=evidence.ai_use)
        return cls.copy_from(
            usage,
            ai_use=evidence.ai_use,
            plan_model=UNSET if usage.planned_by in (None, usage.model) else usage.planned_by,
            cached_tokens=usage.cached_tokens or UNSET,
        )


class EvidenceApproval(AnswerOf[gathered.ArticleEvidence], kw_only=True):
    """What holds of the present text."""

    state: Annotated[ApprovalState, Meta(description="none, inReview, approved or changesRequested.")]
    by: Annotated[EvidencePerson | UnsetType, Meta(description="Who said it.")] = UNSET
    at: Annotated[datetime | UnsetType, Meta(description="When (UTC).")] = UNSET
    reason: Annotated[str | UnsetType, Meta(description="Why it is in this state.")] = UNSET
    text_hash: Annotated[Hash | UnsetType, Meta(description="Of the words that were approved, as text.textHash.")] = (
        UNSET
    )
    reader_hash: Annotated[
        Hash | UnsetType,
        Meta(
            description="Of all that readers get, which was approved; absent for an approval of an earlier release, "
            "which was of the words alone."
        ),
    ] = UNSET
    details: Annotated[PostDetails | UnsetType, Meta(description="What was approved to go out with the text.")] = UNSET

    @classmethod
    def of(cls, evidence: gathered.ArticleEvidence) -> EvidenceApproval:
        said = evidence.article.present_approval
        if said is None:
            return cls(state=ApprovalState.NONE)
        approved = said.state is ApprovalState.APPROVED
        return cls.copy_from(
            said,
            by=person_of(evidence, said.by),
            details=said.details if approved else UNSET,
        )


class EvidenceSource(AnswerOf[gathered.SourceEvidence], kw_only=True):
    """A passage that the text rests on, as it was when the text was written from it."""

    number: Annotated[int, Meta(description="The `[n]` of the text.")]
    title: Annotated[str, Meta(description="Title of its document.")]
    url: Annotated[str | UnsetType, Meta(description="Address of its document.")] = UNSET
    author: Annotated[str | UnsetType, Meta(description="Who wrote it, as it states.")] = UNSET
    published: Annotated[date | UnsetType, Meta(description="The date that it states.")] = UNSET
    private: Annotated[bool, Meta(description="Whether it is a private document of the tenant.")]
    document_id: Annotated[str, Meta(description="Id of the document in the knowledge base.")]
    chunk_index: Annotated[int, Meta(description="Place of the passage in it, from 0.")]
    origin: Annotated[
        Origin | UnsetType, Meta(description="How it came in: import, web, ai or document (an uploaded file).")
    ] = UNSET
    added_at: Annotated[datetime | UnsetType, Meta(description="When it was imported (UTC).")] = UNSET
    fetched_at: Annotated[datetime | UnsetType, Meta(description="When it was read from the web (UTC).")] = UNSET
    revised_at: Annotated[datetime | UnsetType, Meta(description="When its text last changed before (UTC).")] = UNSET
    document_hash: Annotated[str | UnsetType, Meta(description="SHA-256 of the document's text.")] = UNSET
    passage_hash: Annotated[str | UnsetType, Meta(description="SHA-256 of the passage's text.")] = UNSET
    quotes: Annotated[
        list[str], Meta(description="The words that the text rests on; none of a private document are given.")
    ]
    stale: Annotated[
        Staleness | UnsetType, Meta(description="changed or deleted: what became of the passage since.")
    ] = UNSET

    @classmethod
    def of(cls, evidence: gathered.SourceEvidence) -> EvidenceSource:
        source, passage = evidence.source, evidence.passage
        shown = cls(
            number=source.number,
            title=source.title,
            url=optional(web_address_or_none(source.url)),
            author=optional(source.author),
            published=optional(source.published),
            private=source.private,
            document_id=source.parent_id,
            chunk_index=source.chunk_index,
            quotes=[] if source.private else [*source.quotes],
            stale=optional(evidence.stale),
        )
        if passage is not None:
            document = passage.document
            shown.origin, shown.added_at = document.origin, utc(document.created_at)
            shown.fetched_at, shown.revised_at = moment_of(document.fetched_at), moment_of(document.revised_at)
            shown.document_hash, shown.passage_hash = document.content_hash, passage.content_hash
        return shown


class EvidenceReview(Answer, kw_only=True):
    """That somebody has reviewed this sentence, and said so of it. An approval of the article is no review."""

    by: Annotated[EvidencePerson, Meta(description="Who.")]
    at: Annotated[datetime, Meta(description="When, last (UTC).")]


class EvidenceSentence(Answer, kw_only=True):
    """A sentence of the text."""

    text: Annotated[str, Meta(description="The sentence, without citation marks.")]
    check: Annotated[
        CheckedSentence | UnsetType,
        Meta(description="What it rests on; absent where it was written by a person and not checked since."),
    ] = UNSET
    reviews: Annotated[list[EvidenceReview], Meta(description="Who has reviewed its words, the latest 20.")]


class EvidenceGrounding(AnswerOf[Grounding], kw_only=True):
    """The receipt in figures, as it was made."""

    level: Annotated[str, Meta(description="full, partial or none.")]
    coverage: Annotated[ArticleCoverage | UnsetType, Meta(description="Of the topic, where it is known.")] = UNSET
    verifier: Annotated[str, Meta(description="`lexical`, or the entailment model that judged some of the sentences.")]
    totals: Annotated[GroundingTotals, Meta(description="The figures.")]


class EvidenceComments(Answer, kw_only=True):
    """Comments on its sentences."""

    open: Annotated[int, Meta(description="Not resolved.")]
    resolved: Annotated[int, Meta(description="Resolved.")]


class Evidence(Answer, kw_only=True):
    """What an article rests on, who looked at it, and where it went."""

    format: Annotated[
        Literal["contentgen-evidence/1", "contentgen-evidence/2"],
        Meta(
            description="The form of this document. In the form 1 an approval of the article counted as a review of "
            "each of its sentences."
        ),
    ] = FORMAT
    made_at: Annotated[datetime, Meta(description="When it was made (UTC).")]
    software: Annotated[EvidenceSoftware, Meta(description="What made it.")]
    service: Annotated[str | UnsetType, Meta(description="Address of the service that made it, where it knows it.")] = (
        UNSET
    )
    article: Annotated[EvidenceArticle, Meta(description="The article.")]
    text: Annotated[EvidenceText, Meta(description="Its present text.")]
    writing: Annotated[EvidenceWriting, Meta(description="What wrote it.")]
    approval: Annotated[EvidenceApproval, Meta(description="Its approval.")]
    publications: Annotated[list[EvidencePublication], Meta(description="Where it was published.")]
    sources: Annotated[list[EvidenceSource], Meta(description="By number.")]
    grounding: Annotated[EvidenceGrounding | UnsetType, Meta(description="Absent where nothing was checked.")] = UNSET
    sentences: Annotated[list[EvidenceSentence], Meta(description="All of the text, in order.")]
    comments: Annotated[EvidenceComments, Meta(description="How many comments its sentences have.")]
    versions: Annotated[list[EvidenceVersion], Meta(description="Newest first, 100 at most.")]
    corrections: Annotated[
        list[EvidenceCorrection],
        Meta(description="What this file no longer says that one in the form 1 said of the same article."),
    ] = field(default_factory=list)

    @classmethod
    def of(cls, evidence: gathered.ArticleEvidence, service: str | None) -> Evidence:
        return cls.copy_from(
            evidence,
            software=EvidenceSoftware(),
            service=service,
            article=EvidenceArticle.of(evidence),
            text=EvidenceText.of(evidence),
            writing=EvidenceWriting.of(evidence),
            approval=EvidenceApproval.of(evidence),
            publications=EvidencePublication.of(evidence),
            grounding=evidence.article.grounding,
            sentences=[_sentence(evidence, sentence) for sentence in evidence.sentences],
            comments=EvidenceComments(open=evidence.open_comments, resolved=evidence.resolved_comments),
            versions=EvidenceVersion.of(evidence),
            corrections=EvidenceCorrection.of(evidence),
        )


class EvidenceFile(Answer, kw_only=True):
    """Evidence with its signature, in the canonical form of RFC 8785."""

    evidence: Annotated[Evidence, Meta(description="What is signed.")]
    signature: Annotated[
        str,
        Meta(
            description="JSON Web Signature (RFC 7515), detached: header and signature with nothing between the dots. "
            "Its payload is evidence in its canonical form (RFC 8785), its key the one of its `kid` at "
            "/.well-known/jwks.json."
        ),
    ]


def _sentence(evidence: gathered.ArticleEvidence, sentence: gathered.SentenceEvidence) -> EvidenceSentence:
    reviews = [
        EvidenceReview(by=EvidencePerson(id=r.by, name=optional(evidence.people.get(r.by))), at=utc(r.at))
        for r in sentence.reviews
    ]
    check = UNSET if sentence.receipt is None else checked_sentence(sentence.receipt, sentence.stale)
    return EvidenceSentence(text=sentence.text, check=check, reviews=reviews)
