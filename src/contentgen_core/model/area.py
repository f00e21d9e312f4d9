"""What is looked at as a whole: a niche, or its part for one country."""

from __future__ import annotations

from attrs import frozen

from contentgen_core.model.agent import AGENT_KEY, MAX_AGENT_KEY, AgentKey


@frozen
class Area:
    """A niche as a tenant uses it in all of its countries, or, with a `country`, what one agent of it sees."""

    niche_key: str
    country: str | None = None

    def __str__(self) -> str:
        """The agent's key, or the niche's: no niche's key looks like an agent's, which ends in two capitals."""
        return self.niche_key if self.agent_key is None else str(self.agent_key)

    @property
    def agent_key(self) -> AgentKey | None:
        return None if self.country is None else AgentKey(self.niche_key, self.country)

    @classmethod
    def of(cls, niche_key: str, agent_key: AgentKey | None) -> Area:
        return cls(niche_key, None if agent_key is None else agent_key.country)


def looks_like_agent_key(text: str) -> bool:
    """Whether a text that names a niche or an agent names an agent."""
    return len(text) <= MAX_AGENT_KEY and AGENT_KEY.fullmatch(text) is not None
