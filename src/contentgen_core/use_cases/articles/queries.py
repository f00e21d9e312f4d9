"""Reading articles."""

from __future__ import annotations

from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.model_batch import PartState
from contentgen_core.model.tenant import Caller
from contentgen_core.model.vocabulary import LENGTHS, ArticleLength, LengthBounds, Processing
from contentgen_core.policies.tenancy.plans import PLANS
from contentgen_core.ports.repositories.articles import ArticleQuery, Articles, Page, SummaryPage
from contentgen_core.ports.repositories.model_batches import ModelBatches
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.knowledge.source_titles import with_present_titles
from contentgen_core.use_cases.use_case import use_case


@use_case
class ReadArticles:
    unit_of_work: UnitOfWork

    async def one(self, caller: Caller, article_id: ArticleId) -> Article:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            return await with_present_titles(tx, await tx[Articles].get(caller.tenant_id, article_id))

    async def waiting_parts(self, article: Article) -> int:
        """Count the parts of an article in writing that wait for the answers of a batch."""
        if article.status is not ArticleStatus.GENERATING or article.brief.processing is not Processing.BATCH:
            return 0
        async with self.unit_of_work() as tx:
            parts = await tx[ModelBatches].parts(article.id)
        return sum(part.state is PartState.WAITING for part in parts.values())

    async def page(self, query: ArticleQuery) -> Page:
        async with self.unit_of_work() as tx:
            return await tx[Articles].page(query)

    async def summaries(self, query: ArticleQuery) -> SummaryPage:
        async with self.unit_of_work() as tx:
            return await tx[Articles].summaries(query)


def available_lengths(caller: Caller) -> dict[ArticleLength, tuple[LengthBounds, bool]]:
    """Every length, and whether the caller's plan includes it."""
    allowed = PLANS[caller.plan].lengths
    return {length: (bounds, length in allowed) for length, bounds in LENGTHS.items()}
