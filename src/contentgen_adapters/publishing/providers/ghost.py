"""Ghost: its Admin API, with the key of a custom integration (Ghost 5 and newer)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from attrs import evolve, frozen

from contentgen_adapters.publishing.bodies.html import html
from contentgen_adapters.publishing.bodies.lengths import units
from contentgen_adapters.publishing.bodies.texts import one_line, shorten, tag_slugs
from contentgen_adapters.publishing.ghost_api import (
    NAME,
    GhostApi,
    Images,
    Newsletters,
    SiteAnswer,
    StoredPost,
    StoredPosts,
    Tags,
    Users,
    refusal_of,
)
from contentgen_adapters.publishing.illustrations import FilesOfText, illustrate
from contentgen_adapters.publishing.payload import check_length
from contentgen_adapters.publishing.pictures import Picture, fetch_picture, file_stem
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

MAX_TITLE: Final = 255
MAX_CANONICAL: Final = 2_000
_MAX_SLUG: Final = 180  # of 191, so that -2 has its place
_CUTS: Final = {"custom_excerpt": 300, "meta_title": 300, "meta_description": 500, "feature_image_alt": 191}
_STATUS: Final = {PostStatus.DRAFT: "draft", PostStatus.PUBLISHED: "published", PostStatus.SCHEDULED: "scheduled"}
_SEEN: Final = {"published": PostStatus.PUBLISHED, "sent": PostStatus.PUBLISHED, "scheduled": PostStatus.SCHEDULED}
_KEY: Final = re.compile(r"([0-9a-f]{8,64}):((?:[0-9a-f]{2}){16,128})")
_ID: Final = re.compile(r"[0-9a-f]{24}")
_SAME_SLUG: Final = 5  # posts of one slug that are looked at: slug, slug-2, … slug-5


@frozen
class GhostPublisher:
    """Finds posts by a hidden comment with our key in their footer code. The newsletter is sent with the first
    publication only."""

    connection: Connection
    api: GhostApi
    exact: bool

    async def test(self) -> str:
        await self.api.get("/users/", {"limit": 1})  # /site/ needs no key
        site = self.api.target.decoded(await self.api.get("/site/"), SiteAnswer).site
        return f'Blog "{site.title}" (Ghost {site.version})'

    async def find(self, post: Post) -> RemotePost | None:
        return next(iter(await self.copies(post)), None)

    async def copies(self, post: Post) -> list[RemotePost]:
        slug = _slug(post)
        slugs = ",".join(f"'{each}'" for each in (slug, *(f"{slug}-{n}" for n in range(2, _SAME_SLUG + 1))))
        response = await self.api.get("/posts/", {"filter": f"slug:[{slugs}]", "limit": _SAME_SLUG})
        found = self.api.target.decoded(response, StoredPosts).posts
        return [_remote(each) for each in found if _marker(post) in (each.codeinjection_foot or "")]

    async def create(self, post: Post) -> RemotePost:
        fields = {**await self._fields(post, None), "slug": _slug(post), "codeinjection_foot": _marker(post)}
        return await self._send("POST", "/posts/", fields, _mail(post))

    async def update(self, remote_id: str, post: Post) -> RemotePost:
        """Updates the post, except for its slug. A concurrent change is a conflict and is not overwritten."""
        existing = await self._existing(remote_id)
        if existing is None:
            raise PublishFailed(NAME, f"there is no post {remote_id} (any more)", Refusal.GONE)
        fields = {**await self._fields(post, existing), "updated_at": existing.updated_at}
        if post.status is PostStatus.PUBLISHED and existing.status == "scheduled":
            fields["published_at"] = _moment(self.connection.now())
        mail = _mail(post) if existing.status == "draft" else {}
        return await self._send("PUT", f"/posts/{existing.id}/", fields, mail)

    async def read(self, remote_id: str) -> RemotePost | None:
        existing = await self._existing(remote_id)
        return _remote(existing) if existing else None

    async def unpublish(self, remote_id: str) -> None:
        existing = await self._existing(remote_id)
        if existing is None:
            raise PublishFailed(NAME, f"there is no post {remote_id} (any more)", Refusal.GONE)
        fields = {"status": "draft", "updated_at": existing.updated_at}
        await self.api.call("PUT", f"/posts/{existing.id}/", json={"posts": [fields]})

    async def delete(self, remote_id: str) -> None:
        if not _ID.fullmatch(remote_id):
            raise PublishFailed(NAME, f"there is no post {remote_id[:50]}", Refusal.GONE)
        await self.api.call("DELETE", f"/posts/{remote_id}/")

    async def options(self) -> Sequence[PublishOptionField]:
        newsletters = self.api.target.decoded(
            await self.api.get("/newsletters/", {"limit": 100}), Newsletters
        ).newsletters
        users = self.api.target.decoded(await self.api.get("/users/", {"limit": 100}), Users).users
        tags = self.api.target.decoded(await self.api.get("/tags/", {"limit": 100}), Tags).tags
        active = tuple(Choice(each.slug, each.name) for each in newsletters if each.status == "active")
        names = tuple(Choice(tag.name, tag.name) for tag in tags if not tag.name.startswith("#"))
        return (
            evolve(_NEWSLETTER, choices=active),
            evolve(_AUTHORS, choices=tuple(Choice(each.email, each.name) for each in users)),
            PublishOptionField("tags", "Tags", FieldType.LIST, choices=names),
        )

    async def _existing(self, remote_id: str) -> StoredPost | None:
        if not _ID.fullmatch(remote_id):
            return None
        try:
            return self.api.first(await self.api.get(f"/posts/{remote_id}/"))
        except PublishFailed as error:
            if error.refusal is Refusal.GONE:
                return None
            raise

    async def _send(self, method: str, path: str, fields: dict[str, Any], mail: dict[str, Any]) -> RemotePost:
        params = {"source": "html", **mail}
        made = self.api.first(await self.api.call(method, path, json={"posts": [fields]}, params=params))
        return self.connection.with_warnings(_remote(made))

    async def _fields(self, post: Post, existing: StoredPost | None) -> dict[str, Any]:
        """The fields of a post. Tags and authors only if there are any (or no tags were asked for), since Ghost
        replaces the whole list."""
        check_length(NAME, "the title", units(post.title), MAX_TITLE)
        check_length(NAME, "the canonical address", units(post.canonical_url or ""), MAX_CANONICAL)
        fields: dict[str, Any] = {
            "title": post.title,
            "html": await asyncio.to_thread(self._body, await self._illustrate(post, existing)),
            "status": _STATUS[post.status],
            "published_at": _moment(post.scheduled_for) if post.scheduled_for else None,
            "custom_excerpt": post.excerpt,
            "canonical_url": post.canonical_url,
            "meta_title": post.meta_title,
            "meta_description": post.meta_description,
            "tags": _tags(post) or ([] if "tags" in post.clears else None),
            "authors": list(post.options.get("authors") or ()) or None,
            "visibility": post.options.get("visibility"),
            "featured": post.options.get("featured"),
        }
        if post.featured_image:
            fields["feature_image"] = await self._picture(post, post.featured_image, existing)
            fields["feature_image_alt"] = post.featured_image_alt
        for name, most in _CUTS.items():
            fields[name] = shorten(one_line(fields.get(name) or ""), most) or None
        return {name: value for name, value in fields.items() if value is not None}

    def _body(self, post: Post) -> str:
        if not self.exact:
            return html(post, citation_links=False)
        return f"<!--kg-card-begin: html-->\n{html(post)}<!--kg-card-end: html-->"

    async def _illustrate(self, post: Post, existing: StoredPost | None) -> Post:
        async def text() -> str:
            return (existing and existing.lexical) or ""

        return (await illustrate(post, self.connection, NAME, FilesOfText(post, text, self._upload))).post

    async def _upload(self, name: str, picture: Picture, alt: str = "") -> str:
        response = await self.api.call(
            "POST",
            "/images/upload/",
            files={"file": (name, picture.content, picture.type)},
            data={"purpose": "image", "ref": name.rpartition(".")[0]},
        )
        images = self.api.target.decoded(response, Images).images
        if not images:
            raise PublishFailed(NAME, "its answer holds no image", Refusal.INVALID)
        return images[0].url

    async def _picture(self, post: Post, address: str, existing: StoredPost | None) -> str:
        stem = file_stem(post)
        if existing is not None and existing.feature_image and stem in existing.feature_image:
            return existing.feature_image
        with preparation("its featured image"):
            picture = await fetch_picture(NAME, self.connection.client, address)
            return await self._upload(f"{stem}.{picture.extension}", picture)


def _marker(post: Post) -> str:
    return f"<!-- {post.external_key} -->"


def _slug(post: Post) -> str:
    """The slug in a form that Ghost does not change."""
    return next(iter(tag_slugs((post.slug,), most=1, longest=_MAX_SLUG, separator="-")), post.external_key)


def _remote(existing: StoredPost) -> RemotePost:
    status = _SEEN.get(existing.status, PostStatus.DRAFT)
    text = None if existing.lexical is None else fingerprint(existing.title, existing.lexical)
    return RemotePost(existing.id, status, existing.url if status is not PostStatus.DRAFT else None, text)


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def _tags(post: Post) -> list[dict[str, str]]:
    """Categories and tags; Ghost's first tag is the primary one. A leading # is removed: it would make a tag
    internal."""
    names = (one_line(name).lstrip("# ") for name in (*post.categories, *post.tags))
    return [{"name": name} for name in {name.casefold(): name for name in names if name}.values()]


def _mail(post: Post) -> dict[str, Any]:
    newsletter = post.options.get("newsletter")
    if not newsletter or post.status is PostStatus.DRAFT:
        return {}
    return {"newsletter": newsletter, "email_segment": post.options.get("emailSegment") or "all"}


def _build(connection: Connection) -> GhostPublisher:
    key = _KEY.fullmatch(str(connection.credentials["adminApiKey"]).strip().lower())
    if key is None:
        raise InvalidInput.of("credentials.adminApiKey", "must be two hexadecimal parts with a colon between them")
    address = str(connection.credentials["adminUrl"]).strip().partition("#")[0].rstrip("/").removesuffix("/ghost")
    if "?" in address:
        raise InvalidInput.of("credentials.adminUrl", "the address alone, without ?")
    target = connection.target(NAME, f"{address}/ghost/api/admin", {"Accept-Version": "v5.0"}, refusal_of)
    target = evolve(target, secrets=(*connection.secrets, key[2]))
    exact = connection.settings.get("text", "exact") != "editable"
    return GhostPublisher(connection, GhostApi(target, key[1], bytes.fromhex(key[2]), connection.now), exact)


_NEWSLETTER: Final = PublishOptionField(
    "newsletter", "Newsletter", FieldType.SELECT,
    help="Send the post by this newsletter when it is published for the first time; without it no mail goes out.",
)  # fmt: skip
_AUTHORS: Final = PublishOptionField(
    "authors", "Authors", FieldType.LIST, help="E-mail addresses of staff users; without them the blog's owner."
)

PROVIDER: Final = Provider(
    ProviderInfo(
        id=NAME,
        name="Ghost",
        icon=(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor"'
            ' stroke-width="2" stroke-linejoin="round"><path d="M5 21V11a7 7 0 0 1 14 0v10l-3.5-2.5L12 21l-3.5-2.5z"/>'
            '<path d="M9.5 11v1M14.5 11v1"/></svg>'
        ),
        features=(Feature.DRAFT, Feature.PUBLISH, Feature.SCHEDULE, Feature.UPDATE, Feature.FIND, Feature.TAGS,
                  Feature.FEATURED_IMAGE, Feature.EXCERPT, Feature.SLUG, Feature.CANONICAL_URL, Feature.OPTIONS,
                  Feature.UNPUBLISH, Feature.DELETE, Feature.TWINS),
        credential_fields=(
            SettingField("adminUrl", "API URL", FieldType.URL, required=True,
                         help="The API URL that Ghost shows beside the key, such as https://blog.example.com or"
                              " https://name.ghost.io. It can differ from the address of the public site."),
            SettingField("adminApiKey", "Admin API key", required=True, secret=True,
                         help="In Ghost under Settings → Integrations → Add custom integration: the Admin API key, two"
                              " long parts with a colon between them."),
        ),
        setting_fields=(
            SettingField("text", "Form of the text", FieldType.SELECT, default="exact",
                         choices=(Choice("exact", "Exactly as written, as one HTML card"),
                                  Choice("editable", "As editable blocks, converted by Ghost")),
                         help="Editable blocks can be changed in Ghost's editor, but its conversion simplifies tables"
                              " and other parts, and [n] does not lead to the source."),
        ),
        option_fields=(
            _NEWSLETTER,
            PublishOptionField("emailSegment", "Recipients", FieldType.SELECT, default="all",
                               choices=(Choice("all", "All"), Choice("status:free", "Free members"),
                                        Choice("status:-free", "Paying members")),
                               help="Which members of the newsletter get the mail."),
            PublishOptionField("visibility", "Access", FieldType.SELECT,
                               choices=(Choice("public", "Everybody"), Choice("members", "Members"),
                                        Choice("paid", "Paying members")),
                               help="Who may read the post; without it as the blog has it."),
            PublishOptionField("featured", "Featured", FieldType.BOOLEAN, help="Mark the post as featured."),
            _AUTHORS,
        ),
        constraints=IntegrationConstraints(
            body_format="HTML",
            title_max=MAX_TITLE,
            cannot=(
                "Ghost has no categories: they become its first tags, of which the first is the primary one.",
                "Excerpts and SEO titles are cut to 300 characters, SEO descriptions to 500.",
                "The address (slug) of a post is set when it is made and not changed by updates; Ghost adds -2 to one"
                " that is taken.",
                "Featured images are uploaded as JPEG, PNG, GIF or WebP of at most 10 MB.",
                "A newsletter is sent once, with the first publication; a mail cannot be taken back.",
                "A hidden comment in the code of the post's foot is what a post is found by; removing it is harmless"
                " once the post is published.",
            ),
            unverified=(
                "Whether every plan keeps code in a post's foot; without it a post whose answer got lost is not found.",
                "Limits of Ghost(Pro) and of plans that do not allow custom integrations.",
                "How each version of Ghost converts tables and code into editable blocks.",
            ),
        ),
    ),
    _build,
)  # fmt: skip
