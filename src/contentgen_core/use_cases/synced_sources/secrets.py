"""The secret settings of sources; they are decrypted here and nowhere else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from attrs import evolve, frozen

from contentgen_core.model.ids import TenantId
from contentgen_core.model.publishing_target import SettingField
from contentgen_core.model.synced_source import SyncedSource
from contentgen_core.ports.sealing import SecretBox, SecretUnreadable
from contentgen_core.ports.source_reading import SourceUnavailable


def purpose_of(tenant_id: TenantId) -> str:
    """Return the purpose of a sealed text. It includes the tenant, so that a sealed text copied to another tenant's row
    does not open."""
    return f"source of {tenant_id}"


@frozen
class SourceSecrets:
    box: SecretBox

    def opened(self, source: SyncedSource) -> dict[str, Any]:
        """The secrets by field. Raises SourceUnavailable."""
        if not source.sealed:
            return {}
        try:
            opened: dict[str, Any] = json.loads(self.box.open(source.sealed, purpose_of(source.tenant_id)))
        except SecretUnreadable as error:
            message = "Its stored secrets cannot be read: the key they were sealed with is gone. Enter them again."
            raise SourceUnavailable(message) from error
        return opened

    def kept(self, source: SyncedSource, values: Mapping[str, Any], fields: tuple[SettingField, ...]) -> SyncedSource:
        """The source with these settings, the secret ones sealed."""
        secret = {field.name for field in fields if field.secret}
        given = {name: value for name, value in values.items() if value not in (None, "")}
        secrets = {name: value for name, value in given.items() if name in secret}
        return evolve(
            source,
            settings={name: value for name, value in given.items() if name not in secret},
            sealed=self.sealed(source.tenant_id, secrets),
            secret_fields=tuple(sorted(secrets)),
        )

    def sealed(self, tenant_id: TenantId, secrets: Mapping[str, Any]) -> str:
        """The secrets, encrypted for this tenant; "" for none."""
        return self.box.seal(json.dumps(dict(secrets)), purpose_of(tenant_id)) if secrets else ""
