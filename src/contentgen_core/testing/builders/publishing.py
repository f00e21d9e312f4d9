"""Integrations, publications, voices and webhooks."""

from __future__ import annotations

from typing import Any

from contentgen_core.model.ids import IntegrationId, PublicationId, TenantId, VoiceId, WebhookEndpointId
from contentgen_core.model.integration import Integration
from contentgen_core.model.publication import PostRequest, Publication
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.voice import Voice
from contentgen_core.model.webhook import WebhookEndpoint
from contentgen_core.testing.builders.base import new_id, short
from contentgen_core.testing.runtime import MOMENT


def integration(**changes: Any) -> Integration:
    id = IntegrationId(new_id())
    defaults: dict[str, Any] = {
        "id": id,
        "tenant_id": TenantId(new_id()),
        "provider": "webhook",
        "name": f"Integration {short(id)}",
        "created_at": MOMENT,
        "updated_at": MOMENT,
    }
    return Integration(**defaults | changes)


def voice(**changes: Any) -> Voice:
    defaults: dict[str, Any] = {
        "id": VoiceId(new_id()),
        "tenant_id": TenantId(new_id()),
        "name": "House style",
        "language": Language.EN,
        "created_at": MOMENT,
        "updated_at": MOMENT,
    }
    return Voice(**defaults | changes)


def publication(**changes: Any) -> Publication:
    defaults: dict[str, Any] = {
        "id": PublicationId(new_id()),
        "tenant_id": TenantId(new_id()),
        "integration_id": IntegrationId(new_id()),
        "provider": "webhook",
        "request": PostRequest(),
        "created_at": MOMENT,
        "updated_at": MOMENT,
    }
    return Publication(**defaults | changes)


def webhook_endpoint(**changes: Any) -> WebhookEndpoint:
    defaults: dict[str, Any] = {
        "id": WebhookEndpointId(new_id()),
        "tenant_id": TenantId(new_id()),
        "name": "Our receiver",
        "url": "https://hooks.example.org/contentgen",
        "sealed": "sealed",
        "created_at": MOMENT,
        "updated_at": MOMENT,
    }
    return WebhookEndpoint(**defaults | changes)
