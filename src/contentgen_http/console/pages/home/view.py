"""What the first page shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from contentgen_core.model.agent import Agent
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.article_update import ArticleUpdate, UpdateState
from contentgen_core.model.synced_source import SyncedSource, SyncOutcome
from contentgen_core.model.tenant import Caller, Quota
from contentgen_core.ports.repositories.articles import ArticleQuery, SortBy
from contentgen_core.use_cases.tenants.queries import QuotaState
from contentgen_http.services import Services

SHOWN: Final = 5


@frozen
class Home:
    """`plans`: that wait for their review; `updates`: that wait for a decision; `failed`: articles that could not be
    written; `sources`: whose last sync failed. `agents`: to write with; `quotas`: those that have a limit."""

    plans: Sequence[Article]
    failed: Sequence[Article]
    updates: Sequence[ArticleUpdate]
    sources: Sequence[SyncedSource]
    recent: Sequence[Article]
    articles: int
    agents: Sequence[Agent]
    quotas: Mapping[Quota, QuotaState]

    @property
    def quiet(self) -> bool:
        """Whether nothing needs the person."""
        return not (self.plans or self.failed or self.updates or self.sources)


async def home(services: Services, caller: Caller) -> Home:
    def articles(*statuses: ArticleStatus) -> ArticleQuery:
        return ArticleQuery(caller.tenant_id, limit=SHOWN, statuses=frozenset(statuses), sort_by=SortBy.UPDATED_AT)

    pages = services.writing.articles
    drafts = await pages.page(articles(ArticleStatus.DRAFT))
    failed = await pages.page(articles(ArticleStatus.FAILED))
    recent = await pages.page(articles())
    updates = await services.writing.updates.page(caller, UpdateState.PROPOSED, None, SHOWN)
    sources = await services.knowledge.sources.list(caller)
    agents, _ = await services.agents.list(caller, None, True)
    quotas = await services.people.tenant.quotas(caller)
    broken = [source for source in sources if source.last and source.last.outcome is SyncOutcome.FAILED]
    return Home(
        plans=drafts.articles,
        failed=failed.articles,
        updates=updates,
        sources=broken[:SHOWN],
        recent=recent.articles,
        articles=recent.total,
        agents=agents,
        quotas={quota: state for quota, state in quotas.items() if state.limit},
    )
