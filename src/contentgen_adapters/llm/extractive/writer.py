"""The default writer: no model, no network, deterministic."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from contentgen_adapters.llm.extractive import topics
from contentgen_adapters.llm.extractive.composing import Composer
from contentgen_adapters.llm.extractive.planning import Planner
from contentgen_adapters.llm.extractive.sentences import SentenceReader
from contentgen_adapters.llm.phrases import heading_of
from contentgen_core.errors import NotConfigured
from contentgen_core.model.article import EXTRACTIVE, Usage
from contentgen_core.model.article_plan import ArticlePlan
from contentgen_core.model.drafting import DraftSentence, SectionDraft
from contentgen_core.model.knowledge import Passage, RankedPassage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.topic_gap import TopicGap
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.context import Context
from contentgen_core.policies.topics.niche_fit import TopicFit
from contentgen_core.ports.content_model import (
    Answer,
    EntityCandidate,
    EntityJudgement,
    NicheBrief,
    PlanRequest,
    RevisionRequest,
    SectionRequest,
    TopicJudgement,
    TopicSuggestion,
    TranslationRequest,
)

NAME: Final = EXTRACTIVE
IGNORED_FIELDS: Final = frozenset({"tone", "angle", "audience"})
"""What changes nothing in sentences that are taken as they are. Keywords weigh in their choice, and a voice's terms to
avoid are left out."""


class ExtractiveWriter:
    """The content model port over sentence extraction: articles consist of whole sentences of the sources, each citing
    the passage it comes from."""

    def __init__(self, analysis: TextAnalysis) -> None:
        self._analysis, self._reader = analysis, SentenceReader(analysis)

    @property
    def name(self) -> str:
        return NAME

    async def plan(self, request: PlanRequest) -> Answer[ArticlePlan]:
        context = Context.of(request.brief.topic, [source.passage for source in request.sources])
        planner = Planner(request, self._reader.within(context))
        return Answer(await asyncio.to_thread(planner.plan), Usage(NAME))

    async def write_section(self, request: SectionRequest) -> SectionDraft:
        """Writes a section without the sentences in `request.refused`, and those with terms that the brief's voice
        avoids."""
        composed = await asyncio.to_thread(Composer(request, self._reader).paragraphs)
        return SectionDraft(heading_of(request), composed, Usage(NAME))

    async def suggest_topics(
        self,
        niche: NicheBrief,
        passages: Sequence[Passage],
        avoid: Sequence[str],
        language: Language,
        count: int,
        gaps: Sequence[TopicGap] = (),
    ) -> Answer[tuple[TopicSuggestion, ...]]:
        """Titles and headings, or the gaps where there are any."""
        if gaps:
            return Answer(topics.suggest_gaps(gaps[:count], language), Usage(NAME))
        found = await asyncio.to_thread(topics.suggestions, self._analysis, passages, avoid, language, count)
        return Answer(found, Usage(NAME))

    async def judge_topic(
        self,
        niche: NicheBrief,
        topic: str,
        passages: Sequence[RankedPassage],
        language: Language,
        fit: TopicFit | None = None,
    ) -> Answer[TopicJudgement]:
        judged = await asyncio.to_thread(topics.judgement, self._analysis, niche, topic, passages, language, fit)
        return Answer(judged, Usage(NAME))

    async def distil(
        self, topic: str, passages: Sequence[Passage], language: Language
    ) -> Answer[tuple[DraftSentence, ...]]:
        """Returns nothing: this writer cannot rephrase, and the passages are in the knowledge base already."""
        return Answer((), Usage(NAME))

    async def summarise(self, text: str, language: Language, max_words: int) -> Answer[str]:
        return Answer(await asyncio.to_thread(topics.summary, self._analysis, text, language, max_words), Usage(NAME))

    async def translate(self, request: TranslationRequest) -> Answer[tuple[str, ...]]:
        """Always raises NotConfigured: translation needs a model."""
        raise NotConfigured(
            "The built-in writer cannot translate.", "CONTENTGEN_OPENAI_API_KEY (or CONTENTGEN_OPENAI_BASE_URL)"
        )

    async def revise_sentence(self, request: RevisionRequest) -> Answer[str | None]:
        """Returns None: what rules can make of the new words was proposed already."""
        return Answer(None, Usage(NAME))

    async def curate_entities(
        self, candidates: Sequence[EntityCandidate], language: Language
    ) -> Answer[tuple[EntityJudgement, ...]]:
        """Returns nothing: the candidates were found by rules already."""
        return Answer((), Usage(NAME))
