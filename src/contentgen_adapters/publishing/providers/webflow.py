"""Webflow (Data API v2): items of a CMS collection, whose fields are a site's own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, TypeVar

import httpx
import msgspec
from attrs import define, field
from slugify import slugify

from contentgen_adapters.publishing.bodies.html import html
from contentgen_adapters.publishing.bodies.markdown import markdown
from contentgen_adapters.publishing.bodies.texts import one_line
from contentgen_adapters.publishing.illustrations import FilesOfText, illustrate
from contentgen_adapters.publishing.payload import check_length, without_none
from contentgen_adapters.publishing.pictures import Picture
from contentgen_adapters.publishing.provider import Connection, Provider
from contentgen_adapters.publishing.target import (
    Target,
    before_creation,
    conflict_may_be_ours,
    fingerprint,
)
from contentgen_adapters.publishing.webflow_api import SiteAssets, details_of, refusal_of
from contentgen_adapters.publishing.webflow_fields import NAME, Collection, Field, further, is_rich, value_of
from contentgen_adapters.shared.http import BadStatus
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

T = TypeVar("T")

_BASE: Final = "https://api.webflow.com/v2"
_TITLE: Final = 256
_SLUG: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_~-]{0,255}")
_OURS: Final = ("body", "excerpt", "featuredImage", "canonicalUrl", "metaTitle", "metaDescription", "tags",
                "categories", "externalKey")  # fmt: skip
"""Parts of a post that fields can be mapped to, besides name and slug, which every item has."""


class _Collections(msgspec.Struct):
    collections: list[Collection]


class _Domain(msgspec.Struct):
    url: str


class _Site(msgspec.Struct, rename="camel"):
    id: str
    display_name: str = ""
    short_name: str = ""
    custom_domains: list[_Domain] | None = None


class _Sites(msgspec.Struct):
    sites: list[_Site]


class _Item(msgspec.Struct, rename="camel"):
    id: str
    field_data: dict[str, Any] = msgspec.field(default_factory=dict)
    last_published: str | None = None
    is_archived: bool = False


class _Items(msgspec.Struct):
    items: list[_Item]


class _Published(msgspec.Struct, rename="camel"):
    published_item_ids: list[str] = []
    errors: list[Any] = []


@define
class WebflowPublisher:
    """Creates a public item live; changes a staged item, then publishes it. Finds an item by its slug, and by our key
    if a field is mapped to it, else by its name."""

    connection: Connection
    target: Target
    fields: Mapping[str, str]
    """The slug of the collection's field for each of `_OURS`."""
    _cached: Collection | None = field(default=None, init=False)

    async def test(self) -> str:
        site = await self._site()
        collection = await self._collection(site)
        self._field_of(collection, "body")
        for ours in self.fields:
            self._field_of(collection, ours)
        return f'Collection "{collection.display_name}" of the site "{site.display_name}"'

    async def find(self, post: Post) -> RemotePost | None:
        slug = _slug(post)
        items = await self._get(self._items, _Items, {"slug": slug, "limit": 100})
        mark = self.fields.get("externalKey")
        for item in items.items:
            key = item.field_data.get(mark) if mark else None
            ours = key == post.external_key if key else item.field_data.get("name") == one_line(post.title)
            if ours and item.field_data.get("slug") == slug:
                return await self._remote(item)
        return None

    async def create(self, post: Post) -> RemotePost:
        public = post.status is not PostStatus.DRAFT
        data = await self._data(post, None) | {"slug": _slug(post)}
        with conflict_may_be_ours():
            response = await self._call(
                "POST",
                f"{self._items}/live" if public else self._items,
                {"isArchived": False, "isDraft": not public, "fieldData": data},
            )
        return self.connection.with_warnings(await self._remote(self.target.decoded(response, _Item)))

    async def update(self, remote_id: str, post: Post) -> RemotePost:
        """Updates the item, except for its slug: Webflow refuses an unchanged one as taken."""
        public = post.status is not PostStatus.DRAFT
        change = {"isArchived": False, "isDraft": not public, "fieldData": await self._data(post, remote_id)}
        response = await self._call("PATCH", f"{self._items}/{remote_id}", change)
        if not public:
            return self.connection.with_warnings(await self._remote(self.target.decoded(response, _Item)))
        response = await self._call("POST", f"{self._items}/publish", {"itemIds": [remote_id]})
        published = self.target.decoded(response, _Published)
        if published.errors or remote_id not in published.published_item_ids:
            said = "; ".join(map(str, published.errors)) or "the item was not published"
            raise PublishFailed(NAME, self.target.without_secrets(said)[:300], Refusal.INVALID)
        return self.connection.with_warnings(await self._remote(await self._get(f"{self._items}/{remote_id}", _Item)))

    async def read(self, remote_id: str) -> RemotePost | None:
        try:
            return await self._remote(await self._get(f"{self._items}/{remote_id}", _Item))
        except PublishFailed as error:
            if error.refusal is Refusal.GONE:
                return None
            raise

    async def unpublish(self, remote_id: str) -> None:
        """Removes the item from the site. It becomes a draft first, or else the site's next publication would bring it
        back."""
        await self._call("PATCH", f"{self._items}/{remote_id}", {"isArchived": False, "isDraft": True})
        await self._remove(f"{self._items}/{remote_id}/live")

    async def delete(self, remote_id: str) -> None:
        await self._remove(f"{self._items}/{remote_id}/live")
        await self._remove(f"{self._items}/{remote_id}")

    async def _remove(self, path: str) -> None:
        """Remove a live item; an item that is not live needs no removal."""
        try:
            await self.target.call("DELETE", path)
        except PublishFailed as error:
            if error.refusal is not Refusal.GONE:
                raise

    async def options(self) -> tuple[PublishOptionField, ...]:
        collection = await self._collection()
        used = {"name", "slug", *self.fields.values(), self._field_of(collection, "body").slug}
        free = [each for each in collection.fields if each.slug not in used]
        return (_more_fields(tuple(Choice(each.slug, f"{each.display_name} ({each.type})") for each in free)),)

    @property
    def _items(self) -> str:
        return f"/collections/{self.connection.credentials['collectionId']}/items"

    async def _remote(self, item: _Item) -> RemotePost:
        """The remote post; an item that waits for the next publication of the site is not public."""
        if item.last_published is None or item.is_archived:
            return RemotePost(item.id, PostStatus.DRAFT, None, fingerprint(item.field_data))
        base = self.connection.credentials.get("publicBaseUrl")
        slug = item.field_data.get("slug")
        url = f"{base.rstrip('/')}/{(await self._collection()).slug}/{slug}" if base and slug else None
        return RemotePost(item.id, PostStatus.PUBLISHED, url, fingerprint(item.field_data))

    async def _data(self, post: Post, remote_id: str | None) -> dict[str, Any]:
        """The fields of an item except the slug. Creates missing tags and categories, and uploads diagrams."""
        name = one_line(post.title)
        check_length(NAME, "the title", len(name), _TITLE)
        collection = await self._collection()
        data: dict[str, Any] = {"name": name}
        body = self._field_of(collection, "body")
        drawn = await self._illustrate(post, body, remote_id)
        data[body.slug] = html(drawn, code_blocks=False, citation_links=False) if is_rich(body) else markdown(drawn)
        values = {
            "excerpt": one_line(post.excerpt) if post.excerpt else None,
            "featuredImage": post.featured_image,
            "canonicalUrl": post.canonical_url,
            "metaTitle": post.meta_title,
            "metaDescription": post.meta_description,
            "externalKey": post.external_key,
        }
        for ours, value in without_none({ours: values.get(ours) for ours in self.fields}).items():
            target = self._field_of(collection, ours)
            data[target.slug] = value_of(target, value, post.featured_image_alt)
        for ours, terms in (("tags", post.tags), ("categories", post.categories)):
            if ours in self.fields:
                target = self._field_of(collection, ours)
                data[target.slug] = await self._terms(target, [t for t in map(one_line, terms) if t])
        return data | further(collection, post.options.get("fields") or {})

    async def _illustrate(self, post: Post, body: Field, remote_id: str | None) -> Post:
        async def text() -> str:
            if remote_id is None:
                return ""
            return str((await self._get(f"{self._items}/{remote_id}", _Item)).field_data.get(body.slug) or "")

        async def uploaded(name: str, picture: Picture, alt: str) -> str:
            site = self.connection.credentials.get("siteId") or (await self._site()).id
            return await SiteAssets(self.connection, self.target, site).uploaded(name, picture, alt)

        return (await illustrate(post, self.connection, NAME, FilesOfText(post, text, uploaded))).post

    async def _terms(self, target: Field, names: list[str]) -> Any:
        """Values for tags or categories in the field's type: a text, an option, or items of another collection."""
        validations = target.validations or {}
        match target.type:
            case "MultiReference" | "Reference":
                other = validations.get("collectionId")
                if not isinstance(other, str):
                    message = f"which collection the field {target.slug!r} refers to is not known"
                    raise PublishFailed(NAME, message, Refusal.INVALID)
                several = target.type == "MultiReference"
                ids = [await self._term(other, name) for name in (names if several else names[:1])]
                return list(dict.fromkeys(ids)) if several else (ids[0] if ids else None)
            case "Option":
                known = {str(o.get("name", "")).casefold(): o.get("id") for o in validations.get("options", ())}
                return next((known[n.casefold()] for n in names if n.casefold() in known), None)
            case _:
                return ", ".join(names)

    async def _term(self, collection: str, name: str) -> str:
        path = f"/collections/{collection}/items"
        found = await self._get(path, _Items, {"name": name, "limit": 100})
        for item in found.items:
            if str(item.field_data.get("name", "")).casefold() == name.casefold():
                return item.id
        sent = {"isArchived": False, "isDraft": False, "fieldData": {"name": name, "slug": slugify(name) or "term"}}
        with before_creation():
            return self.target.decoded(await self._call("POST", f"{path}/live", sent), _Item).id

    def _field_of(self, collection: Collection, ours: str) -> Field:
        """The field mapped to a part; without a mapping the body's is the only rich text. Raises PublishFailed."""
        wanted = self.fields.get(ours)
        fitting = [f for f in collection.fields if (f.slug == wanted if wanted else is_rich(f))]
        if len(fitting) == 1:
            return fitting[0]
        known = ", ".join(f"{each.slug} ({each.type})" for each in collection.fields)
        what = f"has no field {wanted!r} for {ours}" if wanted else f"needs a mapped field for {ours}"
        raise PublishFailed(NAME, f"the collection {what}; it has: {known}", Refusal.INVALID)

    async def _site(self) -> _Site:
        """Raises PublishFailed."""
        sites = (await self._get("/sites", _Sites)).sites
        wanted = self.connection.credentials.get("siteId")
        fitting = [site for site in sites if site.id == wanted] if wanted else sites
        if len(fitting) != 1:
            known = ", ".join(f"{site.display_name} ({site.id})" for site in sites) or "none"
            raise PublishFailed(NAME, f"it must be said which site; the token opens: {known}", Refusal.INVALID)
        return fitting[0]

    async def _collection(self, site: _Site | None = None) -> Collection:
        """The collection, cached. `site`: its collections are listed in the message when this one does not exist."""
        if self._cached is None:
            wanted = self.connection.credentials["collectionId"]
            try:
                self._cached = await self._get(f"/collections/{wanted}", Collection)
            except PublishFailed as error:
                if error.refusal is not Refusal.GONE:
                    raise
                raise PublishFailed(NAME, await self._missing(site), Refusal.INVALID) from error
        return self._cached

    async def _missing(self, site: _Site | None) -> str:
        if site is None:
            return "there is no such collection any more"
        found = (await self._get(f"/sites/{site.id}/collections", _Collections)).collections
        known = ", ".join(f"{each.display_name} ({each.id})" for each in found) or "none"
        return f"there is no such collection; the site has: {known}"

    async def _get(self, path: str, kind: type[T], params: Mapping[str, Any] | None = None) -> T:
        return self.target.decoded(await self.target.get(path, params), kind)

    async def _call(self, method: str, path: str, sent: Mapping[str, Any]) -> httpx.Response:
        """A call whose failure includes the answer's `details`, besides its message."""
        try:
            return await self.target.call(method, path, json=sent)
        except PublishFailed as error:
            details = details_of(error.__cause__.response) if isinstance(error.__cause__, BadStatus) else ""
            if not details or error.refusal not in (Refusal.INVALID, Refusal.CONFLICT):
                raise
            message = f"{error.message} ({self.target.without_secrets(details)})"
            raise PublishFailed(NAME, message, error.refusal) from error


def _slug(post: Post) -> str:
    return post.slug if _SLUG.fullmatch(post.slug) else slugify(post.slug)[:256] or slugify(post.external_key)


def _build(connection: Connection) -> WebflowPublisher:
    """Raises InvalidInput."""
    if not re.fullmatch(r"[A-Za-z0-9-]{1,64}", connection.credentials["collectionId"]):
        raise InvalidInput.of("credentials.collectionId", "must be the ID of a collection")
    fields = connection.settings.get("fieldMap") or {}
    unknown = sorted(set(fields) - set(_OURS))
    if unknown:
        raise InvalidInput.of("settings.fieldMap", f"has {', '.join(unknown)}; it may have {', '.join(_OURS)}")
    headers = {"Authorization": f"Bearer {connection.credentials['apiToken']}"}
    return WebflowPublisher(connection, connection.target(NAME, _BASE, headers, refusal_of), fields)


def _more_fields(choices: tuple[Choice, ...] = ()) -> PublishOptionField:
    return PublishOptionField("fields", "Further fields", FieldType.MAP, choices=choices,
                              help="Other fields of the item by their slug; references as item IDs.")  # fmt: skip


PROVIDER: Final = Provider(
    ProviderInfo(
        id="webflow",
        name="Webflow",
        icon=(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor"'
            ' stroke-width="2"><rect x="3" y="4" width="18" height="16" rx="2"/>'
            '<path d="M3 9h18M7 13h5M7 16h8"/></svg>'
        ),
        features=(Feature.DRAFT, Feature.PUBLISH, Feature.UPDATE, Feature.FIND, Feature.TAGS, Feature.CATEGORIES,
                  Feature.FEATURED_IMAGE, Feature.EXCERPT, Feature.SLUG, Feature.CANONICAL_URL, Feature.OPTIONS,
                  Feature.UNPUBLISH, Feature.DELETE),
        credential_fields=(
            SettingField("apiToken", "API token", required=True, secret=True,
                         help="In Webflow: Site settings → Apps & integrations → API access → Generate API token, with"
                              " read access to Sites, read and write access to CMS, and write access to Assets for the"
                              " pictures of diagrams."),
            SettingField("collectionId", "Collection ID", required=True,
                         help="In the Designer: CMS → the settings of your collection of posts. When it is wrong, the"
                              " connection test names the collections of the site."),
            SettingField("siteId", "Site ID", help="Needed only when the token opens several sites."),
            SettingField("publicBaseUrl", "Address of the site", FieldType.URL,
                         help="As visitors see it (https://www.example.com): Webflow does not tell where an item is"
                              " shown. Without it publications have no link."),
        ),
        setting_fields=(
            SettingField("fieldMap", "Fields", FieldType.MAP,
                         help=f"Which field of your collection (its slug) holds what: {', '.join(_OURS)}. Without a"
                              " field for body the only rich text of the collection is taken; what has no field here"
                              " is left out."),
        ),
        option_fields=(_more_fields(),),
        constraints=IntegrationConstraints(
            body_format="HTML (Webflow rich text)",
            title_max=_TITLE,
            cannot=(
                "Only the fields that the integration's settings name are filled.",
                "Code blocks come out empty through Webflow's API: code becomes paragraphs, without its language.",
                "Citations are numbers without links to the list of sources.",
                "Posts cannot be scheduled there: they are sent when their time has come.",
                "Tags and categories in a reference field become items of its collection; in an option field the first"
                " that is among the options is taken; in a text field they are a list with commas.",
                "Featured images are imported from their address, up to 4 MB; pictures of the text stay where they are,"
                " and those of diagrams become assets of the site.",
                "The slug of an item stays as it is when the article gets another one.",
                "A new text as a draft leaves the public item as it is.",
            ),
            unverified=(
                "The limit of a title (256 characters).",
                "The public address: the collection's and the item's slug behind that of the site.",
                "Option and reference values, and where the API names the collection that a field refers to.",
                "Whether tables stay in a rich text, and pictures that are assets.",
                "Where in Webflow's menus API tokens are made.",
            ),
        ),
    ),
    _build,
)  # fmt: skip
