"""Contentful: entries of one content type, by the Content Management API and a personal access token.

The entry's id is the post's key: a creation without an answer can be repeated."""

from __future__ import annotations

import asyncio
import hashlib
import mimetypes
import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import msgspec
from attrs import frozen

from contentgen_adapters.publishing.bodies.contentful_fields import (
    KNOWN,
    MAX_SYMBOL,
    ContentType,
    Field,
    TypeMismatch,
    mapped,
    values,
)
from contentgen_adapters.publishing.field_map import field_map, post_address, url_template
from contentgen_adapters.publishing.preparing import preparation, response_of, with_reason
from contentgen_adapters.publishing.provider import Connection, Provider
from contentgen_adapters.publishing.target import Target, fingerprint, read_as
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
from contentgen_core.ports.publishing import PublishFailed, Refusal

NAME: Final = "contentful"
MAX_REQUEST_BYTES: Final = 1_000_000
DEFAULT_MAP: Final = {"title": "title", "body": "body", "slug": "slug"}
PROCESSING_WAITS: Final = (0.0, 0.3, 0.7, 1.5, 3.0, 5.0, 5.0)
"""Seconds before each look at an image that Contentful fetches."""
_HOSTS: Final = {"us": "https://api.contentful.com", "eu": "https://api.eu.contentful.com"}
_CONTENT_TYPE: Final = "application/vnd.contentful.management.v1+json"
_ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")


class _Sys(msgspec.Struct):
    id: str
    version: int = 0
    published_version: int | None = msgspec.field(default=None, name="publishedVersion")


class _Resource(msgspec.Struct):
    """An entry or an asset. `fields`: values by field and locale."""

    sys: _Sys
    fields: dict[str, dict[str, Any]] = {}
    metadata: dict[str, Any] | None = None


class _Locale(msgspec.Struct):
    code: str
    default: bool = False


class _Locales(msgspec.Struct):
    items: list[_Locale]


class _Fault(msgspec.Struct):
    name: str = ""
    path: list[Any] = []
    details: Any = None


class _Details(msgspec.Struct):
    errors: list[_Fault] = []


class _Problem(msgspec.Struct):
    message: str
    details: Any = None


@frozen
class _Form:
    """The form of an entry: the content type's fields by our names, and the locales."""

    fields: dict[str, Field]
    default_locale: str
    locale: str

    def locale_of(self, field: Field) -> str:
        """The locale of a field's value: the default one for fields that are not localized."""
        return self.locale if field.localized else self.default_locale


@frozen
class ContentfulPublisher:
    connection: Connection
    target: Target
    content_type: str
    fields: dict[str, str]
    locale: str | None
    template: str | None

    async def test(self) -> str:
        with preparation("the space and environment"):
            await self._call("GET", "")
        content_type = await self._content_type()
        await self._form(content_type)
        return f'The content type "{content_type.name}"'

    async def find(self, post: Post) -> RemotePost | None:
        return await self.read(post.external_key)

    async def create(self, post: Post) -> RemotePost:
        """Creates the entry, or updates the one that an earlier attempt created."""
        return await self._written(post, post.external_key, await self._existing("entries", post.external_key))

    async def update(self, remote_id: str, post: Post) -> RemotePost:
        """Updates the entry, except for its slug and fields that are not mapped."""
        existing = await self._existing("entries", remote_id)
        if existing is None:
            raise PublishFailed(NAME, f"there is no entry {remote_id} (any more)", Refusal.GONE)
        return await self._written(post, remote_id, existing)

    async def read(self, remote_id: str) -> RemotePost | None:
        existing = await self._existing("entries", remote_id)
        return self._remote(existing) if existing else None

    async def unpublish(self, remote_id: str) -> None:
        await self._withdrawn(remote_id)

    async def delete(self, remote_id: str) -> None:
        entry = await self._withdrawn(remote_id)  # Contentful deletes no entry that is published
        await self._call("DELETE", f"/entries/{remote_id}", headers=_version(entry))

    async def _withdrawn(self, remote_id: str) -> _Resource:
        existing = await self._existing("entries", remote_id)
        if existing is None:
            raise PublishFailed(NAME, f"there is no entry {remote_id} (any more)", Refusal.GONE)
        return await self._unpublished(existing)

    async def _unpublished(self, entry: _Resource) -> _Resource:
        if entry.sys.published_version is None:
            return entry
        path = f"/entries/{entry.sys.id}/published"
        return self._decoded(await self._call("DELETE", path, headers=_version(entry)))

    async def options(self) -> Sequence[PublishOptionField]:
        """One option for each list whose values the content type restricts."""
        form = await self._form(await self._content_type())
        return tuple(
            PublishOptionField(
                ours,
                ours.capitalize(),
                FieldType.LIST,
                choices=tuple(Choice(value, value) for value in form.fields[ours].allowed),
            )
            for ours in ("tags", "categories")
            if ours in form.fields and form.fields[ours].allowed
        )

    async def _written(self, post: Post, id: str, existing: _Resource | None) -> RemotePost:
        form = await self._form(await self._content_type())
        asset = None
        if post.featured_image and "featuredImage" in form.fields:
            with preparation("its featured image"):
                asset = await self._asset(post, post.featured_image, form.default_locale)
        try:
            made = await self._put(post, id, form, asset, existing)
        except PublishFailed as error:
            if error.refusal is not Refusal.CONFLICT:
                raise
            existing = await self._existing("entries", id)  # a concurrent change: once more, on the new version
            if existing is None:
                raise
            made = await self._put(post, id, form, asset, existing)
        if post.status is PostStatus.PUBLISHED:
            made = await self._published("entries", made)
        else:
            made = await self._unpublished(made)
        return self._remote(made)

    async def _put(self, post: Post, id: str, form: _Form, asset: str | None, existing: _Resource | None) -> _Resource:
        body = await asyncio.to_thread(self._body, post, form, asset, existing)
        header = _version(existing) if existing is not None else {"X-Contentful-Content-Type": self.content_type}
        return self._decoded(await self._call("PUT", f"/entries/{id}", content=body, headers=header))

    def _body(self, post: Post, form: _Form, asset: str | None, existing: _Resource | None) -> bytes:
        """The whole entry, since Contentful replaces it: other fields and locales are kept."""
        fields = {id: dict(by_locale) for id, by_locale in existing.fields.items()} if existing else {}
        slug = form.fields.get("slug")
        try:
            for field, value in values(post, form.fields, asset):
                by_locale = fields.setdefault(field.id, {})
                locale = form.locale_of(field)
                if field is not slug or not by_locale.get(locale):
                    by_locale[locale] = value
        except TypeMismatch as error:
            raise PublishFailed(NAME, str(error), Refusal.INVALID) from error
        metadata = {"metadata": existing.metadata} if existing and existing.metadata else {}
        body = msgspec.json.encode({"fields": fields, **metadata})
        if len(body) > MAX_REQUEST_BYTES:
            message = f"the text is too long: {len(body):,} bytes as JSON, Contentful takes {MAX_REQUEST_BYTES:,}"
            raise PublishFailed(NAME, message, Refusal.INVALID)
        return body

    async def _asset(self, post: Post, address: str, locale: str) -> str:
        """The id of the image's asset, derived from its address, so that an image is one asset. Contentful fetches the
        image asynchronously."""
        id = f"contentgen-{hashlib.sha256(address.encode()).hexdigest()[:32]}"
        asset = await self._existing("assets", id)
        if asset is None:
            name = urlsplit(address).path.rpartition("/")[2][:100] or "image"
            kind = mimetypes.guess_type(name)[0] or ""
            file = {"contentType": kind if kind.startswith("image/") else "image/jpeg", "fileName": name}
            title = (post.featured_image_alt or post.title)[:MAX_SYMBOL]
            fields = {"title": {locale: title}, "file": {locale: {**file, "upload": address}}}
            asset = self._decoded(await self._call("PUT", f"/assets/{id}", json={"fields": fields}))
        if not _is_processed(asset, locale):
            await self._call("PUT", f"/assets/{id}/files/{locale}/process", headers=_version(asset))
            asset = await self._processed(id, locale)
        if post.status is PostStatus.PUBLISHED and asset.sys.published_version is None:
            await self._published("assets", asset)
        return id

    async def _processed(self, id: str, locale: str) -> _Resource:
        for wait in PROCESSING_WAITS:
            await asyncio.sleep(wait)
            asset = await self._existing("assets", id)
            if asset is not None and _is_processed(asset, locale):
                return asset
        raise PublishFailed(NAME, "Contentful has not fetched it yet; is its address public?", Refusal.TRANSIENT)

    async def _published(self, kind: str, existing: _Resource) -> _Resource:
        path = f"/{kind}/{existing.sys.id}/published"
        return self._decoded(await self._call("PUT", path, headers=_version(existing)))

    async def _content_type(self) -> ContentType:
        with preparation(f"the content type {self.content_type}"):
            response = await self._call("GET", f"/content_types/{self.content_type}")
        return self.target.decoded(response, ContentType)

    async def _form(self, content_type: ContentType) -> _Form:
        try:
            fields = mapped(content_type, self.fields)
        except TypeMismatch as error:
            raise PublishFailed(NAME, str(error), Refusal.INVALID) from error
        with preparation("the locales"):
            response = await self._call("GET", "/locales", params={"limit": 100})
        locales = self.target.decoded(response, _Locales).items
        default = next((locale.code for locale in locales if locale.default), "en-US")
        chosen = self.locale or default
        if chosen not in {default, *(locale.code for locale in locales)}:
            known = ", ".join(locale.code for locale in locales)
            raise PublishFailed(NAME, f"there is no locale {chosen}; there are {known}", Refusal.INVALID)
        return _Form(fields, default, chosen)

    async def _existing(self, kind: str, id: str) -> _Resource | None:
        if not _ID.fullmatch(id):
            return None
        try:
            return self._decoded(await self._call("GET", f"/{kind}/{id}"))
        except PublishFailed as error:
            if error.refusal is Refusal.GONE:
                return None
            raise

    def _decoded(self, response: httpx.Response) -> _Resource:
        return self.target.decoded(response, _Resource)

    async def _call(self, method: str, path: str, **parts: Any) -> httpx.Response:
        try:
            return await self.target.call(method, path, **parts)
        except PublishFailed as error:
            answer = response_of(error)
            if answer is None:
                raise
            reason = _reason(answer)
            if reason is None:
                raise
            raise with_reason(self.target, error, reason, retry_after=_reset(answer)) from error.__cause__

    def _remote(self, existing: _Resource) -> RemotePost:
        if existing.sys.published_version is None:
            return RemotePost(existing.sys.id, PostStatus.DRAFT, None, fingerprint(existing.fields))
        slugs = existing.fields.get(self.fields.get("slug", ""), {})
        slug = slugs.get(self.locale or "") or next(iter(slugs.values()), None)
        url = post_address(self.template, slug, existing.sys.id)
        return RemotePost(existing.sys.id, PostStatus.PUBLISHED, url, fingerprint(existing.fields))


def _version(existing: _Resource) -> dict[str, str]:
    return {"X-Contentful-Version": str(existing.sys.version)}


def _is_processed(asset: _Resource, locale: str) -> bool:
    file = asset.fields.get("file", {}).get(locale)
    return isinstance(file, dict) and bool(file.get("url"))


def _reset(response: httpx.Response) -> float | None:
    """The seconds until the rate limit resets, from Contentful's header."""
    text = response.headers.get("x-contentful-ratelimit-reset", "")
    return float(text) if text.isdecimal() and response.status_code == 429 else None


def _reason(response: httpx.Response) -> str | None:
    problem = read_as(response, _Problem)
    if problem is None:
        return None
    try:
        faults = msgspec.convert(problem.details or {}, _Details).errors
    except msgspec.ValidationError:
        faults = []
    said = (f"{'.'.join(map(str, each.path))}: {each.details or each.name}" for each in faults)
    return "; ".join((problem.message, *said))


def _build(connection: Connection) -> ContentfulPublisher:
    given, settings = connection.credentials, connection.settings
    space, environment = str(given["spaceId"]).strip(), str(given["environmentId"]).strip()
    content_type = str(settings.get("contentTypeId") or "").strip()
    checked = (
        ("credentials.spaceId", space),
        ("credentials.environmentId", environment),
        ("settings.contentTypeId", content_type),
    )
    for name, id in checked:
        if not _ID.fullmatch(id) or set(id) <= {"."}:
            raise InvalidInput.of(name, "an id of letters, digits, - . and _, at most 64")
    headers = {"Authorization": f"Bearer {str(given['managementToken']).strip()}", "Content-Type": _CONTENT_TYPE}
    base = f"{_HOSTS[given['region']]}/spaces/{space}/environments/{environment}"
    return ContentfulPublisher(
        connection,
        connection.target(NAME, base, headers),
        content_type,
        field_map(settings, DEFAULT_MAP, KNOWN, ("title", "body")),
        str(settings.get("locale") or "").strip() or None,
        url_template(settings),
    )


PROVIDER: Final = Provider(
    ProviderInfo(
        id=NAME,
        name="Contentful",
        icon=(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor"'
            ' stroke-width="2" stroke-linecap="round"><path d="M18 7a8 8 0 1 0 0 10M15 9.5a4 4 0 1 0 0 5"/>'
            '<circle cx="19" cy="12" r="1"/></svg>'
        ),
        features=(Feature.DRAFT, Feature.PUBLISH, Feature.UPDATE, Feature.FIND, Feature.IDEMPOTENT, Feature.TAGS,
                  Feature.CATEGORIES, Feature.FEATURED_IMAGE, Feature.EXCERPT, Feature.SLUG, Feature.CANONICAL_URL,
                  Feature.UNPUBLISH, Feature.DELETE),
        credential_fields=(
            SettingField("managementToken", "Management token", required=True, secret=True,
                         help="In Contentful under Settings → CMA tokens → Create personal access token. It is shown"
                              " once."),
            SettingField("region", "Region", FieldType.SELECT, default="us",
                         choices=(Choice("us", "United States (usual)"), Choice("eu", "European Union")),
                         help="Where your organisation keeps its data."),
            SettingField("spaceId", "Space", required=True,
                         help="The id of the space: in the address of Contentful's app behind /spaces/."),
            SettingField("environmentId", "Environment", default="master", help="Its id; master if you have one."),
        ),
        setting_fields=(
            SettingField("contentTypeId", "Content type", required=True,
                         help="Its API identifier, such as blogPost: under Content model, in the content type."),
            SettingField("fieldMap", "Fields", FieldType.MAP, default=DEFAULT_MAP,
                         help="Which field of yours takes which part of a post, by field ids. Parts: "
                              + ", ".join(KNOWN) + ". body takes rich text or long text (Markdown), tags and"
                              " categories lists of short texts, featuredImage one media field."),
            SettingField("locale", "Locale", help="Such as en-US; without it the default locale of the environment."),
            SettingField("urlTemplate", "Address of a post",
                         help="Where people read it: https://www.example.com/blog/{slug}. {id} is the entry's id."),
        ),
        constraints=IntegrationConstraints(
            body_format="Contentful rich text or Markdown",
            title_max=MAX_SYMBOL,
            cannot=(
                "Only the fields that are mapped are filled; other required fields of yours make Contentful refuse to"
                " publish, and the entry then stays as a draft.",
                "Posts for later are sent when their time has come, not scheduled in Contentful.",
                "Tags are values of a list field, not Contentful's own tags; references to other entries are not set.",
                "Excerpts and SEO texts are cut to what their field takes.",
                "Contentful fetches featured images itself, so their addresses must be public.",
                "The slug is set when an entry is made and not changed by updates. Contentful has no public pages:"
                " addresses come from your template.",
            ),
            unverified=(
                "The present limits on calls a second, and on the size of rich text.",
                "Which structures of rich text each content type allows.",
            ),
        ),
    ),
    _build,
)  # fmt: skip
