"""What the article use cases look up first: the niche, the agent and the view they write from."""

from __future__ import annotations

from attrs import frozen

from contentgen_core.errors import InvalidInput, NotFound
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.ids import TenantId
from contentgen_core.model.knowledge import KbView
from contentgen_core.model.niche import Niche
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.content_model import NicheBrief
from contentgen_core.ports.unit_of_work import Transaction


@frozen
class WritingContext:
    """Where an article is written: its niche, its agent if one was named, and the passages it may use.
    `premium_search`: whether the switches of the niche and of the agent let a web search be the premium one."""

    niche: Niche
    agent_key: AgentKey | None
    view: KbView
    premium_search: bool = True

    @property
    def default_language(self) -> Language:
        """The first of the niche's activation; French where the niche has none (as generate-plan's default)."""
        activation = self.niche.activation
        return activation.languages[0] if activation else Language.FR

    @property
    def niche_brief(self) -> NicheBrief:
        return niche_brief(self.niche)


def niche_brief(niche: Niche) -> NicheBrief:
    audience = niche.activation.target_audience if niche.activation else None
    return NicheBrief(niche.name, niche.description or "", audience or "", niche.keywords)


async def context_of_agent(tx: Transaction, tenant_id: TenantId, key: AgentKey) -> WritingContext:
    """Raises NotFound unless the key names an agent that the tenant may use."""
    agent = await tx.agents.find(tenant_id, key)
    if agent is None:
        raise NotFound("agent", str(key))
    niche = await tx.niches.get(tenant_id, key.niche_key)
    view = KbView(key.niche_key, tenant_id, frozenset({key.country}))
    return WritingContext(niche, key, view, niche.websearch_premium and agent.websearch_premium)


async def context_of_niche(
    tx: Transaction, tenant_id: TenantId, niche_id: str, agent_key: AgentKey | None = None
) -> WritingContext:
    """Raises NotFound unless the niche is activated (and the agent usable), InvalidInput when the two do not match."""
    niche = await tx.niches.get(tenant_id, niche_id)
    if niche.activation is None:
        raise NotFound("activated niche", niche_id)
    if agent_key is None:
        countries = frozenset(niche.activation.countries)
        return WritingContext(niche, None, KbView(niche.niche_key, tenant_id, countries), niche.websearch_premium)
    if agent_key.niche_key != niche.niche_key:
        raise InvalidInput.of("agentKey", f"is not an agent of the niche {niche.niche_key}")
    return await context_of_agent(tx, tenant_id, agent_key)
