"""The passages of articles and plans, for people who compare them with the text."""

from __future__ import annotations

from contentgen_core.model.article_plan import ArticlePlan, SourceRef
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.tenant import Caller
from contentgen_core.ports.repositories.articles import Articles, Generations
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.articles.edited_plan import views_of
from contentgen_core.use_cases.use_case import use_case


@use_case
class ReadArticlePassages:
    unit_of_work: UnitOfWork

    async def cited(self, caller: Caller, article_id: ArticleId) -> dict[SourceRef, Passage]:
        """Return the passages that an article was written from, as they were then. Raises NotFound."""
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(caller.tenant_id, article_id)
            return {copy.ref: copy.passage for copy in await tx[Generations].sources(article.id) or ()}

    async def of_plan(self, caller: Caller, article_id: ArticleId, plan: ArticlePlan) -> dict[SourceRef, Passage]:
        """Return the passages that an article was planned from, and those that this plan names. Raises NotFound."""
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(caller.tenant_id, article_id)
            found = {copy.ref: copy.passage for copy in await tx[Generations].sources(article.id) or ()}
            asked = [ref for ref in plan.cited if ref not in found]
            for view in await views_of(tx, caller, article) if asked else ():
                found |= await tx[Knowledge].passages(view, asked)
        return found
