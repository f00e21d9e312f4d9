"""Asking for a link that signs a member in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from contentgen_core.model.ids import JobId, SignInLinkId, TenantId, UserId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.sign_in import LINK_LASTS, SignInLink
from contentgen_core.ports.mail import Addresses, SignInClaim, SignInTokens
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.sign_in import SignInLinks
from contentgen_core.ports.repositories.tenants import Users
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.use_case import use_case

FORGOTTEN: Final = 500
"""Expired links that a request removes at most."""


async def _always(email: str) -> bool:
    return True


@use_case
class RequestSignInLink:
    unit_of_work: UnitOfWork
    addresses: Addresses
    tokens: SignInTokens
    clock: Clock
    ids: Ids

    async def __call__(self, email: str, may_mail: Callable[[str], Awaitable[bool]] = _always) -> None:
        """Mail a link for each team in which this address is a member's. Nothing tells whether there is one. Raises
        InvalidInput for what is no mail address.

        `may_mail`: asked for a member's address alone, whether it gets one more mail."""
        email = self.addresses.normalise(email)
        async with self.unit_of_work() as tx:
            is_known = bool(await tx[Users].by_email(email))
        if is_known and not await may_mail(email):
            return
        async with self.unit_of_work() as tx:
            await tx[SignInLinks].forget_expired(self.clock.now(), FORGOTTEN)
            for user in await tx[Users].by_email(email):
                link = await self._add_link(tx, user.tenant_id, user.id)
                job = Job(
                    JobId(self.ids.new()), JobKind.SEND_SIGN_IN_LINK, user.tenant_id, link.id, run_at=link.created_at
                )
                await tx[Jobs].enqueue(job)

    async def token_for(self, tenant_id: TenantId, user_id: UserId) -> str:
        """The token of a new link, for an operator to hand over. Raises NotFound."""
        async with self.unit_of_work() as tx:
            await tx[Users].get(tenant_id, user_id)
            link = await self._add_link(tx, tenant_id, user_id)
        return self.tokens.sign(claim_of(link))

    async def _add_link(self, tx: Transaction, tenant_id: TenantId, user_id: UserId) -> SignInLink:
        now = self.clock.now()
        link = SignInLink(
            id=SignInLinkId(self.ids.new()),
            tenant_id=tenant_id,
            user_id=user_id,
            nonce=self.tokens.new_nonce(),
            created_at=now,
            expires_at=now + LINK_LASTS,
        )
        await tx[SignInLinks].add(link)
        return link


def claim_of(link: SignInLink) -> SignInClaim:
    """Return the content of a link's token."""
    return SignInClaim(link.tenant_id, link.id, link.nonce, link.expires_at)
