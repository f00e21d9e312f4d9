"""Read what waits for a person: plans, texts, posts, updates, conflicts, and failures."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from attrs import frozen

from contentgen_core.model.approval import ApprovalState
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.article_summary import ArticleSummary
from contentgen_core.model.article_update import ArticleUpdate, UpdateState
from contentgen_core.model.calendar import CalendarEntry, CalendarQuery
from contentgen_core.model.circuit import Circuit
from contentgen_core.model.conflict import Conflict
from contentgen_core.model.publication import PublicationStatus
from contentgen_core.model.synced_source import SyncedSource, SyncOutcome
from contentgen_core.model.tenant import Caller
from contentgen_core.ports.repositories.article_updates import ArticleUpdates
from contentgen_core.ports.repositories.articles import ArticleQuery, Articles
from contentgen_core.ports.repositories.calendar import Calendar
from contentgen_core.ports.repositories.circuits import Circuits
from contentgen_core.ports.repositories.conflicts import Conflicts
from contentgen_core.ports.repositories.publications import ListedPublication, PublicationQuery, Publications
from contentgen_core.ports.repositories.synced_sources import SyncedSources
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.approval.policies import rules_of
from contentgen_core.use_cases.synced_sources.manage_sources import MOST_SOURCES
from contentgen_core.use_cases.use_case import use_case

MOST: Final = 20
"""Of each kind."""
LOOKED_AT: Final = (SyncOutcome.FAILED, SyncOutcome.DOUBTFUL)
"""How syncs end that a person has to look at."""
_BEGINNING: Final = datetime(1970, 1, 1, tzinfo=UTC)


@frozen
class Waiting:
    """`plans`: that wait for their review, the longest first; `reviews`: articles whose approval waits for the person,
    among the MOST newest; `others`: articles of these whose approval waits for somebody else;
    `posts`: publications whose outcome is unknown, then those that failed; `failed`: articles that could not be
    written; `updates`: that wait for a decision; `conflicts`: of sources, open ones; `sources`: whose last sync
    failed, or waits for a person to accept it; `outages`: of the model, whose articles wait by themselves. The newest
    first where nothing else is said."""

    plans: tuple[CalendarEntry, ...]
    reviews: tuple[ArticleSummary, ...]
    others: tuple[ArticleSummary, ...]
    posts: tuple[ListedPublication, ...]
    failed: tuple[ArticleSummary, ...]
    updates: tuple[ArticleUpdate, ...]
    conflicts: tuple[Conflict, ...]
    sources: tuple[SyncedSource, ...]
    outages: tuple[Circuit, ...] = ()

    @property
    def nothing(self) -> bool:
        return not any((self.plans, self.reviews, self.posts, self.failed, self.updates, self.conflicts, self.sources))


@use_case
class ReadWaiting:
    """`model`: the name of the content model. Outages of one that was configured before concern nobody."""

    unit_of_work: UnitOfWork
    clock: Clock
    model: str

    async def __call__(self, caller: Caller, limit: int) -> Waiting:
        """Return `limit` items of each kind, MOST at most."""
        limit, tenant = min(limit, MOST), caller.tenant_id
        ever = CalendarQuery(_BEGINNING, self.clock.now() + timedelta(days=1))
        async with self.unit_of_work() as tx:
            in_review = ArticleQuery(tenant, limit=MOST, approval=ApprovalState.IN_REVIEW)
            articles = (await tx[Articles].summaries(in_review)).articles
            rules = {key: await rules_of(tx, tenant, key) for key in {article.niche_key for article in articles}}
            own = {article.id for article in articles if rules[article.niche_key].may_approve(caller)}
            failed = ArticleQuery(tenant, limit=limit, statuses=frozenset({ArticleStatus.FAILED}))
            posts = [
                await tx[Publications].page(PublicationQuery(tenant, status, limit=limit))
                for status in (PublicationStatus.UNKNOWN, PublicationStatus.FAILED)
            ]
            sources = await tx[SyncedSources].of_tenant(tenant, max(MOST_SOURCES.values()))
            broken = [source for source in sources if source.last and source.last.outcome in LOOKED_AT]
            return Waiting(
                plans=tuple(await tx[Calendar].waiting_plans(tenant, ever, limit)),
                reviews=tuple([article for article in articles if article.id in own][:limit]),
                others=tuple([article for article in articles if article.id not in own][:limit]),
                posts=tuple([post for page in posts for post in page][:limit]),
                failed=(await tx[Articles].summaries(failed)).articles,
                updates=tuple(await tx[ArticleUpdates].page(tenant, UpdateState.PROPOSED, None, limit)),
                conflicts=tuple(await tx[Conflicts].open(tenant, limit)),
                sources=tuple(broken[:limit]),
                outages=tuple([circuit for circuit in await tx[Circuits].open() if circuit.name == self.model]),
            )
