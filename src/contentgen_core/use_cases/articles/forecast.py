"""Forecast how many words an article's sources suffice for, before anything is consumed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from attrs import evolve

from contentgen_core.model.article import Brief
from contentgen_core.model.article_plan import ArticlePlan, SourceRef
from contentgen_core.model.coverage import WordForecast
from contentgen_core.model.drafting import SectionDraft
from contentgen_core.model.knowledge import Passage, RankedPassage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import LENGTHS, ArticleLength
from contentgen_core.policies.articles.assembly import count_words
from contentgen_core.ports.content_model import ContentModel, NicheBrief, PlanRequest
from contentgen_core.ports.knowledge_base import Vector
from contentgen_core.use_cases.articles.section_requests import section_requests
from contentgen_core.use_cases.use_case import use_case


@use_case
class ForecastWords:
    """`by_writing`: the writer costs nothing and says the same each time, so that it is asked what it would write. Of
    another one it is only known that it cannot say more than its sources do."""

    model: ContentModel
    analysis: TextAnalysis
    by_writing: bool = False

    async def of_topic(
        self,
        brief: Brief,
        niche: NicheBrief,
        sources: Sequence[RankedPassage],
        length: ArticleLength,
        *,
        vectors: Mapping[SourceRef, Vector] = MappingProxyType({}),
    ) -> WordForecast:
        """Forecast an article of this length. `sources`: as many as the longest length takes, best first. `vectors`: of
        the sources, as a plan gets them."""
        brief, limits = evolve(brief, length=length), LENGTHS[length]
        sources = tuple(sources[: limits.passages])
        if sources and self.by_writing:
            plan = (await self.model.plan(PlanRequest(brief, niche, sources, vectors))).value
            return await self.of_plan(brief, plan, sources)
        said = await asyncio.to_thread(lambda: sum(self._words(source.passage) for source in sources))
        return WordForecast(length, limits.target_words, min(limits.target_words, said))

    async def of_plan(self, brief: Brief, plan: ArticlePlan, sources: Sequence[RankedPassage]) -> WordForecast:
        """Forecast the article of a plan, section by section."""
        passages, target = {source.ref: source.passage for source in sources}, LENGTHS[brief.length].target_words
        if not plan.cited:
            return WordForecast(brief.length, target, 0, (0,) * len(plan.sections))
        if not self.by_writing:
            said = await asyncio.to_thread(self._expected_words, plan, passages)
            return WordForecast(brief.length, target, min(target, sum(said)), said)
        requests = await asyncio.to_thread(section_requests, brief, plan, passages)
        drafts = [await self.model.write_section(request) for request in requests]
        return await asyncio.to_thread(self._of_drafts, brief, plan, drafts)

    def _of_drafts(self, brief: Brief, plan: ArticlePlan, drafts: Sequence[SectionDraft]) -> WordForecast:
        """Forecast from drafts: of the sections, and of the FAQ if there is one."""
        sections, faq = drafts[: len(plan.sections)], next(iter(drafts[len(plan.sections) :]), None)
        words = tuple(sum(self._count(s.text, brief) for s in draft.sentences) for draft in sections)
        target = LENGTHS[brief.length].target_words
        return WordForecast(brief.length, target, count_words(plan, sections, faq, brief, self.analysis), words)

    def _expected_words(self, plan: ArticlePlan, passages: dict[SourceRef, Passage]) -> tuple[int, ...]:
        """Return the number of words that the passages of each section offer, capped at its target."""
        words = {ref: self._words(passages[ref]) for ref in plan.cited if ref in passages}
        return tuple(
            min(section.target_words, sum(words.get(ref, 0) for ref in section.source_ids)) for section in plan.sections
        )

    def _words(self, passage: Passage) -> int:
        return len(self.analysis.tokens(passage.text, passage.document.language))

    def _count(self, text: str, brief: Brief) -> int:
        return len(self.analysis.tokens(text, brief.language))
