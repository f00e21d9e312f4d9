"""Finding what is missing in a knowledge base: see `model.topic_gap` for the kinds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from itertools import islice
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import InvalidInput
from contentgen_core.model.area import Area
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.coverage import Coverage, CoverageLevel
from contentgen_core.model.entity import EntityType, KbEntity
from contentgen_core.model.ids import TenantId
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.topic_gap import GapKind, TopicGap
from contentgen_core.model.vocabulary import LENGTHS, Language
from contentgen_core.policies.coverage.of_article import article_coverage
from contentgen_core.policies.topics.entity_graph import apply_curation
from contentgen_core.policies.topics.gaps import (
    MIN_DOCUMENTS,
    MIN_TOPIC,
    Heads,
    OpenQuestion,
    entity_topic,
    open_questions,
)
from contentgen_core.policies.topics.picking import KnownTopics
from contentgen_core.policies.topics.seeds import ASSESSED_FOR, is_covered
from contentgen_core.policies.topics.validation import check_topic
from contentgen_core.policies.voice.terms import TermFinder
from contentgen_core.ports.content_model import TopicSuggestion
from contentgen_core.ports.repositories.articles import ArticleQuery, Articles
from contentgen_core.ports.repositories.governance import GovernanceFacts
from contentgen_core.ports.repositories.overview import Overview
from contentgen_core.ports.repositories.topic_coverages import TopicCoverages
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.context import WritingContext, area_of
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
from contentgen_core.use_cases.knowledge.retrieved import Retrieved
from contentgen_core.use_cases.use_case import use_case

ASKED: Final = 30
"""Plans and failed articles that are looked at, the newest."""
KNOWN: Final = 200
"""Articles whose topics are no gaps, the newest."""
ENTITIES: Final = 100
ASSESSED: Final = 10
"""Candidates of each kind that are assessed: each costs a search."""
_UNCOVERED: Final = frozenset({CoverageLevel.INSUFFICIENT, CoverageLevel.LOW})


class AllowedTopics:
    """The topics that may be suggested: those that the operations accept, without terms that the voice of the tenant
    avoids. `avoided`: these terms."""

    def __init__(self, analysis: TextAnalysis, language: Language, avoided: tuple[str, ...]) -> None:
        self._avoided = TermFinder(analysis, language, avoided)

    def __call__(self, topic: str) -> bool:
        try:
            check_topic(topic, min_length=MIN_TOPIC)
        except InvalidInput:
            return False
        return not self._avoided.found(topic)


@frozen
class Material:
    """The texts in which gaps are looked for. `asked`: topics that were requested and not covered, and the niche's
    keywords; `written`: the topics of articles, which are no gaps; `looked_at`: candidates."""

    asked: tuple[str, ...]
    entities: tuple[KbEntity, ...]
    written: KnownTopics
    looked_at: KnownTopics

    def fresh(self, topic: str, language: Language) -> bool:
        """Whether the topic is neither written on nor looked at; it is looked at from then on."""
        if self.written.has_topic(topic, language) or self.looked_at.has_topic(topic, language):
            return False
        self.looked_at.add(topic, language)
        return True


@frozen
class FoundGaps:
    """The gaps, those of each kind the most important first. `written`: the topics of the niche's articles."""

    gaps: tuple[TopicGap, ...]
    written: KnownTopics


@use_case
class FindTopicGaps:
    unit_of_work: UnitOfWork
    retrieve: Retrieve
    analysis: TextAnalysis

    async def __call__(
        self, tenant_id: TenantId, context: WritingContext, sample: Sequence[Passage], allowed: Callable[[str], bool]
    ) -> FoundGaps:
        """The gaps of an agent's knowledge base. `allowed`: whether a topic may be suggested. Raises as `Retrieve`."""
        material = await self._material(tenant_id, context)
        heads = Heads(self.analysis)
        heads.add(sample)
        met = list(sample)
        gaps = [gap async for gap in self._requested_topics(context, material, allowed, heads, met)]
        gaps += [gap async for gap in self._named_entities(context, material, allowed, heads, met)]
        gaps += [gap async for gap in self._unanswered_questions(context, material, allowed, met)]
        return FoundGaps(tuple(gaps), material.written)

    async def add_coverage(
        self, context: WritingContext, suggestion: TopicSuggestion, gap: TopicGap | None
    ) -> TopicSuggestion:
        """Return the suggestion with the coverage of its topic and a score by it. `gap`: the gap with exactly these
        words, if any. Raises as `Retrieve`."""
        coverage = gap.coverage if gap else article_coverage(await self._assess(context, suggestion.topic, []))
        return evolve(
            suggestion, gap=gap.kind if gap else None, coverage=coverage, score=round(coverage.score / 100, 3)
        )

    async def _material(self, tenant_id: TenantId, context: WritingContext) -> Material:
        area, niche_key = area_of(context), context.niche.niche_key
        query = ArticleQuery(
            tenant_id, limit=ASKED, niche_key=niche_key, statuses=frozenset({ArticleStatus.DRAFT, ArticleStatus.FAILED})
        )
        async with self.unit_of_work() as tx:
            unwritten = [article for article in (await tx[Articles].page(query)).articles if _lacked_sources(article)]
            coverages = [await tx[TopicCoverages].find(tenant_id, each) for each in (area, Area(niche_key))]
            page = await tx[Overview].strongest(context.view, ENTITIES)
            curation = await tx[Overview].curation(tenant_id, str(area))
            articles = await tx[GovernanceFacts].articles(tenant_id, Area(niche_key), KNOWN)
        asked = [article.brief.topic for article in unwritten]
        asked += [topic.name for found in coverages if found for topic in found.topics if not topic.covered]
        asked += context.niche.keywords
        written = KnownTopics(self.analysis)
        own = {article.brief.topic for article in unwritten}
        await asyncio.to_thread(written.add_articles, [facts for facts in articles if facts.topic not in own])
        entities = apply_curation(page.entities, curation)
        return Material(tuple(dict.fromkeys(asked)), tuple(entities), written, KnownTopics(self.analysis))

    async def _requested_topics(
        self,
        context: WritingContext,
        material: Material,
        allowed: Callable[[str], bool],
        heads: Heads,
        met: list[Passage],
    ) -> AsyncIterator[TopicGap]:
        """Yield the topics that were requested, the niche's keywords included, and are still not covered, or are by
        now."""
        fresh = (t for t in material.asked if allowed(t) and material.fresh(t, context.default_language))
        for topic in islice(fresh, ASSESSED):
            before = len(met)
            coverage = await self._assess(context, topic, met)
            heads.add(met[before:])
            if not is_covered(coverage.level):
                yield TopicGap(topic, GapKind.UNCOVERED, article_coverage(coverage))
            elif not heads.name(topic, context.default_language):
                yield TopicGap(topic, GapKind.UNWRITTEN, article_coverage(coverage))

    async def _named_entities(
        self,
        context: WritingContext,
        material: Material,
        allowed: Callable[[str], bool],
        heads: Heads,
        met: list[Passage],
    ) -> AsyncIterator[TopicGap]:
        """Yield entities except places that documents name and no title or heading has, those of the most documents
        first."""
        language, left = context.default_language, ASSESSED
        missed = [entity for entity in material.entities if entity.type is not EntityType.PLACE]
        for entity in sorted(missed, key=lambda entity: (-entity.documents, entity.keys[0])):
            topic = entity_topic(entity, context.niche.name)
            if not left or entity.documents < MIN_DOCUMENTS:
                return
            if heads.name(entity.name, language) or not allowed(topic) or not material.fresh(topic, language):
                continue
            left -= 1
            before = len(met)
            coverage = await self._assess(context, entity.name, met)
            heads.add(met[before:])
            if not heads.name(entity.name, language):
                kind = GapKind.UNWRITTEN if is_covered(coverage.level) else GapKind.NAMED
                yield TopicGap(topic, kind, article_coverage(coverage), entity.documents)

    async def _unanswered_questions(
        self, context: WritingContext, material: Material, allowed: Callable[[str], bool], met: list[Passage]
    ) -> AsyncIterator[TopicGap]:
        """Yield questions of passages that no other passage answers."""
        passages = {passage.ref: passage for passage in met}.values()
        questions = await asyncio.to_thread(lambda: list(open_questions(passages, self.analysis)))
        fresh = (q for q in questions if allowed(q.text) and material.fresh(q.text, q.language))
        for question in islice(fresh, ASSESSED):
            coverage = await self._elsewhere(context, question)
            if not is_covered(coverage.level):
                yield TopicGap(question.text, GapKind.UNANSWERED, article_coverage(coverage))

    async def _assess(self, context: WritingContext, topic: str, met: list[Passage]) -> Coverage:
        """Return the coverage of a topic, and add the passages found to `met`."""
        found = await self._retrieve(context, topic)
        met += [ranked.passage for ranked in found.ranked]
        return await asyncio.to_thread(found.coverage, ASSESSED_FOR)

    async def _elsewhere(self, context: WritingContext, question: OpenQuestion) -> Coverage:
        """The coverage of a question by other passages than that which asks it."""
        found = await self._retrieve(context, question.text)
        others = [each for each in found.candidates if each.passage.ref != question.ref]
        return await asyncio.to_thread(found.among(others).coverage, ASSESSED_FOR)

    async def _retrieve(self, context: WritingContext, topic: str) -> Retrieved:
        by_words = evolve(self.retrieve, reranker=None)  # a cross-encoder changes no level
        return await by_words(context.view, topic, LENGTHS[ASSESSED_FOR].passages)


def _lacked_sources(article: Article) -> bool:
    return article.coverage is not None and article.coverage.level in _UNCOVERED
