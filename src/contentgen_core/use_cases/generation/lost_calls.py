"""Counting the tokens of calls that brought an article nothing: they are paid all the same."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from attrs import evolve

from contentgen_core.concurrency import retry_overtaken
from contentgen_core.errors import ContentgenError, NotFound
from contentgen_core.model.article import Article, Usage
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.job import Job
from contentgen_core.ports.lost_usage import collect_lost_usage
from contentgen_core.use_cases.budgets.keep import spend
from contentgen_core.use_cases.jobs import AttemptRunner


def counting_lost_calls(
    runner: AttemptRunner, work: Callable[[Job], Awaitable[None]]
) -> Callable[[Job], Awaitable[None]]:
    """Return the work on an article's job, which also adds what its calls lost to the article and to what its tenant
    and agent spent: however the work ends, and whatever became of the article meanwhile."""

    async def counted(job: Job) -> None:
        try:
            async with runner.unit_of_work() as tx:
                article = await tx.articles.listed(job.tenant_id, ArticleId(job.subject_id))
        except NotFound:
            await work(job)
            return
        with collect_lost_usage() as lost:
            try:
                await work(job)
            finally:
                if lost:
                    with suppress(ContentgenError):  # the figures must not hide how the work ended
                        await _count(runner, article, lost)

    return counted


async def _count(runner: AttemptRunner, known: Article, lost: Sequence[Usage]) -> None:
    """`known`: the article as it was when the work began."""
    total = lost[0]
    for usage in lost[1:]:
        total = total.plus(usage)

    async def transaction() -> None:
        async with runner.unit_of_work() as tx:
            with suppress(NotFound):  # it was deleted meanwhile
                article = await tx.articles.get(known.tenant_id, known.id)
                used = article.usage.plus(total) if article.usage else total
                await tx.articles.save(evolve(article, usage=used))
            await spend(tx, known, total, runner.clock.now())

    await retry_overtaken(transaction)
