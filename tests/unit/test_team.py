"""Who may do what to whom in a team, and what becomes of invitations."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from attrs import define, evolve, field

from contentgen_core.errors import (
    AlreadyExists,
    InvalidInput,
    InvitationInvalid,
    LastOwner,
    NotFound,
    NotPermitted,
    ProviderFailed,
    QuotaExceeded,
    Unauthenticated,
)
from contentgen_core.model.job import JobKind
from contentgen_core.model.team import INVITATION_LASTS, Delivery, Invitation, Member
from contentgen_core.model.tenant import Caller, PlanName, Quota, Role
from contentgen_core.policies.tenancy.access import Permission
from contentgen_core.ports.mail import Mail
from contentgen_core.use_cases.team.accept import Joined
from contentgen_core.use_cases.tenants.settings import TenantChanges
from tests.support.changed import changed
from tests.support.house import House, open_house

_numbers = count(1)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house(PlanName.PRO) as opened:
        yield opened


def address() -> str:
    return f"person-{next(_numbers)}@example.org"


async def joined(house: House, role: Role, by: Caller | None = None) -> tuple[Joined, Caller]:
    """Somebody who was invited and has accepted."""
    invited = await house.services.people.invite(by or house.caller, address(), role)
    done = await house.services.people.accept_invitation(invited.token, "Ada")
    return done, evolve(house.caller, user_id=done.user.id, role=role)


async def everybody(house: House) -> dict[Role, Caller]:
    return {role: (await joined(house, role))[1] for role in Role}


async def emails(house: House) -> list[str | None]:
    team = await house.services.people.team.list(house.caller)
    return [*(member.user.email for member in team.members), *(one.email for one in team.invitations)]


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
        left = await tx.invitations.list(house.caller.tenant_id)
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


# the mail


@define
class Post:
    """A mailer that keeps what it is given, and fails as it is told."""

    delivers: bool = True
    failures: list[ProviderFailed] = field(factory=list)
    sent: list[Mail] = field(factory=list)

    async def send(self, mail: Mail) -> None:
        if self.failures:
            raise self.failures.pop(0)
        self.sent.append(mail)


def posting(house: House, **changes: Any) -> Post:
    post = Post(**changes)
    send = evolve(house.services.jobs.send_invitation, mailer=post, base="https://articles.example.org")
    house.services = changed(house.services, jobs={"send_invitation": send})
    return post


async def delivery(house: House) -> tuple[Delivery, str | None]:
    [one] = (await house.services.people.team.list(house.caller)).invitations
    return one.delivery, one.delivery_error


async def test_an_invitation_is_mailed_with_its_link(house: House) -> None:
    post = posting(house)
    invited = await house.services.people.invite(house.caller, "ada@example.org", Role.EDITOR)
    assert await delivery(house) == (Delivery.PENDING, None)
    assert await house.work() == 1
    [mail] = post.sent
    assert mail.to == "ada@example.org"
    assert "House" in mail.subject
    assert f"https://articles.example.org/team/accept?token={invited.token}\n" in mail.text
    assert "as editor" in mail.text
    assert "until 2026-03-17 12:00 UTC" in mail.text
    assert await delivery(house) == (Delivery.SENT, None)
    assert await house.work() == 0


async def test_without_a_mail_server_an_invitation_says_so(house: House) -> None:
    await house.services.people.invite(house.caller, address(), Role.EDITOR)
    await house.work()
    assert await delivery(house) == (Delivery.LOGGED, None)


async def test_names_decide_nothing_of_a_mail_but_themselves(house: House) -> None:
    post = posting(house)
    await house.services.people.edit_tenant(
        house.caller, TenantChanges(name="A\nBcc: eve@example.org\r\n\x1b[31m\u202eteam")
    )
    await house.services.people.account.rename(house.caller, "Eve\n\nClick here: ")
    await house.services.people.invite(house.caller, address(), Role.EDITOR)
    await house.work()
    assert post.sent[0].subject == "Invitation to the team “A Bcc: eve@example.org [31mteam”"
    assert post.sent[0].text.splitlines()[0].startswith("Eve Click here: invites you to the team “A Bcc:")


async def test_a_mail_server_that_is_away_is_tried_again_and_shown_meanwhile(house: House) -> None:
    away = ProviderFailed("Mail server", "it cannot be reached", retryable=True, retry_after=60)
    post = posting(house, failures=[away, away])
    await house.services.people.invite(house.caller, address(), Role.EDITOR)
    await house.work()
    assert await delivery(house) == (Delivery.PENDING, "Mail server: it cannot be reached")
    house.clock.advance(seconds=59)
    assert await house.work() == 0
    for _ in range(2):
        house.clock.advance(seconds=61)
        assert await house.work() == 1
    assert len(post.sent) == 1
    assert await delivery(house) == (Delivery.SENT, None)


async def test_a_mail_that_cannot_be_sent_is_shown_and_a_renewal_sends_it_anew(house: House) -> None:
    post = posting(
        house, failures=[ProviderFailed("Mail server", "it refuses the address (code 550)", retryable=False)]
    )
    await house.services.people.invite(house.caller, "ada@example.org", Role.EDITOR)
    await house.work()
    assert await delivery(house) == (Delivery.FAILED, "Mail server: it refuses the address (code 550)")
    house.clock.advance(minutes=10)
    assert await house.work() == 0
    renewed = await house.services.people.invite(house.caller, "ada@example.org", Role.EDITOR)
    assert await delivery(house) == (Delivery.PENDING, None)
    await house.work()
    assert renewed.token in post.sent[0].text
    assert await delivery(house) == (Delivery.SENT, None)


async def test_nobody_is_mailed_for_an_invitation_that_is_over_or_was_renewed(house: House) -> None:
    post = posting(house)
    cancelled = await house.services.people.invite(house.caller, address(), Role.EDITOR)
    await house.services.people.team.remove(house.caller, cancelled.invitation.id)
    await house.services.people.invite(house.caller, "ada@example.org", Role.EDITOR)
    renewed = await house.services.people.invite(house.caller, "ada@example.org", Role.EDITOR)
    assert await house.work() == 3
    assert len(post.sent) == 1
    assert renewed.token in post.sent[0].text
    assert await house.work() == 0


async def test_a_refused_invitation_enqueues_nothing(house: House) -> None:
    done, _ = await joined(house, Role.VIEWER)
    await house.work()
    assert done.user.email is not None
    with pytest.raises(AlreadyExists):
        await house.services.people.invite(house.caller, done.user.email, Role.VIEWER)
    async with house.services.ports.unit_of_work() as tx:
        assert await tx.jobs.backlog(house.clock.now()) == (0, None)


async def test_a_mailer_that_kills_its_worker_fails_the_invitations_mail_and_nothing_else(house: House) -> None:
    posting(house)
    await house.services.people.invite(house.caller, address(), Role.EDITOR)
    for _ in range(4):
        jobs = await house.claim(lease_seconds=30)
        house.clock.advance(seconds=31)
    [job] = jobs
    assert job.kind is JobKind.SEND_INVITATION
    await house.services.jobs.send_invitation(job)
    status, error = await delivery(house)
    assert status is Delivery.FAILED
    assert error is not None
    assert "interrupted 3 times" in error


# account, settings, keys


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
    from contentgen_core.use_cases.keys import manage

    monkeypatch.setattr(manage, "MAX_USABLE", 3)
    monkeypatch.setattr(manage, "KEPT_UNUSABLE", 2)
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
