"""Let platform administrators take articles and trends off the public pages."""

from __future__ import annotations

from attrs import evolve

from contentgen_core.errors import NotFound
from contentgen_core.model.article import Article
from contentgen_core.model.tenant import Caller
from contentgen_core.policies.tenancy.access import require_platform_admin
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.public_articles import PublicArticles
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case


@use_case
class ModeratePublicArticles:
    unit_of_work: UnitOfWork
    clock: Clock

    async def hide(self, caller: Caller, slug: str) -> Article:
        """Shows an article to its tenant alone again, whosever it is; posts at targets stay. Raises NotPermitted,
        NotFound, ConcurrentChange."""
        require_platform_admin(caller)
        async with self.unit_of_work() as tx:
            article = await tx[PublicArticles].find(slug)
            if article is None:
                raise NotFound("public article", slug)
            return await tx[Articles].save(evolve(article, is_public=False, updated_at=self.clock.now()))
