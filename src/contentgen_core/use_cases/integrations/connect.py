"""Make a publisher from a stored integration; its secrets are decrypted here and nowhere else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from contentgen_core.model.ids import TenantId
from contentgen_core.model.integration import Integration
from contentgen_core.ports.publishing import Publisher, PublishFailed, PublishingTargets, Refusal
from contentgen_core.ports.sealing import SecretBox, SecretUnreadable
from contentgen_core.use_cases.use_case import use_case


def purpose_of(tenant_id: TenantId) -> str:
    """Includes the tenant, so that a sealed text copied to another tenant's row does not open."""
    return f"integration of {tenant_id}"


@use_case
class Connect:
    """Makes publishers of integrations."""

    targets: PublishingTargets
    box: SecretBox

    def __call__(self, integration: Integration) -> Publisher:
        """Raises PublishFailed when its secrets cannot be decrypted, NotFound when its provider does not exist any
        more."""
        credentials = {**integration.credentials, **self.secrets(integration)}
        return self.targets.connect(integration.provider, credentials, integration.settings, integration.tenant_id)

    def secrets(self, integration: Integration) -> dict[str, Any]:
        """The decrypted secrets by field. Raises PublishFailed."""
        if not integration.sealed:
            return {}
        try:
            opened: dict[str, Any] = json.loads(self.box.open(integration.sealed, purpose_of(integration.tenant_id)))
        except SecretUnreadable as error:
            message = "its stored credentials cannot be read: the key they were sealed with is gone. Enter them again"
            raise PublishFailed(integration.provider, message, Refusal.CREDENTIALS) from error
        return opened

    def sealed(self, tenant_id: TenantId, secrets: Mapping[str, Any]) -> str:
        """The secrets, encrypted for this tenant; "" for none."""
        return self.box.seal(json.dumps(dict(secrets)), purpose_of(tenant_id)) if secrets else ""
