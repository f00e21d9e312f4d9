"""Agents: a niche in a country. Their keys: `<nicheKey>-<CC>`."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from attrs import Factory, field, frozen

from contentgen_core.errors import InvalidInput
from contentgen_core.model.ids import AgentId, TenantId

AGENT_KEY: Final = re.compile(r"[a-z0-9-]+-[A-Z]{2}")
MAX_AGENT_KEY: Final = 100
MAX_AGENT_NAME: Final = 100


@frozen
class AgentKey:
    """The key of an agent, `<nicheKey>-<CC>`; `country` is an ISO 3166-1 alpha-2 code."""

    niche_key: str
    country: str

    def __str__(self) -> str:
        return f"{self.niche_key}-{self.country}"

    @classmethod
    def parse(cls, text: str, field: str = "agentKey") -> AgentKey:
        """Raises InvalidInput naming `field` unless the text is `<nicheKey>-<CC>`."""
        if len(text) > MAX_AGENT_KEY or AGENT_KEY.fullmatch(text) is None:
            raise InvalidInput.of(field, "must be a niche key, a hyphen and a country, such as home-energy-GB")
        niche_key, _, country = text.rpartition("-")
        return cls(niche_key, country)


@frozen
class Agent:
    """A niche in a country for a tenant. `tenant_id`: None for a system agent, which every tenant that activated its
    niche may use and no tenant may change. `websearch_premium`: whether its enrichments may use the premium search,
    where the plan includes one."""

    id: AgentId
    key: AgentKey
    name: str
    created_at: datetime
    tenant_id: TenantId | None = None
    enabled: bool = True
    websearch_premium: bool = True
    updated_at: datetime = field(default=Factory(lambda agent: agent.created_at, takes_self=True))

    @property
    def system(self) -> bool:
        return self.tenant_id is None
