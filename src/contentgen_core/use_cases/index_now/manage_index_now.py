"""Sites whose changed pages are told to search engines: create, list, delete, submit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from attrs import evolve

from contentgen_core.errors import ConcurrentChange, Conflict, InvalidInput, NotFound
from contentgen_core.model.ids import IndexNowSiteId, JobId
from contentgen_core.model.index_now import MAX_SITES, IndexNowSite, host_of
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.model.web_address import check_web_address
from contentgen_core.policies.tenancy.access import require_platform_admin, require_role
from contentgen_core.ports.repositories.index_now import IndexNowSites
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.use_case import use_case

BATCH: Final = 50
KEY_BYTES: Final = 16


@use_case
class ManageIndexNow:
    """`public_url`: of the service, which serves the keys of its own host; None if unknown. `new_salt`: random
    bytes."""

    unit_of_work: UnitOfWork
    clock: Clock
    ids: Ids
    new_salt: Callable[[], bytes]
    public_url: str | None

    async def list(self, caller: Caller) -> Sequence[IndexNowSite]:
        """List the sites by host."""
        async with self.unit_of_work() as tx:
            return await tx[IndexNowSites].of_tenant(caller.tenant_id)

    async def create(self, caller: Caller, site: str) -> IndexNowSite:
        """Have changed pages of a site told from now on. Raises InvalidInput, NotPermitted (for the service's own host
        unless the caller is a platform administrator: its key is served there), Conflict, AlreadyExists."""
        require_role(caller, Role.ADMIN)
        check_web_address(site, "site")
        host, now = host_of(site), self.clock.now()
        if urlsplit(site).path not in ("", "/"):
            raise InvalidInput.of("site", "an address without a path: keys lie at its root")
        if self._is_own(host):
            require_platform_admin(caller)
        new = IndexNowSite(
            id=IndexNowSiteId(self.ids.new()),
            tenant_id=caller.tenant_id,
            origin=f"{urlsplit(site).scheme}://{host}",
            host=host,
            key=self.new_salt()[:KEY_BYTES].hex(),
            created_at=now,
            next_at=now,
        )
        async with self.unit_of_work() as tx:
            await tx[Tenants].lock(caller.tenant_id)  # so that concurrent requests cannot exceed the bound
            if len(await tx[IndexNowSites].of_tenant(caller.tenant_id)) >= MAX_SITES:
                raise Conflict(f"There are {MAX_SITES} sites already. Delete one that is not needed.")
            await tx[IndexNowSites].add(new)
        return new

    async def delete(self, caller: Caller, site_id: IndexNowSiteId) -> None:
        """Raises NotPermitted, NotFound."""
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            await tx[Jobs].cancel_subject(caller.tenant_id, site_id, JobKind.SUBMIT_PAGES)
            await tx[IndexNowSites].delete(caller.tenant_id, site_id)

    async def submit(self, caller: Caller, site_id: IndexNowSiteId) -> IndexNowSite:
        """Submit now what is noted, after the key was put in its place for example. Raises NotPermitted, NotFound,
        ConcurrentChange."""
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            return await self._start(tx, await tx[IndexNowSites].get(caller.tenant_id, site_id))

    async def fire_due(self) -> None:
        """Begin the submissions that are due, of all tenants; each begins once, whatever number of processes asks."""
        async with self.unit_of_work() as tx:
            due = await tx[IndexNowSites].due(self.clock.now(), BATCH)
        for site in due:
            with suppress(ConcurrentChange, NotFound):
                async with self.unit_of_work() as tx:
                    await self._start(tx, site)

    async def serves(self, key: str) -> bool:
        """Whether this is the key of a site at the service's own host."""
        if self.public_url is None:
            return False
        async with self.unit_of_work() as tx:
            return await tx[IndexNowSites].has_key(host_of(self.public_url), key)

    def _is_own(self, host: str) -> bool:
        return self.public_url is not None and host == host_of(self.public_url)

    async def _start(self, tx: Transaction, site: IndexNowSite) -> IndexNowSite:
        if site.job_id is not None:
            return site
        job = Job(JobId(self.ids.new()), JobKind.SUBMIT_PAGES, site.tenant_id, site.id, run_at=self.clock.now())
        await tx[Jobs].enqueue(job)
        return await tx[IndexNowSites].save(evolve(site, job_id=job.id))
