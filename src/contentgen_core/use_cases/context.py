"""The context of a use case: the niche, the agent and the view that a request names."""

from __future__ import annotations

from attrs import frozen

from contentgen_core.errors import AgentSwitchedOff, InvalidInput, NotFound
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.area import Area, looks_like_agent_key
from contentgen_core.model.ids import TenantId
from contentgen_core.model.knowledge import PRIVATE, KbView
from contentgen_core.model.niche import Niche
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.content_model import NicheBrief
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.unit_of_work import Transaction


@frozen
class WritingContext:
    """The place of an article: its niche, its agent if one was named, and its view. `premium_search`: whether the
    switches of niche and agent allow the premium web search. `agent_enabled`: whether the agent is switched on."""

    niche: Niche
    agent_key: AgentKey | None
    view: KbView
    premium_search: bool = True
    agent_enabled: bool = True

    @property
    def default_language(self) -> Language:
        """The first language of the niche's activation; French without one (as generate-plan's default)."""
        activation = self.niche.activation
        return activation.languages[0] if activation else Language.FR

    @property
    def niche_brief(self) -> NicheBrief:
        return niche_brief(self.niche)


def niche_brief(niche: Niche) -> NicheBrief:
    """The niche as described to a content model."""
    audience = niche.activation.target_audience if niche.activation else None
    return NicheBrief(niche.name, niche.description or "", audience or "", niche.keywords)


async def context_of_agent(tx: Transaction, tenant_id: TenantId, key: AgentKey) -> WritingContext:
    """Raises NotFound unless the key is that of an agent that the tenant may use."""
    agent = await tx[Agents].find(tenant_id, key)
    if agent is None:
        raise NotFound("agent", str(key))
    niche = await tx[Niches].get(tenant_id, key.niche_key)
    view = KbView(key.niche_key, tenant_id, frozenset({key.country}))
    return WritingContext(niche, key, view, niche.websearch_premium and agent.websearch_premium, agent.enabled)


def check_switched_on(context: WritingContext) -> None:
    """Raises AgentSwitchedOff for an article of an agent that is switched off."""
    if not context.agent_enabled:
        raise AgentSwitchedOff(str(context.agent_key))


async def context_of_niche(
    tx: Transaction, tenant_id: TenantId, niche_id: str, agent_key: AgentKey | None = None
) -> WritingContext:
    """`niche_id`: id or key. Raises NotFound unless the niche is activated (and the agent usable), InvalidInput when
    the two do not match."""
    niche = await tx[Niches].get(tenant_id, niche_id)
    if niche.activation is None:
        raise NotFound("activated niche", niche_id)
    if agent_key is None:
        countries = frozenset(niche.activation.countries)
        return WritingContext(niche, None, KbView(niche.niche_key, tenant_id, countries), niche.websearch_premium)
    if agent_key.niche_key != niche.niche_key:
        raise InvalidInput.of("agentKey", f"is not an agent of the niche {niche.niche_key}")
    return await context_of_agent(tx, tenant_id, agent_key)


async def context_of_key(tx: Transaction, tenant_id: TenantId, key: str) -> WritingContext:
    """`key`: that of a niche (or its id) or of an agent. Raises NotFound unless the niche is activated or the agent
    usable."""
    if looks_like_agent_key(key):
        return await context_of_agent(tx, tenant_id, AgentKey.parse(key))
    return await context_of_niche(tx, tenant_id, key)


async def context_of_agent_or_niche(
    tx: Transaction, tenant_id: TenantId, agent_key: str | None, niche_key: str | None
) -> WritingContext:
    """The context of the agent if one is named, else of the niche. Raises InvalidInput when neither is named, the
    agent's key is malformed, or the two do not match; NotFound as `context_of_key`."""
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
    """The area that a context is in."""
    return Area.of(context.niche.niche_key, context.agent_key)


async def all_views(tx: Transaction, tenant_id: TenantId) -> list[KbView]:
    """Return all views that a tenant may read: its private documents, and its activated niches in the countries of
    each."""
    niches = await tx[Niches].list(tenant_id)
    activated = [
        KbView(niche.niche_key, tenant_id, frozenset(niche.activation.countries))
        for niche in niches
        if niche.activation is not None
    ]
    return [KbView(PRIVATE, tenant_id), *activated]
