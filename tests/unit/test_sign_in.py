"""Signing in to the console by a mailed link or by a key, and how long that lasts."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from attrs import define, evolve, field

from contentgen_core.errors import InvalidInput, TenantSuspended, Unauthenticated
from contentgen_core.link_errors import SignInInvalid
from contentgen_core.model.sign_in import LINK_LASTS, SESSION_IDLE, SESSION_LASTS
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.ports.mail import Mail
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.use_cases.sign_in.sessions import ManageWebSessions
from tests.support.changed import changed
from tests.support.house import House, open_house
from tests.support.team import joined

BASE = "https://articles.example.org"
LINK = f"{BASE}/console/sign-in/link?token="


@define
class Post:
    """A mailer that keeps what it is given."""

    delivers: bool = True
    sent: list[Mail] = field(factory=list)

    async def send(self, mail: Mail) -> None:
        self.sent.append(mail)

    def token(self, number: int = -1) -> str:
        line = next(line for line in self.sent[number].text.splitlines() if line.startswith(LINK))
        return line.removeprefix(LINK)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


@pytest.fixture
def post(house: House) -> Post:
    made = Post()
    send = evolve(house.services.jobs.send_sign_in_link, mailer=made, base=BASE)
    house.services = changed(house.services, jobs={"send_sign_in_link": send})
    return made


def sessions(house: House) -> ManageWebSessions:
    return house.services.people.web_sessions


async def a_member(house: House, role: Role = Role.EDITOR) -> tuple[str, Caller]:
    """The address of a member, and the member as a caller."""
    done, caller = await joined(house, role)
    await house.work()  # the invitation's mail
    assert done.user.email is not None
    return done.user.email, caller


async def mailed(house: House, post: Post, email: str) -> str:
    """The token of a link that was asked for and mailed."""
    await house.services.people.request_sign_in(email)
    assert await house.work() == 1
    return post.token()


async def test_a_mailed_link_signs_its_member_in_once(house: House, post: Post) -> None:
    email, member = await a_member(house)
    token = await mailed(house, post, email.upper())
    assert post.sent[0].to == email
    user, tenant = await sessions(house).person_of_link(token)
    assert (user.id, tenant.id) == (member.user_id, member.tenant_id)
    begun = await sessions(house).begin_by_link(token)
    person = await sessions(house).identify(begun.token)
    assert person.caller == member
    with pytest.raises(SignInInvalid):
        await sessions(house).begin_by_link(token)
    with pytest.raises(SignInInvalid):
        await sessions(house).person_of_link(token)


async def test_nobody_learns_whether_an_address_is_a_members(house: House, post: Post) -> None:
    await house.services.people.request_sign_in("nobody@example.org")
    assert await house.work() == 0
    assert post.sent == []
    with pytest.raises(InvalidInput):
        await house.services.people.request_sign_in("no address")


async def test_only_a_members_address_counts_and_a_full_count_shows_to_nobody(house: House, post: Post) -> None:
    email, _ = await a_member(house)
    asked: list[str] = []

    async def may_mail(address: str) -> bool:
        asked.append(address)
        return len(asked) < 2

    request = house.services.people.request_sign_in
    for n in range(5):
        await request(f"invented-{n}@example.org", may_mail)
    assert asked == []
    await request(email.upper(), may_mail)
    await request(email, may_mail)
    assert asked == [email, email]
    assert await house.work() == 1


async def test_a_link_ends_and_cannot_be_forged(house: House, post: Post) -> None:
    email, _ = await a_member(house)
    token = await mailed(house, post, email)
    for forged in ("", "nonsense", token[:-2], token + "a"):
        with pytest.raises(SignInInvalid):
            await sessions(house).begin_by_link(forged)
    house.clock.advance(seconds=LINK_LASTS.total_seconds())
    with pytest.raises(SignInInvalid):
        await sessions(house).begin_by_link(token)


async def test_a_member_who_left_is_not_signed_in(house: House, post: Post) -> None:
    email, member = await a_member(house)
    token = await mailed(house, post, email)
    begun = await sessions(house).begin_by_link(await mailed(house, post, email))
    await house.services.people.team.remove(house.caller, member.user_id)
    with pytest.raises(SignInInvalid):
        await sessions(house).begin_by_link(token)
    with pytest.raises(Unauthenticated):
        await sessions(house).identify(begun.token)


async def test_a_session_has_the_role_that_its_person_has_now(house: House, post: Post) -> None:
    email, member = await a_member(house)
    begun = await sessions(house).begin_by_link(await mailed(house, post, email))
    await house.services.people.team.change_role(house.caller, member.user_id, Role.VIEWER)
    assert (await sessions(house).identify(begun.token)).caller.role is Role.VIEWER


async def test_a_session_that_a_key_began_ends_with_it(house: House) -> None:
    made = await house.services.people.keys.create(house.caller, "Mine")
    begun = await sessions(house).begin_by_key(made.secret)
    assert (await sessions(house).identify(begun.token)).caller == house.caller
    with pytest.raises(Unauthenticated):
        await house.services.people.authenticate(begun.token)  # a session's token is no key
    await house.services.people.keys.revoke(house.caller, made.key.id)
    with pytest.raises(Unauthenticated):
        await sessions(house).identify(begun.token)
    with pytest.raises(Unauthenticated):
        await sessions(house).begin_by_key(made.secret)


async def test_a_session_ends_when_unused_and_at_last(house: House) -> None:
    made = await house.services.people.keys.create(house.caller, "Mine")
    begun = await sessions(house).begin_by_key(made.secret)
    for _ in range(5):
        house.clock.advance(seconds=(SESSION_LASTS / 6).total_seconds())
        await sessions(house).identify(begun.token)
    house.clock.advance(seconds=(SESSION_LASTS / 6).total_seconds())
    with pytest.raises(Unauthenticated):
        await sessions(house).identify(begun.token)
    idle = await sessions(house).begin_by_key(made.secret)
    house.clock.advance(seconds=SESSION_IDLE.total_seconds())
    with pytest.raises(Unauthenticated):
        await sessions(house).identify(idle.token)


async def test_a_suspended_tenant_is_neither_signed_in_nor_stays_so(house: House) -> None:
    made = await house.services.people.keys.create(house.caller, "Mine")
    people, tenant_id = house.services.people, house.caller.tenant_id
    begun = await people.web_sessions.begin_by_key(made.secret)
    token = await people.request_sign_in.token_for(tenant_id, house.caller.user_id)
    async with house.services.ports.unit_of_work() as tx:
        await tx[Tenants].set_suspended(tenant_id, house.clock.now())
    with pytest.raises(TenantSuspended):
        await people.web_sessions.identify(begun.token)
    with pytest.raises(TenantSuspended):
        await people.web_sessions.begin_by_link(token)
    async with house.services.ports.unit_of_work() as tx:
        await tx[Tenants].set_suspended(tenant_id, None)
    await people.web_sessions.identify(begun.token)
    await people.web_sessions.begin_by_link(token)  # what was refused used nothing up


async def test_a_session_is_ended_alone_or_with_all_others(house: House) -> None:
    made = await house.services.people.keys.create(house.caller, "Mine")
    first, second, third = [await sessions(house).begin_by_key(made.secret) for _ in range(3)]
    assert await sessions(house).end_others(first.session) == 2
    for begun in (second, third):
        with pytest.raises(Unauthenticated):
            await sessions(house).identify(begun.token)
    await sessions(house).identify(first.token)
    await sessions(house).end(first.session)
    await sessions(house).end(first.session)
    with pytest.raises(Unauthenticated):
        await sessions(house).identify(first.token)
