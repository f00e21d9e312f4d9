"""POST /writer/check-kb-coverage: whether the knowledge base holds enough to write on a topic."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from contentgen_core.errors import Faults
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.article import Brief
from contentgen_core.model.coverage import Coverage, CoverageLevel, PlanQuality, WordForecast
from contentgen_core.model.knowledge import KbView
from contentgen_core.model.similar_article import SimilarArticle
from contentgen_core.model.tenant import Caller, PlanName, Quota
from contentgen_core.model.vocabulary import LENGTHS, ArticleLength, Language, PrivateDocsMode
from contentgen_core.policies.coverage.assessment import can_generate, plan_quality, recommendations, warnings
from contentgen_core.policies.coverage.of_article import sources_on_topic
from contentgen_core.policies.tenancy.access import check_length
from contentgen_core.policies.tenancy.plans import PLANS
from contentgen_core.policies.tenancy.quotas import check_included, limit_of
from contentgen_core.policies.topics.validation import check_topic
from contentgen_core.ports.content_model import ContentModel
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.articles.forecast import ForecastWords
from contentgen_core.use_cases.articles.private_docs import private_views
from contentgen_core.use_cases.articles.similar import FindSimilar, SimilarTo
from contentgen_core.use_cases.context import WritingContext, context_of_agent
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
from contentgen_core.use_cases.quota import consume, counted_window
from contentgen_core.use_cases.topic_meaning import TopicMeaning
from contentgen_core.use_cases.use_case import use_case

MIN_TOPIC = 10
SUGGESTIONS = 5
# Suggestions that are assessed, so that five covered ones remain if some are not; each costs one search.
CANDIDATES = 8
SUGGESTION_PASSAGES = 60


@frozen
class CheckCoverageCommand:
    """`with_private_documents`: whether all of the tenant's private documents count, too."""

    caller: Caller
    agent_key: str
    topic: str
    length: ArticleLength = ArticleLength.STANDARD
    with_private_documents: bool = False


@frozen
class CoverageReport:
    """`warnings`: what an article will lack that may be generated all the same. `forecasts`: for each length that the
    plan has. `similar`: articles that already answer the topic, or a part of it. `remaining_checks`: None unless the
    plan shows it."""

    can_generate: bool
    length: ArticleLength
    coverage: Coverage
    quality: PlanQuality
    recommendations: tuple[str, ...]
    alternative_topics: tuple[str, ...]
    remaining_checks: int | None
    warnings: tuple[str, ...] = ()
    forecasts: tuple[WordForecast, ...] = ()
    similar: tuple[SimilarArticle, ...] = ()


@use_case
class CheckCoverage:
    unit_of_work: UnitOfWork
    retrieve: Retrieve
    model: ContentModel
    meaning: TopicMeaning
    clock: Clock
    forecast: ForecastWords
    similar: FindSimilar

    async def __call__(self, command: CheckCoverageCommand) -> CoverageReport:
        """Assess a topic; consumes one of the day's checks.

        Raises InvalidInput, PlanForbids (Free, or a length the plan lacks), NotFound, DailyQuotaExceeded,
        ProviderFailed, StaleIndex; then nothing is consumed."""
        caller, now = command.caller, self.clock.now()
        faults = Faults()
        key = faults.checked(AgentKey.parse, command.agent_key)
        topic = faults.checked(check_topic, command.topic, min_length=MIN_TOPIC)
        faults.require_none()
        check_included(caller.plan, Quota.COVERAGE_CHECKS)
        check_length(caller.plan, command.length)
        async with self.unit_of_work() as tx:
            context = await context_of_agent(tx, caller.tenant_id, key)
            await consume(tx, caller, Quota.COVERAGE_CHECKS, now)
            used = await tx[Quotas].used(
                caller.tenant_id, Quota.COVERAGE_CHECKS, counted_window(Quota.COVERAGE_CHECKS, now)
            )
        try:
            mode = PrivateDocsMode.AUTO if command.with_private_documents else PrivateDocsMode.DISABLED
            private = private_views(caller.tenant_id, mode, ())
            found = await self.retrieve(context.view, topic, LENGTHS[ArticleLength.VERY_LONG].passages, also=private)
            coverages = await asyncio.to_thread(found.coverages, PLANS[caller.plan].lengths)
            coverage = _limit_passages(coverages[command.length], command.length)
            forecasts = await self._forecasts(context, topic, coverages)
            on_topic = sources_on_topic(found.ranked, coverage)
            similar = await self.similar.to(caller.tenant_id, SimilarTo(topic, on_topic))
            alternatives = await self._alternatives(context, private, topic, coverage, command.length)
        except Exception:
            async with self.unit_of_work() as tx:  # a failed check does not count
                await tx[Quotas].refund(
                    caller.tenant_id, Quota.COVERAGE_CHECKS, counted_window(Quota.COVERAGE_CHECKS, now)
                )
            raise
        asked = next(forecast for forecast in forecasts if forecast.length is command.length)
        return CoverageReport(
            can_generate=can_generate(coverage.level, caller.plan),
            length=command.length,
            coverage=coverage,
            quality=plan_quality(coverage.level, asked),
            recommendations=recommendations(coverage, command.length, caller.plan, now.year, forecasts),
            forecasts=forecasts,
            alternative_topics=alternatives,
            remaining_checks=_remaining_checks(caller.plan, used),
            warnings=warnings(coverage, caller.plan),
            similar=similar,
        )

    async def _forecasts(
        self, context: WritingContext, topic: str, coverages: Mapping[ArticleLength, Coverage]
    ) -> tuple[WordForecast, ...]:
        """Return the forecasts of these lengths, shortest first, in the language that most of the sources are in."""
        ranked = next(iter(coverages.values())).ranked
        language = _most_frequent([r.passage.document.language for r in ranked]) or context.default_language
        brief, vectors = Brief(topic=topic, language=language), await self.retrieve.vectors_of(ranked)
        forecasts: list[WordForecast] = []
        for length in ArticleLength:
            if length in coverages:
                sources = sources_on_topic(ranked, coverages[length])
                forecasts.append(
                    await self.forecast.of_topic(brief, context.niche_brief, sources, length, vectors=vectors)
                )
        return tuple(forecasts)

    async def _alternatives(
        self,
        context: WritingContext,
        private: Sequence[KbView],
        topic: str,
        coverage: Coverage,
        length: ArticleLength,
    ) -> tuple[str, ...]:
        """Topics that the knowledge base covers for an article of this length, each assessed like the caller's own, the
        nearest to it first and none twice in other words. The passages nearest to the topic come first in the model's
        input, so that suggestions stay close to it."""
        if coverage.level not in (CoverageLevel.LOW, CoverageLevel.INSUFFICIENT):
            return ()
        async with self.unit_of_work() as tx:
            sample = await tx[Knowledge].sample(context.view, SUGGESTION_PASSAGES)
        near = [ranked.passage for ranked in coverage.ranked]
        language = _most_frequent([p.document.language for p in near + sample]) or context.default_language
        answer = await self.model.suggest_topics(context.niche_brief, near + sample, [topic], language, CANDIDATES)
        by_words = evolve(self.retrieve, reranker=None)  # a cross-encoder changes no level
        covered: list[str] = []
        suggestions = list(dict.fromkeys(suggestion.topic for suggestion in answer.value[:CANDIDATES]))
        nearest = await self.meaning.nearest_first(topic, suggestions)
        for suggested in await self.meaning.distinct(nearest):
            found = await by_words(context.view, suggested, LENGTHS[length].passages, also=private)
            checked = await asyncio.to_thread(found.coverage, length)
            if checked.level in (CoverageLevel.GOOD, CoverageLevel.EXCELLENT):
                covered.append(suggested)
            if len(covered) == SUGGESTIONS:
                break
        return tuple(covered)


def _limit_passages(coverage: Coverage, length: ArticleLength) -> Coverage:
    return evolve(coverage, ranked=coverage.ranked[: LENGTHS[length].passages])


def _remaining_checks(plan: PlanName, used: int) -> int | None:
    limit = limit_of(plan, Quota.COVERAGE_CHECKS)
    return None if plan is not PlanName.PRO or limit is None else max(0, limit - used)


def _most_frequent(languages: list[Language]) -> Language | None:
    return max(sorted(set(languages)), key=languages.count, default=None)
