"""Integrations: created and changed only with credentials that the target accepts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from contentgen_core.errors import ConnectionTestFailed, Faults, FieldError, InvalidInput, NotFound
from contentgen_core.model.changes import UNSET, UnsetType
from contentgen_core.model.ids import IntegrationId
from contentgen_core.model.integration import MAX_OBJECT_BYTES, Integration
from contentgen_core.model.publishing_target import ProviderInfo, PublishOptionField
from contentgen_core.model.tenant import Caller, Quota, Role
from contentgen_core.policies.articles.publishing import check_fields
from contentgen_core.policies.tenancy.access import require_platform_admin, require_role
from contentgen_core.policies.tenancy.quotas import limit_of, quota_error
from contentgen_core.policies.text.names import checked_name
from contentgen_core.ports.publishing import PublishFailed, PublishingTargets, Refusal
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.integrations.connect import Connect


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


@frozen
class ManageIntegrations:
    unit_of_work: UnitOfWork
    targets: PublishingTargets
    connect: Connect
    clock: Clock
    ids: Ids

    def providers(self) -> Sequence[ProviderInfo]:
        return self.targets.all()

    async def list(self, caller: Caller) -> list[Integration]:
        async with self.unit_of_work() as tx:
            return await tx.integrations.list(caller.tenant_id)

    async def get(self, caller: Caller, integration_id: IntegrationId) -> Integration:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            return await tx.integrations.get(caller.tenant_id, integration_id)

    async def create(self, command: NewIntegration) -> Integration:
        """Raises InvalidInput, NotPermitted, QuotaExceeded, ConnectionTestFailed (with the target's reason)."""
        caller = command.caller
        name, info = self._checked(command)
        require_role(caller, Role.ADMIN)
        if info.platform_only:
            require_platform_admin(caller)
        async with self.unit_of_work() as tx:
            self._check_quota(caller, await tx.integrations.count(caller.tenant_id))
        now = self.clock.now()
        integration = self._with_credentials(
            Integration(
                IntegrationId(self.ids.new()),
                caller.tenant_id,
                info.id,
                name,
                now,
                now,
                enabled=command.enabled,
                settings=_without_nulls(command.settings),
            ),
            info,
            command.credentials,
        )
        await self._test_connection(integration)
        integration = integration.connected(self.clock.now())
        async with self.unit_of_work() as tx:
            await tx.tenants.lock(caller.tenant_id)  # so that concurrent requests cannot exceed the quota
            self._check_quota(caller, await tx.integrations.count(caller.tenant_id))
            await tx.integrations.add(integration)
        return integration

    def _checked(self, command: NewIntegration) -> tuple[str, ProviderInfo]:
        """The name and the provider. Raises InvalidInput with all faults."""
        faults = Faults()
        name, info = faults.checked(checked_name, command.name), faults.checked(self._provider, command.provider)
        if info is not None:
            faults.checked(check_fields, "credentials", command.credentials, info.credential_fields)
            faults.checked(check_fields, "settings", command.settings, info.setting_fields)
        faults.checked(_check_size, command.credentials, command.settings)
        faults.require_none()
        return name, info

    async def change(self, command: ChangedIntegration) -> Integration:
        """Raises InvalidInput, NotPermitted, NotFound, ConnectionTestFailed, ConcurrentChange."""
        caller = command.caller
        name = None if command.name is UNSET else checked_name(command.name)
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            integration = await tx.integrations.get(caller.tenant_id, command.integration_id)
        if self.targets.get(integration.provider).platform_only:
            require_platform_admin(caller)
        changed = evolve(integration, updated_at=self.clock.now())
        if name is not None:
            changed = evolve(changed, name=name)
        if command.enabled is not UNSET:
            changed = evolve(changed, enabled=command.enabled)
        if command.credentials is not UNSET or command.settings is not UNSET:
            changed = self._reconnected(changed, command)
            await self._test_connection(changed)
            changed = changed.connected(self.clock.now())
        async with self.unit_of_work() as tx:
            return await tx.integrations.save(changed)

    async def delete(self, caller: Caller, integration_id: IntegrationId) -> None:
        """Delete an integration; what was published stays published. Raises NotPermitted, NotFound."""
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            await tx.integrations.delete(caller.tenant_id, integration_id)

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

    def _reconnected(self, integration: Integration, command: ChangedIntegration) -> Integration:
        info = self.targets.get(integration.provider)
        credentials = {**integration.credentials, **self._secrets_kept(integration, command)}
        credentials |= {} if command.credentials is UNSET else dict(command.credentials)
        settings = {**integration.settings, **({} if command.settings is UNSET else command.settings)}
        check_fields("credentials", credentials, info.credential_fields)
        check_fields("settings", settings, info.setting_fields)
        _check_size(credentials, settings)
        return self._with_credentials(evolve(integration, settings=_without_nulls(settings)), info, credentials)

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

    def _with_credentials(
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
            await tx.integrations.save(integration)

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


def _without_nulls(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _check_size(credentials: Mapping[str, Any], settings: Mapping[str, Any]) -> None:
    for name, value in (("credentials", credentials), ("settings", settings)):
        if len(json.dumps(dict(value)).encode()) > MAX_OBJECT_BYTES:
            raise InvalidInput(FieldError(name, f"at most {MAX_OBJECT_BYTES // 1024} KiB"))
