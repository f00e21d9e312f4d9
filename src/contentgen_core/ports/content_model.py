"""The writer, as a semantic port: it plans, drafts and judges; it never renders citations, numbers or URLs."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from attrs import field, frozen

from contentgen_core.model.article import Brief, Usage
from contentgen_core.model.article_plan import ArticlePlan, PlanSection, SourceRef
from contentgen_core.model.coverage import ArticleCoverage
from contentgen_core.model.drafting import DraftSentence, SectionDraft
from contentgen_core.model.entity import EntityType
from contentgen_core.model.knowledge import Passage, RankedPassage
from contentgen_core.model.topic_gap import GapKind, TopicGap
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.context import Context
from contentgen_core.policies.topics.niche_fit import TopicFit

T = TypeVar("T")


@frozen
class Answer(Generic[T]):
    """A model's answer, and the tokens it consumed."""

    value: T
    usage: Usage


@frozen
class NicheBrief:
    """The niche as described to a model."""

    name: str
    description: str = ""
    audience: str = ""
    keywords: tuple[str, ...] = ()


@frozen
class PlanRequest:
    """A request for a plan. `sources`: the only ones it may name, best first; empty: plan an article without
    sources. `vectors`: of the sources, of unit length, where an embedder models their meaning; else empty."""

    brief: Brief
    niche: NicheBrief
    sources: tuple[RankedPassage, ...]
    vectors: Mapping[SourceRef, Sequence[float]] = field(factory=dict, eq=False, repr=False)


@frozen
class Refusal:
    """A drafted sentence that cannot stay. `reason`: in words, for who writes it again."""

    sentence: DraftSentence
    reason: str


@frozen
class SectionRequest:
    """A request to write one section. `sources`: those that the plan gives it. `position`: from 0 among the plan's
    sections; the position after the last is the FAQ (`is_faq`), whose `section` has the questions as key points and
    whose draft has one paragraph for each, in order. `refused`: sentences of a former try that cannot stay; the whole
    section is then written anew. `context`: tells what the article's passages are on; None: nothing is known of it."""

    brief: Brief
    plan: ArticlePlan
    section: PlanSection
    position: int
    sources: tuple[Passage, ...]
    is_faq: bool = False
    refused: tuple[Refusal, ...] = ()
    context: Context | None = field(default=None, eq=False, repr=False)


@frozen
class TopicSuggestion:
    """A suggested topic. `reason`: in words for a person; `score`: 0..1, how well the passages cover it. `gap`: which
    kind of gap it fills, `coverage`: that of the topic; None where they are not known."""

    topic: str
    reason: str
    score: float
    gap: GapKind | None = None
    coverage: ArticleCoverage | None = None


@frozen
class TopicJudgement:
    """Whether a topic belongs to a niche. `confidence`: 0..1; `reason`: in words for a person."""

    valid: bool
    confidence: float
    reason: str


@frozen
class TranslationRequest:
    """Texts to translate, each with placeholders (`⟦1⟧`) that stay; no text asks whether the adapter can translate at
    all. `source`: None if unknown. `faults`: empty, or why a former translation of each text was refused. `title`: that
    of the whole."""

    segments: tuple[str, ...]
    source: Language | None
    target: Language
    title: str = ""
    faults: tuple[str, ...] = ()


@frozen
class RevisionRequest:
    """A request to write a sentence of an article anew, since its source changed. `title`: the article's; `sentence`:
    as it is; `before`, `after`: those beside it, "" at the ends; `was`, `now`: the words of the source that it rested
    on ("" where they are not known), and those that stand there now."""

    brief: Brief
    title: str
    sentence: str
    before: str
    after: str
    was: str
    now: str


@frozen
class EntityCandidate:
    """An entity found by rules, and a piece of text around it (or "")."""

    name: str
    type: EntityType
    mentions: int
    snippet: str = ""


@frozen
class EntityJudgement:
    """Candidates, by index, that are the same entity; the first has its best name."""

    members: tuple[int, ...]
    type: EntityType


class TextModel(Protocol):
    """A model that answers a text with a text: the minimum for a writer of one's own."""

    def answer(self, prompt: str) -> str | Awaitable[str]:
        """Return the answer to a prompt, which asks for one JSON object. A plain method is called in threads, several
        at a time; one that returns an awaitable (`async def`) is awaited. After an OSError or a ProviderFailed that is
        retryable it is asked again; any other error fails the article."""
        ...


class ContentModel(Protocol):
    """Each method raises ProviderFailed (retryable or not) when the model does not give a usable answer, NotConfigured
    when the adapter does not support it (the error names the setting). Answers contain no source id outside those
    given: an adapter repeats the request and in the end drops others."""

    @property
    def name(self) -> str:
        """The label of its articles: `extractive`, or the model's own name."""
        ...

    async def plan(self, request: PlanRequest) -> Answer[ArticlePlan]:
        """A plan for an article that cites only the request's sources."""

    async def write_section(self, request: SectionRequest) -> SectionDraft:
        """A section in the brief's language that cites only the request's sources."""

    async def suggest_topics(
        self,
        niche: NicheBrief,
        passages: Sequence[Passage],
        avoid: Sequence[str],
        language: Language,
        count: int,
        gaps: Sequence[TopicGap] = (),
    ) -> Answer[tuple[TopicSuggestion, ...]]:
        """Topics that these passages cover, none similar to those to `avoid`, best first, at most `count`. With `gaps`:
        topics that fill these, whether passages cover them or not. An adapter without a language model suggests the
        gaps themselves, in their order."""
        ...

    async def judge_topic(
        self,
        niche: NicheBrief,
        topic: str,
        passages: Sequence[RankedPassage],
        language: Language,
        fit: TopicFit | None = None,
    ) -> Answer[TopicJudgement]:
        """Whether a topic belongs to a niche. `passages`: those of the niche's knowledge base that are nearest to
        it. `fit`: what their meaning tells; None where no embedder models it. An adapter without a language model goes
        by it, and by words without it."""
        ...

    async def distil(
        self, topic: str, passages: Sequence[Passage], language: Language
    ) -> Answer[tuple[DraftSentence, ...]]:
        """Summarise what these passages say on a topic, as a few statements in the model's own words, each with the
        passages that support it. Empty from an adapter without a language model."""
        ...

    async def summarise(self, text: str, language: Language, max_words: int) -> Answer[str]:
        """A summary of at most `max_words` words, in `language`."""

    async def translate(self, request: TranslationRequest) -> Answer[tuple[str, ...]]:
        """Return a translation for each text, in order. The caller checks them, since it knows what the placeholders
        stand for. Without segments: no call, and an empty answer."""
        ...

    async def revise_sentence(self, request: RevisionRequest) -> Answer[str | None]:
        """Return the sentence rewritten from the new words alone; "" to leave it out. The caller checks it. None from
        an adapter without a language model."""
        ...

    async def curate_entities(
        self, candidates: Sequence[EntityCandidate], language: Language
    ) -> Answer[tuple[EntityJudgement, ...]]:
        """Decide which candidates are the same entity, and its type; a candidate in no judgement is no entity. Each is
        in one at most. Empty from an adapter without a language model."""
        ...
