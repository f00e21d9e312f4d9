"""Who may do what to whom in a team, and what becomes of invitations."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from contentgen_core.errors import (
    AlreadyExists,
    InvalidInput,
    LastOwner,
    NotFound,
    NotPermitted,
    QuotaExceeded,
    Unauthenticated,
)
from contentgen_core.link_errors import InvitationInvalid
from contentgen_core.model.team import INVITATION_LASTS, Invitation, Member
from contentgen_core.model.tenant import PlanName, Quota, Role
from contentgen_core.ports.repositories.team import Invitations
from tests.support.house import House, open_house
from tests.support.team import address, emails, everybody, joined


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house(PlanName.PRO) as opened:
        yield opened


async def test_an_accepted_invitation_makes_a_member_with_a_key_that_works(house: House) -> None:
    invited = await house.services.people.invite(house.caller, " Ada@Example.ORG ", Role.EDITOR)
    assert (invited.invitation.email, invited.invitation.role) == ("ada@example.org", Role.EDITOR)
    done = await house.services.people.accept_invitation(invited.token, "  Ada ")
    assert (done.user.name, done.user.email, done.user.role) == ("Ada", "ada@example.org", Role.EDITOR)
    assert done.tenant.id == house.caller.tenant_id
    caller = await house.services.people.authenticate(done.key.secret)
    assert (caller.user_id, caller.role) == (done.user.id, Role.EDITOR)
    team = await house.services.people.team.list(house.caller)
    assert [member.user.id for member in team.members] == [house.caller.user_id, done.user.id]
    assert team.invitations == []
    assert team.members[1].last_active_at == house.clock.now()


async def test_a_link_works_once(house: House) -> None:
    invited = await house.services.people.invite(house.caller, address(), Role.VIEWER)
    await house.services.people.accept_invitation(invited.token, "Ada")
    with pytest.raises(InvitationInvalid):
        await house.services.people.accept_invitation(invited.token, "Eve")
    assert len((await house.services.people.team.list(house.caller)).members) == 2


async def test_a_link_ends_after_a_week_with_its_cancellation_and_with_a_renewal(house: House) -> None:
    expired = await house.services.people.invite(house.caller, address(), Role.VIEWER)
    house.clock.advance(days=7)
    cancelled = await house.services.people.invite(house.caller, address(), Role.VIEWER)
    await house.services.people.team.remove(house.caller, cancelled.invitation.id)
    renewed = await house.services.people.invite(house.caller, "ada@example.org", Role.VIEWER)
    again = await house.services.people.invite(house.caller, "ada@example.org", Role.ADMIN)
    assert again.invitation.id == renewed.invitation.id
    for token in (expired.token, cancelled.token, renewed.token, again.token + "x", "", "a.b", "é" * 100):
        with pytest.raises(InvitationInvalid):
            await house.services.people.accept_invitation(token, "Eve")
    house.clock.set(again.invitation.expires_at - timedelta(seconds=1))
    assert (await house.services.people.accept_invitation(again.token, "Ada")).user.role is Role.ADMIN


async def test_a_token_of_another_service_is_not_believed(house: House) -> None:
    from contentgen_adapters.mail.tokens import SignedTokens
    from contentgen_core.use_cases.team.invite import claim_of

    invited = await house.services.people.invite(house.caller, address(), Role.OWNER)
    forged = SignedTokens(b"another secret, 32 bytes long...").sign(claim_of(invited.invitation))
    with pytest.raises(InvitationInvalid):
        await house.services.people.accept_invitation(forged, "Eve")


@pytest.mark.parametrize("name", ["", "  ", "a" * 101, "a\0b"])
async def test_a_name_that_cannot_be_one_leaves_the_invitation_open(house: House, name: str) -> None:
    invited = await house.services.people.invite(house.caller, address(), Role.VIEWER)
    with pytest.raises(InvalidInput) as fault:
        await house.services.people.accept_invitation(invited.token, name)
    assert [error.field for error in fault.value.errors] == ["name"]
    assert await house.services.people.accept_invitation(invited.token, "Ada")


@pytest.mark.parametrize(
    "text", ["ada", "ada@", "@example.org", "ada@localhost", "a b@example.org", "a" * 250 + "@b.org"]
)
async def test_what_is_no_mail_address_is_not_invited(house: House, text: str) -> None:
    with pytest.raises(InvalidInput) as fault:
        await house.services.people.invite(house.caller, text, Role.VIEWER)
    assert [error.field for error in fault.value.errors] == ["email"]
    assert len(await emails(house)) == 1


async def test_a_members_address_cannot_be_invited_in_any_spelling(house: House) -> None:
    done, _ = await joined(house, Role.VIEWER)
    assert done.user.email is not None
    with pytest.raises(AlreadyExists):
        await house.services.people.invite(house.caller, done.user.email.upper(), Role.ADMIN)
    await house.services.people.team.remove(house.caller, done.user.id)
    await house.services.people.invite(house.caller, done.user.email, Role.ADMIN)


async def test_only_admins_and_owners_manage_the_team(house: House) -> None:
    team = await everybody(house)
    open_one = await house.services.people.invite(house.caller, address(), Role.VIEWER)
    for role in (Role.EDITOR, Role.VIEWER):
        caller = team[role]
        assert (await house.services.people.team.list(caller)).members
        with pytest.raises(NotPermitted):
            await house.services.people.invite(caller, address(), Role.VIEWER)
        for id in (team[Role.VIEWER].user_id, open_one.invitation.id, caller.user_id):
            with pytest.raises(NotPermitted):
                await house.services.people.team.remove(caller, id)
            with pytest.raises(NotPermitted):
                await house.services.people.team.change_role(caller, id, Role.ADMIN)


async def test_admins_neither_touch_owners_nor_make_any(house: House) -> None:
    team = await everybody(house)
    admin = team[Role.ADMIN]
    owner_to_be = await house.services.people.invite(house.caller, "owner@example.org", Role.OWNER)
    for id in (house.caller.user_id, owner_to_be.invitation.id):
        with pytest.raises(NotPermitted):
            await house.services.people.team.remove(admin, id)
        with pytest.raises(NotPermitted):
            await house.services.people.team.change_role(admin, id, Role.VIEWER)
    for id in (admin.user_id, team[Role.VIEWER].user_id):
        with pytest.raises(NotPermitted):
            await house.services.people.team.change_role(admin, id, Role.OWNER)
    with pytest.raises(NotPermitted):
        await house.services.people.invite(admin, address(), Role.OWNER)
    with pytest.raises(NotPermitted):  # which would make less of an owner's invitation
        await house.services.people.invite(admin, "owner@example.org", Role.VIEWER)
    changed = await house.services.people.team.change_role(admin, team[Role.VIEWER].user_id, Role.ADMIN)
    assert isinstance(changed, Member)
    assert changed.user.role is Role.ADMIN


async def test_the_last_owner_can_neither_go_nor_become_less(house: House) -> None:
    with pytest.raises(LastOwner):
        await house.services.people.team.remove(house.caller, house.caller.user_id)
    with pytest.raises(LastOwner):
        await house.services.people.team.change_role(house.caller, house.caller.user_id, Role.ADMIN)
    await house.services.people.team.change_role(house.caller, house.caller.user_id, Role.OWNER)
    _, other = await joined(house, Role.OWNER)
    await house.services.people.team.change_role(house.caller, house.caller.user_id, Role.VIEWER)
    with pytest.raises(LastOwner):
        await house.services.people.team.remove(other, other.user_id)


async def test_an_invited_owner_does_not_count_as_one(house: House) -> None:
    await house.services.people.invite(house.caller, address(), Role.OWNER)
    with pytest.raises(LastOwner):
        await house.services.people.team.remove(house.caller, house.caller.user_id)


async def test_whoever_was_removed_or_made_less_a_moment_ago_does_nothing_any_more(house: House) -> None:
    """A key is believed for half a second; what changes the team asks again."""
    _, removed = await joined(house, Role.OWNER)
    _, made_less = await joined(house, Role.OWNER)
    victim = (await joined(house, Role.VIEWER))[1].user_id
    await house.services.people.team.remove(house.caller, removed.user_id)
    await house.services.people.team.change_role(house.caller, made_less.user_id, Role.EDITOR)
    for caller, refusal in ((removed, Unauthenticated), (made_less, NotPermitted)):
        with pytest.raises(refusal):
            await house.services.people.team.remove(caller, victim)
        with pytest.raises(refusal):
            await house.services.people.team.change_role(caller, caller.user_id, Role.OWNER)
        with pytest.raises(refusal):
            await house.services.people.invite(caller, address(), Role.VIEWER)
        with pytest.raises(refusal):
            await house.services.people.keys.create(caller, "One more")
    with pytest.raises(Unauthenticated):
        await house.services.people.account.read(removed)
    with pytest.raises(Unauthenticated):
        await house.services.people.account.rename(removed, "Eve")


async def test_a_removed_member_is_gone_with_keys_and_invitations(house: House) -> None:
    done, admin = await joined(house, Role.ADMIN)
    second = await house.services.people.keys.create(admin, "Second")
    back_door = await house.services.people.invite(admin, "mallory@example.org", Role.ADMIN)
    kept = await house.services.people.invite(house.caller, "kept@example.org", Role.VIEWER)
    await house.services.people.team.remove(house.caller, admin.user_id)
    for secret in (done.key.secret, second.secret):
        with pytest.raises(Unauthenticated):
            await house.services.people.authenticate(secret)
    with pytest.raises(InvitationInvalid):
        await house.services.people.accept_invitation(back_door.token, "Mallory")
    assert await emails(house) == [None, kept.invitation.email]


async def test_a_lesser_role_cancels_the_invitations_that_it_could_not_make(house: House) -> None:
    _, owner = await joined(house, Role.OWNER)
    await house.services.people.invite(owner, "owner@example.org", Role.OWNER)
    await house.services.people.invite(owner, "editor@example.org", Role.EDITOR)
    await house.services.people.team.change_role(house.caller, owner.user_id, Role.ADMIN)
    assert (await emails(house))[2:] == ["editor@example.org"]
    await house.services.people.team.change_role(house.caller, owner.user_id, Role.EDITOR)
    assert (await emails(house))[2:] == []


async def test_an_invitations_role_can_be_changed_and_its_link_stays(house: House) -> None:
    invited = await house.services.people.invite(house.caller, address(), Role.VIEWER)
    changed = await house.services.people.team.change_role(house.caller, invited.invitation.id, Role.EDITOR)
    assert isinstance(changed, Invitation)
    assert (await house.services.people.accept_invitation(invited.token, "Ada")).user.role is Role.EDITOR


async def test_another_tenants_people_do_not_exist(house: House) -> None:
    stranger = await house.other_tenant()
    invited = await house.services.people.invite(house.caller, "ada@example.org", Role.VIEWER)
    for id in (house.caller.user_id, invited.invitation.id, "nobody"):
        with pytest.raises(NotFound):
            await house.services.people.team.remove(stranger, id)
        with pytest.raises(NotFound):
            await house.services.people.team.change_role(stranger, id, Role.VIEWER)
    theirs = await house.services.people.invite(stranger, "ada@example.org", Role.OWNER)
    assert theirs.invitation.id != invited.invitation.id
    with pytest.raises(NotFound):
        await house.services.people.keys.create(stranger, "A key", user_id=house.caller.user_id)


async def test_members_and_open_invitations_fill_the_quota(house: House) -> None:
    async def used() -> int:
        return (await house.services.people.tenant.quotas(house.caller))[Quota.TEAM_MEMBERS].used

    for _ in range(4):
        await joined(house, Role.VIEWER)
    for _ in range(5):
        await house.services.people.invite(house.caller, address(), Role.VIEWER)
    assert await used() == 10
    with pytest.raises(QuotaExceeded) as refusal:
        await house.services.people.invite(house.caller, "late@example.org", Role.VIEWER)
    assert (refusal.value.limit, refusal.value.used, refusal.value.resets_at) == (10, 10, None)
    open_one = (await house.services.people.team.list(house.caller)).invitations[0]
    await house.services.people.invite(house.caller, open_one.email, Role.EDITOR)  # a renewal takes no place
    await house.services.people.team.remove(house.caller, open_one.id)
    assert await used() == 9
    await house.services.people.invite(house.caller, "late@example.org", Role.VIEWER)
    house.clock.advance(seconds=INVITATION_LASTS.total_seconds())
    assert await used() == 5
    assert (await house.services.people.team.list(house.caller)).invitations == []
    await house.services.people.invite(house.caller, "late@example.org", Role.VIEWER)
    async with house.services.ports.unit_of_work() as tx:
        left = await tx[Invitations].list(house.caller.tenant_id)
    assert [one.email for one in left] == ["late@example.org"], "those that expired are forgotten"


async def test_a_team_of_one_is_a_plans_own_limit() -> None:
    async with open_house(PlanName.FREE) as house:
        with pytest.raises(QuotaExceeded):
            await house.services.people.invite(house.caller, address(), Role.VIEWER)


async def test_a_plan_that_became_smaller_keeps_its_people_and_takes_nobody_in(house: House) -> None:
    invited = await house.services.people.invite(house.caller, address(), Role.VIEWER)
    for _ in range(2):
        await joined(house, Role.VIEWER)
    await house.services.people.tenants.set_plan(house.caller.tenant_id, PlanName.STARTER)
    with pytest.raises(QuotaExceeded):
        await house.services.people.accept_invitation(invited.token, "Ada")
    assert len((await house.services.people.team.list(house.caller)).members) == 3
    with pytest.raises(QuotaExceeded):  # the caller's key was looked up before the change
        await house.services.people.invite(house.caller, address(), Role.VIEWER)
