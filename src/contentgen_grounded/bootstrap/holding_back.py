"""The ports of an instance that sends nothing."""

from __future__ import annotations

from attrs import evolve

from contentgen_adapters.held_back import HeldIndexNow, HeldMailer, HeldTargets, HeldWebhooks
from contentgen_core.services.ports import Ports


def holding_back(ports: Ports) -> Ports:
    """Return these ports, of which those that send refuse to: mail, targets, webhooks, search engines."""
    return evolve(
        ports,
        mailer=HeldMailer(ports.mailer),
        targets=HeldTargets(ports.targets),
        webhook_sender=HeldWebhooks(ports.webhook_sender),
        index_now=HeldIndexNow(),
    )
