"""POST /article-updates: what an article would say after its sources changed, for a person to decide."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Final

from attrs import evolve

from contentgen_core.errors import AlreadyExists
from contentgen_core.model.article import Article
from contentgen_core.model.article_update import ArticleUpdate, UpdateState
from contentgen_core.model.freshness import same_changes
from contentgen_core.model.ids import ArticleId, ArticleUpdateId
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.model.webhook import WebhookEventType
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.ports.lost_usage import lost_if_failed
from contentgen_core.ports.repositories.article_updates import ArticleUpdates
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.article_updates.revise_sentences import RevisedSentences, ReviseSentences
from contentgen_core.use_cases.articles.follow_original import KEPT, OPEN, FollowOriginal
from contentgen_core.use_cases.articles.freshness import CheckFreshness, ComparedArticle
from contentgen_core.use_cases.budgets.keep_budgets import Payer, spend
from contentgen_core.use_cases.budgets.lost_calls import count_lost_calls
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.webhooks.events import record_update_event
from contentgen_core.use_cases.while_there import while_there

MOST_ASKED: Final = 5
"""Updates of an article for which the writer is asked within ASKED_WITHIN."""
ASKED_WITHIN: Final = timedelta(days=1)


@use_case
class ProposeUpdate:
    unit_of_work: UnitOfWork
    freshness: CheckFreshness
    revise: ReviseSentences
    follow: FollowOriginal
    clock: Clock
    ids: Ids

    async def __call__(self, caller: Caller, article_id: ArticleId, *, again: bool = True) -> ArticleUpdate | None:
        """The update that waits for a decision; None where every sentence is still what its source says. One with the
        same changes stays; one with others, or with fewer proposals, is outdated, and replaced. Raises NotPermitted,
        NotFound, NotConfigured. A translation that does not say yet what its original says follows that first.

        `again`: also what a person rejected already, where neither article nor sources changed since."""
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            following = await self._for_translation(tx, caller, article_id, again=again)
        if following is not None:
            return following
        compared = await self.freshness.compare(caller, article_id)
        payer = Payer(caller.tenant_id, compared.article.agent_key)
        async with count_lost_calls(self.unit_of_work, self.clock, payer):
            return await self._propose(compared, payer, again=again)

    async def _propose(self, compared: ComparedArticle, payer: Payer, *, again: bool) -> ArticleUpdate | None:
        article = compared.article
        async with self.unit_of_work() as tx:
            former = await tx[ArticleUpdates].newest(article.tenant_id, article.id, KEPT + 1)
        revised = RevisedSentences(compared.freshness.stale)
        if self._is_to_ask(former, compared, again=again):
            revised = await while_there(self.revise(compared), partial(self._check_article, article))
        with lost_if_failed([] if revised.usage is None else [revised.usage]):
            return await self._store(compared, revised, payer, again=again)

    async def _check_article(self, article: Article) -> None:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            await tx[Articles].listed(article.tenant_id, article.id)

    async def _store(
        self, compared: ComparedArticle, revised: RevisedSentences, payer: Payer, *, again: bool
    ) -> ArticleUpdate | None:
        with suppress(AlreadyExists):  # another request was faster
            async with self.unit_of_work() as tx:
                return await self._propose_and_charge(tx, compared, revised, payer, again=again)
        async with self.unit_of_work() as tx:
            return await self._propose_and_charge(tx, compared, revised, payer, again=again)

    async def _propose_and_charge(
        self, tx: Transaction, compared: ComparedArticle, revised: RevisedSentences, payer: Payer, *, again: bool
    ) -> ArticleUpdate | None:
        update = await self._store_proposal(tx, compared, revised, again=again)
        if revised.usage is not None:
            await spend(tx, payer, revised.usage, self.clock.now())
        return update

    async def _for_translation(
        self, tx: Transaction, caller: Caller, article_id: ArticleId, *, again: bool
    ) -> ArticleUpdate | None:
        """Return the update by which a translation follows its original, if it does not have it yet; started again
        where it failed."""
        newest = next(iter(await tx[ArticleUpdates].newest(caller.tenant_id, article_id, 1)), None)
        if newest is None or newest.original is None or newest.state is UpdateState.APPLIED:
            return None
        if newest.state in OPEN:
            return newest
        article = await tx[Articles].get(caller.tenant_id, article_id)
        return await self.follow.again(tx, article, newest) if again else None

    def _is_to_ask(self, former: Sequence[ArticleUpdate], compared: ComparedArticle, *, again: bool) -> bool:
        """Whether the writer is asked: once for the same changes, and for so many updates at most."""
        newest = former[0] if former else None
        if newest is not None and same_changes(newest.changes, compared.freshness.stale):
            if newest.state is UpdateState.REJECTED and not again:
                return False
            if newest.usage is not None and newest.usage.model == self.revise.model.name:
                return newest.state is not UpdateState.PROPOSED
        since = self.clock.now() - ASKED_WITHIN
        return sum(update.usage is not None and update.created_at > since for update in former) < MOST_ASKED

    async def _store_proposal(
        self, tx: Transaction, compared: ComparedArticle, revised: RevisedSentences, *, again: bool
    ) -> ArticleUpdate | None:
        article, found = compared.article, compared.freshness
        former = await tx[ArticleUpdates].newest(article.tenant_id, article.id, KEPT + 1)
        newest = former[0] if former else None
        if newest is not None and same_changes(newest.changes, found.stale):
            if newest.state is UpdateState.PROPOSED and len(newest.proposed) >= revised.proposals:
                return newest if revised.usage is None else await _add_cost(tx, newest, revised)
            if newest.state is UpdateState.REJECTED and not again:
                return None
        now = self.clock.now()
        if newest is not None and newest.state is UpdateState.PROPOSED:
            await tx[ArticleUpdates].save(evolve(newest, state=UpdateState.OUTDATED, decided_at=now))
        if not found.stale:
            await tx[Articles].mark_fresh(article.tenant_id, article.id, found.checked_at)
            return None
        await tx[ArticleUpdates].drop(article.tenant_id, [update.id for update in former[KEPT - 1 :]])
        update = ArticleUpdate(
            id=ArticleUpdateId(self.ids.new()),
            tenant_id=article.tenant_id,
            article_id=article.id,
            niche_key=article.niche_key,
            title=article.title,
            sentences=found.sentences,
            changes=revised.changes,
            created_at=now,
            usage=revised.usage,
        )
        await tx[ArticleUpdates].add(update)
        await record_update_event(tx, WebhookEventType.UPDATE_PROPOSED, update, now)
        return update


async def _add_cost(tx: Transaction, update: ArticleUpdate, revised: RevisedSentences) -> ArticleUpdate:
    """Return the update with the cost of asking the writer in vain."""
    assert revised.usage is not None
    usage = revised.usage if update.usage is None else update.usage.plus(revised.usage)
    return await tx[ArticleUpdates].save(evolve(update, usage=usage))
