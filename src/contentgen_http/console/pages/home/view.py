"""What the first page shows."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from attrs import frozen

from contentgen_core.model.agent import Agent
from contentgen_core.model.article_summary import ArticleSummary
from contentgen_core.model.tenant import Caller, Quota
from contentgen_core.ports.repositories.articles import ArticleQuery, SortBy
from contentgen_core.ports.repositories.publications import ListedPublication, PublicationQuery
from contentgen_core.use_cases.tenants.queries import QuotaState
from contentgen_core.use_cases.waiting import Waiting
from contentgen_http.services import Services

SHOWN: Final = 5
HAPPENED: Final = 10
EXAMPLES: Final = 3


@frozen
class Happened:
    """A thing that happened: an article changed its state, or a post at a target (`place`) did."""

    at: datetime
    title: str
    address: str
    state: str
    place: str = ""


@frozen
class Home:
    """`agents`: to write with; `quotas`: those that have a limit; `examples`: topics to begin with, where the team has
    no article yet."""

    waiting: Waiting
    happened: Sequence[Happened]
    articles: int
    agents: Sequence[Agent]
    quotas: Mapping[Quota, QuotaState]
    examples: Sequence[str]


async def home(services: Services, caller: Caller) -> Home:
    recent = ArticleQuery(caller.tenant_id, limit=HAPPENED, sort_by=SortBy.UPDATED_AT)
    waiting, articles, posts, (agents, _), quotas = await asyncio.gather(
        services.people.waiting(caller, SHOWN),
        services.writing.articles.summaries(recent),
        services.publishing.publications.page(PublicationQuery(caller.tenant_id, limit=HAPPENED)),
        services.agents.list(caller, None, True),
        services.people.tenant.quotas(caller),
    )
    examples: Sequence[str] = ()
    if not articles.total and agents:
        examples = await services.writing.example_topics(caller, str(agents[0].key), EXAMPLES)
    return Home(
        waiting=waiting,
        happened=_happened(articles.articles, posts),
        articles=articles.total,
        agents=agents,
        quotas={quota: state for quota, state in quotas.items() if state.limit},
        examples=examples,
    )


def _happened(articles: Sequence[ArticleSummary], posts: Sequence[ListedPublication]) -> list[Happened]:
    """The newest first."""
    found = [
        Happened(one.updated_at, one.title or one.topic, f"/console/articles/{one.id}", one.status) for one in articles
    ]
    for each in posts:
        post = each.publication
        address = f"/console/articles/{post.article_id}/publish" if post.article_id else "/console/publishing"
        found.append(Happened(post.updated_at, each.title, address, post.status.value, post.provider))
    return sorted(found, key=lambda one: one.at, reverse=True)[:HAPPENED]
