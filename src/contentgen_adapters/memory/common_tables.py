"""Tables that several repositories of the memory store read."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from attrs import frozen

from contentgen_adapters.memory.tables import TableOf
from contentgen_core.model.agent import Agent
from contentgen_core.model.area import Area
from contentgen_core.model.article import Article
from contentgen_core.model.article_comment import SentenceReview
from contentgen_core.model.article_link import ArticleLink
from contentgen_core.model.article_version import ArticleVersion, VersionText
from contentgen_core.model.calendar import CalendarLink
from contentgen_core.model.conflict import Conflict, ConflictSearch
from contentgen_core.model.drafting import SectionDraft
from contentgen_core.model.entity import Curation
from contentgen_core.model.ids import (
    AgentId,
    ApiKeyId,
    ArticleId,
    ArticleLinkId,
    BatchedPartId,
    ConflictId,
    ConflictSearchId,
    DocumentId,
    NicheId,
    PublicationId,
    SearchDemandId,
    SearchReportId,
    SignInLinkId,
    TenantId,
    TopicCoverageId,
    TranslationId,
    UserId,
    WebSessionId,
)
from contentgen_core.model.knowledge import KbDocument, Passage, RankedPassage, VectorSpace
from contentgen_core.model.model_batch import BatchedPart
from contentgen_core.model.niche import Activation, Niche
from contentgen_core.model.publication import Publication
from contentgen_core.model.schedule import ArticleSchedule
from contentgen_core.model.search_demand import SearchDemand
from contentgen_core.model.search_report import SearchFigures, SearchReport
from contentgen_core.model.sign_in import SignInLink, WebSession
from contentgen_core.model.similar_article import ReadTopic
from contentgen_core.model.tenant import ApiKey, Tenant, User
from contentgen_core.model.topic_coverage import TopicCoverage
from contentgen_core.model.translation import TranslatedPart, Translation
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.writing import StageRecord


@frozen
class Change:
    """A document whose index entry is out of date. `number` grows with each change; `claimed` is the number that the
    worker saw when it took the lease."""

    document_id: DocumentId
    number: int
    worker: str | None = None
    leased_until: datetime | None = None
    claimed: int | None = None


@frozen
class FreeLink:
    link: str
    article_id: ArticleId


@frozen
class FreeGeneration:
    article_id: ArticleId
    day: date
    visitor: str


TENANTS: Final = TableOf[TenantId, Tenant]("tenants")
USERS: Final = TableOf[UserId, User]("users")
API_KEYS: Final = TableOf[ApiKeyId, ApiKey]("api_keys")
SIGN_IN_LINKS: Final = TableOf[SignInLinkId, SignInLink]("sign_in_links")
WEB_SESSIONS: Final = TableOf[WebSessionId, WebSession]("web_sessions")
NICHES: Final = TableOf[NicheId, Niche]("niches")
ACTIVATIONS: Final = TableOf[tuple[TenantId, str], Activation]("activations")
AGENTS: Final = TableOf[AgentId, Agent]("agents")
ARTICLE_SCHEDULES: Final = TableOf[tuple[TenantId, NicheId], ArticleSchedule]("article_schedules")
ARTICLES: Final = TableOf[ArticleId, Article]("articles")
FREE_TOPICS: Final = TableOf[str, ArticleId]("free_topics")
FREE_LINKS: Final = TableOf[str, FreeLink]("free_links")
FREE_GENERATIONS: Final = TableOf[ArticleId, FreeGeneration]("free_generations")
TOPIC_WORDS: Final = TableOf[ArticleId, tuple[str, Language, frozenset[str]]]("topic_words")
SOURCES: Final = TableOf[ArticleId, tuple[RankedPassage, ...]]("sources")
DRAFTS: Final = TableOf[ArticleId, dict[int, SectionDraft]]("drafts")
STAGES: Final = TableOf[ArticleId, tuple[StageRecord, ...]]("stages")
BATCHED_PARTS: Final = TableOf[BatchedPartId, BatchedPart]("batched_parts")
DOCUMENTS: Final = TableOf[DocumentId, KbDocument]("documents")
PASSAGES: Final = TableOf[DocumentId, tuple[Passage, ...]]("passages")
CHANGES: Final = TableOf[DocumentId, Change]("changes")
TOPIC_COVERAGES: Final = TableOf[TopicCoverageId, TopicCoverage]("topic_coverages")
TOPIC_COVERAGES_OF: Final = TableOf[tuple[TenantId, Area], TopicCoverageId]("topic_coverages_of")
PUBLICATIONS: Final = TableOf[PublicationId, Publication]("publications")
TRANSLATIONS: Final = TableOf[TranslationId, Translation]("translations")
TRANSLATION_PARTS: Final = TableOf[TranslationId, dict[int, TranslatedPart]]("translation_parts")
SEARCH_REPORTS: Final = TableOf[SearchReportId, SearchReport]("search_reports")
SEARCH_FIGURES: Final = TableOf[SearchReportId, tuple[SearchFigures, ...]]("search_figures")
ARTICLE_LINKS: Final = TableOf[ArticleLinkId, ArticleLink]("article_links")
ARTICLE_TOPICS: Final = TableOf[ArticleId, tuple[VectorSpace | None, ReadTopic]]("article_topics")
SEARCH_DEMANDS: Final = TableOf[SearchDemandId, SearchDemand]("search_demands")
CONFLICT_SEARCHES: Final = TableOf[ConflictSearchId, ConflictSearch]("conflict_searches")
CONFLICTS: Final = TableOf[ConflictId, Conflict]("conflicts")
CALENDAR_LINKS: Final = TableOf[UserId, CalendarLink]("calendar_links")
ARTICLE_VERSIONS: Final = TableOf[tuple[ArticleId, int], tuple[ArticleVersion, VersionText]]("article_versions")
SENTENCE_REVIEWS: Final = TableOf[tuple[ArticleId, str, UserId], tuple[TenantId, ArticleId, SentenceReview]](
    "sentence_reviews"
)
CURATIONS: Final = TableOf[tuple[TenantId, str], Curation]("curations")
