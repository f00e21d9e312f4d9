"""Articles, plans, drafts and translations."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

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
from contentgen_core.model.article_plan import ArticlePlan, FaqEntry, PlanSection, PlanSeo, SourceRef
from contentgen_core.model.coverage import ArticleCoverage, CoverageLevel
from contentgen_core.model.drafting import DraftParagraph, DraftSentence, SectionDraft
from contentgen_core.model.grounding import (
    Grounding,
    GroundingLevel,
    GroundingTotals,
    SentenceReceipt,
    Support,
    Verdict,
)
from contentgen_core.model.ids import ArticleId, DocumentId, JobId, TranslationId, UserId
from contentgen_core.model.prices import Cost
from contentgen_core.model.translation import Original, Translation
from contentgen_core.model.vocabulary import ArticleLength, Language, PrivateDocsMode, Processing, Tone
from contentgen_core.policies.topics.validation import topic_key
from contentgen_core.testing.builders.base import NICHE_KEY, new_id, sha256, short, with_tenant
from contentgen_core.testing.runtime import MOMENT


def brief(**changes: Any) -> Brief:
    return Brief(**{"topic": "Heat pumps in old houses", "language": Language.EN} | changes)


def source_ref(**changes: Any) -> SourceRef:
    defaults: dict[str, Any] = {"document_id": new_id(), "chunk_index": 0}
    return SourceRef(**defaults | changes)


def plan_section(**changes: Any) -> PlanSection:
    defaults = {"heading": "How a heat pump works", "goal": "Explain it", "key_points": ("It moves heat",)}
    return PlanSection(**defaults | changes)


def article_plan(**changes: Any) -> ArticlePlan:
    """Two sections with one passage each, and a question."""
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


def article(topic: str | None = None, **changes: Any) -> Article:
    """A draft. `topic` sets the brief's topic, with the key and the title made of it."""
    id = ArticleId(new_id())
    topic = topic or f"Heat pumps, part {short(id)}"
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
    return Article(**with_tenant(defaults, changes))


def _full_brief(id: ArticleId, document_id: DocumentId) -> Brief:
    return brief(
        topic=f"Pompes à chaleur “{short(id)}”",
        language=Language.FR,
        tone=Tone.FRIENDLY,
        length=ArticleLength.LONG,
        keywords=("pompe", "chaleur"),
        include_mermaid=True,
        private_docs_mode=PrivateDocsMode.MANUAL,
        document_ids=(document_id,),
        processing=Processing.BATCH,
    )


def _full_grounding(id: ArticleId, ref: SourceRef) -> Grounding:
    receipt = SentenceReceipt(
        text="It moves 3 kWh.",
        citations=(1,),
        verdict=Verdict.SUPPORTED,
        support=Support(ref, sha256(id), 4, 20, 0.875),
        missing_facts=("3 kWh",),
        nearness=0.583,
        passage_language=Language.EN,
        citations_needed=1,
        marked=True,
    )
    return Grounding(
        GroundingLevel.PARTIAL,
        GroundingTotals(1, 1.0, 0.5, 0.25, 1.0, 0.125, 6, 0.375),
        (receipt, SentenceReceipt("Unsure.", (), Verdict.UNSUPPORTED)),
        ArticleCoverage(CoverageLevel.LOW, 41.5, ("winter",)),
    )


def full_article(**changes: Any) -> Article:
    """A published article with every field set."""
    id = ArticleId(new_id())
    ref, document_id = source_ref(), DocumentId(new_id())
    defaults: dict[str, Any] = {
        "id": id,
        "brief": _full_brief(id, document_id),
        "topic_key": f"pompes à chaleur “{short(id)}”",
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
        "free_topic": f"Pompes {short(id)}",
        "plan": article_plan(),
        "sources": (
            ArticleSource(
                1,
                "A source",
                document_id,
                2,
                "https://example.com/a",
                MOMENT.date(),
                ("It moves 3 kWh.",),
                private=True,
                author="Bob Volt",
            ),
        ),
        "grounding": _full_grounding(id, ref),
        "usage": Usage("sample-model", 1200, 900, Cost(12_345, "EUR"), 700, 200, "sample-planner"),
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
        "coverage": ArticleCoverage(CoverageLevel.LOW, 41.5, ("winter",)),
        "approval": Approval(ApprovalState.CHANGES_REQUESTED, MOMENT, UserId(new_id()), None, "Who says that?"),
        "waiting": ProviderWait("The model: HTTP 503", MOMENT, MOMENT + timedelta(minutes=20)),
    }
    return article(**defaults | changes)


def translation(**changes: Any) -> Translation:
    """A translation of a text, under way."""
    defaults: dict[str, Any] = {
        "id": TranslationId(new_id()),
        "target": Language.FR,
        "words": 501,
        "credits": 2,
        "created_at": MOMENT,
        "original": Original("A heat pump moves heat."),
    }
    return Translation(**with_tenant(defaults, changes))
