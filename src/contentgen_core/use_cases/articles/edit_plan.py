"""Keeping an edited plan with its draft, which goes on awaiting its review."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from attrs import evolve

from contentgen_core.errors import ConcurrentChange, NoPlanAwaitingReview
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.articles.edited_plan import apply_edited_plan
from contentgen_core.use_cases.articles.forecast_plan import ForecastedPlan, ForecastPlan, ForecastPlanCommand
from contentgen_core.use_cases.use_case import use_case

ATTEMPTS: Final = 3


@use_case
class EditPlan:
    unit_of_work: UnitOfWork
    forecast_plan: ForecastPlan
    clock: Clock

    async def __call__(self, command: ForecastPlanCommand) -> ForecastedPlan:
        """Store the plan, with sources for what was added. Consumes nothing. Raises what ForecastPlan raises,
        EditOvertaken, and ConcurrentChange."""
        found = await self.forecast_plan(command)
        for _ in range(ATTEMPTS - 1):
            with suppress(ConcurrentChange):  # where that was another edit, it is seen now
                return await self._store(command, found)
        return await self._store(command, found)

    async def _store(self, command: ForecastPlanCommand, found: ForecastedPlan) -> ForecastedPlan:
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(command.caller.tenant_id, command.article_id)
            if not article.awaits_review:
                raise NoPlanAwaitingReview()
            article = await apply_edited_plan(tx, command.caller, article, found.looked_up, command.seen)
            return evolve(found, article=await tx[Articles].save(evolve(article, updated_at=self.clock.now())))
