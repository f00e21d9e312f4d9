"""GET /articles/freshness: the articles whose sources changed since they were written, or are contradicted."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from contentgen_core.model.freshness import Freshness
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import Caller
from contentgen_core.ports.repositories.articles import Articles, ArticleTitle, ChangedArticles
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.articles.freshness import CheckFreshness
from contentgen_core.use_cases.use_case import use_case

MAX_COMPARED: Final = 20


@frozen
class ComparedTitle:
    article: ArticleTitle
    freshness: Freshness


@frozen
class ComparedTitles:
    """Articles with a source that changed or is contradicted, newest first. `before`: where to go on, None at the
    end."""

    articles: tuple[ComparedTitle, ...]
    before: ArticleId | None


@use_case
class ListFreshness:
    unit_of_work: UnitOfWork
    check: CheckFreshness

    async def titles(
        self, caller: Caller, before: ArticleId | None, limit: int, niche_key: str | None = None
    ) -> ChangedArticles:
        """Return the articles that cite a changed source, without comparing their sentences; MAX_COMPARED at most.
        Raises NotFound for `before`."""
        async with self.unit_of_work() as tx:
            return await tx[Articles].with_changed_sources(
                caller.tenant_id, before, min(limit, MAX_COMPARED), niche_key=niche_key
            )

    async def __call__(self, caller: Caller, before: ArticleId | None = None, limit: int = 10) -> ComparedTitles:
        """Articles that are fresh all the same, since what changed are other words than theirs, are listed as such.
        Raises NotFound for `before`, NotConfigured.

        `limit`: MAX_COMPARED at most; each is compared sentence by sentence."""
        async with self.unit_of_work() as tx:
            found = await tx[Articles].with_changed_sources(caller.tenant_id, before, min(limit, MAX_COMPARED))
        compared = [ComparedTitle(title, await self.check(caller, title.id)) for title in found.articles]
        return ComparedTitles(tuple(compared), found.before)
