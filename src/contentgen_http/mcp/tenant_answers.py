"""The answers of the tools for tenants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model.approval import ApprovalState
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.coverage import CoverageLevel
from contentgen_core.model.grounding import Grounding, GroundingLevel, Verdict
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.retrieval.found_by import FoundBy
from contentgen_core.use_cases.articles.plan import Planned
from contentgen_core.use_cases.articles.verify_text import VerifiedText
from contentgen_core.use_cases.documents.search import Found
from contentgen_http.mcp.bounds import (
    MAX_ANSWER,
    MAX_LIST,
    MAX_TEXT,
    address,
    first_within,
    readable,
    shorten,
    text_slice,
)
from contentgen_http.mcp.fields import (
    TITLE,
    DocumentLink,
    NextOffset,
    Note,
    NumberedSource,
    TextGoesOn,
    TextLength,
    note_of,
    number_sources,
)
from contentgen_http.wire.article_coverage import ArticleCoverage
from contentgen_http.wire.base import Answer, optional
from contentgen_http.wire.forecast import LengthForecast, PlanForecast
from contentgen_http.wire.usage import Usage
from contentgen_http.wire.without_effect import WithoutEffectField, without_effect

UNSUPPORTED: Final = 5


class CoverageFound(Answer, kw_only=True):
    """The knowledge base's coverage of the topic, and what to do about gaps."""

    can_generate: Annotated[bool, Meta(description="Whether writing is recommended.")]
    level: Annotated[CoverageLevel, Meta(description="insufficient, low, good or excellent.")]
    score: Annotated[float, Meta(description="The score behind the level, in 0..100.")]
    provisional: Annotated[bool, Meta(description="Whether documents are still being read: ask again in some minutes.")]
    sources_found: Annotated[int, Meta(description="Different documents found.")]
    top_sources: Annotated[list[DocumentLink], Meta(description="The best five of them, best first.")]
    missing_terms: Annotated[list[str], Meta(description="Words of the topic that no source has.")]
    forecast: Annotated[list[LengthForecast], Meta(description="How long an article would be, for each length.")]
    warnings: Annotated[list[str], Meta(description="What is missing, where writing is possible all the same.")]
    recommendations: Annotated[list[str], Meta(description="What would help.")]
    alternative_topics: Annotated[list[str], Meta(description="Topics nearby that are covered, when this one is not.")]
    remaining_checks: Annotated[int | UnsetType, Meta(description="Checks left today, where the plan limits them.")] = (
        UNSET
    )


class PlannedSection(Answer, kw_only=True):
    """A section of the plan."""

    heading: Annotated[str, Meta(description="Its heading.")]
    goal: Annotated[str, Meta(description="What the reader takes away from it.")]
    key_points: Annotated[list[str], Meta(description="What it says.")]
    sources: Annotated[int, Meta(description="How many passages it rests on.")]
    target_words: Annotated[int, Meta(description="Words aimed at.")]


class PlannedArticle(Answer, kw_only=True):
    """A plan to review."""

    article_id: Annotated[str, Meta(description="The draft that holds the plan: what write_article takes.")]
    status: Annotated[ArticleStatus, Meta(description="draft: the plan awaits its review.")]
    title: Annotated[str, Meta(description="Working title.")]
    angle: Annotated[str, Meta(description="The point of view.")]
    audience: Annotated[str, Meta(description="Whom it is for.")]
    sections: Annotated[list[PlannedSection], Meta(description="The sections in their order.")]
    questions: Annotated[list[str], Meta(description="Questions answered at the end.")]
    documents: Annotated[list[DocumentLink], Meta(description="The documents it was planned from.")]
    truncated: Annotated[bool, Meta(description="Whether details of the plan were left out, for the answer's size.")]
    forecast: Annotated[
        PlanForecast | UnsetType, Meta(description="How long the article will be, by what its sources carry.")
    ] = UNSET
    coverage: Annotated[
        ArticleCoverage | UnsetType, Meta(description="How well the knowledge base covers the topic.")
    ] = UNSET
    without_effect: WithoutEffectField = UNSET


class WritingStarted(Answer, kw_only=True):
    """The article, being written or written already."""

    article_id: Annotated[str, Meta(description="What article_status takes.")]
    status: Annotated[ArticleStatus, Meta(description="generating, until it is generated or failed.")]
    progress: Annotated[int, Meta(description="Percent done.")]
    without_effect: WithoutEffectField = UNSET


class GroundingSummary(Answer, kw_only=True):
    """The result of checking every sentence against its sources."""

    level: Annotated[
        GroundingLevel,
        Meta(
            description="full, partial (also where the topic is hardly covered), or none (written without any source, "
            "or without one on the topic)."
        ),
    ]
    sentences: Annotated[int, Meta(description="Sentences checked.")]
    supported: Annotated[int, Meta(description="Sentences that their sources support.")]
    citation_recall: Annotated[float, Meta(description="Share of sentences that their citations support, in 0..1.")]
    fact_match: Annotated[float, Meta(description="Share of figures, dates and names found in the sources, in 0..1.")]
    unsupported: Annotated[list[str], Meta(description="Sentences to look at, the first five.")]


class ArticleStanding(Answer, kw_only=True):
    """The progress of an article, and its text."""

    article_id: Annotated[str, Meta(description="The article.")]
    status: Annotated[
        ArticleStatus,
        Meta(description="draft (a plan to review), generating, generated, scheduled, published, failed."),
    ]
    progress: Annotated[int, Meta(description="Percent done.")]
    title: Annotated[str, Meta(description="Its title.")]
    topic: Annotated[str, Meta(description="The topic asked for.")]
    language: Annotated[Language, Meta(description="The language it is written in.")]
    word_count: Annotated[int, Meta(description="Words it has.")]
    error: Annotated[str | UnsetType, Meta(description="Why it failed.")] = UNSET
    content: Annotated[
        str, Meta(description="Markdown, from the offset on, with citations `[n]`; empty until written.")
    ]
    content_chars: TextLength
    truncated: TextGoesOn
    next_offset: NextOffset = UNSET
    sources: Annotated[list[NumberedSource], Meta(description="The sources it cites.")]
    coverage: Annotated[
        ArticleCoverage | UnsetType,
        Meta(description="How well the knowledge base covers the topic, once that is known."),
    ] = UNSET
    grounding: Annotated[GroundingSummary | UnsetType, Meta(description="What the grounding check says.")] = UNSET
    approval: Annotated[
        ApprovalState,
        Meta(description="none, inReview, approved (this very text) or changesRequested; see submit_article."),
    ]
    text_hash: Annotated[
        str | UnsetType, Meta(description="Names this text: what approve_article takes. Absent until written.")
    ] = UNSET
    usage: Annotated[
        Usage | UnsetType, Meta(description="What the content model consumed so far, and what that cost.")
    ] = UNSET
    note: Note = UNSET


class PassageFound(Answer, kw_only=True):
    """A passage of the knowledge base."""

    document: Annotated[DocumentLink, Meta(description="The document it is of.")]
    content: Annotated[str, Meta(description="Its text.")]
    truncated: Annotated[bool, Meta(description="Whether the passage goes on.")]
    score: Annotated[float, Meta(description="How well it answers, in 0..1.")]
    found_by: Annotated[
        FoundBy, Meta(description="words: it has a word of the query; meaning: it says something near to it; both.")
    ]
    nearest_sentence: Annotated[
        str | UnsetType, Meta(description="The sentence of the passage that is nearest to the query, where one is.")
    ] = UNSET


class Passages(Answer, kw_only=True):
    """Passages, best first."""

    results: Annotated[list[PassageFound], Meta(description="The passages.")]
    total: Annotated[int, Meta(description="How many these are.")]


def planned_article(planned: Planned) -> PlannedArticle:
    return first_within((_to_planned_article(planned, points) for points in (20, 5, 0)), MAX_ANSWER)


def _coverage(article: Article) -> ArticleCoverage | UnsetType:
    return UNSET if article.coverage is None else ArticleCoverage.of(article.coverage)


def _to_planned_article(planned: Planned, points: int) -> PlannedArticle:
    plan = planned.article.plan
    assert plan is not None
    documents = {ranked.passage.document.id: ranked.passage.document for ranked in planned.sources}
    return PlannedArticle(
        article_id=planned.article.id,
        status=planned.article.status,
        title=shorten(plan.title, TITLE),
        angle=shorten(plan.angle, 500),
        audience=shorten(plan.audience, 500),
        sections=[
            PlannedSection(
                heading=shorten(section.heading, TITLE),
                goal=shorten(section.goal, 300),
                key_points=[shorten(point, 300) for point in section.key_points[:points]],
                sources=len(section.source_ids),
                target_words=section.target_words,
            )
            for section in plan.sections
        ],
        questions=[shorten(entry.question, TITLE) for entry in plan.faq],
        documents=[DocumentLink.to(document) for document in list(documents.values())[: points + 5]],
        coverage=_coverage(planned.article),
        truncated=any(len(section.key_points) > points for section in plan.sections) or len(documents) > points + 5,
        forecast=UNSET if planned.forecast is None else PlanForecast.of(planned.forecast),
        without_effect=without_effect(planned.without_effect),
    )


class CheckedSentence(Answer, kw_only=True):
    """A sentence of the text."""

    text: Annotated[str, Meta(description="The sentence.")]
    verdict: Annotated[Verdict, Meta(description="supported: a source says so; any other: none does.")]
    source: Annotated[int | UnsetType, Meta(description="Number of the passage that supports it.")] = UNSET
    missing_facts: Annotated[
        list[str], Meta(description="Figures, dates, names and words that the nearest source lacks.")
    ]


class SupportingPassage(DocumentLink, kw_only=True):
    """A passage that supports a sentence."""

    number: Annotated[int, Meta(description="What the sentences name it by.")]
    text: Annotated[str, Meta(description="What it says, shortened.")]


class TextChecked(Answer, kw_only=True):
    """The result of checking the text against the sources."""

    level: Annotated[GroundingLevel, Meta(description="full, partial, or none: no sentence is supported.")]
    sentences_checked: Annotated[int, Meta(description="Sentences of the text.")]
    supported: Annotated[int, Meta(description="Those that a source supports.")]
    sentences: Annotated[
        list[CheckedSentence], Meta(description="Those without support first, else in the text's order.")
    ]
    sources: Annotated[list[SupportingPassage], Meta(description="The passages that support a sentence listed.")]
    truncated: Annotated[bool, Meta(description="Whether sentences were left out, for the answer's size.")]


def text_checked(verified: VerifiedText) -> TextChecked:
    return first_within((_text_checked(verified, most) for most in (200, 50, 20, 5)), MAX_LIST)


def _text_checked(verified: VerifiedText, most: int) -> TextChecked:
    entries = verified.grounding.sentences
    shown = sorted(entries, key=lambda entry: entry.verdict is Verdict.SUPPORTED)[:most]
    numbers = sorted({number for entry in shown for number in entry.citations})
    return TextChecked(
        level=verified.grounding.level,
        sentences_checked=len(entries),
        supported=sum(entry.verdict is Verdict.SUPPORTED for entry in entries),
        sentences=[
            CheckedSentence(
                text=shorten(entry.text, 300),
                verdict=entry.verdict,
                source=optional(next(iter(entry.citations), None)),
                missing_facts=[shorten(fact, 100) for fact in entry.missing_facts[:10]],
            )
            for entry in shown
        ],
        sources=[
            SupportingPassage(
                number=number,
                title=shorten(passage.document.title, TITLE),
                url=optional(address(passage.document.url)),
                text=shorten(passage.text, 300),
            )
            for number in numbers
            if (passage := verified.cited.get(number))
        ],
        truncated=len(shown) < len(entries),
    )


def standing(article: Article, offset: int) -> ArticleStanding:
    """The state of an article within the size limits. Raises InvalidInput for an offset beyond the text."""
    return first_within(
        (
            _standing(article, offset, most, sources)
            for most in (MAX_TEXT, MAX_TEXT // 2, MAX_TEXT // 4)
            for sources in (100, 25)
        ),
        MAX_ANSWER,
    )


def _standing(article: Article, offset: int, most: int, sources: int) -> ArticleStanding:
    text = readable(article.content)
    shown, rest = text_slice(text, offset, most)
    failed = article.status is ArticleStatus.FAILED
    return ArticleStanding(
        article_id=article.id,
        status=article.status,
        progress=article.percent_done,
        title=shorten(article.title, TITLE),
        topic=shorten(article.brief.topic, 500),
        language=article.brief.language,
        word_count=article.word_count,
        error=shorten(article.error, 500) if failed and article.error else UNSET,
        content=shown,
        content_chars=len(text),
        truncated=rest is not None,
        next_offset=optional(rest),
        sources=number_sources(article.sources[:sources]),
        coverage=_coverage(article),
        grounding=UNSET if article.grounding is None else _summary(article.grounding),
        approval=article.approval_state,
        text_hash=article.reader_hash if article.content else UNSET,
        usage=UNSET if article.usage is None else Usage.of(article.usage),
        note=note_of(rest, len(article.sources) - sources),
    )


def _summary(grounding: Grounding) -> GroundingSummary:
    refused = (Verdict.UNSUPPORTED, Verdict.OUT_OF_CONTEXT)
    open_ones = [sentence.text for sentence in grounding.sentences if sentence.verdict in refused]
    return GroundingSummary(
        level=grounding.level,
        sentences=grounding.totals.sentences,
        supported=sum(sentence.verdict is Verdict.SUPPORTED for sentence in grounding.sentences),
        citation_recall=round(grounding.totals.citation_recall, 3),
        fact_match=round(grounding.totals.fact_match, 3),
        unsupported=[shorten(text, 300) for text in open_ones[:UNSUPPORTED]],
    )


def passages(found: Sequence[Found], most: int) -> Passages:
    """Found passages. `most`: characters of each."""
    return Passages(results=[_passage(one, most) for one in found], total=len(found))


def _passage(found: Found, most: int) -> PassageFound:
    passage, sentence = found.ranked.passage, found.sentence
    shown, rest = text_slice(readable(passage.text), 0, most)
    return PassageFound(
        document=DocumentLink.to(passage.document),
        content=shown,
        truncated=rest is not None,
        score=round(found.ranked.combined_score, 3),
        found_by=found.found_by,
        nearest_sentence=UNSET if sentence is None else shorten(sentence.of(passage.text), most // 2),
    )
