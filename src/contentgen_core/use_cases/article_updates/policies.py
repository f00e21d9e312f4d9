"""PATCH /niches/{id}/refresh: how the articles of a niche follow their sources."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from typing import Final

from attrs import evolve

from contentgen_core.concurrency import retry_overtaken
from contentgen_core.errors import ConcurrentChange, FieldError, InvalidInput, NotFound
from contentgen_core.model.article_update import MAX_REFRESH_HOURS, RefreshMode, RefreshPolicy
from contentgen_core.model.ids import JobId, RefreshPolicyId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.ports.repositories.article_updates import RefreshPolicies
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.use_case import use_case

BATCH: Final = 50


@use_case
class ManageRefresh:
    unit_of_work: UnitOfWork
    clock: Clock
    ids: Ids

    async def get(self, caller: Caller, niche: str) -> RefreshPolicy:
        """`niche`: its key or id. Raises NotFound, also for a niche without a policy."""
        async with self.unit_of_work() as tx:
            return await self._policy(tx, caller, niche)

    async def set(
        self,
        caller: Caller,
        niche: str,
        mode: RefreshMode | None = None,
        every_hours: int | None = None,
        *,
        publish: bool | None = None,
    ) -> RefreshPolicy:
        """The niche's policy from now on; what is None stays as it is. The first look begins at once. Raises
        InvalidInput, NotPermitted, NotFound, ConcurrentChange."""
        require_role(caller, Role.ADMIN)
        if every_hours is not None and not 1 <= every_hours <= MAX_REFRESH_HOURS:
            raise InvalidInput(FieldError("everyHours", f"1 to {MAX_REFRESH_HOURS}"))

        async def chosen(tx: Transaction) -> RefreshPolicy:
            now = self.clock.now()
            found = await tx[Niches].get(caller.tenant_id, niche)
            former = await tx[RefreshPolicies].of_niche(caller.tenant_id, found.niche_key)
            policy = former or RefreshPolicy(
                id=RefreshPolicyId(self.ids.new()),
                tenant_id=caller.tenant_id,
                niche_id=found.id,
                niche_key=found.niche_key,
                created_at=now,
                updated_at=now,
                next_at=now,
            )
            if former is None:
                await tx[RefreshPolicies].add(policy)
            return evolve(
                policy,
                mode=policy.mode if mode is None else mode,
                every_hours=policy.every_hours if every_hours is None else every_hours,
                publish=policy.publish if publish is None else publish,
                updated_at=now,
            )

        return await self._begun(chosen)

    async def delete(self, caller: Caller, niche: str) -> None:
        """Updates that were proposed stay. Raises NotPermitted, NotFound."""
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            policy = await self._policy(tx, caller, niche)
            await tx[Jobs].cancel_subject(caller.tenant_id, policy.id, JobKind.REFRESH_ARTICLES)
            await tx[RefreshPolicies].delete(caller.tenant_id, policy.id)

    async def run(self, caller: Caller, niche: str) -> RefreshPolicy:
        """Look at the articles now; a look that is under way goes on. Raises NotPermitted, NotFound,
        ConcurrentChange."""
        require_role(caller, Role.EDITOR)
        return await self._begun(lambda tx: self._policy(tx, caller, niche))

    async def _begun(self, policy: Callable[[Transaction], Awaitable[RefreshPolicy]]) -> RefreshPolicy:
        """A look by this policy, which a look that ends, or another request, may change meanwhile."""

        async def transaction() -> RefreshPolicy:
            async with self.unit_of_work() as tx:
                return await self._start(tx, await policy(tx))

        return await retry_overtaken(transaction)

    async def fire_due(self) -> None:
        """Begin the looks that are due, of all tenants; each begins once, whatever number of processes asks."""
        while True:
            async with self.unit_of_work() as tx:
                due = await tx[RefreshPolicies].due(self.clock.now(), BATCH)
            for policy in due:
                with suppress(ConcurrentChange, NotFound):
                    async with self.unit_of_work() as tx:
                        await self._start(tx, policy)
            if len(due) < BATCH:
                return

    async def _policy(self, tx: Transaction, caller: Caller, niche: str) -> RefreshPolicy:
        found = await tx[Niches].get(caller.tenant_id, niche)
        policy = await tx[RefreshPolicies].of_niche(caller.tenant_id, found.niche_key)
        if policy is None:
            raise NotFound("refresh policy", found.niche_key)
        return policy

    async def _start(self, tx: Transaction, policy: RefreshPolicy) -> RefreshPolicy:
        now = self.clock.now()
        policy = evolve(policy, next_at=now + timedelta(hours=policy.every_hours))
        if policy.job_id is None:
            job = Job(JobId(self.ids.new()), JobKind.REFRESH_ARTICLES, policy.tenant_id, policy.id, run_at=now)
            await tx[Jobs].enqueue(job)
            policy = evolve(policy, job_id=job.id, progress=None)
        return await tx[RefreshPolicies].save(policy)
