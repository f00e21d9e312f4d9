"""Articles and the table of their transitions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Final

from attrs import astuple, evolve, frozen

from contentgen_core.errors import IllegalTransition
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.approval import Approval, ApprovalState, PostDetails
from contentgen_core.model.article_plan import ArticlePlan
from contentgen_core.model.coverage import ArticleCoverage
from contentgen_core.model.grounding import Grounding
from contentgen_core.model.ids import ArticleId, DocumentId, JobId, TenantId, UserId
from contentgen_core.model.prices import Cost
from contentgen_core.model.vocabulary import ArticleLength, Language, PrivateDocsMode, Processing, Tone
from contentgen_core.model.voice import ChosenVoice


class ArticleStatus(StrEnum):
    DRAFT = "draft"
    GENERATING = "generating"
    GENERATED = "generated"
    SCHEDULED = "scheduled"
    PUBLISHED = "published"
    FAILED = "failed"


_BY_A_PERSON: Final = frozenset({ArticleStatus.DRAFT, ArticleStatus.PUBLISHED, ArticleStatus.SCHEDULED})

TRANSITIONS: Final[dict[ArticleStatus, frozenset[ArticleStatus]]] = {
    ArticleStatus.DRAFT: _BY_A_PERSON | {ArticleStatus.GENERATING},
    ArticleStatus.GENERATING: _BY_A_PERSON | {ArticleStatus.GENERATED, ArticleStatus.FAILED},
    ArticleStatus.GENERATED: _BY_A_PERSON,
    ArticleStatus.SCHEDULED: _BY_A_PERSON,
    ArticleStatus.PUBLISHED: _BY_A_PERSON,
    ArticleStatus.FAILED: _BY_A_PERSON,
}


WRITTEN: Final = frozenset({ArticleStatus.GENERATED, ArticleStatus.SCHEDULED, ArticleStatus.PUBLISHED})
"""The states of an article that has its text."""


class PublicCategory(StrEnum):
    TREND_RADAR = "trend-radar"
    HALLUCINATIONS = "hallucinations"
    RAG_FAILURES = "rag-failures"
    PROMPT_INJECTION = "prompt-injection"
    DATA_LEAKS = "data-leaks"
    BIAS = "bias"
    REGULATION = "regulation"
    SAFETY = "safety"
    OTHER = "other"


@frozen(slots=False)  # as an article is
class Brief:
    """The request of the caller for an article. `topic` is never empty once an article exists. `voice`: None for
    none."""

    topic: str
    language: Language
    tone: Tone = Tone.PROFESSIONAL
    length: ArticleLength = ArticleLength.STANDARD
    keywords: tuple[str, ...] = ()
    include_mermaid: bool = False
    private_docs_mode: PrivateDocsMode = PrivateDocsMode.DISABLED
    document_ids: tuple[DocumentId, ...] = ()
    voice: ChosenVoice | None = None
    processing: Processing = Processing.STANDARD


@frozen
class Seo:
    meta_title: str | None = None
    meta_description: str | None = None


@frozen
class ArticleSource:
    """An entry of the numbered list of sources at an article's end. `number`: that of the text's `[n]`. `published`:
    the date that the document states. `quotes`: the words of the passage that the text rests on. `private`: whether
    it is one of the tenant's private documents, whose words nobody else may read. `author`: who wrote it."""

    number: int
    title: str
    parent_id: DocumentId
    chunk_index: int
    url: str | None = None
    published: date | None = None
    quotes: tuple[str, ...] = ()
    private: bool = False
    author: str | None = None


@frozen
class ImageCredit:
    """The credit that a provider requires for a picture: photographer and provider, each with the address to link to.
    `alt`: what the picture shows. `page_url`: the picture's own page."""

    provider: str
    provider_name: str
    provider_url: str
    photographer: str
    photographer_url: str | None = None
    page_url: str | None = None
    alt: str | None = None


@frozen
class ProviderWait:
    """An article under way that waits for a provider that is away, such as the model. `reason`: in words for a person;
    `until`: when it fails unless the provider is back."""

    reason: str
    since: datetime
    until: datetime


EXTRACTIVE: Final = "extractive"
"""The name of the writer that copies sentences from the sources: no language model."""


@frozen
class Usage:
    """The tokens that the content model consumed for one article, in all attempts. `cost`: None where the price of some
    of them is not known. Of those read, `cached_tokens` the vendor had kept from an earlier request, and
    `cache_written_tokens` it keeps for later ones, as far as it tells. `planned_by`: the model that planned, where it
    is not the one that wrote."""

    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Cost | None = None
    cached_tokens: int = 0
    cache_written_tokens: int = 0
    planned_by: str | None = None

    @property
    def of_a_model(self) -> bool:
        """Whether a language model wrote the text."""
        return self.model != EXTRACTIVE or self.input_tokens > 0 or self.output_tokens > 0

    def plus(self, other: Usage) -> Usage:
        """The sum; the model is that of `other`. Costs in two currencies have none."""
        used = [usage for usage in (self, other) if usage.input_tokens or usage.output_tokens]
        costs = [usage.cost for usage in used if usage.cost is not None]
        currencies = {cost.currency for cost in costs}
        known = len(costs) == len(used) and len(currencies) == 1
        return Usage(
            other.model,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            Cost(sum(cost.micros for cost in costs), currencies.pop()) if known else None,
            self.cached_tokens + other.cached_tokens,
            self.cache_written_tokens + other.cache_written_tokens,
            other.planned_by or self.planned_by,
        )


def hash_of_text(
    title: str,
    content: str,
    excerpt: str | None,
    meta_title: str | None,
    meta_description: str | None,
    featured_image: str | None,
) -> str:
    """Return the SHA-256, in hexadecimal digits, of the words of an article: title, content, excerpt, the texts for
    search engines and the image's address, as a JSON list without spaces, in UTF-8."""
    return _sha256((title, content, excerpt, meta_title, meta_description, featured_image))


def _sha256(value: object) -> str:
    canonical = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=str)
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


@frozen(slots=False)  # with slots, making one that is frozen takes twice as long, and a page makes up to a hundred
class Article:
    """An article. Fields are given by name; a storage adapter may give them in order, which halves the time of making
    one.

    `revision` grows by one with each stored change; a writer that read an older one is refused. `quota_window`: the
    month in which the article was counted against the quota; refunded if the generation fails, settled (None) when it
    succeeds or a person stops it. `topic_key`: the topic, normalised for the same-topic rule. `image_credit` belongs to
    the present `featured_image`. `translation_of`: the article that this one is a translation of, which may be deleted
    by now. `coverage`: of the topic, once the sources are chosen; it stays when a person edits the text.
    `voice_deviations`: how the text deviates from its voice; None: not checked. `approval`: the last thing said of its
    text; `present_approval` is what holds of the text as it is now.
    `waiting`: while a provider is away that it needs."""

    id: ArticleId
    tenant_id: TenantId
    niche_key: str
    brief: Brief
    topic_key: str
    title: str
    status: ArticleStatus
    created_at: datetime
    updated_at: datetime
    agent_key: AgentKey | None = None
    created_by: UserId | None = None
    content: str = ""
    excerpt: str | None = None
    slug: str | None = None
    seo: Seo | None = None
    featured_image: str | None = None
    trend_slug: str | None = None
    scheduled_for: datetime | None = None
    published_at: datetime | None = None
    is_public: bool = False
    public_category: PublicCategory | None = None
    is_free_generation: bool = False
    free_topic: str | None = None
    plan: ArticlePlan | None = None
    sources: tuple[ArticleSource, ...] = ()
    grounding: Grounding | None = None
    usage: Usage | None = None
    word_count: int = 0
    progress: int = 0
    error: str | None = None
    quota_window: date | None = None
    job_id: JobId | None = None
    translation_of: ArticleId | None = None
    revision: int = 0
    image_credit: ImageCredit | None = None
    coverage: ArticleCoverage | None = None
    voice_deviations: tuple[str, ...] | None = None
    approval: Approval | None = None
    waiting: ProviderWait | None = None

    def moved_to(self, status: ArticleStatus, now: datetime) -> Article:
        """The article in another state, with the fields that follow from it. Raises IllegalTransition."""
        if status not in TRANSITIONS[self.status]:
            raise IllegalTransition(f"An article that is {self.status} cannot become {status}.")
        moved = evolve(self, status=status, updated_at=now, waiting=None)
        match status:
            case ArticleStatus.GENERATING:
                return evolve(moved, progress=0, error=None)
            case ArticleStatus.GENERATED:
                return evolve(moved, progress=100, error=None, job_id=None, quota_window=None)
            case ArticleStatus.FAILED:
                return evolve(moved, job_id=None)
            case ArticleStatus.PUBLISHED:
                return evolve(moved, published_at=self.published_at or now, job_id=None)
            case _:
                return evolve(moved, job_id=None)

    @property
    def text_hash(self) -> str:
        """The hash of the words, by which versions and evidence name a text."""
        seo = self.seo or Seo()
        return hash_of_text(
            self.title, self.content, self.excerpt, seo.meta_title, seo.meta_description, self.featured_image
        )

    @property
    def details(self) -> PostDetails:
        """The details to publish with the text, as they were chosen last."""
        return (self.approval and self.approval.details) or PostDetails()

    @property
    def reader_hash(self) -> str:
        """The hash of everything that readers get, which an approval is of: the words, the language, the credit of the
        image, each source as its entry shows it, and what goes out beside the text."""
        details, brief = self.details, self.brief
        beside = (
            details.slug or self.slug,
            brief.keywords if details.tags is None else details.tags,
            details.categories or (),
            details.canonical_url,
            details.options,
        )
        sources = [astuple(source) for source in self.sources]
        credit = self.image_credit and astuple(self.image_credit)
        return _sha256((self.text_hash, brief.language, sources, credit, beside))

    def with_titles(self, titles: Mapping[DocumentId, str]) -> Article:
        """Return the article with these titles of its sources; a source without one here keeps its own."""
        sources = (evolve(source, title=titles.get(source.parent_id, source.title)) for source in self.sources)
        return evolve(self, sources=tuple(sources))

    @property
    def present_approval(self) -> Approval | None:
        """The approval as it applies to the present article; lapsed if the article changed since."""
        approval = self.approval
        if approval is None or approval.state is not ApprovalState.APPROVED:
            return approval
        holds = approval.text_hash == self.text_hash and (
            approval.reader_hash in (None, self.with_titles(approval.source_titles).reader_hash)
        )
        return approval if holds else approval.lapsed(self.updated_at)

    @property
    def approval_state(self) -> ApprovalState:
        approval = self.present_approval
        return ApprovalState.NONE if approval is None else approval.state

    @property
    def percent_done(self) -> int:
        """The progress of its generation in percent; 100 once it has its text."""
        return 100 if self.status in WRITTEN else self.progress

    @property
    def published_or_created_at(self) -> datetime:
        """The time of its first publication, else of its creation."""
        return self.published_at or self.created_at

    @property
    def awaits_review(self) -> bool:
        """Whether it is a draft with a plan, which generate-from-plan requires."""
        return self.status is ArticleStatus.DRAFT and self.plan is not None
