"""What everybody may read and change of their own: account, settings, keys."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from contentgen_core.errors import (
    InvalidInput,
    NotFound,
    NotPermitted,
    QuotaExceeded,
    Unauthenticated,
)
from contentgen_core.model.tenant import PlanName, Role
from contentgen_core.policies.tenancy.access import Permission
from contentgen_core.use_cases.tenants.settings import TenantChanges
from tests.support.house import House, open_house
from tests.support.team import everybody, joined


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house(PlanName.PRO) as opened:
        yield opened


async def test_an_account_tells_who_one_is_and_what_one_may(house: House) -> None:
    team = await everybody(house)
    viewer = await house.services.people.account.read(team[Role.VIEWER])
    assert (viewer.user.id, viewer.tenant.id) == (team[Role.VIEWER].user_id, house.caller.tenant_id)
    assert viewer.permissions == (Permission.READ,)
    editor = await house.services.people.account.read(team[Role.EDITOR])
    assert editor.permissions == (Permission.READ, Permission.WRITE_CONTENT)
    admin = await house.services.people.account.read(team[Role.ADMIN])
    assert set(Permission) - set(admin.permissions) == {Permission.MANAGE_OWNERS, Permission.PLATFORM}
    owner = await house.services.people.account.read(team[Role.OWNER])
    assert set(Permission) - set(owner.permissions) == {Permission.PLATFORM}
    boss = (await house.services.people.tenants.create("Platform", PlanName.FREE, platform_admin=True)).caller
    assert set((await house.services.people.account.read(boss)).permissions) == set(Permission)


async def test_everybody_may_change_their_own_name(house: House) -> None:
    _, viewer = await joined(house, Role.VIEWER)
    assert (await house.services.people.account.rename(viewer, " Ada Lovelace ")).name == "Ada Lovelace"
    assert (await house.services.people.account.rename(viewer, None)).name == "Ada Lovelace"
    assert (await house.services.people.account.read(viewer)).user.role is Role.VIEWER
    with pytest.raises(InvalidInput):
        await house.services.people.account.rename(viewer, "   ")


async def test_settings_are_changed_by_admins_alone_and_within_their_bounds(house: House) -> None:
    team = await everybody(house)
    edited = await house.services.people.edit_tenant(team[Role.ADMIN], TenantChanges("  Acme ", "Europe/Paris"))
    assert (edited.name, edited.time_zone) == ("Acme", "Europe/Paris")
    assert await house.services.people.tenant.tenant(team[Role.VIEWER]) == edited
    assert await house.services.people.edit_tenant(house.caller, TenantChanges()) == edited
    assert (await house.services.people.edit_tenant(house.caller, TenantChanges(time_zone="UTC"))).name == "Acme"
    with pytest.raises(NotPermitted):
        await house.services.people.edit_tenant(team[Role.EDITOR], TenantChanges("Mine"))
    for zone in ("Mars/Base", "Europe", "../UTC", "", "europe/paris\0", "x" * 200):
        with pytest.raises(InvalidInput) as fault:
            await house.services.people.edit_tenant(house.caller, TenantChanges(" ", zone))
        assert [error.field for error in fault.value.errors] == ["name", "timeZone"]


async def test_everybody_sees_and_revokes_their_own_keys_and_admins_those_below_them(house: House) -> None:
    people = {role: await joined(house, role) for role in Role}
    owner, admin, editor, viewer = (people[role][1] for role in Role)
    keys = house.services.people.keys
    theirs = {role: done.key.key for role, (done, _) in people.items()}
    for caller in (editor, viewer):
        assert await keys.list(caller) == [theirs[caller.role]]
        for other in (theirs[Role.ADMIN].id, "unknown"):
            with pytest.raises(NotPermitted):
                await keys.revoke(caller, other)  # type: ignore[arg-type]
        with pytest.raises(NotPermitted):
            await keys.create(caller, "One more")
    assert {key.id for key in theirs.values()} <= {key.id for key in await keys.list(admin)}
    with pytest.raises(NotPermitted):
        await keys.revoke(admin, theirs[Role.OWNER].id)
    with pytest.raises(NotPermitted):
        await keys.create(admin, "A way up", user_id=owner.user_id)
    with pytest.raises(NotFound):
        await keys.revoke(admin, "unknown")  # type: ignore[arg-type]
    await keys.revoke(viewer, theirs[Role.VIEWER].id)
    await keys.revoke(admin, theirs[Role.EDITOR].id)
    for role in (Role.VIEWER, Role.EDITOR):
        with pytest.raises(Unauthenticated):
            await house.services.people.authenticate(people[role][0].key.secret)
    handed_over = await keys.create(admin, "A new one", user_id=editor.user_id)
    assert (await house.services.people.authenticate(handed_over.secret)).user_id == editor.user_id


async def test_keys_have_a_bound_and_those_that_ended_are_forgotten_at_last(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    from contentgen_core.use_cases.keys import manage_keys

    monkeypatch.setattr(manage_keys, "MAX_USABLE", 3)
    monkeypatch.setattr(manage_keys, "KEPT_UNUSABLE", 2)
    keys = house.services.people.keys
    start = len(await keys.list(house.caller))
    made = [await keys.create(house.caller, f"Key {n}") for n in range(3 - start)]
    with pytest.raises(QuotaExceeded) as refusal:
        await keys.create(house.caller, "One more")
    assert (refusal.value.limit, refusal.value.used) == (3, 3)
    _, other = await joined(house, Role.ADMIN)
    await keys.create(other, "The bound is each person's own")
    for n in range(6):
        await keys.revoke(house.caller, made.pop().key.id)
        house.clock.advance(seconds=1)
        made.append(await keys.create(house.caller, f"Round {n}"))
    listed = await keys.list(house.caller)
    assert sum(key.revoked_at is not None for key in listed) == 2


async def test_a_use_is_recorded_once_a_minute(house: House) -> None:
    made = await house.services.people.keys.create(house.caller, "Watched")

    async def last_use() -> object:
        [key] = [key for key in await house.services.people.keys.list(house.caller) if key.id == made.key.id]
        return key.last_used_at

    assert await last_use() is None
    first = house.clock.now()
    for _ in range(6):
        await house.services.people.authenticate(made.secret)
        house.clock.advance(seconds=10)
    assert await last_use() == first
    second = house.clock.advance(seconds=1)
    await house.services.people.authenticate(made.secret)
    assert await last_use() == second
