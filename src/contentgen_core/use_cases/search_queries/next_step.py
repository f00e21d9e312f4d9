"""The request that does what an entry of a queue asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import frozen

from contentgen_core.model.agent import AgentKey
from contentgen_core.model.niche import Niche
from contentgen_core.model.search_demand import SearchEntry, SearchQueue

MIN_TOPIC: Final = 10
"""The fewest characters that the requests take as a topic."""


@frozen
class NextStep:
    """A POST."""

    path: str
    body: Mapping[str, Any]


def next_step(entry: SearchEntry, niche: Niche) -> NextStep | None:
    """Return the next step; None for pages to merge, which a person does, and for a page that is no article of ours.
    `niche`: as the tenant has it activated."""
    if entry.decision.queue is SearchQueue.MERGE or niche.activation is None:
        return None
    if entry.decision.queue is SearchQueue.REFRESH:
        articles = entry.demand.articles
        return NextStep("/article-updates", {"articleId": articles[0].id}) if articles else None
    query = entry.demand.query
    topic = query if len(query) >= MIN_TOPIC else f"{query} ({niche.name})"
    key = str(AgentKey(niche.niche_key, niche.activation.countries[0]))
    path = "/writer/generate-plan" if entry.decision.queue is SearchQueue.WRITE else "/writer/enrich-kb-topic"
    return NextStep(path, {"agentKey": key, "topic": topic})
