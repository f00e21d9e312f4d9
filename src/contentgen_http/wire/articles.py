"""Articles on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated, Any, Final

from msgspec import UNSET, Meta, UnsetType, field

from contentgen_core.model import article as model
from contentgen_core.model import publication
from contentgen_core.model.approval import ApprovalState
from contentgen_core.model.article import ArticleStatus, PublicCategory
from contentgen_core.model.article_summary import ArticleSummary
from contentgen_core.model.coverage import CoverageLevel
from contentgen_core.model.vocabulary import ArticleLength, Language, Tone
from contentgen_core.policies.articles.blog_posting import blog_posting
from contentgen_http.wire.approval import ArticleApproval
from contentgen_http.wire.article_coverage import ArticleCoverage
from contentgen_http.wire.base import Answer, AnswerOf, optional, utc
from contentgen_http.wire.grounding import Grounding
from contentgen_http.wire.plans import ArticlePlan
from contentgen_http.wire.publications import Publication
from contentgen_http.wire.usage import Usage

# Mean silent reading rate of English non-fiction (Brysbaert 2019, "How many words do we read per minute?").
WORDS_PER_MINUTE: Final = 238

_NOBODY_ASKED: Final = ArticleApproval(state=ApprovalState.NONE)
_STATUSES: Final = {status.value: status for status in ArticleStatus}  # five times as fast as calling it
_LANGUAGES: Final = {language.value: language for language in Language}
_TONES: Final = {tone.value: tone for tone in Tone}
_LENGTHS: Final = {length.value: length for length in ArticleLength}
_WITH_PROGRESS: Final[frozenset[str]] = frozenset({ArticleStatus.GENERATING, ArticleStatus.FAILED})


class Seo(AnswerOf[model.Seo], kw_only=True):
    """Metadata for search engines."""

    meta_title: Annotated[str | UnsetType, Meta(description="Title for search results.")] = UNSET
    meta_description: Annotated[str | UnsetType, Meta(description="Description for search results.")] = UNSET


class ArticleSource(AnswerOf[model.ArticleSource], kw_only=True):
    """An entry of the numbered list of sources."""

    number: Annotated[int, Meta(description="The number that citations `[n]` in the content refer to.", examples=[1])]
    title: Annotated[str, Meta(description="Title of the source.", examples=["Heat pump basics"])]
    url: Annotated[str | UnsetType, Meta(description="Its address, where it has one.")] = UNSET
    parent_id: Annotated[str, Meta(description="Id of the KB document.")]
    chunk_index: Annotated[int, Meta(description="Place of the passage in that document, from 0.")]
    published: Annotated[date | UnsetType, Meta(description="The date that the document states, if any.")] = UNSET
    author: Annotated[str | UnsetType, Meta(description="Who wrote it, as it states.", examples=["Ada Ohm"])] = UNSET
    quotes: Annotated[
        list[str], Meta(description="The words of the passage that the text rests on, three stretches at most.")
    ] = field(default_factory=list)


class ImageCredit(AnswerOf[model.ImageCredit], kw_only=True):
    """Whose picture the featured image is. Show it wherever you show the picture, with its links as they are: the
    provider asks for it."""

    provider: Annotated[str, Meta(description="Id of the picture service.", examples=["unsplash"])]
    provider_name: Annotated[str, Meta(description="Its name.", examples=["Unsplash"])]
    provider_url: Annotated[str, Meta(description="Its address, to link to.")]
    photographer: Annotated[str, Meta(description="Who took the picture.", examples=["Ada Ohm"])]
    photographer_url: Annotated[str | UnsetType, Meta(description="The photographer's page, to link to.")] = UNSET
    page_url: Annotated[str | UnsetType, Meta(description="The picture's own page.")] = UNSET
    alt: Annotated[str | UnsetType, Meta(description="What the picture shows, as alternative text.")] = UNSET


class ArticleVoice(Answer, kw_only=True):
    """The voice that the article was to be written in, and how far it is."""

    id: Annotated[str, Meta(description="Id of the voice, which may have been changed or deleted since.")]
    name: Annotated[str, Meta(description="Its name then.", examples=["House style"])]
    deviations: Annotated[
        tuple[str, ...] | UnsetType,
        Meta(
            description="How the text deviates from it, in words; absent until written, and once a person changed it.",
            examples=[["mean sentence 31 words, asked 18", "avoided term “leverage” in the heading “Leverage”"]],
        ),
    ] = UNSET


class ProviderWait(AnswerOf[model.ProviderWait], kw_only=True):
    """What an article waits for while it is written. Once that is back the writing goes on with what is written
    already; delete the article, or change its status, to stop it."""

    reason: Annotated[
        str,
        Meta(
            description="What is away, and how that shows.",
            examples=["OpenAI: the connection failed (ConnectError)"],
        ),
    ]
    since: Annotated[datetime, Meta(description="Since when it waits (UTC).")]
    until: Annotated[datetime, Meta(description="When it fails unless that is back (UTC).")]


class Article(Answer, kw_only=True):
    """An article. The list leaves out plan, sources, grounding, usage, imageCredit, voice, publications and jsonLd."""

    id: Annotated[str, Meta(description="Opaque, time-sortable identifier.")]
    title: Annotated[str, Meta(description="Its title.", examples=["Heat pumps in older houses"])]
    content: Annotated[str, Meta(description="Markdown; citations stand in it as `[n]`. Empty until written.")]
    excerpt: Annotated[str | UnsetType, Meta(description="A short summary.")] = UNSET
    status: Annotated[ArticleStatus, Meta(description="Where the article stands.")]
    scheduled_for: Annotated[datetime | UnsetType, Meta(description="When it is to be published (UTC).")] = UNSET
    featured_image: Annotated[str | UnsetType, Meta(description="Address of its image.")] = UNSET
    trend_slug: Annotated[str | UnsetType, Meta(description="The trend it belongs to.")] = UNSET
    seo: Annotated[Seo | UnsetType, Meta(description="Metadata for search engines.")] = UNSET
    slug: Annotated[str | UnsetType, Meta(description="Its name in addresses.", examples=["heat-pumps"])] = UNSET
    niche_key: Annotated[str, Meta(description="Key of its niche.", examples=["home-energy"])]
    agent_key: Annotated[
        str | UnsetType, Meta(description="The agent it was written for.", examples=["home-energy-GB"])
    ] = UNSET
    topic: Annotated[str, Meta(description="The topic asked for.")]
    language: Annotated[Language, Meta(description="The language it is written in.")]
    tone: Annotated[Tone, Meta(description="The tone asked for.")]
    article_length: Annotated[ArticleLength, Meta(description="The length asked for.")]
    keywords: Annotated[tuple[str, ...], Meta(description="The keywords asked for.")]
    word_count: Annotated[int, Meta(description="Words of the content.", examples=[842])]
    reading_minutes: Annotated[int, Meta(description="Minutes to read it, rounded up.", examples=[4])]
    is_public: Annotated[bool, Meta(description="Whether it is publicly accessible.")]
    public_category: Annotated[PublicCategory | UnsetType, Meta(description="Its public category.")] = UNSET
    is_free_generation: Annotated[bool, Meta(description="Whether it counts as a free-generated article.")]
    free_topic: Annotated[str | UnsetType, Meta(description="What duplicates of free articles are found by.")] = UNSET
    coverage: Annotated[
        ArticleCoverage | UnsetType,
        Meta(description="Of the topic, when its sources were chosen; absent before that, and where it is not known."),
    ] = UNSET
    translation_of: Annotated[str | UnsetType, Meta(description="The article that it is a translation of.")] = UNSET
    approval: Annotated[ArticleApproval, Meta(description="What was last said of its text.")]
    created_at: Annotated[datetime, Meta(description="When it was created (UTC).")]
    updated_at: Annotated[datetime, Meta(description="When it was last changed (UTC).")]
    published_at: Annotated[datetime | UnsetType, Meta(description="When it was first published (UTC).")] = UNSET
    error: Annotated[str | UnsetType, Meta(description="Why its generation failed; with status failed.")] = UNSET
    progress: Annotated[
        int | UnsetType,
        Meta(description="Progress of its generation in percent (0-100); only while generating or when failed."),
    ] = UNSET
    waiting_for: Annotated[
        ProviderWait | UnsetType,
        Meta(description="What it waits for, such as a model that does not answer; only while generating."),
    ] = UNSET
    plan: Annotated[ArticlePlan | UnsetType, Meta(description="The plan it is, or was, written from.")] = UNSET
    sources: Annotated[list[ArticleSource] | UnsetType, Meta(description="The numbered sources it cites.")] = UNSET
    grounding: Annotated[Grounding | UnsetType, Meta(description="What each sentence rests on.")] = UNSET
    usage: Annotated[Usage | UnsetType, Meta(description="What the content model consumed.")] = UNSET
    image_credit: Annotated[
        ImageCredit | UnsetType, Meta(description="Whose picture its image is, where POST auto-image found it.")
    ] = UNSET
    voice: Annotated[ArticleVoice | UnsetType, Meta(description="The voice it was to be written in.")] = UNSET
    publications: Annotated[
        list[Publication] | UnsetType, Meta(description="The posts at your targets, and what is known of each.")
    ] = UNSET
    json_ld: Annotated[
        dict[str, Any] | UnsetType, Meta(description="schema.org BlogPosting of a written article, as JSON-LD.")
    ] = UNSET


def from_summary(shown: ArticleSummary) -> Article:
    """The article in a list. Without helper functions, and taken apart at once, for speed: a list has up to a hundred
    articles."""
    (
        id, title, content, excerpt, status, scheduled_for, featured_image, trend_slug, has_seo, meta_title,
        meta_description, slug, niche_key, agent_niche_key, agent_country, topic, language, tone, length, keywords,
        word_count, is_public, public_category, is_free_generation, free_topic, coverage_level, _, _, _, translation_of,
        approval, created_at, updated_at, published_at, error, progress, waiting,
    ) = shown  # fmt: skip
    return Article(
        id=id,
        title=title,
        content=content,
        excerpt=UNSET if excerpt is None else excerpt,
        status=_STATUSES[status],
        scheduled_for=UNSET if scheduled_for is None else utc(scheduled_for),
        featured_image=UNSET if featured_image is None else featured_image,
        trend_slug=UNSET if trend_slug is None else trend_slug,
        seo=Seo(meta_title=optional(meta_title), meta_description=optional(meta_description)) if has_seo else UNSET,
        slug=UNSET if slug is None else slug,
        niche_key=niche_key,
        agent_key=UNSET if agent_niche_key is None else f"{agent_niche_key}-{agent_country}",
        topic=topic,
        language=_LANGUAGES[language],
        tone=_TONES[tone],
        article_length=_LENGTHS[length],
        keywords=tuple(keywords),
        word_count=word_count,
        reading_minutes=-(-word_count // WORDS_PER_MINUTE),
        is_public=is_public,
        public_category=UNSET if public_category is None else PublicCategory(public_category),
        is_free_generation=is_free_generation,
        free_topic=UNSET if free_topic is None else free_topic,
        coverage=UNSET if coverage_level is None else _coverage(shown),
        translation_of=UNSET if translation_of is None else translation_of,
        approval=_NOBODY_ASKED if approval is None else ArticleApproval.of(approval),
        created_at=utc(created_at),
        updated_at=utc(updated_at),
        published_at=UNSET if published_at is None else utc(published_at),
        error=UNSET if error is None or status != ArticleStatus.FAILED else error,
        progress=progress if status in _WITH_PROGRESS else UNSET,
        waiting_for=UNSET if waiting is None or status != ArticleStatus.GENERATING else ProviderWait.of(waiting),
    )


def from_model(article: model.Article, publications: Sequence[publication.Publication] = ()) -> Article:
    """The article with all its details. `publications`: of this article."""
    shown = from_summary(ArticleSummary.of(article))
    shown.approval = ArticleApproval.with_hash(article)
    shown.publications = [Publication.of(each) for each in publications]
    shown.plan = UNSET if article.plan is None else ArticlePlan.from_model(article.plan)
    shown.sources = [ArticleSource.of(source) for source in article.sources]
    shown.grounding = UNSET if article.grounding is None else Grounding.of(article.grounding)
    shown.usage = UNSET if article.usage is None else Usage.of(article.usage)
    if article.image_credit is not None:
        shown.image_credit = ImageCredit.of(article.image_credit)
    voice = article.brief.voice
    if voice is not None:
        shown.voice = ArticleVoice.copy_from(voice, deviations=article.voice_deviations)
    if article.content:
        shown.json_ld = blog_posting(article)
    return shown


def _coverage(shown: ArticleSummary) -> ArticleCoverage:
    assert shown.coverage_level is not None
    assert shown.coverage_score is not None
    return ArticleCoverage(
        level=CoverageLevel(shown.coverage_level),
        score=shown.coverage_score,
        missing_terms=list(shown.coverage_missing or ()),
        provisional=shown.coverage_provisional or UNSET,
    )
