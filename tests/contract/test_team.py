"""Teams under real concurrency, over both units of work."""

from __future__ import annotations

import asyncio
from itertools import combinations
from typing import Any

import pytest
from attrs import define, evolve

from contentgen_adapters.mail.addresses import ValidatedAddresses
from contentgen_adapters.mail.tokens import SignedTokens
from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.runtime import HmacKeyMaker
from contentgen_core.errors import (
    AlreadyExists,
    LastOwner,
    NotPermitted,
    QuotaExceeded,
    Unauthenticated,
)
from contentgen_core.link_errors import InvitationInvalid
from contentgen_core.model.job import JobKind
from contentgen_core.model.tenant import Caller, PlanName, Role
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.tenants import Users
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing.runtime import ManualClock, SequentialIds
from contentgen_core.use_cases.keys.authenticate import Authenticate
from contentgen_core.use_cases.keys.manage_keys import ManageKeys
from contentgen_core.use_cases.team.accept import AcceptInvitation
from contentgen_core.use_cases.team.invite import Invited, InviteMember
from contentgen_core.use_cases.team.manage_team import ManageTeam
from contentgen_core.use_cases.tenants.administer import AdministerTenants

SECRET = b"a secret of the tests, 32 bytes."
OVERTAKEN = LastOwner | NotPermitted | Unauthenticated


@define
class Office:
    unit_of_work: UnitOfWork
    clock: ManualClock
    owner: Caller
    invite: InviteMember
    accept: AcceptInvitation
    team: ManageTeam
    keys: ManageKeys
    authenticate: Authenticate

    async def joined(self, email: str, role: Role) -> Caller:
        invited = await self.invite(self.owner, email, role)
        user = (await self.accept(invited.token, "Somebody")).user
        return evolve(self.owner, user_id=user.id, role=role)

    async def owners(self) -> list[str]:
        async with self.unit_of_work() as tx:
            members = await tx[Users].members(self.owner.tenant_id)
        return [member.user.id for member in members if member.user.role is Role.OWNER]


@pytest.fixture(params=["memory", "postgres"])
def unit_of_work(request: pytest.FixtureRequest) -> UnitOfWork:
    if request.param == "memory":
        return MemoryUnitOfWork()
    unit_of_work: UnitOfWork = request.getfixturevalue("postgres_unit_of_work")
    return unit_of_work


@pytest.fixture
async def office(unit_of_work: UnitOfWork) -> Office:
    clock, ids = ManualClock(), SequentialIds()
    key_maker, tokens = HmacKeyMaker(SECRET), SignedTokens(SECRET)
    keys = ManageKeys(unit_of_work, key_maker, clock, ids)
    made = await AdministerTenants(unit_of_work, keys, clock, ids).create("Team", PlanName.PRO)
    return Office(
        unit_of_work,
        clock,
        made.caller,
        InviteMember(unit_of_work, ValidatedAddresses(), tokens, clock, ids),
        AcceptInvitation(unit_of_work, tokens, keys, clock, ids),
        ManageTeam(unit_of_work, clock),
        keys,
        Authenticate(unit_of_work, key_maker, clock),
    )


async def at_once(*actions: Any) -> list[Any]:
    return await asyncio.gather(*actions, return_exceptions=True)


async def test_twelve_invitations_at_once_take_exactly_the_places_that_are_left(office: Office) -> None:
    for n in range(6):
        await office.invite(office.owner, f"early-{n}@example.org", Role.VIEWER)
    outcomes = await at_once(*(office.invite(office.owner, f"late-{n}@example.org", Role.VIEWER) for n in range(12)))
    assert sum(isinstance(outcome, Invited) for outcome in outcomes) == 3
    assert sum(isinstance(outcome, QuotaExceeded) for outcome in outcomes) == 9
    assert len((await office.team.list(office.owner)).invitations) == 9


async def test_an_address_invited_twelve_times_at_once_is_invited_once_and_its_last_link_works(office: Office) -> None:
    outcomes = await at_once(*(office.invite(office.owner, "ada@example.org", Role.VIEWER) for _ in range(12)))
    assert all(isinstance(outcome, Invited) for outcome in outcomes)
    [left] = (await office.team.list(office.owner)).invitations
    entered = await at_once(*(office.accept(outcome.token, "Ada") for outcome in outcomes))
    assert sum(not isinstance(outcome, Exception) for outcome in entered) == 1
    assert sum(isinstance(outcome, InvitationInvalid) for outcome in entered) == 11
    [works] = [outcome for outcome in outcomes if outcome.invitation.nonce == left.nonce]
    assert not isinstance(entered[outcomes.index(works)], Exception)


async def test_one_link_opened_by_many_at_once_makes_one_member(office: Office) -> None:
    invited = await office.invite(office.owner, "ada@example.org", Role.EDITOR)
    outcomes = await at_once(*(office.accept(invited.token, f"Ada {n}") for n in range(8)))
    assert sum(isinstance(outcome, InvitationInvalid) for outcome in outcomes) == 7
    assert len((await office.team.list(office.owner)).members) == 2


@pytest.mark.parametrize("how", ["removing", "demoting", "both"])
async def test_owners_who_go_against_each_other_at_once_leave_an_owner(office: Office, how: str) -> None:
    for round_ in range(5):
        other = await office.joined(f"owner-{how}-{round_}@example.org", Role.OWNER)
        present = [evolve(office.owner, user_id=id) for id in await office.owners()]  # type: ignore[arg-type]
        attacks = []
        for one, another in combinations(present, 2):
            for n, (attacker, victim) in enumerate(((one, another), (another, one))):
                demotes = how == "demoting" or (how == "both" and n == 0)
                attacks.append(
                    office.team.change_role(attacker, victim.user_id, Role.VIEWER)
                    if demotes
                    else office.team.remove(attacker, victim.user_id)
                )
        outcomes = await at_once(*attacks)
        refused = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
        assert all(isinstance(refusal, OVERTAKEN) for refusal in refused), refused
        left = await office.owners()
        assert len(left) == 1
        survivor = left[0]
        assert survivor in (office.owner.user_id, other.user_id)
        office.owner = evolve(office.owner, user_id=survivor)


async def test_all_owners_leaving_at_once_leave_one(office: Office) -> None:
    people = [office.owner, *[await office.joined(f"owner-{n}@example.org", Role.OWNER) for n in range(4)]]
    outcomes = await at_once(*(office.team.remove(person, person.user_id) for person in people))
    assert sum(isinstance(outcome, LastOwner) for outcome in outcomes) == 1
    assert len(await office.owners()) == 1


async def test_an_invitation_accepted_and_cancelled_at_once_is_one_of_the_two(office: Office) -> None:
    for n in range(5):
        invited = await office.invite(office.owner, f"ada-{n}@example.org", Role.VIEWER)
        entered, cancelled = await at_once(
            office.accept(invited.token, "Ada"), office.team.remove(office.owner, invited.invitation.id)
        )
        assert isinstance(entered, InvitationInvalid) != isinstance(cancelled, Exception)
        team = await office.team.list(office.owner)
        assert team.invitations == []
        assert any(member.user.email == f"ada-{n}@example.org" for member in team.members) == (cancelled is not None)


async def test_an_address_accepted_while_it_is_invited_again_is_there_once(office: Office) -> None:
    for n in range(5):
        email = f"ada-{n}@example.org"
        invited = await office.invite(office.owner, email, Role.VIEWER)
        entered, again = await at_once(
            office.accept(invited.token, "Ada"), office.invite(office.owner, email, Role.VIEWER)
        )
        assert isinstance(entered, InvitationInvalid) != isinstance(again, AlreadyExists)
        team = await office.team.list(office.owner)
        assert (
            sum(one.email == email for one in team.invitations)
            + sum(member.user.email == email for member in team.members)
            == 1
        )


async def test_what_is_rolled_back_mails_nobody(office: Office) -> None:
    await office.joined("ada@example.org", Role.VIEWER)
    for email, role in (("ada@example.org", Role.VIEWER),):
        with pytest.raises(AlreadyExists):
            await office.invite(office.owner, email, role)
    now = office.clock.now()
    async with office.unit_of_work() as tx:
        jobs = await tx[Jobs].claim("w", frozenset({JobKind.SEND_INVITATION}), now, now, 100)
    assert len(jobs) == 1, "that of the invitation which was accepted"


async def test_a_keys_bound_is_exact_for_many_at_once(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    from contentgen_core.use_cases.keys import manage_keys

    monkeypatch.setattr(manage_keys, "MAX_USABLE", 5)
    outcomes = await at_once(*(office.keys.create(office.owner, f"Key {n}") for n in range(10)))
    assert sum(isinstance(outcome, QuotaExceeded) for outcome in outcomes) == 6
    assert len(await office.keys.list(office.owner)) == 5


async def test_a_key_made_while_its_user_is_removed_does_not_outlive_the_user(office: Office) -> None:
    for n in range(5):
        admin = await office.joined(f"admin-{n}@example.org", Role.ADMIN)
        made, removed = await at_once(
            office.keys.create(admin, "One more"), office.team.remove(office.owner, admin.user_id)
        )
        assert removed is None
        if isinstance(made, Exception):
            assert isinstance(made, Unauthenticated)
        else:
            with pytest.raises(Unauthenticated):
                await office.authenticate(made.secret)
    assert len(await office.keys.list(office.owner)) == 1


async def test_the_last_use_of_keys_is_the_members_last_activity(office: Office) -> None:
    made = await office.keys.create(office.owner, "Watched")
    assert (await office.team.list(office.owner)).members[0].last_active_at is None
    await office.authenticate(made.secret)
    first = office.clock.now()
    office.clock.advance(seconds=59)
    await asyncio.gather(*(office.authenticate(made.secret) for _ in range(5)))
    assert (await office.team.list(office.owner)).members[0].last_active_at == first
    office.clock.advance(seconds=2)
    await asyncio.gather(*(office.authenticate(made.secret) for _ in range(5)))
    assert (await office.team.list(office.owner)).members[0].last_active_at == office.clock.now()
