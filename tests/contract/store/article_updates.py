"""Updates of articles and refresh policies, each seen by its tenant alone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import AlreadyExists, ConcurrentChange, NotFound
from contentgen_core.model.article import ArticleSource
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.article_update import (
    ArticleUpdate,
    FollowedOriginal,
    OriginalSentence,
    RefreshMode,
    RefreshPolicy,
    RefreshProgress,
    RefreshReport,
    UpdateState,
)
from contentgen_core.model.freshness import SentenceState, StaleSentence
from contentgen_core.model.ids import (
    ArticleId,
    ArticleUpdateId,
    DocumentId,
    JobId,
    NicheId,
    RefreshPolicyId,
    TenantId,
    UserId,
)
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.article_updates import ArticleUpdates, RefreshPolicies
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant, given_tenants

HOUR = timedelta(hours=1)
CHANGE = StaleSentence(
    3, "It pays 4.", SentenceState.CHANGED, 1, "It pays 4.", "It pays 2.", SourceRef(DocumentId("d"), 0), MOMENT, ""
)


async def _update(unit_of_work: UnitOfWork, tenant_id: TenantId, **changes: Any) -> ArticleUpdate:
    if "article_id" not in changes:
        article = builders.article(tenant_id=tenant_id)
        await given(unit_of_work, article)
        changes["article_id"] = article.id
    defaults: dict[str, Any] = {
        "id": ArticleUpdateId(builders.new_id()),
        "tenant_id": tenant_id,
        "niche_key": builders.NICHE_KEY,
        "title": "Heat pumps",
        "sentences": 12,
        "changes": (CHANGE, evolve(CHANGE, position=4, now=None, source=None, changed_at=None, proposal=None)),
        "created_at": MOMENT,
    }
    update = ArticleUpdate(**defaults | changes)
    async with unit_of_work() as tx:
        await tx[ArticleUpdates].add(update)
    return update


class ArticleUpdatesContract:
    async def test_an_update_is_given_back_as_it_was_stored(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        update = await _update(unit_of_work, tenant.id)
        changed = evolve(
            update, state=UpdateState.APPLIED, applied=(3,), decided_by=UserId("u"), decided_at=MOMENT + HOUR
        )
        async with unit_of_work() as tx:
            assert await tx[ArticleUpdates].get(tenant.id, update.id) == update
            saved = await tx[ArticleUpdates].save(changed)
        async with unit_of_work() as tx:
            assert await tx[ArticleUpdates].get(tenant.id, update.id) == saved == evolve(changed, revision=2)
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[ArticleUpdates].save(changed)

    async def test_an_article_has_one_update_that_waits(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        first = await _update(unit_of_work, tenant.id)
        with pytest.raises(AlreadyExists):
            await _update(unit_of_work, tenant.id, article_id=first.article_id)
        async with unit_of_work() as tx:
            await tx[ArticleUpdates].save(evolve(first, state=UpdateState.REJECTED))
        second = await _update(unit_of_work, tenant.id, article_id=first.article_id)
        async with unit_of_work() as tx:
            assert [u.id for u in await tx[ArticleUpdates].newest(tenant.id, first.article_id, 9)] == [
                second.id,
                first.id,
            ]
            assert await tx[ArticleUpdates].newest(tenant.id, first.article_id, 1) == [second]
            await tx[ArticleUpdates].drop(tenant.id, [first.id, ArticleUpdateId("nope")])
            assert await tx[ArticleUpdates].newest(tenant.id, first.article_id, 9) == [second]

    @alien_ids
    async def test_a_tenant_sees_its_own_updates_alone(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant, other = await given_tenants(unit_of_work)
        early, late = await _update(unit_of_work, tenant.id), await _update(unit_of_work, tenant.id)
        async with unit_of_work() as tx:
            updates = tx[ArticleUpdates]
            assert await updates.page(tenant.id, None, None, 10) == [late, early]
            assert await updates.page(tenant.id, UpdateState.PROPOSED, late.id, 10) == [early]
            assert await updates.page(tenant.id, UpdateState.PROPOSED, None, 1) == [late]
            assert await updates.page(tenant.id, UpdateState.APPLIED, None, 10) == []
            assert await updates.page(other.id, None, None, 10) == []
            assert await updates.newest(other.id, early.article_id, 10) == []
            assert await updates.newest(tenant.id, ArticleId(alien), 10) == []
            await updates.drop(other.id, [early.id, ArticleUpdateId(alien)])
            for owner, id in ((other.id, early.id), (tenant.id, ArticleUpdateId(alien))):
                with pytest.raises(NotFound):
                    await updates.get(owner, id)

    @alien_ids
    async def test_updates_of_translations_follow_those_of_their_originals(
        self, unit_of_work: UnitOfWork, alien: str
    ) -> None:
        tenant, other = await given_tenants(unit_of_work)
        update = await _update(unit_of_work, tenant.id)
        sentence = OriginalSentence(3, "It pays 4.", "It pays 2.", ArticleSource(1, "A", DocumentId("d"), 0, None))
        original = FollowedOriginal(
            update.article_id, Language.EN, Language.FR, (-1, 4), (sentence,), update.id, True, True, UserId("u")
        )
        first, second = [
            await _update(unit_of_work, tenant.id, original=original, reason="It is.", state=UpdateState.TRANSLATING)
            for _ in range(2)
        ]
        async with unit_of_work() as tx:
            updates = tx[ArticleUpdates]
            assert await updates.get(tenant.id, first.id) == first
            assert await updates.following(tenant.id, [update.id], 9) == [second, first]
            assert await updates.following(tenant.id, [update.id], 1) == [second]
            for owner, id in ((other.id, update.id), (tenant.id, first.id), (tenant.id, ArticleUpdateId(alien))):
                assert await updates.following(owner, [id], 9) == []

    async def test_it_goes_with_its_article(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        update = await _update(unit_of_work, tenant.id)
        async with unit_of_work() as tx:
            await tx[Articles].delete(tenant.id, update.article_id)
        async with unit_of_work() as tx:
            assert await tx[ArticleUpdates].page(tenant.id, None, None, 10) == []
        with pytest.raises(NotFound):
            await _update(unit_of_work, tenant.id, article_id=update.article_id)


async def _policy(unit_of_work: UnitOfWork, tenant_id: TenantId, key: str, **changes: Any) -> RefreshPolicy:
    niche = builders.niche(tenant_id=tenant_id, niche_key=key)
    await given(unit_of_work, niche)
    defaults: dict[str, Any] = {
        "id": RefreshPolicyId(builders.new_id()),
        "tenant_id": tenant_id,
        "niche_id": niche.id,
        "niche_key": key,
        "created_at": MOMENT,
        "updated_at": MOMENT,
        "next_at": MOMENT,
    }
    policy = RefreshPolicy(**defaults | changes)
    async with unit_of_work() as tx:
        await tx[RefreshPolicies].add(policy)
    return policy


class RefreshPoliciesContract:
    async def test_a_policy_is_given_back_as_it_was_stored(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        policy = await _policy(unit_of_work, tenant.id, "boats")
        report = RefreshReport(MOMENT, MOMENT + HOUR, 4, 1, 2, 1, "It ended.")
        progress = RefreshProgress(MOMENT, ArticleId("a"), 4, 1, 2, 1)
        changed = evolve(policy, mode=RefreshMode.AUTO, publish=True, job_id=JobId("j"), last=report, progress=progress)
        async with unit_of_work() as tx:
            assert await tx[RefreshPolicies].get(tenant.id, policy.id) == policy
            assert await tx[RefreshPolicies].of_niche(tenant.id, "boats") == policy
            assert await tx[RefreshPolicies].of_niche(other.id, "boats") is None
            saved = await tx[RefreshPolicies].save(changed)
            assert saved == evolve(changed, revision=2)
        for owner, id in ((other.id, policy.id), (tenant.id, RefreshPolicyId("nope"))):
            async with unit_of_work() as tx:
                with pytest.raises(NotFound):
                    await tx[RefreshPolicies].get(owner, id)
                with pytest.raises(NotFound):
                    await tx[RefreshPolicies].delete(owner, id)
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[RefreshPolicies].save(changed)
        async with unit_of_work() as tx:
            assert await tx[RefreshPolicies].get(tenant.id, policy.id) == saved
            await tx[RefreshPolicies].delete(tenant.id, policy.id)
            assert await tx[RefreshPolicies].of_niche(tenant.id, "boats") is None

    async def test_a_niche_has_one_and_takes_it_along(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        policy = await _policy(unit_of_work, tenant.id, "boats")
        with pytest.raises(AlreadyExists):
            async with unit_of_work() as tx:
                await tx[RefreshPolicies].add(evolve(policy, id=RefreshPolicyId(builders.new_id())))
        new = RefreshPolicyId(builders.new_id())
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[RefreshPolicies].add(evolve(policy, id=new, niche_id=NicheId("nope"), niche_key="other"))
        async with unit_of_work() as tx:
            await tx[Niches].delete(await tx[Niches].get(tenant.id, "boats"))
        async with unit_of_work() as tx:
            with pytest.raises(NotFound):
                await tx[RefreshPolicies].get(tenant.id, policy.id)

    async def test_due_are_those_whose_time_has_come(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        second = await _policy(unit_of_work, tenant.id, "boats")
        first = await _policy(unit_of_work, tenant.id, "bikes", next_at=MOMENT - HOUR)
        await _policy(unit_of_work, tenant.id, "trains", next_at=MOMENT + HOUR)
        async with unit_of_work() as tx:
            assert await tx[RefreshPolicies].due(MOMENT, 10) == [first, second]
            assert await tx[RefreshPolicies].due(MOMENT, 1) == [first]
