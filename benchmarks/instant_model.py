"""A content model that answers at once, or after a stated time, with sentences of its sources."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from contentgen_core.model.article import Usage
from contentgen_core.model.article_plan import ArticlePlan, PlanSection, PlanSeo
from contentgen_core.model.drafting import DraftParagraph, DraftSentence, SectionDraft
from contentgen_core.model.knowledge import Passage, RankedPassage
from contentgen_core.model.topic_gap import TopicGap
from contentgen_core.model.vocabulary import LENGTHS, Language
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

USAGE: Final = Usage("instant", 1_000, 300)
SENTENCES: Final = 3  # taken from each source of a section


class InstantModel:
    """Plans as many sections as the length has, the sources dealt out among them, and writes each from the first
    sentences of its sources: nothing is asked for twice. `seconds`: how long a call takes. `calls` counts them."""

    name = "instant"

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.calls = 0

    async def plan(self, request: PlanRequest) -> Answer[ArticlePlan]:
        await self._answering()
        count = LENGTHS[request.brief.length].sections
        sections = tuple(
            PlanSection(
                f"{request.brief.topic} {number + 1}",
                source_ids=tuple(source.ref for source in request.sources[number::count]),
                target_words=LENGTHS[request.brief.length].target_words // count,
            )
            for number in range(count)
        )
        return Answer(ArticlePlan(request.brief.topic, sections=sections, seo=PlanSeo()), USAGE)

    async def write_section(self, request: SectionRequest) -> SectionDraft:
        await self._answering()
        paragraphs = tuple(
            DraftParagraph(tuple(DraftSentence(f"{text}.", (source.ref,)) for text in _beginning(source)))
            for source in request.sources
        )
        return SectionDraft(request.section.heading, paragraphs, USAGE)

    async def suggest_topics(
        self,
        niche: NicheBrief,
        passages: Sequence[Passage],
        avoid: Sequence[str],
        language: Language,
        count: int,
        gaps: Sequence[TopicGap] = (),
    ) -> Answer[tuple[TopicSuggestion, ...]]:
        await self._answering()
        return Answer((), USAGE)

    async def judge_topic(
        self,
        niche: NicheBrief,
        topic: str,
        passages: Sequence[RankedPassage],
        language: Language,
        fit: TopicFit | None = None,
    ) -> Answer[TopicJudgement]:
        await self._answering()
        return Answer(TopicJudgement(True, 1.0, "Covered."), USAGE)

    async def distil(
        self, topic: str, passages: Sequence[Passage], language: Language
    ) -> Answer[tuple[DraftSentence, ...]]:
        await self._answering()
        return Answer((), USAGE)

    async def summarise(self, text: str, language: Language, max_words: int) -> Answer[str]:
        await self._answering()
        return Answer(" ".join(text.split()[:max_words]), USAGE)

    async def translate(self, request: TranslationRequest) -> Answer[tuple[str, ...]]:
        await self._answering()
        return Answer(request.segments, USAGE)

    async def revise_sentence(self, request: RevisionRequest) -> Answer[str | None]:
        await self._answering()
        return Answer(request.now, USAGE)

    async def curate_entities(
        self, candidates: Sequence[EntityCandidate], language: Language
    ) -> Answer[tuple[EntityJudgement, ...]]:
        await self._answering()
        return Answer((), USAGE)

    async def _answering(self) -> None:
        self.calls += 1
        if self.seconds:
            await asyncio.sleep(self.seconds)


def _beginning(source: Passage) -> list[str]:
    return [text.rstrip(".") for text in source.text.split(". ")[:SENTENCES]]
