"""Signing in through a provider of OpenID Connect."""

from __future__ import annotations

import hmac
from collections.abc import Sequence

from attrs import frozen

from contentgen_core.errors import InvalidInput
from contentgen_core.model.ids import TenantId
from contentgen_core.model.tenant import Tenant, User
from contentgen_core.ports.mail import Addresses
from contentgen_core.ports.open_id import OpenIdPerson, OpenIdProvider, OpenIdRefused, OpenIdRequest, Refusal
from contentgen_core.ports.repositories.tenants import Tenants, Users
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.sign_in.request_link import RequestSignInLink
from contentgen_core.use_cases.sign_in.sessions import ManageWebSessions, NewSession
from contentgen_core.use_cases.use_case import use_case

ANY_DOMAIN = "*"


@frozen
class OpenIdRules:
    """Whom the provider signs in. `domains`: of the mail addresses that it may vouch for, in lower case; ANY_DOMAIN for
    all. `tenant_id`: members of this tenant alone; None: of every one."""

    domains: frozenset[str] = frozenset()
    tenant_id: TenantId | None = None


@frozen
class TeamChoice:
    """A team of a person who has several. `token`: that of a link that signs in to it."""

    tenant: Tenant
    token: str


@use_case
class SignInByOpenId:
    """A member is known by the mail address. Nobody becomes a member by signing in: invitations do that."""

    unit_of_work: UnitOfWork
    provider: OpenIdProvider
    addresses: Addresses
    links: RequestSignInLink
    sessions: ManageWebSessions
    rules: OpenIdRules

    async def address(self, request: OpenIdRequest, redirect: str) -> str:
        """As `OpenIdProvider.address`."""
        return await self.provider.address(request, redirect)

    async def finish(
        self, request: OpenIdRequest | None, state: str, code: str, redirect: str
    ) -> NewSession | Sequence[TeamChoice]:
        """A session, or the teams to choose from. `request`: what the browser kept, None where it kept nothing. Raises
        OpenIdRefused, TenantSuspended, ProviderFailed."""
        if request is None or not hmac.compare_digest(
            request.state.encode("utf-8", "surrogatepass"), state.encode("utf-8", "surrogatepass")
        ):
            raise OpenIdRefused(Refusal.EXPIRED, "no request of this browser has this state")
        person = await self.provider.person(code, request, redirect)
        users = await self._members(self._email(person))
        if len(users) == 1:
            return await self.sessions.begin_for(users[0].tenant_id, users[0].id)
        return [await self._choice(user) for user in users]

    def _email(self, person: OpenIdPerson) -> str:
        """The address, in its normal form. Raises OpenIdRefused."""
        if not person.email or not person.email_verified:
            raise OpenIdRefused(Refusal.NO_MAIL, f"subject {person.subject!r}")
        try:
            email = self.addresses.normalise(person.email)
        except InvalidInput as exc:
            raise OpenIdRefused(Refusal.NO_MAIL, f"subject {person.subject!r}") from exc
        domain = email.rpartition("@")[2].lower()
        if ANY_DOMAIN not in self.rules.domains and domain not in self.rules.domains:
            raise OpenIdRefused(Refusal.FOREIGN, f"domain {domain}")
        return email

    async def _members(self, email: str) -> list[User]:
        """Raises OpenIdRefused."""
        async with self.unit_of_work() as tx:
            users = await tx[Users].by_email(email)
        only = self.rules.tenant_id
        users = [user for user in users if only is None or user.tenant_id == only]
        if not users:
            raise OpenIdRefused(Refusal.UNKNOWN, "the address is no member's")
        return users

    async def _choice(self, user: User) -> TeamChoice:
        token = await self.links.token_for(user.tenant_id, user.id)
        async with self.unit_of_work() as tx:
            return TeamChoice(await tx[Tenants].get(user.tenant_id), token)
