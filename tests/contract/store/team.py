"""Members of a tenant, and invitations."""

from __future__ import annotations

from datetime import timedelta

import pytest
from attrs import evolve

from contentgen_core.errors import AlreadyExists, NotFound
from contentgen_core.model.ids import InvitationId, JobId, UserId
from contentgen_core.model.team import Delivery, Member
from contentgen_core.model.tenant import Role
from contentgen_core.ports.repositories.team import Invitations
from contentgen_core.ports.repositories.tenants import ApiKeys, Users
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant, given_tenants

LATER = MOMENT + timedelta(minutes=1)
MUCH_LATER = MOMENT + timedelta(hours=1)


class MembersContract:
    async def test_members_are_listed_oldest_first_with_the_last_use_of_their_keys(
        self, unit_of_work: UnitOfWork
    ) -> None:
        tenant, other = await given_tenants(unit_of_work)
        second = builders.user(tenant_id=tenant.id, created_at=LATER, role=Role.VIEWER, email="ada@example.com")
        first = builders.user(tenant_id=tenant.id)
        theirs = builders.user(tenant_id=other.id)
        keys = [
            builders.api_key(tenant_id=tenant.id, user_id=second.id, last_used_at=at)
            for at in (LATER, MUCH_LATER, None)
        ]
        unused = builders.api_key(tenant_id=tenant.id, user_id=first.id)
        await given(unit_of_work, second, first, theirs, *keys, unused)
        async with unit_of_work() as tx:
            assert await tx[Users].members(tenant.id) == [Member(first), Member(second, MUCH_LATER)]
            assert await tx[Users].members(other.id) == [Member(theirs)]
            assert await tx[Users].members(builders.tenant().id) == []

    async def test_a_users_name_and_role_can_be_changed(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        user, colleague = (builders.user(tenant_id=tenant.id, email="ada@example.com") for _ in range(2))
        await given(unit_of_work, user, colleague)
        changed = evolve(user, name="Ada", role=Role.VIEWER)
        async with unit_of_work() as tx:
            await tx[Users].save(evolve(changed, email=None, platform_admin=True, created_at=LATER))
        async with unit_of_work() as tx:
            assert await tx[Users].get(tenant.id, user.id) == changed
            assert await tx[Users].get(tenant.id, colleague.id) == colleague

    async def test_a_removed_user_is_gone_with_all_keys(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        user, colleague = (builders.user(tenant_id=tenant.id) for _ in range(2))
        keys = [builders.api_key(tenant_id=tenant.id, user_id=user.id) for _ in range(2)]
        theirs = builders.api_key(tenant_id=tenant.id, user_id=colleague.id)
        await given(unit_of_work, user, colleague, *keys, theirs)
        async with unit_of_work() as tx:
            await tx[Users].remove(tenant.id, user.id)
        async with unit_of_work() as tx:
            assert await tx[Users].members(tenant.id) == [Member(colleague)]
            assert await tx[ApiKeys].list(tenant.id) == [theirs]
            assert set(await tx[ApiKeys].identify_all([key.digest for key in (*keys, theirs)])) == {theirs.digest}

    async def test_another_tenants_user_can_be_neither_changed_nor_removed(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        user = builders.user(tenant_id=tenant.id)
        key = builders.api_key(tenant_id=tenant.id, user_id=user.id)
        await given(unit_of_work, user, key)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Users].save(evolve(user, tenant_id=other.id, role=Role.VIEWER))
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Users].remove(other.id, user.id)
        async with unit_of_work() as tx:
            assert await tx[Users].get(tenant.id, user.id) == user
            assert await tx[ApiKeys].list(tenant.id) == [key]

    @alien_ids
    async def test_an_alien_user_cannot_be_removed(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant = await given_tenant(unit_of_work)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Users].remove(tenant.id, UserId(alien))


class InvitationsContract:
    async def test_an_invitation_is_read_as_it_was_added(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        invitation = builders.invitation(
            tenant_id=tenant.id, role=Role.OWNER, delivery=Delivery.FAILED, delivery_error="The server is away."
        )
        await given(unit_of_work, invitation)
        async with unit_of_work() as tx:
            assert await tx[Invitations].get(tenant.id, invitation.id) == invitation
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Invitations].get(other.id, invitation.id)

    async def test_invitations_are_listed_oldest_first(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        later = builders.invitation(tenant_id=tenant.id, invited_at=LATER)
        first, second = (builders.invitation(tenant_id=tenant.id) for _ in range(2))
        await given(unit_of_work, later, second, first, builders.invitation(tenant_id=other.id))
        async with unit_of_work() as tx:
            assert await tx[Invitations].list(tenant.id) == [first, second, later]

    async def test_a_tenant_has_one_invitation_for_an_address(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        email = "ada@example.com"
        await given(unit_of_work, *(builders.invitation(tenant_id=t.id, email=email) for t in (tenant, other)))
        with pytest.raises(AlreadyExists):
            await given(unit_of_work, builders.invitation(tenant_id=tenant.id, email=email))

    async def test_a_renewed_invitation_is_the_same_with_another_link(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        invitation, untouched = (builders.invitation(tenant_id=tenant.id) for _ in range(2))
        await given(unit_of_work, invitation, untouched)
        renewed = evolve(
            invitation,
            role=Role.VIEWER,
            invited_by=UserId(builders.new_id()),
            invited_at=LATER,
            expires_at=MUCH_LATER,
            nonce="another",
            job_id=JobId(builders.new_id()),
            delivery=Delivery.SENT,
            delivery_error="was refused",
        )
        async with unit_of_work() as tx:
            await tx[Invitations].save(evolve(renewed, email="another@example.com"))
        async with unit_of_work() as tx:
            assert await tx[Invitations].list(tenant.id) == [untouched, renewed]

    async def test_another_tenants_invitation_can_be_neither_changed_nor_removed(
        self, unit_of_work: UnitOfWork
    ) -> None:
        tenant, other = await given_tenants(unit_of_work)
        invitation = builders.invitation(tenant_id=tenant.id)
        await given(unit_of_work, invitation)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Invitations].save(evolve(invitation, tenant_id=other.id))
        async with unit_of_work() as tx:
            await tx[Invitations].remove(other.id, invitation.id)
        async with unit_of_work() as tx:
            assert await tx[Invitations].list(tenant.id) == [invitation]

    @alien_ids
    async def test_an_alien_invitation_is_not_found(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant = await given_tenant(unit_of_work)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Invitations].get(tenant.id, InvitationId(alien))
        async with unit_of_work() as tx:
            await tx[Invitations].remove(tenant.id, InvitationId(alien))

    async def test_a_removed_invitation_leaves_its_address_free(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        first, second = (builders.invitation(tenant_id=tenant.id, email="ada@example.com") for _ in range(2))
        await given(unit_of_work, first)
        async with unit_of_work() as tx:
            await tx[Invitations].remove(tenant.id, first.id)
            await tx[Invitations].add(second)
        async with unit_of_work() as tx:
            assert await tx[Invitations].list(tenant.id) == [second]
