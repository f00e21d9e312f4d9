"""The writer, as a semantic port: it plans, drafts and judges; it never renders citations, numbers or URLs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from attrs import frozen

from contentgen_core.model.article import Brief, Usage
from contentgen_core.model.article_plan import ArticlePlan, PlanSection
from contentgen_core.model.drafting import DraftSentence, SectionDraft
from contentgen_core.model.entity import EntityType
from contentgen_core.model.knowledge import Passage, RankedPassage
from contentgen_core.model.vocabulary import Language

T = TypeVar("T")


@frozen
class Answer(Generic[T]):
    """What a model answered, and what it consumed."""

    value: T
    usage: Usage


@frozen
class NicheBrief:
    """The niche as a model is told of it."""

    name: str
    description: str = ""
    audience: str = ""
    keywords: tuple[str, ...] = ()


@frozen
class PlanRequest:
    """`sources`: best first; a plan may name these and no others. Empty: plan an unsourced article."""

    brief: Brief
    niche: NicheBrief
    sources: tuple[RankedPassage, ...]


@frozen
class SectionRequest:
    """One section to write. `sources`: those the plan gave it; `position` counts from 0 among the plan's sections; the
    position after the last is the FAQ, whose `section` holds the questions as key points and whose draft has one
    paragraph for each, in their order. `unsupported`: nothing, or the sentences of a former try that found no support;
    the whole section is then written anew."""

    brief: Brief
    plan: ArticlePlan
    section: PlanSection
    position: int
    sources: tuple[Passage, ...]
    is_faq: bool = False
    unsupported: tuple[DraftSentence, ...] = ()


@frozen
class TopicSuggestion:
    topic: str
    reason: str
    score: float


@frozen
class TopicJudgement:
    valid: bool
    confidence: float
    reason: str


@frozen
class TranslationRequest:
    """Texts to translate, each with places (`⟦1⟧`) that stay: at least one text, or none to ask whether this adapter
    can translate at all. `source`: None where it is not known. `faults`: nothing, or why a former translation of each
    text was refused. `title`: of the whole that they are part of."""

    segments: tuple[str, ...]
    source: Language | None
    target: Language
    title: str = ""
    faults: tuple[str, ...] = ()


@frozen
class EntityCandidate:
    """What rules found, and a piece of text around it (or "")."""

    name: str
    type: EntityType
    mentions: int
    snippet: str = ""


@frozen
class EntityJudgement:
    """Candidates, by index, that are one and the same entity; the first has its best name."""

    members: tuple[int, ...]
    type: EntityType


class ContentModel(Protocol):
    """Each method raises ProviderFailed (retryable or not) when the model does not answer usefully, NotConfigured when
    this adapter cannot do it at all (the error names the setting to set). Source ids outside those given never come
    back: an adapter asks again and in the end drops them."""

    @property
    def name(self) -> str:
        """As articles are labelled: `extractive`, or the model's own name."""
        ...

    async def plan(self, request: PlanRequest) -> Answer[ArticlePlan]: ...

    async def write_section(self, request: SectionRequest) -> SectionDraft: ...

    async def suggest_topics(
        self,
        niche: NicheBrief,
        passages: Sequence[Passage],
        avoid: Sequence[str],
        language: Language,
        count: int,
    ) -> Answer[tuple[TopicSuggestion, ...]]:
        """Topics that these passages can carry, none like those to avoid, best first."""
        ...

    async def judge_topic(
        self, niche: NicheBrief, topic: str, passages: Sequence[RankedPassage], language: Language
    ) -> Answer[TopicJudgement]:
        """Whether a topic belongs to a niche. `passages`: what the niche's KB has nearest to it."""
        ...

    async def distil(
        self, topic: str, passages: Sequence[Passage], language: Language
    ) -> Answer[tuple[DraftSentence, ...]]:
        """What these passages say on a topic, in a few statements of the model's own words, each naming the passages
        it rests on. None from an adapter that has no words of its own."""
        ...

    async def summarise(self, text: str, language: Language, max_words: int) -> Answer[str]: ...

    async def translate(self, request: TranslationRequest) -> Answer[tuple[str, ...]]:
        """One text for each, in their order. What they say is not checked: that is for the caller, who knows what the
        places stand for. No segments: no call, and an empty answer."""
        ...

    async def curate_entities(
        self, candidates: Sequence[EntityCandidate], language: Language
    ) -> Answer[tuple[EntityJudgement, ...]]:
        """Which candidates are the same, and of what type; one that is in no judgement is no entity. Each is in one at
        most. None at all from an adapter that cannot tell."""
        ...
