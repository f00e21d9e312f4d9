"""Sources: create, read, change, sync, delete."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final

from attrs import evolve, field, frozen

from contentgen_core.errors import (
    ConcurrentChange,
    Conflict,
    ContentgenError,
    FieldError,
    InvalidInput,
    NotFound,
    QuotaExceeded,
)
from contentgen_core.model.changes import UNSET, UnsetType
from contentgen_core.model.ids import JobId, SyncedSourceId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.publishing_target import FieldType, SettingField
from contentgen_core.model.synced_source import (
    MAX_GRACE_DAYS,
    MAX_HOURS,
    MAX_NAME,
    MAX_PLACE,
    ItemState,
    SourceKind,
    SourceKindInfo,
    SyncedItem,
    SyncedSource,
    SyncOutcome,
)
from contentgen_core.model.tenant import Caller, PlanName, Role
from contentgen_core.policies.articles.publishing import check_fields
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.policies.text.names import name_fault
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.synced_sources import SyncedSources
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.source_reading import SourceReader, SourceUnavailable
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.knowledge.index_upkeep import ApplyIndexChanges
from contentgen_core.use_cases.synced_sources.secrets import SourceSecrets
from contentgen_core.use_cases.use_case import use_case

MOST_SOURCES: Final = {PlanName.FREE: 1, PlanName.STARTER: 3, PlanName.PRO: 10, PlanName.BUSINESS: 100}
REMOVED_AT_ONCE: Final = 100
MAX_ITEMS_SHOWN: Final = 100
BATCH: Final = 50


class NothingDoubtful(Conflict):
    """The last sync of the source was not doubtful."""

    code = "nothing_doubtful"

    def __init__(self) -> None:
        super().__init__("The last sync of this source was not doubtful: there is nothing to accept.")


@frozen
class NewSource:
    """`niche`: its key or id; `place`, `settings`: as the kind declares them."""

    caller: Caller
    niche: str
    kind: SourceKind
    name: str
    place: str
    every_hours: int = 24
    grace_days: int = 7
    settings: Mapping[str, Any] = field(factory=dict, repr=False)


@frozen
class ChangedSource:
    """UNSET fields are not changed, nor are settings that are not named; None clears one of these."""

    caller: Caller
    source_id: SyncedSourceId
    name: str | UnsetType = UNSET
    place: str | UnsetType = UNSET
    every_hours: int | UnsetType = UNSET
    grace_days: int | UnsetType = UNSET
    paused: bool | UnsetType = UNSET
    settings: Mapping[str, Any] | UnsetType = field(default=UNSET, repr=False)


@use_case
class ManageSources:
    unit_of_work: UnitOfWork
    reader: SourceReader
    secrets: SourceSecrets
    apply_changes: ApplyIndexChanges
    clock: Clock
    ids: Ids

    def kinds(self) -> Sequence[SourceKindInfo]:
        return self.reader.kinds()

    async def list(self, caller: Caller) -> Sequence[SyncedSource]:
        """List the sources in the order of their creation."""
        async with self.unit_of_work() as tx:
            return await tx[SyncedSources].of_tenant(caller.tenant_id, max(MOST_SOURCES.values()))

    async def get(self, caller: Caller, source_id: SyncedSourceId) -> SyncedSource:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            return await tx[SyncedSources].get(caller.tenant_id, source_id)

    async def items(
        self, caller: Caller, source_id: SyncedSourceId, state: ItemState | None, after: str | None, limit: int
    ) -> Sequence[SyncedItem]:
        """List the items in the order of their keys, at most MAX_ITEMS_SHOWN. Raises NotFound."""
        async with self.unit_of_work() as tx:
            source = await tx[SyncedSources].get(caller.tenant_id, source_id)
            return await tx[SyncedSources].page_items(source.id, state, after, min(limit, MAX_ITEMS_SHOWN))

    async def create(self, command: NewSource) -> SyncedSource:
        """Create a source and start its first sync. Raises InvalidInput, NotPermitted, NotFound for the niche,
        QuotaExceeded."""
        caller, now = command.caller, self.clock.now()
        require_role(caller, Role.ADMIN)
        source = SyncedSource(
            id=SyncedSourceId(self.ids.new()),
            tenant_id=caller.tenant_id,
            niche_key="",
            kind=command.kind,
            name=" ".join(command.name.split()),
            place=command.place.strip(),
            created_at=now,
            updated_at=now,
            every_hours=command.every_hours,
            grace_days=command.grace_days,
            next_sync_at=now,
        )
        self._check(source, command.settings)
        source = self.secrets.kept(source, command.settings, self._fields(source.kind))
        async with self.unit_of_work() as tx:
            await tx[Tenants].lock(caller.tenant_id)  # so that concurrent requests cannot exceed the bound
            niche = await tx[Niches].get(caller.tenant_id, command.niche)
            source = evolve(source, niche_key=niche.niche_key)
            await _check_left(tx, caller)
            await tx[SyncedSources].add(source)
            return await self._start_sync(tx, source)

    async def change(self, command: ChangedSource) -> SyncedSource:
        """Raises InvalidInput, NotPermitted, NotFound, ConcurrentChange."""
        require_role(command.caller, Role.ADMIN)
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            source = await tx[SyncedSources].get(command.caller.tenant_id, command.source_id)
            changed = evolve(
                source,
                name=source.name if command.name is UNSET else " ".join(command.name.split()),
                place=source.place if command.place is UNSET else command.place.strip(),
                every_hours=source.every_hours if command.every_hours is UNSET else command.every_hours,
                grace_days=source.grace_days if command.grace_days is UNSET else command.grace_days,
                paused=source.paused if command.paused is UNSET else command.paused,
                updated_at=now,
            )
            changed = self._set_settings(changed, source, command)
            if changed.every_hours != source.every_hours and source.last is not None:
                following = source.last.finished_at + timedelta(hours=changed.every_hours)
                changed = evolve(changed, next_sync_at=max(now, following))
            return await tx[SyncedSources].save(changed)

    async def sync(self, caller: Caller, source_id: SyncedSourceId) -> SyncedSource:
        """Begin a sync now; one that is under way goes on. Raises NotPermitted, NotFound, ConcurrentChange."""
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            return await self._start_sync(tx, await tx[SyncedSources].get(caller.tenant_id, source_id))

    async def accept(self, caller: Caller, source_id: SyncedSourceId) -> SyncedSource:
        """Begin a sync that takes what the source says now, after one that was doubtful: pages that all say the same
        are stored as they are, items that are not listed any more are missing. Raises NotPermitted, NotFound,
        NothingDoubtful, ConcurrentChange."""
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            source = await tx[SyncedSources].get(caller.tenant_id, source_id)
            if source.last is None or source.last.outcome is not SyncOutcome.DOUBTFUL:
                raise NothingDoubtful
            return await self._start_sync(tx, evolve(source, accepts=True))

    async def delete(self, caller: Caller, source_id: SyncedSourceId) -> None:
        """Delete a source with the documents that came from it. Raises NotPermitted, NotFound, ConcurrentChange."""
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            # First, so that no sync changes the source after it was read.
            await tx[Jobs].cancel_subject(caller.tenant_id, source_id, JobKind.SYNC_SOURCE)
            source = await tx[SyncedSources].get(caller.tenant_id, source_id)
            await tx[SyncedSources].save(evolve(source, paused=True, job_id=None))
        while True:
            async with self.unit_of_work() as tx:
                items = await tx[SyncedSources].page_items(source_id, None, None, REMOVED_AT_ONCE)
                documents = [item.document_id for item in items if item.document_id is not None]
                await tx[Knowledge].remove(documents)
                await tx[SyncedSources].drop_items(source_id, [item.key for item in items])
                if not items:
                    await tx[SyncedSources].delete(caller.tenant_id, source_id)
                    return
            with suppress(ContentgenError):  # the outbox has the removals, and no reader sees the passages
                await self.apply_changes.bring_up_to_date(documents)

    async def fire_due(self) -> None:
        """Begin the syncs that are due, of all tenants; each begins once, whatever number of processes looks."""
        while True:
            now = self.clock.now()
            async with self.unit_of_work() as tx:
                due = await tx[SyncedSources].due(now, BATCH)
            for source in due:
                with suppress(ConcurrentChange, NotFound):
                    async with self.unit_of_work() as tx:
                        await self._start_sync(tx, source)
            if len(due) < BATCH:
                return

    async def _start_sync(self, tx: Transaction, source: SyncedSource) -> SyncedSource:
        now = self.clock.now()
        source = evolve(source, next_sync_at=now + timedelta(hours=source.every_hours))
        if source.job_id is None:
            source = evolve(source, job_id=JobId(self.ids.new()))
            assert source.job_id is not None
            await tx[Jobs].enqueue(Job(source.job_id, JobKind.SYNC_SOURCE, source.tenant_id, source.id, run_at=now))
        return await tx[SyncedSources].save(source)

    def _set_settings(self, changed: SyncedSource, source: SyncedSource, command: ChangedSource) -> SyncedSource:
        """Set the settings. Secrets that are not sent stay, unless the source has another address now: a member who may
        change it must not send them where they were not entered for. Raises InvalidInput."""
        sent = {} if command.settings is UNSET else dict(command.settings)
        fields = self._fields(source.kind)
        missing = set(source.secret_fields) - sent.keys()
        settings = {**source.settings, **sent}
        addresses = {each.name for each in fields if each.type is FieldType.URL}
        moved = changed.place != source.place or any(settings.get(a) != source.settings.get(a) for a in addresses)
        if moved and missing:
            again = [FieldError(f"settings.{name}", "is needed again, since the place changes") for name in missing]
            raise InvalidInput(*again)
        self._check(changed, settings, frozenset(missing))
        if not sent:
            return changed
        try:
            secrets = self.secrets.opened(source) if missing else {}
        except SourceUnavailable as error:
            raise InvalidInput.of("settings", str(error)) from error
        return self.secrets.kept(changed, {**settings, **secrets, **sent}, fields)

    def _fields(self, kind: SourceKind) -> tuple[SettingField, ...]:
        return next((info.fields for info in self.reader.kinds() if info.kind is kind), ())

    def _check(self, source: SyncedSource, settings: Mapping[str, Any], stored: frozenset[str] = frozenset()) -> None:
        """`stored`: secrets that are set already. Raises InvalidInput."""
        faults: list[FieldError] = []
        fields = self._fields(source.kind)
        try:
            check_fields("settings", settings, [f for f in fields if f.name not in stored])
        except InvalidInput as error:
            faults.extend(error.errors)
        else:  # the place is looked at with what leads to it, such as an endpoint
            shown = {each.name for each in fields if not each.secret}
            given = {name: value for name, value in settings.items() if name in shown and value is not None}
            source = evolve(source, settings=given)
        if fault := name_fault(source.name, MAX_NAME):
            faults.append(FieldError("name", fault))
        if not 1 <= len(source.place) <= MAX_PLACE:
            faults.append(FieldError("place", f"1 to {MAX_PLACE} characters"))
        elif fault := self.reader.fault_of(source):
            faults.append(FieldError("place", fault))
        if not 1 <= source.every_hours <= MAX_HOURS:
            faults.append(FieldError("everyHours", f"1 to {MAX_HOURS}"))
        if not 0 <= source.grace_days <= MAX_GRACE_DAYS:
            faults.append(FieldError("graceDays", f"0 to {MAX_GRACE_DAYS}"))
        if faults:
            raise InvalidInput(*faults)


async def _check_left(tx: Transaction, caller: Caller) -> None:
    """Raises QuotaExceeded."""
    most = MOST_SOURCES[caller.plan]
    used = len(await tx[SyncedSources].of_tenant(caller.tenant_id, most + 1))
    if used >= most:
        message = f"The plan {caller.plan.value} has {most} sources. Delete one that is not needed, or change the plan."
        raise QuotaExceeded(message, limit=most, used=used, resets_at=None)
