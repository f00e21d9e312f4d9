"""Articles as rows of their table."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any, Final, TypeVar

from attrs import evolve

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.digests import digest
from contentgen_adapters.postgres.session import Row
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.approval import Approval, ApprovalState
from contentgen_core.model.article import (
    Article,
    ArticleSource,
    ArticleStatus,
    Brief,
    ImageCredit,
    ProviderWait,
    PublicCategory,
    Seo,
    Usage,
)
from contentgen_core.model.article_plan import ArticlePlan
from contentgen_core.model.article_summary import ArticleSummary
from contentgen_core.model.coverage import ArticleCoverage, CoverageLevel
from contentgen_core.model.grounding import Grounding
from contentgen_core.model.vocabulary import ArticleLength, Language, PrivateDocsMode, Processing, Tone
from contentgen_core.model.voice import ChosenVoice

_SOURCES: Final = tuple[ArticleSource, ...]

# In the order in which `list_article` takes them apart.
LIST_COLUMNS: Final = (
    "id, tenant_id, niche_key, topic, language, tone, length, keywords, include_mermaid, private_docs_mode,"
    " document_ids, topic_key, title, status, created_at, updated_at, agent_niche_key, agent_country, created_by,"
    " content, excerpt, slug, has_seo, meta_title, meta_description, featured_image, trend_slug, scheduled_for,"
    " published_at, is_public, public_category, is_free_generation, free_topic, word_count, progress, error,"
    " quota_window, job_id, translation_of, revision, coverage_level, coverage_score, coverage_missing,"
    " coverage_provisional,"
    " approval::text, processing, waiting::text, approval_state"
)
_JSON: Final = frozenset({"approval", "waiting"})
SUMMARY_COLUMNS: Final = ", ".join(
    f"{name}::text" if name in _JSON else name for name in (*ArticleSummary._fields, "approval_state")
)
DETAIL_COLUMNS: Final = (
    "plan::text, sources::text, grounding::text, usage::text, image_credit::text, voice::text, voice_deviations"
)

_E = TypeVar("_E", bound=StrEnum)


def _by_value(kind: type[_E]) -> dict[str, _E]:
    """Calling an enumeration takes five times as long as looking into a dict, and a page does it five times a row."""
    return {member.value: member for member in kind}


_STATUSES: Final = _by_value(ArticleStatus)
_LANGUAGES: Final = _by_value(Language)
_TONES: Final = _by_value(Tone)
_LENGTHS: Final = _by_value(ArticleLength)
_DOCS_MODES: Final = _by_value(PrivateDocsMode)
_COVERAGE: Final = _by_value(CoverageLevel)
_CATEGORIES: Final = _by_value(PublicCategory)


def article_summary(row: Row) -> ArticleSummary:
    """From SUMMARY_COLUMNS."""
    summary = ArticleSummary._make(row[:-1])
    if summary.approval is not None:
        approval: Approval = loads(summary.approval, Approval)  # type: ignore[arg-type]  # a text
        summary = summary._replace(approval=_present(approval, row[-1], summary.updated_at))
    waiting = summary.waiting
    return summary if waiting is None else summary._replace(waiting=loads(waiting, ProviderWait))  # type: ignore[arg-type]


def list_article(row: Row) -> Article:
    """An article from LIST_COLUMNS: without plan, sources, grounding, usage, image credit and voice."""
    article = _article(row, None, (), None, None, None)
    if article.approval is None:
        return article
    return evolve(article, approval=_present(article.approval, row[-1], article.updated_at))


def _present(approval: Approval, state: str, changed_at: datetime) -> Approval:
    """What holds of an article that is read without its sources, which its approval is of, too: what held when it was
    stored."""
    if approval.state is ApprovalState.APPROVED and state != ApprovalState.APPROVED:
        return approval.lapsed(changed_at)
    return evolve(approval, reader_hash=None)


def whole_article(row: Row) -> Article:
    """An article from LIST_COLUMNS and DETAIL_COLUMNS."""
    plan, sources, grounding, usage, image_credit, voice, deviations = row[-7:]
    article = _article(
        row[:-7],
        None if plan is None else loads(plan, ArticlePlan),
        loads(sources, _SOURCES),
        None if grounding is None else loads(grounding, Grounding),
        None if usage is None else loads(usage, Usage),
        None if image_credit is None else loads(image_credit, ImageCredit),
    )
    if voice is None:
        return article
    brief = evolve(article.brief, voice=loads(voice, ChosenVoice))
    return evolve(article, brief=brief, voice_deviations=None if deviations is None else tuple(deviations))


def _article(
    row: Row,
    plan: ArticlePlan | None,
    sources: tuple[ArticleSource, ...],
    grounding: Grounding | None,
    usage: Usage | None,
    image_credit: ImageCredit | None,
) -> Article:
    (
        id, tenant_id, niche_key, topic, language, tone, length, keywords, include_mermaid, private_docs_mode,
        document_ids, topic_key, title, status, created_at, updated_at, agent_niche_key, agent_country, created_by,
        content, excerpt, slug, has_seo, meta_title, meta_description, featured_image, trend_slug, scheduled_for,
        published_at, is_public, public_category, is_free_generation, free_topic, word_count, progress, error,
        quota_window, job_id, translation_of, revision, coverage_level, coverage_score, coverage_missing,
        coverage_provisional, approval,
        processing, waiting, _,
    ) = row  # fmt: skip
    # By place, in the order of the model's fields: a page makes up to a hundred, and finding 40 names takes as long as
    # making the article.
    return Article(
        id,
        tenant_id,
        niche_key,
        Brief(
            topic,
            _LANGUAGES[language],
            _TONES[tone],
            _LENGTHS[length],
            tuple(keywords),
            include_mermaid,
            _DOCS_MODES[private_docs_mode],
            tuple(document_ids),
            None,
            Processing.STANDARD if processing is None else Processing(processing),
        ),
        topic_key,
        title,
        _STATUSES[status],
        created_at,
        updated_at,
        None if agent_niche_key is None else AgentKey(agent_niche_key, agent_country),
        created_by,
        content,
        excerpt,
        slug,
        Seo(meta_title, meta_description) if has_seo else None,
        featured_image,
        trend_slug,
        scheduled_for,
        published_at,
        is_public,
        None if public_category is None else _CATEGORIES[public_category],
        is_free_generation,
        free_topic,
        plan,
        sources,
        grounding,
        usage,
        word_count,
        progress,
        error,
        quota_window,
        job_id,
        translation_of,
        revision,
        image_credit,
        None
        if coverage_level is None
        else ArticleCoverage(_COVERAGE[coverage_level], coverage_score, tuple(coverage_missing), coverage_provisional),
        None,
        None if approval is None else loads(approval, Approval),
        None if waiting is None else loads(waiting, ProviderWait),
    )


def columns(article: Article) -> dict[str, Any]:
    """The columns that can change, by name, but for `revision` and `words`."""
    brief, seo, coverage = article.brief, article.seo, article.coverage
    free = article.is_free_generation and article.free_topic is not None
    return {
        "niche_key": article.niche_key,
        "topic": brief.topic,
        "language": brief.language.value,
        "tone": brief.tone.value,
        "length": brief.length.value,
        "keywords": list(brief.keywords),
        "include_mermaid": brief.include_mermaid,
        "private_docs_mode": brief.private_docs_mode.value,
        "document_ids": list(brief.document_ids),
        "topic_key": article.topic_key,
        "topic_digest": digest(article.topic_key),
        "title": article.title,
        "status": article.status.value,
        "created_at": article.created_at,
        "updated_at": article.updated_at,
        "agent_niche_key": article.agent_key and article.agent_key.niche_key,
        "agent_country": article.agent_key and article.agent_key.country,
        "created_by": article.created_by,
        "content": article.content,
        "excerpt": article.excerpt,
        "slug": article.slug,
        "has_seo": seo is not None,
        "meta_title": seo and seo.meta_title,
        "meta_description": seo and seo.meta_description,
        "featured_image": article.featured_image,
        "trend_slug": article.trend_slug,
        "scheduled_for": article.scheduled_for,
        "published_at": article.published_at,
        "is_public": article.is_public,
        "public_category": article.public_category and article.public_category.value,
        "is_free_generation": article.is_free_generation,
        "free_topic": article.free_topic,
        "free_topic_digest": digest(article.free_topic or "") if free else None,
        "plan": None if article.plan is None else dumps(article.plan, ArticlePlan),
        "sources": dumps(article.sources, _SOURCES),
        "grounding": None if article.grounding is None else dumps(article.grounding, Grounding),
        "usage": None if article.usage is None else dumps(article.usage, Usage),
        "word_count": article.word_count,
        "progress": article.progress,
        "error": article.error,
        "quota_window": article.quota_window,
        "job_id": article.job_id,
        "image_credit": article.image_credit and dumps(article.image_credit, ImageCredit),
        "translation_of": article.translation_of,
        "coverage_level": coverage and coverage.level.value,
        "coverage_score": coverage and coverage.score,
        "coverage_missing": coverage and list(coverage.missing),
        "coverage_provisional": coverage is not None and coverage.provisional,
        "approval": article.approval and dumps(article.approval, Approval),
        "approval_state": article.approval_state.value,
        "waiting": article.waiting and dumps(article.waiting, ProviderWait),
        "voice": brief.voice and dumps(brief.voice, ChosenVoice),
        "processing": None if brief.processing is Processing.STANDARD else brief.processing.value,
        "voice_deviations": None if article.voice_deviations is None else list(article.voice_deviations),
    }
