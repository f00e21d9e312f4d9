"""Tenants, their users and their keys."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from attrs import evolve

from contentgen_core.errors import NotFound
from contentgen_core.model.ids import ApiKeyId, TenantId, UserId
from contentgen_core.model.tenant import ApiKey, PlanName, Role, Tenant, User
from contentgen_core.ports.repositories.tenants import ApiKeys, Identity, Tenants, Users
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant, given_tenants

LATER = MOMENT + timedelta(minutes=1)
MUCH_LATER = MOMENT + timedelta(hours=1)


class TenantsContract:
    @alien_ids
    async def test_an_alien_tenant_id_is_not_found(self, unit_of_work: UnitOfWork, alien: str) -> None:
        await given_tenant(unit_of_work)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Tenants].get(TenantId(alien))
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Tenants].set_plan(TenantId(alien), PlanName.FREE)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Tenants].lock(TenantId(alien))
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Tenants].set_suspended(TenantId(alien), MOMENT)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Tenants].erase(TenantId(alien), 10)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Users].owner(TenantId(alien))

    async def test_a_tenants_plan_can_be_set(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        async with unit_of_work() as tx:
            await tx[Tenants].set_plan(tenant.id, PlanName.BUSINESS)
        async with unit_of_work() as tx:
            assert await tx[Tenants].get(tenant.id) == evolve(tenant, plan=PlanName.BUSINESS)
            assert await tx[Tenants].get(other.id) == other

    async def test_a_tenant_is_suspended_and_resumed(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        async with unit_of_work() as tx:
            await tx[Tenants].set_suspended(tenant.id, LATER)
        async with unit_of_work() as tx:
            assert await tx[Tenants].get(tenant.id) == evolve(tenant, suspended_at=LATER)
            assert await tx[Tenants].get(other.id) == other
            await tx[Tenants].set_suspended(tenant.id, None)
        async with unit_of_work() as tx:
            assert await tx[Tenants].get(tenant.id) == tenant

    async def test_all_tenants_are_read_page_by_page(self, unit_of_work: UnitOfWork) -> None:
        made = sorted([(await given_tenant(unit_of_work)).id for _ in range(3)])
        async with unit_of_work() as tx:
            first = await tx[Tenants].after(None, 2)
            second = await tx[Tenants].after(first[-1].id, 2)
        assert [tenant.id for tenant in (*first, *second)] == made

    async def test_the_newest_tenants_are_searched_by_name_page_by_page(self, unit_of_work: UnitOfWork) -> None:
        made = [evolve(builders.tenant(), name=f"{name} 100%_") for name in ("Acme", "Other", "The ACME", "acme")]
        async with unit_of_work() as tx:
            for tenant in made:
                await tx[Tenants].add(tenant)
        wanted = sorted((tenant for tenant in made if "acme" in tenant.name.lower()), key=lambda t: t.id, reverse=True)
        async with unit_of_work() as tx:
            first = await tx[Tenants].newest("Acme", None, 2)
            assert [*first, *await tx[Tenants].newest("aCmE", first[-1].id, 2)] == wanted
            assert len(await tx[Tenants].newest("", None, 10)) == len(made)
            assert len(await tx[Tenants].newest("0%_", None, 10)) == len(made)
            assert await tx[Tenants].newest("%acme", None, 10) == []

    async def test_a_tenants_name_and_time_zone_can_be_set(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        assert tenant.time_zone is None
        changed = evolve(tenant, name="Énergie", time_zone="Europe/Paris")
        async with unit_of_work() as tx:
            await tx[Tenants].save_settings(evolve(changed, plan=PlanName.FREE, created_at=LATER))
        async with unit_of_work() as tx:
            assert await tx[Tenants].get(tenant.id) == changed
            assert await tx[Tenants].get(other.id) == other
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Tenants].save_settings(builders.tenant())

    async def test_transactions_that_lock_a_tenant_run_one_after_the_other(self, unit_of_work: UnitOfWork) -> None:
        """Each counts the users and adds one while there are fewer than three."""
        tenant = await given_tenant(unit_of_work)

        async def add_up_to_three() -> None:
            async with unit_of_work() as tx:
                await tx[Tenants].lock(tenant.id)
                count = await tx[Users].count(tenant.id)
                await asyncio.sleep(0.001)
                if count < 3:
                    await tx[Users].add(builders.user(tenant_id=tenant.id))

        await asyncio.gather(*(add_up_to_three() for _ in range(8)))
        async with unit_of_work() as tx:
            assert await tx[Users].count(tenant.id) == 3

    async def test_a_locked_tenant_can_still_be_read(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        async with unit_of_work() as locker:
            await locker[Tenants].lock(tenant.id)
            async with unit_of_work() as reader:
                assert await reader[Tenants].get(tenant.id) == tenant

    async def test_the_oldest_tenant_of_a_name_is_found(self, unit_of_work: UnitOfWork) -> None:
        younger = builders.tenant(name="Acme", created_at=LATER)
        older = builders.tenant(name="Acme")
        await given(unit_of_work, younger, older, builders.tenant(name="acme"))
        async with unit_of_work() as tx:
            assert await tx[Tenants].find_by_name("Acme") == older
            assert await tx[Tenants].find_by_name("Nobody") is None


class UsersContract:
    @alien_ids
    async def test_an_alien_user_id_is_not_found(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant = await given_tenant(unit_of_work)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Users].get(tenant.id, UserId(alien))

    async def test_a_user_is_read_as_it_was_added(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        plain = builders.user(tenant_id=tenant.id, role=Role.VIEWER)
        full = builders.user(tenant_id=tenant.id, role=Role.ADMIN, email="ada@example.com", platform_admin=True)
        await given(unit_of_work, plain, full)
        async with unit_of_work() as tx:
            assert await tx[Users].get(tenant.id, plain.id) == plain
            assert await tx[Users].get(tenant.id, full.id) == full

    async def test_a_user_of_another_tenant_is_not_found(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        user = builders.user(tenant_id=other.id)
        await given(unit_of_work, user)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Users].get(tenant.id, user.id)

    async def test_the_first_owner_is_the_owner(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        second = builders.user(tenant_id=tenant.id, created_at=LATER)
        first = builders.user(tenant_id=tenant.id)
        admin = builders.user(tenant_id=tenant.id, role=Role.ADMIN, created_at=MOMENT - timedelta(days=1))
        theirs = builders.user(tenant_id=other.id, created_at=MOMENT - timedelta(days=2))
        await given(unit_of_work, second, first, admin, theirs)
        async with unit_of_work() as tx:
            assert await tx[Users].owner(tenant.id) == first

    async def test_a_tenant_without_an_owner_has_none_to_find(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        await given(unit_of_work, builders.user(tenant_id=tenant.id, role=Role.ADMIN))
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Users].owner(tenant.id)

    async def test_only_a_tenants_own_users_are_counted(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        await given(unit_of_work, *(builders.user(tenant_id=t.id) for t in (tenant, tenant, other)))
        async with unit_of_work() as tx:
            assert await tx[Users].count(tenant.id) == 2


async def given_key(unit_of_work: UnitOfWork, **changes: object) -> tuple[Tenant, User, ApiKey]:
    tenant = builders.tenant()
    user = builders.user(tenant_id=tenant.id)
    key = builders.api_key(tenant_id=tenant.id, user_id=user.id, **changes)
    await given(unit_of_work, tenant, user, key)
    return tenant, user, key


class ApiKeysContract:
    async def test_a_digest_leads_to_key_user_and_tenant(self, unit_of_work: UnitOfWork) -> None:
        await given_key(unit_of_work)
        tenant, user, key = await given_key(unit_of_work, expires_at=LATER)
        async with unit_of_work() as tx:
            assert await tx[ApiKeys].identify(key.digest) == Identity(key, user, tenant)

    async def test_an_unknown_digest_leads_nowhere(self, unit_of_work: UnitOfWork) -> None:
        await given_key(unit_of_work)
        async with unit_of_work() as tx:
            assert await tx[ApiKeys].identify(builders.sha256("unknown")) is None
            assert await tx[ApiKeys].identify("") is None

    async def test_keys_are_identified_together(self, unit_of_work: UnitOfWork) -> None:
        made = [await given_key(unit_of_work) for _ in range(2)]
        asked = [*(key.digest for _, _, key in made), builders.sha256("unknown"), ""]
        async with unit_of_work() as tx:
            found = await tx[ApiKeys].identify_all(asked)
            assert await tx[ApiKeys].identify_all([]) == {}
        assert found == {key.digest: Identity(key, user, tenant) for tenant, user, key in made}

    async def test_a_revoked_key_is_identified_as_revoked(self, unit_of_work: UnitOfWork) -> None:
        tenant, user, key = await given_key(unit_of_work)
        async with unit_of_work() as tx:
            await tx[ApiKeys].revoke(tenant.id, key.id, LATER)
        async with unit_of_work() as tx:
            assert await tx[ApiKeys].identify(key.digest) == Identity(evolve(key, revoked_at=LATER), user, tenant)

    async def test_revoking_again_keeps_the_first_moment(self, unit_of_work: UnitOfWork) -> None:
        tenant, _, key = await given_key(unit_of_work)
        for now in (LATER, MUCH_LATER):
            async with unit_of_work() as tx:
                await tx[ApiKeys].revoke(tenant.id, key.id, now)
        async with unit_of_work() as tx:
            assert await tx[ApiKeys].list(tenant.id) == [evolve(key, revoked_at=LATER)]

    async def test_another_tenants_key_cannot_be_revoked(self, unit_of_work: UnitOfWork) -> None:
        tenant, _, key = await given_key(unit_of_work)
        other = await given_tenant(unit_of_work)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[ApiKeys].revoke(other.id, key.id, LATER)
        async with unit_of_work() as tx:
            assert await tx[ApiKeys].list(tenant.id) == [key]

    @alien_ids
    async def test_an_alien_key_id_is_not_found(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant, _, key = await given_key(unit_of_work)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[ApiKeys].revoke(tenant.id, ApiKeyId(alien), LATER)
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[ApiKeys].get(tenant.id, ApiKeyId(alien))
        async with unit_of_work() as tx:
            assert await tx[ApiKeys].list(tenant.id) == [key]

    async def test_a_tenants_own_keys_are_listed_newest_first(self, unit_of_work: UnitOfWork) -> None:
        tenant, user, first = await given_key(unit_of_work)
        await given_key(unit_of_work)
        third, second = (
            builders.api_key(tenant_id=tenant.id, user_id=user.id, created_at=at) for at in (MUCH_LATER, LATER)
        )
        await given(unit_of_work, third, second)
        async with unit_of_work() as tx:
            assert await tx[ApiKeys].list(tenant.id) == [third, second, first]

    async def test_at_most_a_thousand_keys_are_listed(self, unit_of_work: UnitOfWork) -> None:
        tenant, user, _ = await given_key(unit_of_work)
        keys = (builders.api_key(tenant_id=tenant.id, user_id=user.id) for _ in range(1_000))
        await given(unit_of_work, *keys)
        async with unit_of_work() as tx:
            assert len(await tx[ApiKeys].list(tenant.id)) == 1_000

    async def test_a_use_of_a_key_is_recorded(self, unit_of_work: UnitOfWork) -> None:
        tenant, _, key = await given_key(unit_of_work)
        async with unit_of_work() as tx:
            await tx[ApiKeys].touch(key.id, LATER)
        async with unit_of_work() as tx:
            assert await tx[ApiKeys].list(tenant.id) == [evolve(key, last_used_at=LATER)]

    async def test_a_use_of_an_unknown_key_changes_nothing(self, unit_of_work: UnitOfWork) -> None:
        tenant, _, key = await given_key(unit_of_work)
        async with unit_of_work() as tx:
            await tx[ApiKeys].touch(ApiKeyId(builders.new_id()), LATER)
        async with unit_of_work() as tx:
            assert await tx[ApiKeys].list(tenant.id) == [key]

    async def test_a_key_is_read_by_its_own_tenant_alone(self, unit_of_work: UnitOfWork) -> None:
        tenant, _, key = await given_key(unit_of_work)
        other = await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            assert await tx[ApiKeys].get(tenant.id, key.id) == key
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[ApiKeys].get(other.id, key.id)

    async def test_the_keys_of_one_user_can_be_listed(self, unit_of_work: UnitOfWork) -> None:
        tenant, user, first = await given_key(unit_of_work)
        colleague = builders.user(tenant_id=tenant.id)
        theirs = builders.api_key(tenant_id=tenant.id, user_id=colleague.id)
        second = builders.api_key(tenant_id=tenant.id, user_id=user.id, created_at=LATER)
        await given(unit_of_work, colleague, theirs, second)
        async with unit_of_work() as tx:
            assert await tx[ApiKeys].list(tenant.id, user.id) == [second, first]
            assert await tx[ApiKeys].list(tenant.id, colleague.id) == [theirs]
            for nobody in ("", "\0", builders.new_id()):
                assert await tx[ApiKeys].list(tenant.id, UserId(nobody)) == []

    async def test_keys_that_work_are_counted_for_each_user(self, unit_of_work: UnitOfWork) -> None:
        tenant, user, _ = await given_key(unit_of_work)
        mine = {"tenant_id": tenant.id, "user_id": user.id}
        colleague = builders.user(tenant_id=tenant.id)
        await given(
            unit_of_work,
            colleague,
            builders.api_key(tenant_id=tenant.id, user_id=colleague.id),
            builders.api_key(**mine, revoked_at=MOMENT),
            builders.api_key(**mine, expires_at=LATER),
        )
        async with unit_of_work() as tx:
            assert await tx[ApiKeys].count_usable(tenant.id, user.id, MOMENT) == 2
            assert await tx[ApiKeys].count_usable(tenant.id, user.id, LATER) == 1
            assert await tx[ApiKeys].count_usable(builders.tenant().id, user.id, MOMENT) == 0

    async def test_of_keys_that_work_no_more_the_latest_are_kept(self, unit_of_work: UnitOfWork) -> None:
        tenant, user, live = await given_key(unit_of_work)
        _, _, theirs = await given_key(unit_of_work, revoked_at=MOMENT)
        mine = {"tenant_id": tenant.id, "user_id": user.id}
        oldest = builders.api_key(**mine, revoked_at=MOMENT, created_at=MOMENT - timedelta(days=2))
        expired = builders.api_key(**mine, expires_at=MOMENT, created_at=MOMENT - timedelta(days=1))
        latest = builders.api_key(**mine, revoked_at=LATER, created_at=LATER)
        await given(unit_of_work, oldest, expired, latest)
        async with unit_of_work() as tx:
            await tx[ApiKeys].forget_unusable(tenant.id, MOMENT, keep=2)
        async with unit_of_work() as tx:
            assert await tx[ApiKeys].list(tenant.id) == [latest, live, expired]
            assert await tx[ApiKeys].identify(oldest.digest) is None
            assert await tx[ApiKeys].identify(theirs.digest) is not None
        async with unit_of_work() as tx:
            await tx[ApiKeys].forget_unusable(tenant.id, MOMENT, keep=0)
        async with unit_of_work() as tx:
            assert await tx[ApiKeys].list(tenant.id) == [live]
