"""After any sequence of changes a team has an owner, keeps to its quota, and nobody rose by their own hand."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, ClassVar

from attrs import evolve
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, multiple, rule, run_state_machine_as_test

from contentgen_adapters.mail.addresses import ValidatedAddresses
from contentgen_adapters.mail.tokens import SignedTokens
from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.runtime import HmacKeyMaker
from contentgen_core.errors import ContentgenError, LastOwner, Unauthenticated
from contentgen_core.link_errors import InvitationInvalid
from contentgen_core.model.tenant import Caller, PlanName, Quota, Role
from contentgen_core.policies.tenancy.plans import PLANS
from contentgen_core.ports.repositories.tenants import Users
from contentgen_core.testing.runtime import ManualClock, SequentialIds
from contentgen_core.use_cases.keys.authenticate import Authenticate
from contentgen_core.use_cases.keys.manage_keys import ManageKeys
from contentgen_core.use_cases.team.accept import AcceptInvitation
from contentgen_core.use_cases.team.invite import InviteMember
from contentgen_core.use_cases.team.manage_team import ManageTeam
from contentgen_core.use_cases.tenants.administer import AdministerTenants

SECRET = b"a secret of the tests, 32 bytes."
PLAN = PlanName.STARTER  # three places: soon full
EMAILS = [f"person-{n}@example.org" for n in range(4)]

_roles = st.sampled_from(Role)
_people = st.integers(0, 5)


class TeamMachine(RuleBasedStateMachine):
    """`links` are tokens, most of them over; callers are named by their place among all who ever were in the team."""

    links = Bundle("links")
    limit: ClassVar[int] = PLANS[PLAN].limits[Quota.TEAM_MEMBERS] or 0

    def __init__(self) -> None:
        super().__init__()
        self._runner = asyncio.Runner()
        unit_of_work, self.clock, ids = MemoryUnitOfWork(), ManualClock(), SequentialIds()
        keys, tokens = HmacKeyMaker(SECRET), SignedTokens(SECRET)
        manage = ManageKeys(unit_of_work, keys, self.clock, ids)
        self.unit_of_work = unit_of_work
        self.authenticate = Authenticate(unit_of_work, keys, self.clock)
        self.team = ManageTeam(unit_of_work, self.clock)
        self.invite = InviteMember(unit_of_work, ValidatedAddresses(), tokens, self.clock, ids)
        self.accept = AcceptInvitation(unit_of_work, tokens, manage, self.clock, ids)
        made = self.run(AdministerTenants(unit_of_work, manage, self.clock, ids).create("Team", PLAN))
        self.tenant_id = made.tenant.id
        self.people: list[tuple[Caller, str]] = [(made.caller, made.key.secret)]
        self.used: set[str] = set()

    def teardown(self) -> None:
        self._runner.close()

    def run(self, action: Awaitable[Any]) -> Any:
        async def inside() -> Any:
            return await action

        return self._runner.run(inside())

    def tried(self, action: Awaitable[Any]) -> Any:
        """What it gives; None when it is refused."""
        try:
            return self.run(action)
        except ContentgenError as refusal:
            self.refusal = refusal
            return None

    def caller(self, place: int) -> Caller:
        """With the role that the key's lookup said when the person joined: often out of date."""
        return self.people[place % len(self.people)][0]

    def roles(self) -> dict[str, Role]:
        async def read() -> dict[str, Role]:
            async with self.unit_of_work() as tx:
                return {member.user.id: member.user.role for member in await tx[Users].members(self.tenant_id)}

        found: dict[str, Role] = self.run(read())
        return found

    @rule(target=links, by=_people, email=st.sampled_from(EMAILS), role=_roles)
    def somebody_is_invited(self, by: int, email: str, role: Role) -> object:
        caller, before = self.caller(by), self.roles()
        invited = self.tried(self.invite(caller, email, role))
        if invited is None:
            return multiple()
        assert before[caller.user_id].includes(Role.ADMIN)
        assert before[caller.user_id].includes(role)
        return invited.token

    @rule(token=links)
    def somebody_accepts(self, token: str) -> None:
        joined = self.tried(self.accept(token, "Somebody"))
        if joined is None:
            assert isinstance(self.refusal, InvitationInvalid)
            return
        assert token not in self.used
        self.used.add(token)
        user = joined.user
        self.people.append((Caller(user.tenant_id, user.id, PLAN, user.role), joined.key.secret))

    @rule(by=_people, whom=_people, role=_roles)
    def a_role_is_changed(self, by: int, whom: int, role: Role) -> None:
        caller, target, before = self.caller(by), self.caller(whom), self.roles()
        changed = self.tried(self.team.change_role(caller, target.user_id, role))
        after = self.roles()
        if changed is None:
            assert after == before
            return
        own = before[caller.user_id]
        assert own.includes(before[target.user_id])
        assert own.includes(role)
        assert after == before | {target.user_id: role}

    @rule(by=_people, whom=_people)
    def somebody_is_removed(self, by: int, whom: int) -> None:
        caller, target, before = self.caller(by), self.caller(whom), self.roles()
        refused = self.tried(self._removal(caller, target.user_id)) is None
        after = self.roles()
        if refused:
            assert after == before
            if isinstance(self.refusal, LastOwner):
                assert [id for id, role in before.items() if role is Role.OWNER] == [target.user_id]
            return
        assert before[caller.user_id].includes(before[target.user_id])
        assert set(before) - set(after) == {target.user_id}

    async def _removal(self, caller: Caller, id: str) -> bool:
        await self.team.remove(caller, id)
        return True

    @rule(by=_people, place=st.integers(0, 3))
    def an_invitation_is_cancelled(self, by: int, place: int) -> None:
        team = self.run(self.team.list(self.caller(0)))
        if place < len(team.invitations):
            self.tried(self._removal(self.caller(by), team.invitations[place].id))

    @rule(place=_people)
    def a_key_is_looked_up_again(self, place: int) -> None:
        """As the gate of the service does: from then on the caller carries the present role."""
        place %= len(self.people)
        caller, secret = self.people[place]
        fresh = self.tried(self.authenticate(secret))
        roles = self.roles()
        if fresh is None:
            assert isinstance(self.refusal, Unauthenticated)
            assert caller.user_id not in roles
        else:
            assert fresh == evolve(caller, role=roles[caller.user_id])
            self.people[place] = (fresh, secret)

    @rule(days=st.sampled_from([0.5, 4]))
    def days_pass(self, days: float) -> None:
        self.clock.advance(days=days)

    @invariant()
    def there_is_an_owner_and_the_quota_holds(self) -> None:
        team = self.run(self.team.list(self.caller(0)))
        assert any(member.user.role is Role.OWNER for member in team.members)
        assert len(team.members) + len(team.invitations) <= self.limit
        addresses = [member.user.email for member in team.members if member.user.email is not None]
        addresses += [invitation.email for invitation in team.invitations]
        assert len(addresses) == len(set(addresses))


def test_a_team_stays_sound_whatever_is_done_to_it() -> None:
    run_state_machine_as_test(
        TeamMachine,
        settings=settings(
            max_examples=100, stateful_step_count=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
        ),
    )
