"""Counting the tokens of calls that brought an article nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress

from attrs import evolve

from contentgen_core.errors import NotFound
from contentgen_core.model.article import Usage
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.job import Job
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.budgets.keep_budgets import Payer
from contentgen_core.use_cases.budgets.lost_calls import count_lost_calls
from contentgen_core.use_cases.jobs import AttemptRunner


def counting_lost_calls(
    runner: AttemptRunner, work: Callable[[Job], Awaitable[None]]
) -> Callable[[Job], Awaitable[None]]:
    """Return the work on an article's job, which also adds what its calls lost to the article and to what its tenant
    and agent spent: however the work ends, and whatever became of the article meanwhile."""

    async def counted(job: Job) -> None:
        article_id = ArticleId(job.subject_id)

        async def store(tx: Transaction, lost: Usage) -> None:
            with suppress(NotFound):  # it was deleted meanwhile
                article = await tx[Articles].get(job.tenant_id, article_id)
                used = article.usage.plus(lost) if article.usage else lost
                await tx[Articles].save(evolve(article, usage=used))

        try:
            async with runner.unit_of_work() as tx:
                article = await tx[Articles].listed(job.tenant_id, article_id)
        except NotFound:
            await work(job)
            return
        async with count_lost_calls(runner.unit_of_work, runner.clock, Payer.of_article(article), store):
            await work(job)

    return counted
