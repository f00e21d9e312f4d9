"""Integrations: created and changed only with credentials that the target accepts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from attrs import evolve, frozen

from contentgen_core.errors import ConnectionTestFailed, Faults, FieldError, InvalidInput, NotFound, RateLimited
from contentgen_core.model.changes import UNSET, UnsetType
from contentgen_core.model.ids import IntegrationId
from contentgen_core.model.integration import MAX_OBJECT_BYTES, Integration
from contentgen_core.model.publishing_target import FieldType, ProviderInfo, PublishOptionField, SettingField
from contentgen_core.model.tenant import Caller, Quota, Role
from contentgen_core.policies.articles.publishing import check_fields
from contentgen_core.policies.tenancy.access import require_platform_admin, require_role
from contentgen_core.policies.tenancy.quotas import limit_of, quota_error
from contentgen_core.policies.text.names import checked_name
from contentgen_core.ports.counters import RateLimiter
from contentgen_core.ports.publishing import PublishFailed, PublishingTargets, Refusal
from contentgen_core.ports.repositories.integrations import Integrations
from contentgen_core.ports.repositories.publications import PublicationCounts, Publications
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.integrations.connect import Connect
from contentgen_core.use_cases.use_case import use_case

TRIES_PER_MINUTE: Final = 30
"""Of connections that are not stored, by a tenant."""
TRIED_FOR: Final = 15.0
"""Seconds that a target has to answer such a try."""


@frozen
class NewIntegration:
    caller: Caller
    provider: str
    name: str
    enabled: bool
    credentials: Mapping[str, Any]
    settings: Mapping[str, Any]


@frozen
class ChangedIntegration:
    """UNSET fields are not changed; nor are fields of credentials and settings that are not sent. None clears one of
    these."""

    caller: Caller
    integration_id: IntegrationId
    name: str | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET
    credentials: Mapping[str, Any] | UnsetType = UNSET
    settings: Mapping[str, Any] | UnsetType = UNSET


@frozen
class ConnectionTest:
    """`message`: what the credentials give access to, or why the target refused them."""

    success: bool
    message: str


@use_case
class ManageIntegrations:
    unit_of_work: UnitOfWork
    targets: PublishingTargets
    connect: Connect
    limiter: RateLimiter
    clock: Clock
    ids: Ids

    def providers(self) -> Sequence[ProviderInfo]:
        return self.targets.all()

    async def list(self, caller: Caller) -> list[Integration]:
        async with self.unit_of_work() as tx:
            return await tx[Integrations].list(caller.tenant_id)

    async def get(self, caller: Caller, integration_id: IntegrationId) -> Integration:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            return await tx[Integrations].get(caller.tenant_id, integration_id)

    async def create(self, command: NewIntegration) -> Integration:
        """Raises InvalidInput, NotPermitted, QuotaExceeded, ConnectionTestFailed (with the target's reason)."""
        caller = command.caller
        name, info = self._check_new(command)
        _require_admin(caller, info)
        async with self.unit_of_work() as tx:
            self._check_quota(caller, await tx[Integrations].count(caller.tenant_id))
        integration = self._build(command, name, info)
        await self._test_connection(integration)
        integration = integration.connected(self.clock.now())
        async with self.unit_of_work() as tx:
            await tx[Tenants].lock(caller.tenant_id)  # so that concurrent requests cannot exceed the quota
            self._check_quota(caller, await tx[Integrations].count(caller.tenant_id))
            await tx[Integrations].add(integration)
        return integration

    async def try_new(self, command: NewIntegration) -> ConnectionTest:
        """Test a connection, whatever its name, without storing it. Raises InvalidInput, NotPermitted, RateLimited."""
        info = self._checked_connection(command)
        _require_admin(command.caller, info)
        return await self._try_connection(self._build(command, command.name, info))

    async def try_change(self, command: ChangedIntegration) -> ConnectionTest:
        """Test an integration as it would be after a change, without storing it. Raises InvalidInput, NotPermitted,
        NotFound, RateLimited."""
        try:
            return await self._try_connection(self._reconnect(await self._for_change(command), command))
        except ConnectionTestFailed as error:
            return ConnectionTest(False, error.detail)

    async def _try_connection(self, integration: Integration) -> ConnectionTest:
        allowance = await self.limiter.take(f"connection-tests:{integration.tenant_id}", TRIES_PER_MINUTE)
        if not allowance.allowed:
            resets_at = self.clock.now() + timedelta(seconds=allowance.reset_after)
            raise RateLimited(limit=allowance.limit, retry_after=allowance.retry_after, resets_at=resets_at)
        try:
            async with asyncio.timeout(TRIED_FOR):
                return ConnectionTest(True, await self.connect(integration).test())
        except TimeoutError:
            return ConnectionTest(False, f"{integration.provider}: no answer within {TRIED_FOR:.0f} seconds")
        except PublishFailed as error:
            return ConnectionTest(False, error.detail)

    def _check_new(self, command: NewIntegration) -> tuple[str, ProviderInfo]:
        """Return the name and the provider. Raises InvalidInput with all faults."""
        faults = Faults()
        name, info = faults.checked(checked_name, command.name), faults.checked(self._checked_connection, command)
        faults.require_none()
        return name, info

    def _checked_connection(self, command: NewIntegration) -> ProviderInfo:
        """Raises InvalidInput with all faults but the name's."""
        faults = Faults()
        info = faults.checked(self._provider, command.provider)
        if info is not None:
            faults.checked(check_fields, "credentials", command.credentials, info.credential_fields)
            faults.checked(check_fields, "settings", command.settings, info.setting_fields)
        faults.checked(_check_size, command.credentials, command.settings)
        faults.require_none()
        return info

    def _build(self, command: NewIntegration, name: str, info: ProviderInfo) -> Integration:
        now = self.clock.now()
        new = Integration(
            IntegrationId(self.ids.new()),
            command.caller.tenant_id,
            info.id,
            name,
            now,
            now,
            enabled=command.enabled,
            settings=_without_nulls(command.settings),
        )
        return self._set_credentials(new, info, command.credentials)

    async def change(self, command: ChangedIntegration) -> Integration:
        """Raises InvalidInput, NotPermitted, NotFound, ConnectionTestFailed, ConcurrentChange."""
        name = None if command.name is UNSET else checked_name(command.name)
        integration = await self._for_change(command)
        changed = evolve(integration, updated_at=self.clock.now())
        if name is not None:
            changed = evolve(changed, name=name)
        if command.enabled is not UNSET:
            changed = evolve(changed, enabled=command.enabled)
        if command.credentials is not UNSET or command.settings is not UNSET:
            changed = self._reconnect(changed, command)
            await self._test_connection(changed)
            changed = changed.connected(self.clock.now())
        async with self.unit_of_work() as tx:
            return await tx[Integrations].save(changed)

    async def _for_change(self, command: ChangedIntegration) -> Integration:
        """Raises NotPermitted, NotFound."""
        require_role(command.caller, Role.ADMIN)
        integration = await self.get(command.caller, command.integration_id)
        _require_admin(command.caller, self.targets.get(integration.provider))
        return integration

    async def publications(self, caller: Caller, integration_id: IntegrationId) -> PublicationCounts:
        """Count the publications at an integration, for example before it is deleted."""
        async with self.unit_of_work() as tx:
            return await tx[Publications].count(caller.tenant_id, integration_id)

    async def delete(self, caller: Caller, integration_id: IntegrationId) -> None:
        """Delete an integration; what was published stays published. Raises NotPermitted, NotFound."""
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            await tx[Integrations].delete(caller.tenant_id, integration_id)

    async def test(self, caller: Caller, integration_id: IntegrationId) -> ConnectionTest:
        """Test the connection, and record the result in the integration. Raises NotPermitted, NotFound."""
        require_role(caller, Role.ADMIN)
        integration = await self.get(caller, integration_id)
        try:
            message = await self.connect(integration).test()
        except PublishFailed as error:
            if error.refusal is Refusal.CREDENTIALS:
                await self._save(integration.failing(self.clock.now(), error.detail))
            return ConnectionTest(False, error.detail)
        await self._save(integration.connected(self.clock.now()))
        return ConnectionTest(True, message)

    async def options(
        self, caller: Caller, provider: str, integration_id: IntegrationId | None
    ) -> Sequence[PublishOptionField]:
        """The options of a request to publish; with an integration also those that only its target knows. Raises
        NotFound, PublishFailed, InvalidInput for an integration of another provider."""
        info = self.targets.get(provider)
        if integration_id is None:
            return info.option_fields
        integration = await self.get(caller, integration_id)
        if integration.provider != provider:
            raise InvalidInput.of("integrationId", f"is one of {integration.provider}")
        found = {field.name: field for field in await self.connect(integration).options()}
        return [found.pop(field.name, field) for field in info.option_fields] + list(found.values())

    def _reconnect(self, integration: Integration, command: ChangedIntegration) -> Integration:
        info = self.targets.get(integration.provider)
        credentials = {**integration.credentials, **self._secrets_kept(integration, command)}
        credentials |= {} if command.credentials is UNSET else dict(command.credentials)
        settings = {**integration.settings, **({} if command.settings is UNSET else command.settings)}
        check_fields("credentials", credentials, info.credential_fields)
        check_fields("settings", settings, info.setting_fields)
        _check_size(credentials, settings)
        _check_place(integration, info, credentials, command)
        return self._set_credentials(evolve(integration, settings=_without_nulls(settings)), info, credentials)

    def _secrets_kept(self, integration: Integration, command: ChangedIntegration) -> dict[str, Any]:
        """The stored secrets that were not sent. Not decrypted if all were sent, so that a person can enter all of them
        anew after the key was lost."""
        sent = set() if command.credentials is UNSET else set(command.credentials)
        if sent.issuperset(integration.secret_fields):
            return {}
        try:
            return self.connect.secrets(integration)
        except PublishFailed as error:
            raise ConnectionTestFailed(error.detail) from error

    def _set_credentials(
        self, integration: Integration, info: ProviderInfo, credentials: Mapping[str, Any]
    ) -> Integration:
        secret = {field.name for field in info.credential_fields if field.secret}
        given = _without_nulls(credentials)
        secrets = {name: value for name, value in given.items() if name in secret}
        return evolve(
            integration,
            credentials={name: value for name, value in given.items() if name not in secret},
            sealed=self.connect.sealed(integration.tenant_id, secrets),
            secret_fields=tuple(sorted(secrets)),
        )

    async def _test_connection(self, integration: Integration) -> None:
        """Raises ConnectionTestFailed with the target's reason."""
        try:
            await self.connect(integration).test()
        except PublishFailed as error:
            raise ConnectionTestFailed(error.detail) from error

    async def _save(self, integration: Integration) -> None:
        async with self.unit_of_work() as tx:
            await tx[Integrations].save(integration)

    def _provider(self, provider: str) -> ProviderInfo:
        try:
            return self.targets.get(provider)
        except NotFound as error:
            known = ", ".join(info.id for info in self.targets.all())
            raise InvalidInput.of("provider", f"one of {known}") from error

    def _check_quota(self, caller: Caller, used: int) -> None:
        limit = limit_of(caller.plan, Quota.INTEGRATIONS)
        if limit is not None and used >= limit:
            raise quota_error(caller.plan, Quota.INTEGRATIONS, used, self.clock.now())


def _require_admin(caller: Caller, info: ProviderInfo) -> None:
    """Raises NotPermitted."""
    require_role(caller, Role.ADMIN)
    if info.platform_only:
        require_platform_admin(caller)


def _check_place(
    integration: Integration, info: ProviderInfo, credentials: Mapping[str, Any], command: ChangedIntegration
) -> None:
    """Secrets that are not sent stay, unless the target is at another host now: whoever may change an integration may
    not have them sent to where they were not entered for. Raises InvalidInput."""
    sent = set() if command.credentials is UNSET else set(command.credentials)
    kept = set(integration.secret_fields) - sent
    addresses = [each for each in info.credential_fields if each.type is FieldType.URL and not each.secret]
    if any(_origin(integration.credentials, each) != _origin(credentials, each) for each in addresses):
        again = [FieldError(f"credentials.{name}", "is needed again, since the address changes") for name in kept]
        if again:
            raise InvalidInput(*sorted(again, key=lambda fault: fault.field))


def _origin(credentials: Mapping[str, Any], address: SettingField) -> tuple[str, str] | None:
    """Scheme and host with port of an address; None without one."""
    value = credentials.get(address.name) or address.default
    parts = urlsplit(value) if isinstance(value, str) else None
    return None if parts is None else (parts.scheme.lower(), parts.netloc.lower())


def _without_nulls(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _check_size(credentials: Mapping[str, Any], settings: Mapping[str, Any]) -> None:
    for name, value in (("credentials", credentials), ("settings", settings)):
        if len(json.dumps(dict(value)).encode()) > MAX_OBJECT_BYTES:
            raise InvalidInput(FieldError(name, f"at most {MAX_OBJECT_BYTES // 1024} KiB"))
