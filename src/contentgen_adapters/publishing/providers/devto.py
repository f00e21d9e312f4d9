"""dev.to (Forem API v1): Markdown articles."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any, Final

import httpx
import msgspec
from attrs import frozen

from contentgen_adapters.publishing.bodies.markdown import markdown
from contentgen_adapters.publishing.bodies.texts import one_line, tag_slugs
from contentgen_adapters.publishing.payload import check_length, without_none
from contentgen_adapters.publishing.provider import Connection, Provider
from contentgen_adapters.publishing.target import Target, conflict_may_be_ours, fingerprint, usual_refusal
from contentgen_core.errors import InvalidInput
from contentgen_core.model.publication import PostStatus
from contentgen_core.model.publishing_target import (
    Choice,
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

_NAME: Final = "dev.to"
_BASE: Final = "https://dev.to/api"
_TITLE: Final = 128
_BODY_BYTES: Final = 800 * 1024
_TAGS: Final = 4
_TAG: Final = 30
"""Four tags of this length with commas are 126 characters, the limit of the list."""
_PAGE: Final = 50
"""Small, since lists include the whole texts."""
_PAGES: Final = 40
_MOST_ORGANISATIONS: Final = 10
_HEADERS: Final = {
    "Accept": "application/vnd.forem.api-v1+json",
    "User-Agent": "contentgen/0.1",  # without one the answer is 403 "Forbidden Bots"
}


class _Person(msgspec.Struct):
    username: str
    name: str | None = None


class _Organisation(msgspec.Struct):
    username: str | None = None
    slug: str | None = None
    name: str | None = None
    id: int | None = None


class _Article(msgspec.Struct):
    """An article. `published`: only in lists. `published_at`: missing for a draft."""

    id: int
    title: str
    url: str | None = None
    canonical_url: str | None = None
    published: bool | None = None
    published_at: str | None = None
    organization: _Organisation | None = None
    body_markdown: str | None = None


@frozen
class DevToPublisher:
    """An article is found by its canonical address where it has one, else by its title."""

    connection: Connection
    target: Target

    async def test(self) -> str:
        person = self.target.decoded(await self.target.get("/users/me"), _Person)
        return f"dev.to, as {person.name or person.username}"

    async def find(self, post: Post) -> RemotePost | None:
        async for article in self._articles():
            if post.canonical_url is not None:
                same = article.canonical_url == post.canonical_url
            else:
                same = article.title == one_line(post.title)
            if same:
                return self._remote(article)
        return None

    async def create(self, post: Post) -> RemotePost:
        body = self._body(post)
        with conflict_may_be_ours():
            return await self._send("POST", "/articles", body)

    async def update(self, remote_id: str, post: Post) -> RemotePost:
        body = self._body(post)
        made = await self._send("PUT", f"/articles/{remote_id}", body)
        if made.status is PostStatus.SCHEDULED and post.status is PostStatus.PUBLISHED:
            body["published_at"] = self.connection.now()
            made = await self._send("PUT", f"/articles/{remote_id}", body)
        return made

    async def read(self, remote_id: str) -> RemotePost | None:
        async for article in self._articles():
            if str(article.id) == remote_id:
                return self._remote(article)
        return None

    async def unpublish(self, remote_id: str) -> None:
        await self._send("PUT", f"/articles/{remote_id}", {"published": False})

    async def options(self) -> tuple[PublishOptionField, ...]:
        """The organisations of the newest articles, since the API cannot list them."""
        names: dict[str, str] = {}
        for article in await self._page(1):
            slug = article.organization and (article.organization.slug or article.organization.username)
            if article.organization and slug:
                names[slug] = article.organization.name or slug
        choices = []
        for slug, name in [*names.items()][:_MOST_ORGANISATIONS]:
            found = self.target.decoded(await self.target.get(f"/organizations/{slug}"), _Organisation)
            if found.id is not None:
                choices.append(Choice(str(found.id), name))
        return (_organisation(tuple(choices)),)

    async def _articles(self) -> AsyncIterator[_Article]:
        """The user's articles, drafts first. Raises LookupUnsupported after the last page that is searched."""
        for number in range(1, _PAGES + 1):
            page = await self._page(number)
            for article in page:
                yield article
            if len(page) < _PAGE:
                return
        raise LookupUnsupported

    async def _page(self, number: int) -> list[_Article]:
        response = await self.target.get("/articles/me/all", {"page": number, "per_page": _PAGE})
        return self.target.decoded(response, list[_Article])

    async def _send(self, method: str, path: str, article: dict[str, Any]) -> RemotePost:
        response = await self.target.call(method, path, json={"article": article})
        return self._remote(self.target.decoded(response, _Article))

    def _remote(self, article: _Article) -> RemotePost:
        at = datetime.fromisoformat(article.published_at) if article.published_at else None
        if at is None or article.published is False:
            status = PostStatus.DRAFT
        else:
            status = PostStatus.SCHEDULED if at > self.connection.now() else PostStatus.PUBLISHED
        text = None if article.body_markdown is None else fingerprint(article.title, article.body_markdown)
        return RemotePost(str(article.id), status, article.url if status is PostStatus.PUBLISHED else None, text)

    def _body(self, post: Post) -> dict[str, Any]:
        """Raises PublishFailed."""
        title, text = one_line(post.title), markdown(post, liquid=True)
        check_length(_NAME, "the title", len(title), _TITLE)
        check_length(_NAME, "the text", len(text.encode()), _BODY_BYTES, "bytes")
        organisation = post.options.get("organizationId") or self.connection.credentials.get("organizationId")
        if organisation and not _is_number(organisation):
            raise PublishFailed(_NAME, "organizationId must be the number of an organisation", Refusal.INVALID)
        fields = {
            "title": title,
            "body_markdown": text,
            "published": post.status is not PostStatus.DRAFT,
            "published_at": post.scheduled_for if post.status is PostStatus.SCHEDULED else None,
            "series": post.options.get("series") or None,
            "main_image": post.featured_image,
            "canonical_url": post.canonical_url,
            "description": one_line(post.excerpt or "") or None,
            "organization_id": int(organisation) if organisation else None,
        }
        return {**without_none(fields), "tags": list(tag_slugs(post.tags, most=_TAGS, longest=_TAG))}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 15


def _refusal(response: httpx.Response) -> Refusal:
    """The API answers 422 for a title or canonical address that is taken, as for every other fault."""
    if response.status_code == 422 and ("already been" in response.text or "already exists" in response.text):
        return Refusal.CONFLICT
    return usual_refusal(response)


def _build(connection: Connection) -> DevToPublisher:
    """Raises InvalidInput."""
    organisation = connection.credentials.get("organizationId")
    if organisation and not _is_number(organisation):
        raise InvalidInput.of("credentials.organizationId", "must be the number of an organisation")
    headers = {**_HEADERS, "api-key": connection.credentials["apiKey"]}
    return DevToPublisher(connection, connection.target(_NAME, _BASE, headers, _refusal))


def _organisation(choices: tuple[Choice, ...] = ()) -> PublishOptionField:
    return PublishOptionField("organizationId", "Organisation", FieldType.SELECT, choices=choices,
                              help="Publish for this organisation of yours instead of for yourself.")  # fmt: skip


PROVIDER: Final = Provider(
    ProviderInfo(
        id="devto",
        name="DEV Community (dev.to)",
        icon=(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor"'
            ' stroke-width="2"><rect x="2" y="5" width="20" height="14" rx="3"/>'
            '<path d="m9 9-3 3 3 3M15 9l3 3-3 3"/></svg>'
        ),
        features=(Feature.DRAFT, Feature.PUBLISH, Feature.SCHEDULE, Feature.UPDATE, Feature.FIND, Feature.TAGS,
                  Feature.FEATURED_IMAGE, Feature.EXCERPT, Feature.CANONICAL_URL, Feature.OPTIONS, Feature.UNPUBLISH),
        credential_fields=(
            SettingField("apiKey", "API key", required=True, secret=True,
                         help="On dev.to: Settings → Extensions → DEV Community API Keys → Generate API Key."),
            SettingField("organizationId", "Organisation number",
                         help="Only to publish for an organisation: its number, as GET /api/organizations/{name} shows"
                              " it. The organisation can also be chosen with each article."),
        ),
        option_fields=(
            PublishOptionField("series", "Series", help="The name of a series on dev.to; a new name begins one."),
            _organisation(),
        ),
        constraints=IntegrationConstraints(
            body_format="Markdown",
            title_max=_TITLE,
            body_max=_BODY_BYTES,
            tags_max=_TAGS,
            cannot=(
                "The address of an article cannot be chosen: dev.to makes it from the title, once.",
                "Tags are small letters and digits without spaces; the first four are taken, each up to 30 characters.",
                "There are no categories, and no texts of one's own for search engines.",
                "Articles cannot be deleted through the API.",
                "The date of a published article cannot be changed.",
                "The same title twice within five minutes is refused.",
                "The limit of a text is 800 KB; scripts and frames of other sites are left out.",
            ),
            unverified=(
                "The limit of a title (128 characters).",
                "How often new articles are taken from one account.",
                "Whether a scheduled article can be published at once by an update.",
                "Whether an update as a draft takes a published article back.",
            ),
        ),
    ),
    _build,
)  # fmt: skip
