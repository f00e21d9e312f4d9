"""Sample values. Each takes what matters to a test as keyword arguments and makes up the rest, valid and unique."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any, Final

from contentgen_core.model.agent import Agent, AgentKey
from contentgen_core.model.agent_event import AgentEvent, AgentEventKind
from contentgen_core.model.area import Area
from contentgen_core.model.article import (
    Article,
    ArticleSource,
    ArticleStatus,
    Brief,
    ImageCredit,
    PublicCategory,
    Seo,
    Usage,
)
from contentgen_core.model.article_plan import ArticlePlan, FaqEntry, PlanSection, PlanSeo, SourceRef
from contentgen_core.model.document import PrivateDocument
from contentgen_core.model.drafting import DraftParagraph, DraftSentence, SectionDraft
from contentgen_core.model.enrichment import Enrichment
from contentgen_core.model.execution import Execution, Trigger
from contentgen_core.model.grounding import (
    Grounding,
    GroundingLevel,
    GroundingTotals,
    SentenceReceipt,
    Support,
    Verdict,
)
from contentgen_core.model.ids import (
    AgentId,
    ApiKeyId,
    ArticleId,
    DocumentId,
    EnrichmentId,
    ExecutionId,
    IntegrationId,
    InvitationId,
    JobId,
    NicheId,
    PublicationId,
    ReviewId,
    TenantId,
    TopicCoverageId,
    TranslationId,
    UserId,
)
from contentgen_core.model.integration import Integration
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.knowledge import KbDocument, KbScope, Origin, Passage, RankedPassage
from contentgen_core.model.niche import Activation, Niche
from contentgen_core.model.publication import PostRequest, Publication
from contentgen_core.model.review import Review
from contentgen_core.model.schedule import ArticleSchedule
from contentgen_core.model.team import INVITATION_LASTS, Invitation
from contentgen_core.model.tenant import ApiKey, Caller, PlanName, Role, Tenant, User
from contentgen_core.model.topic_coverage import TopicCoverage
from contentgen_core.model.translation import Original, Translation
from contentgen_core.model.trend import Trend, TrendCandidate, TrendCategory, TrendPoint, TrendSlug, TrendSource
from contentgen_core.model.vocabulary import ArticleLength, Language, PrivateDocsMode, Tone
from contentgen_core.policies.topics.validation import topic_key
from contentgen_core.testing.runtime import MOMENT, SequentialIds

NICHE_KEY: Final = "home-energy"

_ids = SequentialIds()


def new_id() -> str:
    """An id that no other sample of this run has; later ones sort after earlier ones."""
    return _ids.new()


def _short(id: str) -> str:
    return id.rpartition("-")[2].lstrip("0")


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def tenant(**changes: Any) -> Tenant:
    id = TenantId(new_id())
    defaults: dict[str, Any] = {"name": f"Tenant {_short(id)}", "plan": PlanName.PRO, "created_at": MOMENT}
    return Tenant(**{"id": id} | defaults | changes)


def user(**changes: Any) -> User:
    id = UserId(new_id())
    defaults = {"id": id, "name": f"User {_short(id)}", "role": Role.OWNER, "created_at": MOMENT}
    return User(**_with_tenant(defaults, changes))


def api_key(**changes: Any) -> ApiKey:
    id = ApiKeyId(new_id())
    defaults: dict[str, Any] = {"id": id, "name": "A key", "digest": sha256(id), "hint": "ab12", "created_at": MOMENT}
    if "user_id" not in changes:
        defaults["user_id"] = UserId(new_id())
    return ApiKey(**_with_tenant(defaults, changes))


def invitation(**changes: Any) -> Invitation:
    id = InvitationId(new_id())
    defaults: dict[str, Any] = {
        "id": id,
        "email": f"someone-{_short(id)}@example.com",
        "role": Role.EDITOR,
        "invited_by": UserId(new_id()),
        "invited_at": MOMENT,
        "expires_at": MOMENT + INVITATION_LASTS,
        "nonce": sha256(id),
        "job_id": JobId(new_id()),
    }
    return Invitation(**_with_tenant(defaults, changes))


def enrichment(**changes: Any) -> Enrichment:
    defaults: dict[str, Any] = {
        "id": EnrichmentId(new_id()),
        "agent_key": AgentKey(NICHE_KEY, "GB"),
        "topic": "Noise limits for heat pumps",
        "provider": "serper",
        "created_at": MOMENT,
    }
    return Enrichment(**_with_tenant(defaults, changes))


def translation(**changes: Any) -> Translation:
    """Of a text, under way, unless `changes` say otherwise."""
    defaults: dict[str, Any] = {
        "id": TranslationId(new_id()),
        "target": Language.FR,
        "words": 501,
        "credits": 2,
        "created_at": MOMENT,
        "original": Original("A heat pump moves heat."),
    }
    return Translation(**_with_tenant(defaults, changes))


def review(**changes: Any) -> Review:
    """Listed, of nobody in particular, unless `changes` say otherwise."""
    id = ReviewId(new_id())
    defaults: dict[str, Any] = {
        "id": id,
        "user_id": UserId(new_id()),
        "rating": 4,
        "title": "It cites its sources",
        "comment": f"Each sentence says where it comes from. {_short(id)}",
        "created_at": MOMENT,
        "updated_at": MOMENT,
    }
    return Review(**defaults | changes)


def private_document(**changes: Any) -> PrivateDocument:
    id = DocumentId(new_id())
    defaults: dict[str, Any] = {
        "id": id,
        "title": f"Document {_short(id)}",
        "created_at": MOMENT,
        "updated_at": MOMENT,
        "file_name": "manual.pdf",
        "media_type": "application/pdf",
        "size": 10,
        "content_hash": sha256(id),
    }
    return PrivateDocument(**_with_tenant(defaults, changes))


def integration(**changes: Any) -> Integration:
    id = IntegrationId(new_id())
    defaults: dict[str, Any] = {
        "id": id,
        "tenant_id": TenantId(new_id()),
        "provider": "webhook",
        "name": f"Integration {_short(id)}",
        "created_at": MOMENT,
        "updated_at": MOMENT,
    }
    return Integration(**defaults | changes)


def publication(**changes: Any) -> Publication:
    defaults: dict[str, Any] = {
        "id": PublicationId(new_id()),
        "tenant_id": TenantId(new_id()),
        "integration_id": IntegrationId(new_id()),
        "provider": "webhook",
        "request": PostRequest(),
        "created_at": MOMENT,
        "updated_at": MOMENT,
    }
    return Publication(**defaults | changes)


def topic_coverage(**changes: Any) -> TopicCoverage:
    """Never computed."""
    defaults: dict[str, Any] = {"id": TopicCoverageId(new_id()), "area": Area(NICHE_KEY)}
    return TopicCoverage(**_with_tenant(defaults, changes))


def article_schedule(**changes: Any) -> ArticleSchedule:
    """Every Monday at nine in London, from the next one on."""
    settings = {"enabled": True, "days": ["mon"], "hour": 9, "timeZone": "Europe/London"}
    defaults: dict[str, Any] = {
        "niche_id": NicheId(new_id()),
        "set_by": UserId(new_id()),
        "settings": settings,
        "next_fire_at": MOMENT + timedelta(days=6),
    }
    return ArticleSchedule(**_with_tenant(defaults, changes))


def execution(**changes: Any) -> Execution:
    """Queued by a person."""
    defaults: dict[str, Any] = {
        "id": ExecutionId(new_id()),
        "agent_id": AgentId(new_id()),
        "agent_key": AgentKey(NICHE_KEY, "GB"),
        "agent_name": "Home energy (GB)",
        "trigger": Trigger.MANUAL,
        "requested": 1,
        "created_at": MOMENT,
        "created_by": UserId(new_id()),
        "job_id": JobId(new_id()),
    }
    return Execution(**_with_tenant(defaults, changes))


def caller(**changes: Any) -> Caller:
    defaults = {"user_id": UserId(new_id()), "plan": PlanName.PRO, "role": Role.OWNER}
    return Caller(**_with_tenant(defaults, changes))


def niche(**changes: Any) -> Niche:
    """A preconfigured niche unless it is given a `tenant_id`."""
    id = NicheId(new_id())
    key = f"niche-{_short(id)}"
    defaults: dict[str, Any] = {"id": id, "niche_key": key, "name": f"Niche {key}", "created_at": MOMENT}
    return Niche(**defaults | changes)


def activation(**changes: Any) -> Activation:
    defaults = {"tones": (Tone.PROFESSIONAL,), "languages": (Language.EN,), "countries": ("GB",)}
    return Activation(**defaults | changes)


def agent(**changes: Any) -> Agent:
    """A system agent unless it is given a `tenant_id`."""
    id = AgentId(new_id())
    key = AgentKey(NICHE_KEY, "GB")
    defaults: dict[str, Any] = {"id": id, "key": key, "name": f"Agent {_short(id)}", "created_at": MOMENT}
    return Agent(**defaults | changes)


def agent_event(**changes: Any) -> AgentEvent:
    defaults: dict[str, Any] = {
        "tenant_id": TenantId(new_id()),
        "kind": AgentEventKind.AGENT_UPDATED,
        "at": MOMENT,
        "agent_id": AgentId(new_id()),
        "agent_key": AgentKey(NICHE_KEY, "GB"),
        "agent_name": "Home energy (GB)",
    }
    return AgentEvent(**defaults | changes)


def brief(**changes: Any) -> Brief:
    return Brief(**{"topic": "Heat pumps in old houses", "language": Language.EN} | changes)


def article(topic: str | None = None, **changes: Any) -> Article:
    """A draft. `topic` sets the brief's topic with the key and the title that follow from it."""
    id = ArticleId(new_id())
    topic = topic or f"Heat pumps, part {_short(id)}"
    defaults: dict[str, Any] = {
        "id": id,
        "niche_key": NICHE_KEY,
        "brief": brief(topic=topic),
        "topic_key": topic_key(topic),
        "title": topic,
        "status": ArticleStatus.DRAFT,
        "created_at": MOMENT,
        "updated_at": MOMENT,
    }
    return Article(**_with_tenant(defaults, changes))


def full_article(**changes: Any) -> Article:
    """A published article with every field set, as a long life may leave it."""
    id = ArticleId(new_id())
    ref, document_id = source_ref(), DocumentId(new_id())
    receipt = SentenceReceipt(
        text="It moves 3 kWh.",
        citations=(1,),
        verdict=Verdict.SUPPORTED,
        support=Support(ref, sha256(id), 4, 20, 0.875),
        missing_facts=("3 kWh",),
        citations_needed=1,
        marked=True,
    )
    defaults: dict[str, Any] = {
        "id": id,
        "brief": brief(
            topic=f"Pompes à chaleur “{_short(id)}”",
            language=Language.FR,
            tone=Tone.FRIENDLY,
            length=ArticleLength.LONG,
            keywords=("pompe", "chaleur"),
            include_mermaid=True,
            private_docs_mode=PrivateDocsMode.MANUAL,
            document_ids=(document_id,),
        ),
        "topic_key": f"pompes à chaleur “{_short(id)}”",
        "title": "Pompes à chaleur",
        "status": ArticleStatus.PUBLISHED,
        "updated_at": MOMENT + timedelta(minutes=3, microseconds=7),
        "agent_key": AgentKey(NICHE_KEY, "FR"),
        "content": "# Pompes à chaleur\n\nIt moves 3 kWh. [1]",
        "excerpt": "It moves heat.",
        "slug": "pompes-a-chaleur",
        "seo": Seo("Pompes", "Tout sur les pompes"),
        "featured_image": "https://images.example.com/1.jpg",
        "trend_slug": "heat",
        "scheduled_for": MOMENT + timedelta(days=1),
        "published_at": MOMENT + timedelta(days=2),
        "is_public": True,
        "public_category": PublicCategory.OTHER,
        "is_free_generation": True,
        "free_topic": f"Pompes {_short(id)}",
        "plan": article_plan(),
        "sources": (ArticleSource(1, "A source", document_id, 2, "https://example.com/a"),),
        "grounding": Grounding(
            GroundingLevel.PARTIAL,
            GroundingTotals(1, 1.0, 0.5, 0.25, 1.0, 0.125, 6, 0.375),
            (receipt, SentenceReceipt("Unsure.", (), Verdict.UNSUPPORTED)),
        ),
        "usage": Usage("sample-model", 1200, 900),
        "word_count": 8,
        "progress": 100,
        "error": "the second source was away",
        "quota_window": MOMENT.date().replace(day=1),
        "job_id": JobId(new_id()),
        "translation_of": ArticleId(new_id()),
        "revision": 4,
        "image_credit": ImageCredit(
            "sample",
            "Sample Pictures",
            "https://images.example.com/?utm_source=contentgen",
            "Ada Ohm",
            "https://images.example.com/@ada",
            "https://images.example.com/photos/1",
            "A heat pump in the snow",
        ),
    }
    return article(**defaults | changes)


def source_ref(**changes: Any) -> SourceRef:
    defaults: dict[str, Any] = {"document_id": new_id(), "chunk_index": 0}
    return SourceRef(**defaults | changes)


def plan_section(**changes: Any) -> PlanSection:
    defaults = {"heading": "How a heat pump works", "goal": "Explain it", "key_points": ("It moves heat",)}
    return PlanSection(**defaults | changes)


def article_plan(**changes: Any) -> ArticlePlan:
    """Two sections that rest on one passage each, and a question."""
    first, second = source_ref(), source_ref()
    defaults: dict[str, Any] = {
        "title": "Heat pumps in old houses",
        "angle": "What it costs to run one",
        "audience": "Home owners",
        "sections": (
            plan_section(source_ids=(first,)),
            plan_section(heading="What it costs", key_points=("Prices vary",), source_ids=(second,)),
        ),
        "faq": (FaqEntry("Is it loud?", (first,)),),
        "seo": PlanSeo("Heat pumps", "All about heat pumps", ("heat pump",)),
    }
    return ArticlePlan(**defaults | changes)


def section_draft(**changes: Any) -> SectionDraft:
    sentence = DraftSentence("A heat pump moves heat.", (source_ref(),))
    quotation = DraftSentence("It is quiet.", (source_ref(),), quotation=True)
    defaults: dict[str, Any] = {
        "heading": "How a heat pump works",
        "paragraphs": (DraftParagraph((sentence,)), DraftParagraph((quotation,), bullets=True)),
        "usage": Usage("sample-model", 120, 40),
    }
    return SectionDraft(**defaults | changes)


def job(**changes: Any) -> Job:
    defaults = {
        "id": JobId(new_id()),
        "kind": JobKind.GENERATE_ARTICLE,
        "subject_id": new_id(),
        "run_at": MOMENT,
    }
    return Job(**_with_tenant(defaults, changes))


def kb_document(**changes: Any) -> KbDocument:
    """A document of the platform in the sample niche, without a country, unless given another `scope`."""
    id = DocumentId(new_id())
    defaults: dict[str, Any] = {
        "id": id,
        "scope": KbScope(NICHE_KEY),
        "source_key": f"https://example.com/{id}",
        "title": f"Document {_short(id)}",
        "language": Language.EN,
        "origin": Origin.IMPORT,
        "content_hash": sha256(id),
        "created_at": MOMENT,
        "url": f"https://example.com/{id}",
    }
    return KbDocument(**defaults | changes)


def full_document(**changes: Any) -> KbDocument:
    """A document with every field set: a web page that a tenant's enrichment found for one country."""
    scope = KbScope(NICHE_KEY, TenantId(new_id()), "FR")
    fetched_at = MOMENT + timedelta(seconds=5)
    return kb_document(
        **{"scope": scope, "language": Language.FR, "origin": Origin.WEB, "fetched_at": fetched_at} | changes
    )


def passage(document: KbDocument | None = None, text: str = "A heat pump moves heat", **changes: Any) -> Passage:
    """Its terms are the text's words in lower case unless given."""
    defaults: dict[str, Any] = {
        "document": document or kb_document(),
        "chunk_index": 0,
        "text": text,
        "content_hash": sha256(text),
        "terms": tuple(text.lower().split()),
    }
    return Passage(**defaults | changes)


def ranked_passage(passage_: Passage | None = None, **changes: Any) -> RankedPassage:
    defaults = {"combined_score": 0.75, "rerank_score": 0.5, "original_score": 0.25}
    return RankedPassage(**{"passage": passage_ or passage()} | defaults | changes)


def _with_tenant(defaults: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    return {"tenant_id": changes.get("tenant_id") or TenantId(new_id())} | defaults | changes


def trend_source(**changes: Any) -> TrendSource:
    """A page of a publisher of its own, published at MOMENT."""
    name = f"site-{_short(new_id())}.example.org"
    defaults: dict[str, Any] = {
        "url": f"https://{name}/heat-pumps",
        "title": "Heat pump grants rise in spring",
        "publisher": name,
        "category": TrendCategory.NEWS,
        "published_at": MOMENT,
        "found_at": MOMENT + timedelta(minutes=5),
        "excerpt": "The grant for a heat pump rises.",
    }
    return TrendSource(**defaults | changes)


def trend_candidate(title: str = "Heat pump grants rise in spring", **changes: Any) -> TrendCandidate:
    """A page in English; `changes` are the source's, and `language` and `text`."""
    own = {name: changes.pop(name) for name in ("language", "text") if name in changes}
    return TrendCandidate(trend_source(title=title, **changes), **{"language": Language.EN} | own)


def trend(**changes: Any) -> Trend:
    """A trend of the sample niche with two independent sources, seen at MOMENT."""
    defaults: dict[str, Any] = {
        "slug": TrendSlug(f"heat-pump-grants-{_short(new_id())}"),
        "niche_key": NICHE_KEY,
        "title": "Heat pump grants rise in spring",
        "summary": "The grant for a heat pump rises.",
        "category": TrendCategory.NEWS,
        "language": Language.EN,
        "score": 50.0,
        "sources": (trend_source(), trend_source()),
        "history": (TrendPoint(MOMENT, 50.0, 2),),
        "first_seen_at": MOMENT,
        "last_seen_at": MOMENT,
        "updated_at": MOMENT,
    }
    return Trend(**defaults | changes)
