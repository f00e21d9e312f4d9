"""Generating articles on the wire: directly, through a plan, from a plan."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, field

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import ArticleId, DocumentId
from contentgen_core.model.tenant import Caller
from contentgen_core.model.vocabulary import ArticleLength, Language, PrivateDocsMode, Tone
from contentgen_core.policies.topics.validation import MAX_KEYWORDS, check_keywords, check_topic
from contentgen_core.use_cases.articles import look_up_plan, private_docs
from contentgen_core.use_cases.articles.forecast_plan import ForecastedPlan, ForecastPlanCommand
from contentgen_core.use_cases.articles.generate import GenerateArticleCommand
from contentgen_core.use_cases.articles.plan import MAX_COVERAGE_SOURCES, MAX_DOCUMENTS, PlanArticleCommand, Planned
from contentgen_core.use_cases.articles.private_docs import ChosenDocuments
from contentgen_core.use_cases.articles.start_from_plan import StartedFromPlan, StartFromPlanCommand
from contentgen_core.use_cases.idempotency import IdempotencyKey
from contentgen_http.wire.article_coverage import ArticleCoverage
from contentgen_http.wire.base import (
    AgentKeyText,
    Answer,
    AnswerOf,
    Body,
    DirectTone,
    Id,
    Keyword,
    PlanTone,
    Rule,
    absent_as_none,
)
from contentgen_http.wire.coverage import AgentKeyField
from contentgen_http.wire.forecast import PlanForecast
from contentgen_http.wire.kb import KbSource
from contentgen_http.wire.plans import ArticlePlan
from contentgen_http.wire.similar import SimilarField
from contentgen_http.wire.voices import VoiceField, voice_id
from contentgen_http.wire.without_effect import WithoutEffectField

TopicField = Annotated[
    Annotated[str, Meta(min_length=1, max_length=500)] | UnsetType,
    Meta(
        description="The topic; suggested from the knowledge base when absent.",
        examples=["Choosing a heat pump for an older house"],
    ),
    Rule(check_topic),
]
KeywordsField = Annotated[
    list[Keyword],
    Meta(max_length=MAX_KEYWORDS, description="Words the article should be found by.", examples=[["heat pump"]]),
    Rule(check_keywords),
]
MermaidField = Annotated[
    bool,
    Meta(
        description="Whether the article may have a Mermaid diagram, of relations that its sentences state: English,"
        " French, German and Spanish, where at least three belong together (Pro, Business)."
    ),
]


class GenerateRequest(Body, kw_only=True):
    """What to write."""

    niche_id: Annotated[Id, Meta(description="Id or key of an activated niche.", examples=["home-energy"])]
    topic: TopicField = UNSET
    agent_key: Annotated[
        AgentKeyText | UnsetType,
        Meta(
            description="An agent of that niche. With a topic, coverage is checked before anything is consumed.",
            examples=["home-energy-GB"],
        ),
    ] = UNSET
    tone: Annotated[DirectTone, Meta(description="The tone to write in.")] = "professional"
    language: Annotated[
        Language | UnsetType, Meta(description="The language; by default the niche's, else that of its knowledge base.")
    ] = UNSET
    keywords: KeywordsField = field(default_factory=list)
    include_mermaid: MermaidField = False
    voice_id: VoiceField = UNSET

    def to_command(self, caller: Caller, idempotency: IdempotencyKey | None) -> GenerateArticleCommand:
        return GenerateArticleCommand(
            caller=caller,
            niche_id=self.niche_id,
            topic=absent_as_none(self.topic),
            agent_key=absent_as_none(self.agent_key),
            tone=Tone(self.tone),
            language=absent_as_none(self.language),
            keywords=tuple(self.keywords),
            include_mermaid=self.include_mermaid,
            voice_id=voice_id(self.voice_id),
            idempotency=idempotency,
        )


class GenerationStarted(Answer, kw_only=True):
    """The article is being written; poll it."""

    article_id: Annotated[str, Meta(description="Id of the new article.")]
    status: Annotated[Literal["generating"], Meta(description="Always generating.")] = "generating"
    without_effect: WithoutEffectField = UNSET


class CoverageSource(Struct, rename="camel", kw_only=True):
    """A passage of the check's rerankedResults. Only these two fields count, others are ignored: what they name is
    looked up again among what you may read."""

    parent_id: Annotated[Id, Meta(description="Id of the KB document.")]
    chunk_index: Annotated[int, Meta(ge=0, le=999_999_999, description="Place of the passage in its document.")]


class PlanRequest(Body, kw_only=True):
    """What to plan."""

    agent_key: AgentKeyField
    topic: TopicField = UNSET
    tone: Annotated[PlanTone, Meta(description="The tone to write in.")] = "professional"
    language: Annotated[
        Language | UnsetType,
        Meta(
            description="The language to write in; by default the agent's, else that of its knowledge base. Without a "
            "model it has to be one of the sources'."
        ),
    ] = UNSET
    keywords: KeywordsField = field(default_factory=list)
    article_length: Annotated[ArticleLength, Meta(description="How long; see GET /writer/available-lengths.")] = (
        ArticleLength.STANDARD
    )
    auto_validate: Annotated[bool, Meta(description="true skips the review and generates at once.")] = False
    include_mermaid: MermaidField = False
    private_docs_mode: Annotated[PrivateDocsMode, Meta(description="Whether private documents are used.")] = (
        PrivateDocsMode.DISABLED
    )
    document_ids: Annotated[
        list[Id],
        Meta(
            max_length=MAX_DOCUMENTS,
            description="The private documents, used before any other source; with privateDocsMode manual.",
        ),
    ] = field(default_factory=list)
    coverage_level: Annotated[
        Literal["high", "medium", "low", "insufficient", "excellent", "good"] | UnsetType,
        Meta(description="The check's level, in either vocabulary: excellent is high, good is medium."),
    ] = UNSET
    coverage_sources: Annotated[
        list[CoverageSource],
        Meta(max_length=MAX_COVERAGE_SOURCES, description="The check's rerankedResults: what to plan from."),
    ] = field(default_factory=list)
    allow_low_coverage: Annotated[bool, Meta(description="true goes on where coverage is too low.")] = False
    voice_id: VoiceField = UNSET

    def to_command(self, caller: Caller, idempotency: IdempotencyKey | None) -> PlanArticleCommand:
        return PlanArticleCommand(
            caller=caller,
            agent_key=self.agent_key,
            topic=absent_as_none(self.topic),
            tone=Tone(self.tone),
            language=absent_as_none(self.language),
            keywords=tuple(self.keywords),
            length=self.article_length,
            auto_validate=self.auto_validate,
            include_mermaid=self.include_mermaid,
            private_docs_mode=self.private_docs_mode,
            document_ids=tuple(DocumentId(id) for id in self.document_ids),
            coverage_level=absent_as_none(self.coverage_level),
            coverage_sources=tuple(SourceRef(s.parent_id, s.chunk_index) for s in self.coverage_sources),
            allow_low_coverage=self.allow_low_coverage,
            voice_id=voice_id(self.voice_id),
            idempotency=idempotency,
        )


class UnusedDocument(AnswerOf[private_docs.UnusedDocument], kw_only=True):
    """A document that was chosen and is not used."""

    document_id: Annotated[str, Meta(description="Id of the document.")]
    reason: Annotated[str, Meta(description="Why, for a person.")]


DocumentsUsed = Annotated[
    list[str] | UnsetType,
    Meta(description="Those of documentIds that the article is written from; they come before all other sources."),
]
DocumentsNotUsed = Annotated[
    list[UnusedDocument] | UnsetType, Meta(description="The others of documentIds, each with the reason.")
]


TopicCoverage = Annotated[
    ArticleCoverage | UnsetType, Meta(description="How well the knowledge base covers the topic; where it is known.")
]


class PlanReady(Answer, kw_only=True, tag_field="type", tag="plan"):
    """A plan to review; send it, or an edited one, to generate-from-plan."""

    article_id: Annotated[str, Meta(description="Id of the draft that holds the plan.")]
    plan: Annotated[ArticlePlan, Meta(description="The plan.")]
    kb_sources: Annotated[list[KbSource], Meta(description="The passages it was made from, best first.")]
    forecast: Annotated[
        PlanForecast | UnsetType, Meta(description="How long the article will be; while its plan awaits its review.")
    ] = UNSET
    coverage: TopicCoverage = UNSET
    documents_used: DocumentsUsed = UNSET
    documents_not_used: DocumentsNotUsed = UNSET
    similar_articles: SimilarField
    without_effect: WithoutEffectField = UNSET


class PlanGenerating(Answer, kw_only=True, tag_field="type", tag="generating"):
    """The article is being written, without a review of its plan; poll it."""

    article_id: Annotated[str, Meta(description="Id of the new article.")]
    message: Annotated[str, Meta(description="What happens next, for a person.")]
    coverage: TopicCoverage = UNSET
    documents_used: DocumentsUsed = UNSET
    documents_not_used: DocumentsNotUsed = UNSET
    without_effect: WithoutEffectField = UNSET


PlanOutcome: TypeAlias = PlanReady | PlanGenerating


def plan_outcome(planned: Planned, auto_validate: bool) -> PlanOutcome:
    """What generate-plan answers; which of the two follows from the request, so that repeating it answers the same."""
    article = planned.article
    used, not_used = _documents(planned.documents)
    if auto_validate or article.plan is None:
        return PlanGenerating.copy_from(
            planned,
            article_id=article.id,
            message=f"The article is being written. Follow it at /writer/generation-status/{article.id}.",
            coverage=article.coverage,
            documents_used=used,
            documents_not_used=not_used,
        )
    return PlanReady.copy_from(
        planned,
        article_id=article.id,
        plan=ArticlePlan.from_model(article.plan),
        kb_sources=planned.sources,
        coverage=article.coverage,
        documents_used=used,
        documents_not_used=not_used,
        similar_articles=planned.similar,
    )


def _documents(chosen: ChosenDocuments | None) -> tuple[list[str] | UnsetType, list[UnusedDocument] | UnsetType]:
    if chosen is None:
        return UNSET, UNSET
    return list(chosen.used), [UnusedDocument.of(u) for u in chosen.unused]


class FromPlanRequest(Body, kw_only=True):
    """Which plan to write."""

    article_id: Annotated[Id, Meta(description="Id of a draft with a plan.")]
    plan: Annotated[ArticlePlan | UnsetType, Meta(description="The edited plan; the original one when absent.")] = UNSET
    niche_id: Annotated[Id | UnsetType, Meta(description="The article's niche (id or key), if sent.")] = UNSET

    def to_command(self, caller: Caller, idempotency: IdempotencyKey | None) -> StartFromPlanCommand:
        return StartFromPlanCommand(
            caller=caller,
            article_id=ArticleId(self.article_id),
            plan=None if self.plan is UNSET else self.plan.to_model(),
            niche_id=absent_as_none(self.niche_id),
            idempotency=idempotency,
        )


class ForecastPlanRequest(Body, kw_only=True):
    """Which plan to look at: the same as generate-from-plan takes."""

    article_id: Annotated[Id, Meta(description="Id of a draft with a plan.")]
    plan: Annotated[ArticlePlan | UnsetType, Meta(description="The edited plan; the original one when absent.")] = UNSET
    niche_id: Annotated[Id | UnsetType, Meta(description="The article's niche (id or key), if sent.")] = UNSET

    def to_command(self, caller: Caller) -> ForecastPlanCommand:
        return ForecastPlanCommand(
            caller=caller,
            article_id=ArticleId(self.article_id),
            plan=None if self.plan is UNSET else self.plan.to_model(),
            niche_id=absent_as_none(self.niche_id),
        )


class PlanGap(AnswerOf[look_up_plan.PlanGap], kw_only=True):
    """Something that was added to a plan and that the knowledge base does not cover."""

    path: Annotated[str, Meta(description="Where it stands in the plan.", examples=["sections[2]"])]
    text: Annotated[str, Meta(description="What was looked up.")]
    reason: Annotated[str, Meta(description="Why it has no source.")]


class PlanForecasted(AnswerOf[ForecastedPlan], kw_only=True):
    """What the article of a plan would be, if it was written now."""

    article_id: Annotated[str, Meta(description="Id of the draft; it is as it was.")]
    plan: Annotated[
        ArticlePlan, Meta(description="The plan with the sources that its additions would get; send it on as it is.")
    ]
    forecast: Annotated[PlanForecast, Meta(description="How long the article would be.")]
    gaps: Annotated[list[PlanGap], Meta(description="What was added and has no source in the knowledge base.")]
    without_effect: WithoutEffectField = UNSET

    @classmethod
    def of(cls, found: ForecastedPlan) -> PlanForecasted:
        return cls.copy_from(found, article_id=found.article.id, plan=ArticlePlan.from_model(found.plan))


class FromPlanStarted(AnswerOf[StartedFromPlan], kw_only=True):
    """The article is being written; poll it."""

    success: Annotated[bool, Meta(description="Always true: what fails answers with an Error.")] = True
    article_id: Annotated[str, Meta(description="Id of the article.")]
    status: Annotated[str, Meta(description="The article's status now.", examples=["generating"])]
    gaps: Annotated[
        list[PlanGap] | UnsetType,
        Meta(
            description="Sections, questions and key points that were added without sources and have none in the "
            "knowledge base; absent without any, and when a request is repeated with its idempotency key."
        ),
    ] = UNSET

    without_effect: WithoutEffectField = UNSET

    @classmethod
    def of(cls, started: StartedFromPlan) -> FromPlanStarted:
        article = started.article
        return cls.copy_from(started, article_id=article.id, status=article.status, gaps=started.gaps or UNSET)
