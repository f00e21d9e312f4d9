"""An article that is written in batches, step by step."""

from __future__ import annotations

from datetime import timedelta

from attrs import define

from contentgen_core.model.article import Article, Usage
from contentgen_core.model.ids import ArticleId, ExecutionId
from contentgen_core.model.model_batch import ModelBatch, PartState
from contentgen_core.model.prices import Cost
from contentgen_core.model.vocabulary import Processing
from contentgen_core.ports.repositories.model_batches import ModelBatches
from tests.support.house import House
from tests.support.runs import articles, execute
from tests.support.scripted_batches import Batch, ScriptedBatches

IN_A_BATCH = Usage("scripted", 10, 5, Cost(1, "EUR"))
AT_ONCE = Usage("scripted", 10, 5, Cost(2, "EUR"))


@define
class Batching:
    house: House
    vendor: ScriptedBatches

    async def run(self, articles: int = 1) -> ExecutionId:
        """A run of the agent whose articles are not in a hurry, up to where their plans are asked for."""
        id = await execute(self.house, articles, processing=Processing.BATCH)
        await self.pass_by(seconds=10)
        return id

    async def planned(self, articles: int = 1) -> ExecutionId:
        """The same, up to where their parts are asked for."""
        id = await self.run(articles)
        await self.pass_by(minutes=4)
        self.vendor.end()
        while not all(article.plan for article in await self.articles()):
            await self.pass_by(seconds=10)
        return id

    async def pass_by(self, every: float = 30.0, **time: float) -> None:
        """Let time go by, working on what becomes due. `every`: so many seconds."""
        end = self.house.clock.now() + timedelta(**time)
        while self.house.clock.now() < end:
            while await self.house.work():
                pass
            self.house.clock.advance(seconds=min(every, (end - self.house.clock.now()).total_seconds()))
        while await self.house.work():
            pass

    async def articles(self) -> list[Article]:
        return [await self.house.article(article.id) for article in await articles(self.house)]

    async def article(self) -> Article:
        [article] = await self.articles()
        return article

    async def states(self, article_id: ArticleId) -> list[PartState]:
        async with self.house.services.ports.unit_of_work() as tx:
            return [part.state for part in (await tx[ModelBatches].parts(article_id)).values()]

    async def batch(self) -> ModelBatch | None:
        async with self.house.services.ports.unit_of_work() as tx:
            return await tx[ModelBatches].collecting(self.house.caller.tenant_id, "Scripted", "scripted", 0)

    @property
    def latest(self) -> Batch:
        """The one that was submitted last."""
        return list(self.vendor.batches.values())[-1]

    @property
    def written_at_once(self) -> int:
        """Calls for plans and parts, without those for topics."""
        return sum(n for call, n in self.house.model.calls.items() if call.startswith(("plan", "write", "rewrite")))
