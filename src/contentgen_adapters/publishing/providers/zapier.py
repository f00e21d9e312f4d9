"""Zapier: sends a post as a message to the "Catch Hook" trigger of a Zap."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import msgspec
from attrs import evolve, frozen

from contentgen_adapters.publishing.bodies.html import html
from contentgen_adapters.publishing.bodies.markdown import markdown
from contentgen_adapters.publishing.bodies.texts import excerpt
from contentgen_adapters.publishing.provider import Connection, Provider
from contentgen_adapters.publishing.target import Target, usual_refusal
from contentgen_core.errors import InvalidInput
from contentgen_core.model.publishing_target import (
    WEBHOOK_DELAYS,
    Feature,
    FieldType,
    IntegrationConstraints,
    Post,
    ProviderInfo,
    PublishOptionField,
    RemotePost,
    SettingField,
)
from contentgen_core.ports.publishing import LookupUnsupported, PublishFailed, Refusal

HOST: Final = "hooks.zapier.com"
MOST_BYTES: Final = 10_000_000
"""Most bytes of a message to a Catch Hook."""
_EXCERPT: Final = 300


class _Answer(msgspec.Struct):
    status: str = "success"


@frozen
class ZapierPublisher:
    """Never sends a message twice: a Zap may act on each, and Zapier cannot be queried."""

    connection: Connection
    target: Target

    async def test(self) -> str:
        now = self.connection.now()
        await self._send({"id": "contentgen-test", "type": "connection.test", "timestamp": now, "test": True})
        return "Zapier took a test message. It takes messages even while the Zap is off: see there that it is on."

    async def find(self, post: Post) -> RemotePost | None:
        raise LookupUnsupported

    async def create(self, post: Post) -> RemotePost:
        await self._send(await asyncio.to_thread(message_of, post, self.connection.now()))
        return RemotePost(post.external_key, post.status)

    async def update(self, remote_id: str, post: Post) -> RemotePost:
        raise PublishFailed("zapier", "a message that was sent cannot be changed", Refusal.INVALID)

    async def read(self, remote_id: str) -> RemotePost | None:
        raise LookupUnsupported

    async def options(self) -> tuple[PublishOptionField, ...]:
        return ()

    async def _send(self, message: dict[str, Any]) -> None:
        body = msgspec.json.encode(message)
        if len(body) > MOST_BYTES:
            raise PublishFailed("zapier", "the text is too long: Zapier takes messages of 10 MB", Refusal.INVALID)
        headers = {"Content-Type": "application/json"}
        address = self.connection.credentials["hookUrl"]
        response = await self.target.call("POST", address, content=body, headers=headers)
        if not response.content.strip():
            return  # a hook with the option "silent" sends no body
        if (said := self.target.decoded(response, _Answer).status) != "success":
            raise PublishFailed("zapier", f"it answered {said[:100]!r}", Refusal.INVALID, outcome_unknown=True)


def message_of(post: Post, now: datetime) -> dict[str, Any]:
    """The message for a post: flat, with lists as comma-separated texts, since steps of a Zap work on single values."""
    values: dict[str, Any] = {
        "id": post.external_key,
        "type": "article.published",
        "timestamp": now,
        "idempotency_key": f"{post.external_key}-published",
        "test": False,
        "article_id": post.article_id,
        "title": post.title,
        "slug": post.slug,
        "language": post.language,
        "excerpt": excerpt(post, _EXCERPT),
        "html": html(post),
        "markdown": markdown(post),
        "tags": ", ".join(post.tags),
        "categories": ", ".join(post.categories),
        "featured_image": post.featured_image,
        "featured_image_alt": post.featured_image_alt if post.featured_image else None,
        "canonical_url": post.canonical_url,
        "meta_title": post.meta_title,
        "meta_description": post.meta_description,
    }
    return {name: value for name, value in values.items() if value is not None}


def _refusal(response: httpx.Response) -> Refusal:
    """Return the refusal. A refused address means refused credentials: there are no others."""
    return Refusal.CREDENTIALS if response.status_code in (404, 410) else usual_refusal(response)


def _build(connection: Connection) -> ZapierPublisher:
    address = urlsplit(connection.credentials["hookUrl"])
    parts = address.path.strip("/").split("/")
    if (address.scheme, address.netloc, *parts[:2]) != ("https", HOST, "hooks", "catch") or len(parts) < 4:
        raise InvalidInput.of("credentials.hookUrl", f"must begin with https://{HOST}/hooks/catch/ and name a hook")
    hidden = evolve(connection, secrets=(*connection.secrets, address.path, address.path.strip("/")))
    return ZapierPublisher(connection, hidden.target("zapier", "", refusal=_refusal))


PROVIDER: Final = Provider(
    ProviderInfo(
        id="zapier",
        name="Zapier",
        icon=(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor"'
            ' stroke-width="2" stroke-linejoin="round"><path d="M13 3 6 13h5l-1 8 8-11h-5z"/></svg>'
        ),
        features=(Feature.PUBLISH, Feature.TAGS, Feature.CATEGORIES, Feature.FEATURED_IMAGE, Feature.EXCERPT,
                  Feature.SLUG, Feature.CANONICAL_URL),
        credential_fields=(
            SettingField("hookUrl", "Webhook address", FieldType.URL, required=True, secret=True,
                         help="Begin a Zap with Webhooks by Zapier > Catch Hook and copy the address of its Test tab."),
        ),
        retry_delays=WEBHOOK_DELAYS,
        test_is_seen=True,
        constraints=IntegrationConstraints(
            body_format="JSON with the text as HTML and as Markdown, at most 10 MB",
            cannot=(
                "Zapier does not tell what a Zap made of a message, nor whether the Zap is on.",
                "After a lost answer nobody knows whether the message arrived: a person looks. The field"
                " idempotency_key is the same for every message on one post, so a Zap can leave out a second one.",
                "There are no drafts, and no changes to what was sent: a Zap may act on every message.",
                "The address of what the Zap makes is not known here.",
                "Messages are not signed.",
            ),
            unverified=("The form of Zapier's answer, and how it answers for a hook that was deleted.",),
        ),
    ),
    _build,
)  # fmt: skip
