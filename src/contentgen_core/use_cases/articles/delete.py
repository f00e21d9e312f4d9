"""DELETE /writer/{id}."""

from __future__ import annotations

from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.articles.removal import remove_article
from contentgen_core.use_cases.use_case import use_case


@use_case
class DeleteArticle:
    unit_of_work: UnitOfWork
    clock: Clock

    async def __call__(self, caller: Caller, article_id: ArticleId) -> None:
        """Delete an article with everything that belongs to it; a generation under way is cancelled. Raises
        NotPermitted, NotFound."""
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(caller.tenant_id, article_id)
            await remove_article(tx, article, self.clock.now())
