"""A niche or an agent as a request names it, and what it leads to."""

from __future__ import annotations

from contentgen_core.errors import InvalidInput
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.area import Area, looks_like_agent_key
from contentgen_core.model.ids import TenantId
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.context import WritingContext, context_of_agent, context_of_niche


async def context_of_key(tx: Transaction, tenant_id: TenantId, key: str) -> WritingContext:
    """Of a niche's key (or id), or of an agent's key. Raises NotFound unless the niche is activated or the agent
    usable."""
    if looks_like_agent_key(key):
        return await context_of_agent(tx, tenant_id, AgentKey.parse(key))
    return await context_of_niche(tx, tenant_id, key)


async def context_of_either(
    tx: Transaction, tenant_id: TenantId, agent_key: str | None, niche_key: str | None
) -> WritingContext:
    """Of the agent where one is named, else of the niche. Raises InvalidInput when neither is named, the agent's key is
    none, or the two do not match; NotFound as `context_of_key`."""
    if agent_key is None and niche_key is None:
        raise InvalidInput.of("nicheKey", "name a niche with nicheKey, or an agent with agentKey")
    if agent_key is None:
        return await context_of_niche(tx, tenant_id, niche_key or "")
    key = AgentKey.parse(agent_key)
    if niche_key is not None and (await context_of_niche(tx, tenant_id, niche_key)).niche.niche_key != key.niche_key:
        raise InvalidInput.of("agentKey", f"is not an agent of the niche {niche_key}")
    return await context_of_agent(tx, tenant_id, key)


async def context_of_area(tx: Transaction, tenant_id: TenantId, area: Area) -> WritingContext:
    """Raises NotFound once the niche is no longer activated, or the agent no longer usable."""
    return await context_of_key(tx, tenant_id, str(area))


def area_of(context: WritingContext) -> Area:
    return Area.of(context.niche.niche_key, context.agent_key)
