"""Figures of a tenant's writing: articles, waiting work, and the time spent on an article's stages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

from attrs import frozen

from contentgen_core.errors import InvalidInput
from contentgen_core.model.article import WRITTEN, Article, ArticleStatus
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.job import TenantBacklog
from contentgen_core.model.tenant import Caller
from contentgen_core.model.writing import FiguresBy, StageRecord, WritingFigures
from contentgen_core.policies.tenancy.access import require_platform_admin
from contentgen_core.ports.repositories.articles import ArticleOutcome, ArticleQuery, Articles, Generations, SortBy
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.writing_months import WritingMonths
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case

MAX_MONTHS: Final = 24
MOST: Final = 50
"""Agents, models or tenants of one answer: those with most words."""

RECENT: Final = 20
ENDED: Final = WRITTEN | {ArticleStatus.FAILED}


@frozen
class Insights:
    """Figures of the last months, the present one included. `months`: all of them, the first one first; `by`: what the
    figures are summed by otherwise. `backlog`: None for all tenants together."""

    months: Sequence[tuple[date, WritingFigures]]
    by: FiguresBy
    parts: Sequence[tuple[str, WritingFigures]]
    backlog: TenantBacklog | None

    @property
    def total(self) -> WritingFigures:
        total = WritingFigures()
        for _, figures in self.months:
            total = total.plus(figures)
        return total


@frozen
class Trace:
    """An article with the stages of its writing that came to their end, in the order of their beginnings."""

    article: Article
    stages: Sequence[StageRecord]


@use_case
class ReadInsights:
    unit_of_work: UnitOfWork
    clock: Clock

    async def __call__(self, caller: Caller, by: FiguresBy, months: int = 12) -> Insights:
        """Return the figures of the tenant; by tenant: of all tenants, for platform administrators. Raises
        InvalidInput, NotPermitted."""
        if not 1 <= months <= MAX_MONTHS:
            raise InvalidInput.of("months", f"1 to {MAX_MONTHS}")
        everybody = by is FiguresBy.TENANT
        if everybody:
            require_platform_admin(caller)
        tenant = None if everybody else caller.tenant_id
        shown = last_months(self.clock.now(), months)
        async with self.unit_of_work() as tx:
            found = await tx[WritingMonths].figures(tenant, FiguresBy.MONTH, shown[0], MAX_MONTHS)
            parts = [] if by is FiguresBy.MONTH else await tx[WritingMonths].figures(tenant, by, shown[0], MOST)
            backlog = None if tenant is None else await tx[Jobs].backlog_of(tenant, self.clock.now())
        figures = dict(found)
        return Insights(
            [(month, figures.get(month.isoformat(), WritingFigures())) for month in shown], by, parts, backlog
        )

    async def recent(self, caller: Caller) -> Sequence[ArticleOutcome]:
        """The articles that were changed last, of those whose writing ended."""
        query = ArticleQuery(caller.tenant_id, limit=RECENT, statuses=ENDED, sort_by=SortBy.UPDATED_AT)
        async with self.unit_of_work() as tx:
            ids = [article.id for article in (await tx[Articles].page(query)).articles]
            found = await tx[Articles].outcomes(caller.tenant_id, ids)
        return [found[id] for id in ids if id in found]

    async def trace(self, caller: Caller, article_id: ArticleId) -> Trace:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(caller.tenant_id, article_id)
            return Trace(article, await tx[Generations].stages(article_id))


def last_months(now: datetime, count: int) -> list[date]:
    """The first days (UTC) of the present month and of those before it, the first one first."""
    number = now.year * 12 + now.month - 1
    return [date(n // 12, n % 12 + 1, 1) for n in range(number - count + 1, number + 1)]
