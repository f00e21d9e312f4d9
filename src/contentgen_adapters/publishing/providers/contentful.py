"""Contentful: entries of one content type, by the Content Management API and a personal access token.

The entry's id is the post's key: a creation without an answer can be repeated."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import msgspec
from attrs import frozen

from contentgen_adapters.publishing.bodies.contentful_fields import (
    KNOWN,
    MAX_SYMBOL,
    ContentType,
    Field,
    TypeMismatch,
    map_fields,
    values,
)
from contentgen_adapters.publishing.contentful_api import (
    CONTENT_TYPE,
    ID,
    NAME,
    ContentfulApi,
    Locales,
    Resource,
    version,
)
from contentgen_adapters.publishing.contentful_assets import Assets
from contentgen_adapters.publishing.field_map import field_map, post_address, url_template
from contentgen_adapters.publishing.illustrations import Illustrated, illustrate
from contentgen_adapters.publishing.preparing import preparation
from contentgen_adapters.publishing.provider import Connection, Provider
from contentgen_adapters.publishing.target import fingerprint
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

MAX_REQUEST_BYTES: Final = 1_000_000
DEFAULT_MAP: Final = {"title": "title", "body": "body", "slug": "slug"}
_HOSTS: Final = {"us": "contentful.com", "eu": "eu.contentful.com"}


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
    api: ContentfulApi
    content_type: str
    fields: dict[str, str]
    locale: str | None
    template: str | None
    uploads: str

    async def test(self) -> str:
        with preparation("the space and environment"):
            await self.api.call("GET", "")
        content_type = await self._content_type()
        await self._form(content_type)
        return f'The content type "{content_type.name}"'

    async def find(self, post: Post) -> RemotePost | None:
        return await self.read(post.external_key)

    async def create(self, post: Post) -> RemotePost:
        """Creates the entry, or updates the one that an earlier attempt created."""
        return await self._write(post, post.external_key, await self.api.existing("entries", post.external_key))

    async def update(self, remote_id: str, post: Post) -> RemotePost:
        """Updates the entry, except for its slug and fields that are not mapped."""
        existing = await self.api.existing("entries", remote_id)
        if existing is None:
            raise PublishFailed(NAME, f"there is no entry {remote_id} (any more)", Refusal.GONE)
        return await self._write(post, remote_id, existing)

    async def read(self, remote_id: str) -> RemotePost | None:
        existing = await self.api.existing("entries", remote_id)
        return self._remote(existing) if existing else None

    async def unpublish(self, remote_id: str) -> None:
        await self._withdrawn(remote_id)

    async def delete(self, remote_id: str) -> None:
        entry = await self._withdrawn(remote_id)  # Contentful deletes no entry that is published
        await self.api.call("DELETE", f"/entries/{remote_id}", headers=version(entry))

    async def _withdrawn(self, remote_id: str) -> Resource:
        existing = await self.api.existing("entries", remote_id)
        if existing is None:
            raise PublishFailed(NAME, f"there is no entry {remote_id} (any more)", Refusal.GONE)
        return await self._unpublish(existing)

    async def _unpublish(self, entry: Resource) -> Resource:
        if entry.sys.published_version is None:
            return entry
        path = f"/entries/{entry.sys.id}/published"
        return self.api.decoded(await self.api.call("DELETE", path, headers=version(entry)))

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

    async def _write(self, post: Post, id: str, existing: Resource | None) -> RemotePost:
        form = await self._form(await self._content_type())
        assets = Assets(self.api, post, form.default_locale, self.uploads)
        asset = None
        if post.featured_image and "featuredImage" in form.fields:
            with preparation("its featured image"):
                asset = await assets.at(post.featured_image, post.featured_image_alt or post.title)
        shown = await self._illustrate(post, form.fields["body"], assets)
        try:
            made = await self._put_entry(shown, id, form, asset, existing)
        except PublishFailed as error:
            if error.refusal is not Refusal.CONFLICT:
                raise
            existing = await self.api.existing("entries", id)  # a concurrent change: once more, on the new version
            if existing is None:
                raise
            made = await self._put_entry(shown, id, form, asset, existing)
        if post.status is PostStatus.PUBLISHED:
            made = await self.api.published("entries", made)
        else:
            made = await self._unpublish(made)
        return self.connection.with_warnings(self._remote(made))

    async def _illustrate(self, post: Post, body: Field, assets: Assets) -> Illustrated:
        """Upload the pictures of the text. A long text shows pictures from any address; a rich text only assets, if its
        owner allows them.
        """
        if body.type != "RichText":
            return await illustrate(post, self.connection, NAME, assets)
        if not body.takes_assets:
            return Illustrated(post)
        return await illustrate(post, self.connection, NAME, assets, pictures=True)

    async def _put_entry(
        self, shown: Illustrated, id: str, form: _Form, asset: str | None, existing: Resource | None
    ) -> Resource:
        body = await asyncio.to_thread(self._body, shown, form, asset, existing)
        header = version(existing) if existing is not None else {"X-Contentful-Content-Type": self.content_type}
        return self.api.decoded(await self.api.call("PUT", f"/entries/{id}", content=body, headers=header))

    def _body(self, shown: Illustrated, form: _Form, asset: str | None, existing: Resource | None) -> bytes:
        """The whole entry, since Contentful replaces it: other fields and locales are kept."""
        fields = {id: dict(by_locale) for id, by_locale in existing.fields.items()} if existing else {}
        slug = form.fields.get("slug")
        try:
            pictures = {address: kept.record for address, kept in shown.pictures.items()}
            for field, value in values(shown.post, form.fields, asset, pictures):
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

    async def _content_type(self) -> ContentType:
        with preparation(f"the content type {self.content_type}"):
            response = await self.api.call("GET", f"/content_types/{self.content_type}")
        return self.api.target.decoded(response, ContentType)

    async def _form(self, content_type: ContentType) -> _Form:
        try:
            fields = map_fields(content_type, self.fields)
        except TypeMismatch as error:
            raise PublishFailed(NAME, str(error), Refusal.INVALID) from error
        with preparation("the locales"):
            response = await self.api.call("GET", "/locales", params={"limit": 100})
        locales = self.api.target.decoded(response, Locales).items
        default = next((locale.code for locale in locales if locale.default), "en-US")
        chosen = self.locale or default
        if chosen not in {default, *(locale.code for locale in locales)}:
            known = ", ".join(locale.code for locale in locales)
            raise PublishFailed(NAME, f"there is no locale {chosen}; there are {known}", Refusal.INVALID)
        return _Form(fields, default, chosen)

    def _remote(self, existing: Resource) -> RemotePost:
        if existing.sys.published_version is None:
            return RemotePost(existing.sys.id, PostStatus.DRAFT, None, fingerprint(existing.fields))
        slugs = existing.fields.get(self.fields.get("slug", ""), {})
        slug = slugs.get(self.locale or "") or next(iter(slugs.values()), None)
        url = post_address(self.template, slug, existing.sys.id)
        return RemotePost(existing.sys.id, PostStatus.PUBLISHED, url, fingerprint(existing.fields))


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
        if not ID.fullmatch(id) or set(id) <= {"."}:
            raise InvalidInput.of(name, "an id of letters, digits, - . and _, at most 64")
    headers = {"Authorization": f"Bearer {str(given['managementToken']).strip()}", "Content-Type": CONTENT_TYPE}
    host, path = _HOSTS[given["region"]], f"/spaces/{space}/environments/{environment}"
    return ContentfulPublisher(
        connection,
        ContentfulApi(connection.target(NAME, f"https://api.{host}{path}", headers)),
        content_type,
        field_map(settings, DEFAULT_MAP, KNOWN, ("title", "body")),
        str(settings.get("locale") or "").strip() or None,
        url_template(settings),
        f"https://upload.{host}{path}/uploads",
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
                "Contentful fetches featured images itself, so their addresses must be public. Pictures of a rich text"
                " become assets, the first 20, and diagrams too; those within tables and quotations are links.",
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
