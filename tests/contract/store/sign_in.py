"""Links that sign members in, and sessions of browsers."""

from __future__ import annotations

from datetime import timedelta

import pytest
from attrs import evolve

from contentgen_core.errors import NotFound
from contentgen_core.model.ids import SignInLinkId, TenantId, UserId, WebSessionId
from contentgen_core.model.sign_in import SignInLink, WebSession
from contentgen_core.model.tenant import ApiKey, Tenant, User
from contentgen_core.ports.repositories.sign_in import SignedIn, SignInLinks, WebSessions
from contentgen_core.ports.repositories.tenants import ApiKeys, Users
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant, given_tenants

HOUR = timedelta(hours=1)


def _link(user: User) -> SignInLink:
    return SignInLink(SignInLinkId(builders.new_id()), user.tenant_id, user.id, "nonce", MOMENT, MOMENT + HOUR)


def _session(user: User, key: ApiKey | None = None) -> WebSession:
    id = WebSessionId(builders.new_id())
    return WebSession(id, user.tenant_id, user.id, f"digest of {id}", MOMENT, MOMENT, key.id if key else None)


async def _member(unit_of_work: UnitOfWork, tenant: Tenant | None = None) -> tuple[Tenant, User]:
    tenant = tenant or await given_tenant(unit_of_work)
    user = builders.user(tenant_id=tenant.id, email="ada@example.com")
    await given(unit_of_work, user)
    return tenant, user


class SignInContract:
    async def test_a_person_is_found_in_all_teams_by_the_address(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        address = f"{tenant.id}@example.com"
        here = builders.user(tenant_id=tenant.id, email=address)
        there = builders.user(tenant_id=other.id, email=address, created_at=MOMENT + HOUR)
        await given(unit_of_work, there, here, builders.user(tenant_id=tenant.id))
        async with unit_of_work() as tx:
            assert await tx[Users].by_email(address) == [here, there]
            assert await tx[Users].by_email("nobody@example.com\x00") == []

    async def test_a_link_is_taken_once(self, unit_of_work: UnitOfWork) -> None:
        tenant, user = await _member(unit_of_work)
        link = _link(user)
        async with unit_of_work() as tx:
            await tx[SignInLinks].add(link)
        async with unit_of_work() as tx:
            assert await tx[SignInLinks].get(tenant.id, link.id) == link
            assert await tx[SignInLinks].take(builders.tenant().id, link.id) is None
            assert await tx[SignInLinks].take(tenant.id, link.id) == link
        async with unit_of_work() as tx:
            assert await tx[SignInLinks].take(tenant.id, link.id) is None
            with pytest.raises(NotFound):
                await tx[SignInLinks].get(tenant.id, link.id)

    async def test_expired_links_are_forgotten_some_at_a_time(self, unit_of_work: UnitOfWork) -> None:
        tenant, user = await _member(unit_of_work)
        links = [_link(user) for _ in range(3)]
        later = evolve(_link(user), expires_at=MOMENT + 3 * HOUR)
        async with unit_of_work() as tx:
            for link in (*links, later):
                await tx[SignInLinks].add(link)
        async with unit_of_work() as tx:
            now = MOMENT + 2 * HOUR
            assert [await tx[SignInLinks].forget_expired(now, 2) for _ in range(3)] == [2, 1, 0]
            assert await tx[SignInLinks].get(tenant.id, later.id) == later

    async def test_a_session_is_known_with_its_user_tenant_and_key(self, unit_of_work: UnitOfWork) -> None:
        tenant, user = await _member(unit_of_work)
        key = builders.api_key(tenant_id=tenant.id, user_id=user.id)
        await given(unit_of_work, key)
        by_key, by_link = _session(user, key), _session(user)
        async with unit_of_work() as tx:
            await tx[WebSessions].add(by_key)
            await tx[WebSessions].add(by_link)
        async with unit_of_work() as tx:
            assert await tx[WebSessions].identify(by_key.digest) == SignedIn(by_key, user, tenant, key)
            assert await tx[WebSessions].identify(by_link.digest) == SignedIn(by_link, user, tenant)
            assert await tx[WebSessions].identify("nope\x00") is None
            asked = [by_link.digest, "nope\x00", by_key.digest, "neither"]
            assert await tx[WebSessions].identify_all(asked) == {
                by_key.digest: SignedIn(by_key, user, tenant, key),
                by_link.digest: SignedIn(by_link, user, tenant),
            }
            assert await tx[WebSessions].identify_all([]) == {}

    async def test_sessions_are_listed_by_their_last_use_and_removed(self, unit_of_work: UnitOfWork) -> None:
        tenant, user = await _member(unit_of_work)
        first, second = _session(user), _session(user)
        async with unit_of_work() as tx:
            await tx[WebSessions].add(first)
            await tx[WebSessions].add(second)
            await tx[WebSessions].touch(first.id, MOMENT + HOUR)
            await tx[WebSessions].touch(first.id, MOMENT)
        used = evolve(first, last_used_at=MOMENT + HOUR)
        async with unit_of_work() as tx:
            assert await tx[WebSessions].of_user(tenant.id, user.id) == [used, second]
            await tx[WebSessions].remove(builders.tenant().id, first.id)
            await tx[WebSessions].remove(tenant.id, second.id)
        async with unit_of_work() as tx:
            assert await tx[WebSessions].of_user(tenant.id, user.id) == [used]
            assert await tx[WebSessions].identify(second.digest) is None

    async def test_a_session_ends_with_its_key_and_with_its_user(self, unit_of_work: UnitOfWork) -> None:
        tenant, user = await _member(unit_of_work)
        key = builders.api_key(tenant_id=tenant.id, user_id=user.id, revoked_at=MOMENT)
        await given(unit_of_work, key)
        by_key, by_link, link = _session(user, key), _session(user), _link(user)
        async with unit_of_work() as tx:
            await tx[WebSessions].add(by_key)
            await tx[WebSessions].add(by_link)
            await tx[SignInLinks].add(link)
        async with unit_of_work() as tx:
            await tx[ApiKeys].forget_unusable(tenant.id, MOMENT, 0)
        async with unit_of_work() as tx:
            assert await tx[WebSessions].of_user(tenant.id, user.id) == [by_link]
            await tx[Users].remove(tenant.id, user.id)
        async with unit_of_work() as tx:
            assert await tx[WebSessions].identify(by_link.digest) is None
            assert await tx[SignInLinks].take(tenant.id, link.id) is None

    async def test_ended_sessions_are_forgotten_some_at_a_time(self, unit_of_work: UnitOfWork) -> None:
        tenant, user = await _member(unit_of_work)
        unused, used = _session(user), evolve(_session(user), last_used_at=MOMENT + 3 * HOUR)
        begun_long_ago = evolve(_session(user), created_at=MOMENT - HOUR, last_used_at=MOMENT + 3 * HOUR)
        async with unit_of_work() as tx:
            for session in (unused, used, begun_long_ago):
                await tx[WebSessions].add(session)
        async with unit_of_work() as tx:
            removed = [await tx[WebSessions].forget_unused(MOMENT, MOMENT + HOUR, 1) for _ in range(3)]
            assert removed == [1, 1, 0]
            assert await tx[WebSessions].of_user(tenant.id, user.id) == [used]

    @alien_ids
    async def test_what_names_nothing_signs_nobody_in(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant = await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            assert await tx[SignInLinks].take(tenant.id, SignInLinkId(alien)) is None
            assert await tx[WebSessions].identify(alien) is None
            assert await tx[WebSessions].of_user(TenantId(alien), UserId(alien)) == []
            await tx[WebSessions].remove(tenant.id, WebSessionId(alien))
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[SignInLinks].add(evolve(_link(builders.user(tenant_id=tenant.id)), user_id=UserId("nobody")))
