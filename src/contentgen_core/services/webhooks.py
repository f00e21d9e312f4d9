"""Webhooks: endpoints, and the delivery of events to them."""

from __future__ import annotations

from attrs import frozen

from contentgen_core.services.shared import Shared
from contentgen_core.use_cases.host_places import HostPlaces
from contentgen_core.use_cases.webhooks.deliver import DeliverWebhooks
from contentgen_core.use_cases.webhooks.manage_webhooks import ManageWebhooks


@frozen(kw_only=True)
class Webhooks:
    """Use cases on webhook endpoints and deliveries. `deliver`: for the background."""

    endpoints: ManageWebhooks
    deliver: DeliverWebhooks

    @classmethod
    def compose(cls, shared: Shared) -> Webhooks:
        p, secrets = shared.ports, shared.webhook_secrets
        places = HostPlaces(p.clock, shared.options.calls_per_host)
        return cls(
            endpoints=ManageWebhooks(p.unit_of_work, p.webhook_sender, secrets, p.clock, p.ids),
            deliver=DeliverWebhooks(shared.background, p.webhook_sender, secrets, p.clock, p.ids, places),
        )
