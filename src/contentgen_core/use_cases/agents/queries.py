"""GET /agents."""

from __future__ import annotations

from contentgen_core.model.agent import Agent
from contentgen_core.model.tenant import Caller
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case


@use_case
class ListAgents:
    unit_of_work: UnitOfWork

    async def __call__(
        self, caller: Caller, niche_key: str | None = None, enabled: bool | None = None, limit: int = 50
    ) -> tuple[list[Agent], int]:
        """Own agents and the system agents of activated niches; and how many there are without the limit."""
        async with self.unit_of_work() as tx:
            return await tx[Agents].list(caller.tenant_id, niche_key, enabled, limit)
