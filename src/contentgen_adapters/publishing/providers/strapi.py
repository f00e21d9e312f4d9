"""Strapi 5 and 4: the REST API of one collection type, with an API token."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import msgspec
from attrs import frozen

from contentgen_adapters.publishing.bodies.html import html
from contentgen_adapters.publishing.bodies.lengths import units
from contentgen_adapters.publishing.bodies.markdown import markdown
from contentgen_adapters.publishing.bodies.strapi import blocks
from contentgen_adapters.publishing.bodies.texts import one_line
from contentgen_adapters.publishing.field_map import field_map, post_address, url_template
from contentgen_adapters.publishing.illustrations import FilesOfText, illustrate
from contentgen_adapters.publishing.payload import check_length
from contentgen_adapters.publishing.pictures import Picture, fetch_picture, file_stem
from contentgen_adapters.publishing.preparing import preparation, response_of, with_reason
from contentgen_adapters.publishing.provider import Connection, Provider
from contentgen_adapters.publishing.strapi_api import (
    NAME,
    Entry,
    Many,
    One,
    faults_of,
    media_name,
    refusal_of,
)
from contentgen_adapters.publishing.strapi_files import FilesOfBlocks, address_of
from contentgen_adapters.publishing.strapi_rights import check_rights, check_version, missing_fields
from contentgen_adapters.publishing.target import Target, fingerprint
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

MAX_TITLE: Final = 255
"""Of a short text in Strapi's databases; SQLite alone takes more."""
KNOWN: Final = ("title", "body", "slug", "excerpt", "featuredImage", "tags", "categories", "canonicalUrl", "metaTitle",
                "metaDescription", "key")  # fmt: skip
DEFAULT_MAP: Final = {"title": "title", "body": "content", "slug": "slug"}
BODIES: Final[dict[str, Callable[[Post], Any]]] = {"markdown": markdown, "blocks": blocks, "html": html}
_PLURAL: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,99}")
_ID: Final = re.compile(r"[A-Za-z0-9]{1,64}")


@frozen
class StrapiPublisher:
    """Publish to Strapi 4 and 5. `five`: for Strapi 5, whose entries have a draft and a published version; in 4 an
    entry with a date is published.
    """

    connection: Connection
    target: Target
    plural: str
    five: bool
    fields: dict[str, str]
    body: Callable[[Post], Any]
    locale: str | None
    template: str | None
    terms: dict[str, str]
    term_field: str

    async def test(self) -> str:
        response = await self._call("GET", self._path(), params={"pagination[pageSize]": 1})
        existing = self.target.decoded(response, Many).data
        if existing and ("attributes" in existing[0]) is self.five:
            version = 4 if self.five else 5
            raise PublishFailed(NAME, f"this is Strapi {version}: choose that version", Refusal.INVALID)
        if not existing:
            await check_version(self._call, self._path(), five=self.five)
        related = [theirs for ours, theirs in self.fields.items() if ours == "featuredImage" or ours in self.terms]
        plain = [theirs for ours, theirs in self.fields.items() if ours != "key" and theirs not in related]
        if missing := await missing_fields(self._call, self._path(), plain, related):
            message = f"the collection type {self.plural} has no field {', '.join(missing)} that the token may read"
            raise PublishFailed(NAME, message, Refusal.INVALID)
        await check_rights(self._call, self._path(), self.plural, five=self.five)
        return f"{urlsplit(self.target.base).hostname}: the collection type {self.plural}"

    async def find(self, post: Post) -> RemotePost | None:
        """Finds the entry by our key if a field is mapped to it, else by slug and title: an entry with only the same
        slug may be another one."""
        ours = "key" if "key" in self.fields else "slug"
        value = post.external_key if ours == "key" else post.slug
        params = {f"filters[{self.fields[ours]}][$eq]": value, "pagination[pageSize]": 10, **self._drafts()}
        response = await self._call("GET", self._path(), params=params)
        for entry in map(self._entry, self.target.decoded(response, Many).data):
            if ours == "key" or entry.fields.get(self.fields["title"]) == post.title:
                return await self.read(entry.id)
        return None

    async def copies(self, post: Post) -> list[RemotePost]:
        """Find copies by our key alone: an entry with the same slug and title may be a person's."""
        if "key" not in self.fields:
            raise LookupUnsupported
        params = {f"filters[{self.fields['key']}][$eq]": post.external_key, **self._drafts()}
        response = await self._call("GET", self._path(), params=params)
        seen = [await self.read(self._entry(data).id) for data in self.target.decoded(response, Many).data]
        return [each for each in seen if each is not None]

    async def create(self, post: Post) -> RemotePost:
        fields = await self._values(post, None)
        if not self.five:
            if post.status is PostStatus.DRAFT:
                fields["publishedAt"] = None
            if self.locale:
                fields["locale"] = self.locale
        return await self._send("POST", self._path(), fields, post)

    async def update(self, remote_id: str, post: Post) -> RemotePost:
        """Updates the entry, except for its slug."""
        existing = await self._existing(remote_id, with_media=True)
        if existing is None:
            raise PublishFailed(NAME, f"there is no entry {remote_id} (any more)", Refusal.GONE)
        fields = await self._values(post, existing)
        fields.pop(self.fields.get("slug", ""), None)
        if not self.five:
            if post.status is PostStatus.DRAFT:
                fields["publishedAt"] = None
            elif existing.status is PostStatus.DRAFT:
                fields["publishedAt"] = self.connection.now().isoformat()
        return await self._send("PUT", self._path(existing.id), fields, post)

    async def read(self, remote_id: str) -> RemotePost | None:
        existing = await self._existing(remote_id)
        return self._remote(existing) if existing else None

    async def delete(self, remote_id: str) -> None:
        """Deletes the entry with its draft, in its locale."""
        if not _ID.fullmatch(remote_id):
            raise PublishFailed(NAME, f"there is no entry {remote_id[:50]}", Refusal.GONE)
        await self._call("DELETE", self._path(remote_id))

    async def options(self) -> Sequence[PublishOptionField]:
        found = []
        for ours, collection in self.terms.items():
            response = await self._call("GET", f"/api/{collection}", params={"pagination[pageSize]": 100})
            entries = map(self._entry, self.target.decoded(response, Many).data)
            names = [str(entry.fields[self.term_field]) for entry in entries if entry.fields.get(self.term_field)]
            choices = tuple(Choice(name, name) for name in names)
            found.append(PublishOptionField(ours, ours.capitalize(), FieldType.LIST, choices=choices))
        return found

    async def _existing(self, remote_id: str, *, with_media: bool = False) -> Entry | None:
        """The published version if there is one, else the draft; None without either."""
        if not _ID.fullmatch(remote_id):
            return None
        media = self.fields.get("featuredImage") if with_media else None
        more = {"populate": media} if media else {}
        for params in ({"status": "published"}, {"status": "draft"}) if self.five else (self._drafts(),):
            try:
                response = await self._call("GET", self._path(remote_id), params={**params, **more})
            except PublishFailed as error:
                if error.refusal is Refusal.GONE:
                    continue
                raise
            return self._entry(self.target.decoded(response, One).data)
        return None

    async def _send(self, method: str, path: str, fields: dict[str, Any], post: Post) -> RemotePost:
        draft = post.status is PostStatus.DRAFT  # sent to Strapi 4 too, which ignores it: taken for it, 5 would publish
        params = {"status": "draft" if draft else "published"} if self.five or draft else {}
        response = await self._call(method, path, json={"data": fields}, params=params)
        entry = self._entry(self.target.decoded(response, One).data, outcome_unknown=True)
        return self.connection.with_warnings(self._remote(entry))

    async def _values(self, post: Post, existing: Entry | None) -> dict[str, Any]:
        check_length(NAME, "the title", units(post.title), MAX_TITLE)
        values: dict[str, Any] = {
            "title": post.title,
            "body": await self._body(post, existing),
            "slug": post.slug,
            "excerpt": post.excerpt,
            "canonicalUrl": post.canonical_url,
            "metaTitle": post.meta_title,
            "metaDescription": post.meta_description,
            "key": post.external_key,
        }
        for ours, names in (("tags", post.tags), ("categories", post.categories)):
            if ours in self.fields and (names or ours in post.clears):
                values[ours] = await self._terms(ours, names)
        if "featuredImage" in self.fields and post.featured_image:
            with preparation("its featured image"):
                values["featuredImage"] = await self._picture(post, post.featured_image, existing)
        return {self.fields[ours]: v for ours, v in values.items() if v is not None and ours in self.fields}

    async def _terms(self, ours: str, names: Sequence[str]) -> list[Any]:
        """Values for tags or categories: names for a JSON field, ids of entries for a relation; missing entries are
        created."""
        distinct = list(dict.fromkeys(filter(None, map(one_line, names))))
        if ours not in self.terms:
            return [*distinct]
        with preparation(f"its {ours}"):
            return [await self._term(self.terms[ours], name) for name in distinct]

    async def _term(self, collection: str, name: str) -> str | int:
        params = {f"filters[{self.term_field}][$eq]": name, "pagination[pageSize]": 1}
        found = self.target.decoded(await self._call("GET", f"/api/{collection}", params=params), Many).data
        if not found:
            made = await self._call("POST", f"/api/{collection}", json={"data": {self.term_field: name}})
            found = [self.target.decoded(made, One).data]
        id = self._entry(found[0]).id
        return id if self.five else int(id)

    async def _picture(self, post: Post, address: str, existing: Entry | None) -> int | None:
        """The number of the uploaded file; None if the entry already has this picture."""
        stem = file_stem(post)
        if existing is not None and stem in media_name(existing.fields.get(self.fields["featuredImage"])):
            return None
        picture = await fetch_picture(NAME, self.connection.client, address)
        file = await self._upload(f"{stem}.{picture.extension}", picture, post.featured_image_alt or "")
        return int(file["id"])

    async def _body(self, post: Post, existing: Entry | None) -> Any:
        before = None if existing is None else existing.fields.get(self.fields["body"])
        if self.body is blocks:
            library = FilesOfBlocks(post, self.target.base, before, self._upload)
            shown = await illustrate(post, self.connection, NAME, library, pictures=True)
            files = {address: kept.record for address, kept in shown.pictures.items() if kept.record is not None}
            return await asyncio.to_thread(blocks, shown.post, files)

        async def text() -> str:
            return before if isinstance(before, str) else ""

        async def uploaded(name: str, picture: Picture, alt: str) -> str:
            return address_of(await self._upload(name, picture, alt), self.target.base)

        drawn = await illustrate(post, self.connection, NAME, FilesOfText(post, text, uploaded))
        return await asyncio.to_thread(self.body, drawn.post)

    async def _upload(self, name: str, picture: Picture, alt: str) -> dict[str, Any]:
        info = msgspec.json.encode({"name": name, "alternativeText": alt}).decode()
        file = (name, picture.content, picture.type)
        response = await self._call("POST", "/api/upload", files={"files": file}, data={"fileInfo": info})
        files = self.target.decoded(response, list[dict[str, Any]])
        if not files or not isinstance(files[0].get("id"), int):
            raise PublishFailed(NAME, "its answer holds no file", Refusal.INVALID)
        return files[0]

    async def _call(
        self, method: str, path: str, *, params: dict[str, Any] | None = None, **parts: Any
    ) -> httpx.Response:
        is_ours = path.startswith(self._path())
        if self.five and self.locale and is_ours:
            params = {"locale": self.locale, **(params or {})}
        try:
            return await self.target.call(method, path, params=params, **parts)
        except PublishFailed as error:
            answer = response_of(error)
            faults = faults_of(answer) if answer is not None else []
            if not faults:
                raise
            reason = "; ".join(f"{'.'.join(map(str, fault.path))}: {fault.message}" for fault in faults)
            raise with_reason(self.target, error, reason) from error.__cause__

    def _entry(self, data: dict[str, Any], *, outcome_unknown: bool = False) -> Entry:
        """The entry in an answer. Raises PublishFailed for one of the other version."""
        fields = data if self.five else data.get("attributes")
        id = data.get("documentId" if self.five else "id")
        if id is None or not isinstance(fields, dict):
            message = f"its answers are not those of Strapi {5 if self.five else 4}: choose the other version"
            raise PublishFailed(NAME, message, Refusal.INVALID, outcome_unknown=outcome_unknown)
        return Entry(str(id), fields)

    def _remote(self, entry: Entry) -> RemotePost:
        slug = entry.fields.get(self.fields.get("slug", ""))
        url = post_address(self.template, slug, entry.id) if entry.status is PostStatus.PUBLISHED else None
        text = fingerprint(*(entry.fields.get(self.fields[ours]) for ours in ("title", "body")))
        return RemotePost(entry.id, entry.status, url, text)

    def _drafts(self) -> dict[str, str]:
        """Parameters that include drafts."""
        return {"status": "draft"} if self.five else {"publicationState": "preview"}

    def _path(self, id: str | None = None) -> str:
        return f"/api/{self.plural}" if id is None else f"/api/{self.plural}/{id}"


def _build(connection: Connection) -> StrapiPublisher:
    settings = connection.settings
    plural = str(settings.get("pluralApiId") or "").strip()
    collections = {ours: str(settings.get(f"{ours}Collection") or "").strip() for ours in ("tags", "categories")}
    for name, value in (("pluralApiId", plural), *((f"{ours}Collection", v) for ours, v in collections.items() if v)):
        if not _PLURAL.fullmatch(value):
            raise InvalidInput.of(f"settings.{name}", "the plural API id, such as articles")
    fields = field_map(settings, DEFAULT_MAP, KNOWN, ("title", "body"))
    if not {"slug", "key"} & set(fields):
        raise InvalidInput.of("settings.fieldMap", "names a field for slug or key, by which an entry is found again")
    base = str(connection.credentials["baseUrl"]).strip().rstrip("/").removesuffix("/api").removesuffix("/admin")
    if "?" in base or "#" in base:
        raise InvalidInput.of("credentials.baseUrl", "the address alone, without ? and #")
    of_an_entry = re.compile(rf"/api/{re.escape(plural)}/[^/]+$")
    headers = {"Authorization": f"Bearer {str(connection.credentials['apiToken']).strip()}"}
    return StrapiPublisher(
        connection,
        connection.target(NAME, base, headers, partial(refusal_of, of_an_entry)),
        plural,
        settings.get("majorVersion", "5") != "4",
        fields,
        BODIES[settings.get("bodyKind") or "markdown"],
        str(settings.get("locale") or "").strip() or None,
        url_template(settings),
        {ours: value for ours, value in collections.items() if value and ours in fields},
        str(settings.get("termField") or "name").strip(),
    )


PROVIDER: Final = Provider(
    ProviderInfo(
        id=NAME,
        name="Strapi",
        icon=(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor"'
            ' stroke-width="2" stroke-linejoin="round"><path d="M8 3h13v13h-6V9H8zM8 9v6h7M8 15H3l5-6M15 16v5l6-5"/>'
            "</svg>"
        ),
        features=(Feature.DRAFT, Feature.PUBLISH, Feature.UPDATE, Feature.FIND, Feature.TAGS, Feature.CATEGORIES,
                  Feature.FEATURED_IMAGE, Feature.EXCERPT, Feature.SLUG, Feature.CANONICAL_URL, Feature.DELETE,
                  Feature.TWINS),
        credential_fields=(
            SettingField("baseUrl", "Address", FieldType.URL, required=True,
                         help="Where Strapi runs, such as https://cms.example.com (what stands before /admin)."),
            SettingField("apiToken", "API token", required=True, secret=True,
                         help="In Strapi under Settings → API Tokens → Create. A custom token needs find, findOne,"
                              " create and update (and delete, to delete posts from here) on the content types named"
                              " here, and upload for pictures."),
        ),
        setting_fields=(
            SettingField("pluralApiId", "Collection type", required=True,
                         help="Its plural API id, such as articles: in the Content-Type Builder under Edit."),
            SettingField("majorVersion", "Version", FieldType.SELECT, default="5",
                         choices=(Choice("5", "Strapi 5"), Choice("4", "Strapi 4"))),
            SettingField("fieldMap", "Fields", FieldType.MAP, default=DEFAULT_MAP,
                         help="Which field of yours takes which part of a post. Parts: " + ", ".join(KNOWN) + "."
                              " key takes our name of the post, by which it is found again; excerpt needs a long"
                              " text, featuredImage a single media field."),
            SettingField("bodyKind", "Form of the text", FieldType.SELECT, default="markdown",
                         choices=(Choice("markdown", "Rich text (Markdown)"), Choice("blocks", "Rich text (blocks)"),
                                  Choice("html", "HTML")),
                         help="As the field for the body was made."),
            SettingField("tagsCollection", "Collection of tags",
                         help="Its plural API id, where the field for tags is a relation to many; tags that are missing"
                              " are made. Without it, the field gets a JSON list of names."),
            SettingField("categoriesCollection", "Collection of categories", help="As for tags."),
            SettingField("termField", "Field with the name", default="name",
                         help="Of an entry in the collections of tags and categories."),
            SettingField("locale", "Locale", help="Such as en or fr-FR; without it the default locale."),
            SettingField("urlTemplate", "Address of a post",
                         help="Where people read it: https://www.example.com/blog/{slug}. {id} is Strapi's id."),
        ),
        constraints=IntegrationConstraints(
            body_format="Markdown, Strapi blocks or HTML",
            title_max=MAX_TITLE,
            cannot=(
                "Only the fields that are mapped are filled; other required fields of yours make Strapi refuse"
                " a post.",
                "Strapi's API does not schedule; posts for later are sent when their time has come.",
                "A published entry cannot be made a draft again by the API of Strapi 5: it stays public, and a draft"
                " beside it has the changes. It can be deleted, with the token's right delete.",
                "Without a field for key, an entry whose answer got lost is found by its slug and title.",
                "The slug is set when an entry is made and not changed by updates. Strapi has no public pages:"
                " addresses come from your template.",
                "Tags and categories can be a JSON list or a relation to many, not a relation to one.",
                "Featured images, and pictures of a text in blocks, are uploaded as JPEG, PNG, GIF or WebP of at most"
                " 10 MB; a picture that cannot be fetched is a link.",
            ),
            unverified=("Strapi 4 altogether, and the connection test for rights and fields; Strapi 5.54 was tried.",),
        ),
    ),
    _build,
)  # fmt: skip
