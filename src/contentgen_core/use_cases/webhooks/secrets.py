"""The signing secrets of webhook endpoints, which are decrypted here and nowhere else."""

from __future__ import annotations

from datetime import datetime

from attrs import evolve, frozen

from contentgen_core.model.ids import TenantId
from contentgen_core.model.webhook import FORMER_SECRET_KEPT, WebhookEndpoint
from contentgen_core.ports.sealing import SecretBox


def purpose_of(tenant_id: TenantId) -> str:
    """Includes the tenant, so that a sealed text copied to another tenant's row does not open."""
    return f"webhook of {tenant_id}"


@frozen
class WebhookSecrets:
    box: SecretBox

    def sealed(self, tenant_id: TenantId, secret: str) -> str:
        return self.box.seal(secret, purpose_of(tenant_id))

    def opened(self, endpoint: WebhookEndpoint, now: datetime) -> list[str]:
        """Those that messages are signed with now, the present one first. Raises SecretUnreadable."""
        sealed = [endpoint.sealed]
        if endpoint.former_until is not None and now < endpoint.former_until:
            sealed.append(endpoint.former_sealed)
        return [self.box.open(one, purpose_of(endpoint.tenant_id)) for one in sealed]

    def rotated(self, endpoint: WebhookEndpoint, secret: str, now: datetime) -> WebhookEndpoint:
        """The endpoint with another secret, beside which the present one counts for FORMER_SECRET_KEPT."""
        return evolve(
            endpoint,
            sealed=self.sealed(endpoint.tenant_id, secret),
            former_sealed=endpoint.sealed,
            former_until=now + FORMER_SECRET_KEPT,
            updated_at=now,
        )

    def resealed(self, endpoint: WebhookEndpoint) -> WebhookEndpoint:
        """The endpoint with its secrets under the newest key; itself where they are. Raises SecretUnreadable."""
        purpose = purpose_of(endpoint.tenant_id)

        def anew(sealed: str) -> str:
            if not sealed or self.box.current(sealed):
                return sealed
            return self.box.seal(self.box.open(sealed, purpose), purpose)

        return evolve(endpoint, sealed=anew(endpoint.sealed), former_sealed=anew(endpoint.former_sealed))
