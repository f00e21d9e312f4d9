"""The job COMPUTE_TOPIC_COVERAGE: collect the topics of an area, then assess them in batches.

The topics are stored once collected, and the assessed ones after each batch, so that an attempt after a crash resumes
there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from contentgen_core.concurrency import run_concurrently
from contentgen_core.errors import NotFound
from contentgen_core.model.ids import TopicCoverageId
from contentgen_core.model.job import Job
from contentgen_core.model.knowledge import KbView
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.topic_coverage import TopicCoverage, TopicState
from contentgen_core.model.vocabulary import LENGTHS
from contentgen_core.policies.topics.seeds import ASSESSED_FOR, Seed, distinct_topics, heat, is_covered
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.topic_coverages import TopicCoverages
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.context import WritingContext, context_of_area
from contentgen_core.use_cases.jobs import AttemptRunner, JobFailed, subject_of
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
from contentgen_core.use_cases.topic_coverage.seeds import SeedSource
from contentgen_core.use_cases.topic_meaning import TopicMeaning
from contentgen_core.use_cases.use_case import use_case

BATCH: Final = 20
AT_ONCE: Final = 4


@use_case
class ComputeTopicCoverage:
    """`retrieve`: without a cross-encoder, which changes no level and would be called two hundred times."""

    runner: AttemptRunner
    retrieve: Retrieve
    seeds: tuple[SeedSource, ...]
    analysis: TextAnalysis
    meaning: TopicMeaning

    async def __call__(self, job: Job) -> None:
        """Bring the computation of a claimed job to `ready` or `failed`, or the job back into the queue."""
        await self.runner.run(job, self._work, self._fail)

    async def _work(self, job: Job) -> None:
        async with self.runner.fenced(job) as tx:
            coverage = await self._coverage(tx, job)
            context = await self._context(tx, coverage)
        if coverage.candidates is None:
            topics = await self._topics(coverage, context)
            async with self.runner.fenced(job) as tx:
                coverage = await tx[TopicCoverages].save(coverage.with_candidates(topics))
        while coverage.left:
            assessed = await self._assess(context.view, coverage.left[:BATCH])
            async with self.runner.fenced(job) as tx:
                coverage = await tx[TopicCoverages].save(coverage.with_assessed(assessed))
        async with self.runner.fenced(job) as tx:
            await tx[TopicCoverages].save(coverage.completed(self.runner.clock.now()))
            await tx[Jobs].finish(job)

    async def _topics(self, coverage: TopicCoverage, context: WritingContext) -> tuple[str, ...]:
        seeds: list[Seed] = []
        for source in self.seeds:
            seeds += await source(coverage.tenant_id, context)
        return await self.meaning.distinct(await asyncio.to_thread(distinct_topics, seeds, self.analysis))

    async def _assess(self, view: KbView, topics: Sequence[str]) -> list[TopicState]:
        slots = asyncio.Semaphore(AT_ONCE)

        async def assess(topic: str) -> TopicState:
            async with slots:
                found = await self.retrieve(view, topic, LENGTHS[ASSESSED_FOR].passages)
            coverage = await asyncio.to_thread(found.coverage, ASSESSED_FOR)
            return TopicState(topic, is_covered(coverage.level), heat(coverage))

        return await run_concurrently(assess(topic) for topic in topics)

    async def _context(self, tx: Transaction, coverage: TopicCoverage) -> WritingContext:
        try:
            return await context_of_area(tx, coverage.tenant_id, coverage.area)
        except NotFound as error:
            raise JobFailed(f"{error.detail} It was there when the computation was asked for.") from error

    async def _coverage(self, tx: Transaction, job: Job) -> TopicCoverage:
        return await subject_of(job, tx[TopicCoverages].get(job.tenant_id, TopicCoverageId(job.subject_id)))

    async def _fail(self, tx: Transaction, job: Job, reason: str) -> None:
        coverage = await self._coverage(tx, job)
        await tx[TopicCoverages].save(coverage.failed(self.runner.clock.now(), reason))
