"""A patch of an article reaches its translations: each gets an update, which a job translates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import evolve

from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.article_update import ArticleUpdate, FollowedOriginal, UpdateState
from contentgen_core.model.ids import ArticleUpdateId, JobId, TenantId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.policies.articles.following import merge_followed
from contentgen_core.ports.repositories.article_updates import ArticleUpdates
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.use_case import use_case

KEPT: Final = 20
"""Updates of an article that are kept, decided ones included."""
MAX_TRANSLATIONS: Final = 24
"""Of one article, the newest of them, that follow it."""
OPEN: Final = frozenset({UpdateState.TRANSLATING, UpdateState.PROPOSED})
UNDONE: Final = OPEN | {UpdateState.OUTDATED, UpdateState.SKIPPED}
"""States in which a translation does not have yet what its original says, and nobody decided that it is not to."""

EDITED: Final = (
    "The original was edited before an earlier update of this translation was decided. Compare the two: what that "
    "update held is no part of this one."
)
BEING_TRANSLATED: Final = "The article was being translated when its original changed. Ask for a new update of it."


@use_case
class FollowOriginal:
    clock: Clock
    ids: Ids

    async def __call__(
        self, tx: Transaction, tenant_id: TenantId, change: FollowedOriginal
    ) -> tuple[ArticleUpdate, ...]:
        """Begin an update of each translation of the original, in the transaction that changes the original. What a
        translation was to follow before, and does not have yet, becomes part of it. `change.target`: any."""
        made: list[ArticleUpdate] = []
        for translation in await tx[Articles].translations_of(tenant_id, change.article_id, MAX_TRANSLATIONS):
            if change.sentences and translation.status is not ArticleStatus.FAILED:
                own = evolve(change, target=translation.brief.language)
                made += await self._follow(tx, translation, own)
        return tuple(made)

    async def again(self, tx: Transaction, translation: Article, update: ArticleUpdate) -> ArticleUpdate:
        """Start again an update that a translation did not follow. `update`: its newest, with an original."""
        assert update.original is not None
        former = await tx[ArticleUpdates].newest(translation.tenant_id, translation.id, KEPT + 1)
        return await self._add(tx, translation, evolve(update.original, applies=False), former, None)

    async def _follow(self, tx: Transaction, translation: Article, change: FollowedOriginal) -> list[ArticleUpdate]:
        former = await tx[ArticleUpdates].newest(translation.tenant_id, translation.id, KEPT + 1)
        newest, reason = former[0] if former else None, None
        if newest is not None and newest.state in UNDONE:
            if newest.original is not None:
                both = merge_followed(newest.original, change)
                change, reason = (both, newest.reason) if both is not None else (change, EDITED)
            if newest.state in OPEN:
                await self._outdate(tx, newest)
        if not change.sentences:
            return []
        return [await self._add(tx, translation, change, former, reason if reason == EDITED else None)]

    async def _outdate(self, tx: Transaction, update: ArticleUpdate) -> None:
        if update.job_id is not None:
            await tx[Jobs].cancel(update.job_id)
        outdated = evolve(update, state=UpdateState.OUTDATED, decided_at=self.clock.now(), job_id=None)
        await tx[ArticleUpdates].save(outdated)

    async def _add(
        self,
        tx: Transaction,
        translation: Article,
        change: FollowedOriginal,
        former: Sequence[ArticleUpdate],
        reason: str | None,
    ) -> ArticleUpdate:
        now = self.clock.now()
        update = ArticleUpdate(
            id=ArticleUpdateId(self.ids.new()),
            tenant_id=translation.tenant_id,
            article_id=translation.id,
            niche_key=translation.niche_key,
            title=translation.title,
            sentences=0,
            changes=(),
            created_at=now,
            state=UpdateState.TRANSLATING,
            original=change,
            reason=reason,
            job_id=JobId(self.ids.new()),
        )
        if translation.status is ArticleStatus.GENERATING:
            update = evolve(update, state=UpdateState.SKIPPED, decided_at=now, reason=BEING_TRANSLATED, job_id=None)
        await tx[ArticleUpdates].drop(translation.tenant_id, [one.id for one in former[KEPT - 1 :]])
        await tx[ArticleUpdates].add(update)
        if update.job_id is not None:
            job = Job(update.job_id, JobKind.TRANSLATE_UPDATE, update.tenant_id, update.id, run_at=now)
            await tx[Jobs].enqueue(job)
        return update
