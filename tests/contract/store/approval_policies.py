"""Approval policies, each seen by its tenant alone."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import AlreadyExists, ConcurrentChange, NotFound
from contentgen_core.model.ai_use import AiUse
from contentgen_core.model.approval import Approval, ApprovalPolicy, ApprovalRules, ApprovalState, PostDetails
from contentgen_core.model.ids import ApprovalPolicyId, NicheId, TenantId, UserId
from contentgen_core.model.tenant import Role
from contentgen_core.ports.repositories.approval_policies import ApprovalPolicies
from contentgen_core.ports.repositories.articles import ArticleQuery, Articles
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant, given_tenants


async def given_approval_policy(
    unit_of_work: UnitOfWork, tenant_id: TenantId, key: str, **changes: Any
) -> ApprovalPolicy:
    """A policy of a new niche with this key."""
    niche = builders.niche(tenant_id=tenant_id, niche_key=key)
    await given(unit_of_work, niche)
    id = ApprovalPolicyId(builders.new_id())
    policy = evolve(ApprovalPolicy(id, tenant_id, niche.id, key, MOMENT, MOMENT), **changes)
    async with unit_of_work() as tx:
        await tx[ApprovalPolicies].add(policy)
    return policy


class ApprovalPoliciesContract:
    async def test_all_of_an_approval_is_kept_and_lists_tell_whether_it_holds(self, unit_of_work: UnitOfWork) -> None:
        """Lists read neither sources nor credit, which an approval is of, too."""
        tenant = await given_tenant(unit_of_work)
        full = builders.full_article(
            tenant_id=tenant.id, translation_of=None, is_free_generation=False, free_topic=None
        )
        details = PostDetails("s", ("t",), (), "https://example.org/", {"memory": {"note": "n", "n": 1, "all": ["a"]}})
        titles = {source.parent_id: "As approved" for source in full.sources}
        draft = Approval(ApprovalState.APPROVED, MOMENT, UserId("u"), full.text_hash, None, details, None, titles)
        titled = evolve(full.with_titles(titles), approval=draft)
        approved = evolve(full, approval=evolve(draft, reader_hash=titled.reader_hash, ai_mark=AiUse.ASSISTED))
        await given(unit_of_work, approved)

        async def states() -> set[ApprovalState]:
            async with unit_of_work() as tx:
                whole, light = await tx[Articles].get(tenant.id, full.id), await tx[Articles].listed(tenant.id, full.id)
                [summary] = (await tx[Articles].summaries(ArticleQuery(tenant.id))).articles
                found = summary.approval
                assert found is not None
                asked = ArticleQuery(tenant.id, approval=whole.approval_state)
                assert [one.id for one in (await tx[Articles].page(asked)).articles] == [full.id]
                return {whole.approval_state, light.approval_state, found.state}

        async with unit_of_work() as tx:
            assert (await tx[Articles].get(tenant.id, full.id)).approval == approved.approval
        assert await states() == {ApprovalState.APPROVED}
        for changes in ({"sources": ()}, {"image_credit": None}, {"brief": evolve(full.brief, keywords=("other",))}):
            async with unit_of_work() as tx:
                present = await tx[Articles].get(tenant.id, full.id)
                changed = await tx[Articles].save(evolve(present, **changes))
            assert await states() == ({ApprovalState.APPROVED} if "brief" in changes else {ApprovalState.IN_REVIEW})
            async with unit_of_work() as tx:
                back = evolve(changed, sources=full.sources, image_credit=full.image_credit, brief=full.brief)
                await tx[Articles].save(back)
            assert await states() == {ApprovalState.APPROVED}

    async def test_an_approval_policy_is_given_back_as_it_was_stored(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        policy = await given_approval_policy(unit_of_work, tenant.id, "boats")
        changed = evolve(policy, rules=ApprovalRules(True, (Role.OWNER,), (UserId("u"), UserId("v"))))
        async with unit_of_work() as tx:
            assert await tx[ApprovalPolicies].of_niche(tenant.id, "boats") == policy
            assert await tx[ApprovalPolicies].of_niche(tenant.id, "trains") is None
            assert await tx[ApprovalPolicies].of_niche(other.id, "boats") is None
            saved = await tx[ApprovalPolicies].save(changed)
            assert saved == evolve(changed, revision=2)
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[ApprovalPolicies].save(changed)
        async with unit_of_work() as tx:
            assert await tx[ApprovalPolicies].of_niche(tenant.id, "boats") == saved

    @alien_ids
    async def test_an_approval_policy_is_deleted_by_its_tenant_alone(
        self, unit_of_work: UnitOfWork, alien: str
    ) -> None:
        tenant, other = await given_tenants(unit_of_work)
        policy = await given_approval_policy(unit_of_work, tenant.id, "boats")
        for owner, id in ((other.id, policy.id), (tenant.id, ApprovalPolicyId(alien))):
            with pytest.raises(NotFound):
                async with unit_of_work() as tx:
                    await tx[ApprovalPolicies].delete(owner, id)
        async with unit_of_work() as tx:
            await tx[ApprovalPolicies].delete(tenant.id, policy.id)
            assert await tx[ApprovalPolicies].of_niche(tenant.id, "boats") is None

    async def test_a_niche_has_one_approval_policy_and_takes_it_along(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        policy = await given_approval_policy(unit_of_work, tenant.id, "boats")
        new = ApprovalPolicyId(builders.new_id())
        with pytest.raises(AlreadyExists):
            async with unit_of_work() as tx:
                await tx[ApprovalPolicies].add(evolve(policy, id=new))
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[ApprovalPolicies].add(evolve(policy, id=new, niche_id=NicheId("nope"), niche_key="other"))
        async with unit_of_work() as tx:
            await tx[Niches].delete(await tx[Niches].get(tenant.id, "boats"))
        async with unit_of_work() as tx:
            assert await tx[ApprovalPolicies].of_niche(tenant.id, "boats") is None
