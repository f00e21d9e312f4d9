"""The area of an evaluation: a niche, or its part for one country."""

from __future__ import annotations

from attrs import frozen

from contentgen_core.model.agent import AGENT_KEY, MAX_AGENT_KEY, AgentKey


@frozen
class Area:
    """The scope of topic coverage and governance: a niche in all the countries in which a tenant uses it or, with a
    `country`, in that of one agent."""

    niche_key: str
    country: str | None = None

    def __str__(self) -> str:
        """The agent's key, or the niche's. The two are distinct, since an agent's key ends in two capitals."""
        return self.niche_key if self.agent_key is None else str(self.agent_key)

    @property
    def agent_key(self) -> AgentKey | None:
        return None if self.country is None else AgentKey(self.niche_key, self.country)

    @classmethod
    def of(cls, niche_key: str, agent_key: AgentKey | None) -> Area:
        """The area of an agent; of the niche where `agent_key` is None."""
        return cls(niche_key, None if agent_key is None else agent_key.country)


def looks_like_agent_key(text: str) -> bool:
    """Whether a text that is the key of a niche or of an agent is that of an agent."""
    return len(text) <= MAX_AGENT_KEY and AGENT_KEY.fullmatch(text) is not None
