"""A user's webhook, signed by Standard Webhooks (standardwebhooks.com, specification 1.0)."""

from __future__ import annotations

import hashlib
from typing import Any, Final

import msgspec
from attrs import frozen
from standardwebhooks.webhooks import Webhook

from contentgen_adapters.publishing.provider import Connection, Provider
from contentgen_adapters.publishing.target import Target, read_as
from contentgen_adapters.shared.webhook_signing import headers_of, signer_of
from contentgen_core.errors import InvalidInput
from contentgen_core.model.publication import PostStatus
from contentgen_core.model.publishing_target import (
    WEBHOOK_DELAYS,
    Feature,
    FieldType,
    IntegrationConstraints,
    Post,
    PostSource,
    ProviderInfo,
    PublishOptionField,
    RemotePost,
    SettingField,
)
from contentgen_core.ports.publishing import LookupUnsupported


class _Answer(msgspec.Struct):
    """The optional answer of a receiver: id and address of the post it created."""

    id: str | int | None = None
    url: str | None = None


@frozen
class WebhookPublisher:
    """The `webhook-id` of a message is derived from the post's key and content: the same on every attempt, as the
    specification requires, so that receivers can ignore repetitions."""

    connection: Connection
    target: Target
    signer: Webhook | None

    async def test(self) -> str:
        await self._send("webhook.test", {"message": "This is a test of the connection."}, "contentgen-test")
        return "The webhook took a signed test message." if self.signer else "The webhook took a test message."

    async def find(self, post: Post) -> RemotePost | None:
        raise LookupUnsupported

    async def create(self, post: Post) -> RemotePost:
        type = "article.drafted" if post.status is PostStatus.DRAFT else "article.published"
        return await self._notify(type, post, post.external_key)

    async def update(self, remote_id: str, post: Post) -> RemotePost:
        return await self._notify("article.updated", post, remote_id)

    async def read(self, remote_id: str) -> RemotePost | None:
        raise LookupUnsupported

    async def options(self) -> tuple[PublishOptionField, ...]:
        return ()

    async def _notify(self, type: str, post: Post, remote_id: str) -> RemotePost:
        answer = await self._send(type, {**_data(post), "id": remote_id}, post.external_key)
        return RemotePost(str(answer.id or remote_id), post.status, answer.url)

    async def _send(self, type: str, data: dict[str, Any], key: str) -> _Answer:
        now = self.connection.now()
        content = hashlib.sha256(msgspec.json.encode((type, data))).hexdigest()[:16]
        message = f"{key}-{content}"
        body = msgspec.json.encode({"type": type, "timestamp": now, "data": data})
        headers = headers_of(message, now, body, [] if self.signer is None else [self.signer])
        response = await self.target.call("POST", self.connection.credentials["url"], content=body, headers=headers)
        return read_as(response, _Answer) or _Answer()  # the answer is optional


def _data(post: Post) -> dict[str, Any]:
    values: dict[str, Any] = {
        "articleId": post.article_id,
        "title": post.title,
        "slug": post.slug,
        "status": post.status,
        "scheduledFor": post.scheduled_for,
        "language": post.language,
        "excerpt": post.excerpt,
        "markdown": post.markdown,
        "tags": post.tags,
        "categories": post.categories,
        "featuredImage": post.featured_image,
        "canonicalUrl": post.canonical_url,
        "metaTitle": post.meta_title,
        "metaDescription": post.meta_description,
        "sources": [_source(source) for source in post.sources],
    }
    return {name: value for name, value in values.items() if value is not None}


def _source(source: PostSource) -> dict[str, object]:
    told: dict[str, object] = {"number": source.number, "title": source.title, "url": source.url}
    more = {"author": source.author, "published": source.published}
    return told | {name: value for name, value in more.items() if value is not None}


def _build(connection: Connection) -> WebhookPublisher:
    secret = connection.credentials.get("secret")
    try:
        signer = signer_of(secret) if secret else None
    except ValueError as error:
        raise InvalidInput.of("credentials.secret", "must be whsec_ and 24 to 64 bytes in Base64") from error
    return WebhookPublisher(connection, connection.target("webhook", ""), signer)


PROVIDER: Final = Provider(
    ProviderInfo(
        id="webhook",
        name="Webhook",
        icon=(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor"'
            ' stroke-width="2"><circle cx="6" cy="17" r="3"/><circle cx="18" cy="17" r="3"/>'
            '<circle cx="12" cy="6" r="3"/><path d="M9 17h6M10.5 8.6 7.5 14.4M13.5 8.6l3 5.8"/></svg>'
        ),
        features=(Feature.DRAFT, Feature.PUBLISH, Feature.UPDATE, Feature.IDEMPOTENT, Feature.TAGS,
                  Feature.CATEGORIES, Feature.FEATURED_IMAGE, Feature.EXCERPT, Feature.SLUG, Feature.CANONICAL_URL),
        credential_fields=(
            SettingField("url", "Address", FieldType.URL, required=True,
                         help="Where the messages are sent by POST; answer with 2xx within 30 seconds."),
            SettingField("secret", "Signing secret", secret=True,
                         help="whsec_…: messages are then signed as Standard Webhooks says."),
        ),
        retry_delays=WEBHOOK_DELAYS,
        test_is_seen=True,
        constraints=IntegrationConstraints(
            body_format="JSON with the text as Markdown",
            cannot=(
                "What became of a message cannot be asked for: your receiver's answer is what counts.",
                "Repetitions carry the same webhook-id; a receiver that ignores it may act twice.",
            ),
        ),
    ),
    _build,
)  # fmt: skip
