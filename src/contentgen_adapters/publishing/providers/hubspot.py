"""HubSpot (CMS blog posts, date-versioned API): posts of a blog, in HTML."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from html import escape
from typing import Any, Final, TypeVar

import httpx
import msgspec
from attrs import define, field

from contentgen_adapters.publishing.bodies.html import html
from contentgen_adapters.publishing.bodies.texts import excerpt, one_line
from contentgen_adapters.publishing.illustrations import FilesOfText, illustrate
from contentgen_adapters.publishing.payload import without_none
from contentgen_adapters.publishing.pictures import Picture
from contentgen_adapters.publishing.provider import Connection, Provider
from contentgen_adapters.publishing.target import (
    Target,
    after_creation,
    before_creation,
    conflict_may_be_ours,
    fingerprint,
    usual_refusal,
)
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

_NAME: Final = "HubSpot"
_BASE: Final = "https://api.hubapi.com"
_VERSION: Final = "2026-09"
_POSTS: Final = f"/cms/blogs/{_VERSION}/posts"
_TAGS: Final = f"/cms/blogs/{_VERSION}/tags"
_AUTHORS: Final = f"/cms/blogs/{_VERSION}/authors"
_BLOGS: Final = f"/cms/blog-settings/{_VERSION}/settings"
_FILES: Final = "/files/2026-03/files"
_FOLDER: Final = "/contentgen"
_FILE_OPTIONS: Final = {
    "access": "PUBLIC_INDEXABLE",
    "duplicateValidationStrategy": "RETURN_EXISTING",
    "duplicateValidationScope": "EXACT_FOLDER",
}
_PAGE: Final = 100
_PAGES: Final = 20
_POST_PAGE: Final = 20
"""Few, since lists include the whole texts."""
_POST_PAGES: Final = 10
_DESCRIPTION: Final = 155
_WINDOW: Final = 10.0
"""Seconds of the rolling window of the rate limit."""


class _Item(msgspec.Struct, rename="camel"):
    """A blog, an author or a tag."""

    id: str
    name: str | None = None
    full_name: str | None = None
    display_name: str | None = None

    @property
    def label(self) -> str:
        return self.display_name or self.full_name or self.name or self.id


class _PostItem(msgspec.Struct, rename="camel"):
    id: str
    name: str = ""
    slug: str = ""
    url: str | None = None
    state: str = ""
    current_state: str | None = None
    publish_date: datetime | None = None
    content_group_id: str = ""
    post_body: str | None = None


class _File(msgspec.Struct):
    url: str


class _Next(msgspec.Struct):
    after: str


class _Paging(msgspec.Struct):
    next: _Next | None = None


class _Items(msgspec.Struct):
    results: list[_Item]
    paging: _Paging | None = None


class _PostItems(msgspec.Struct):
    results: list[_PostItem]
    paging: _Paging | None = None


@define
class HubSpotPublisher:
    """Creates a post as a draft, then publishes or schedules it. Finds it among the newest posts of its blog by its
    title and the end of its slug, which HubSpot may prefix with that of the blog."""

    connection: Connection
    target: Target
    _blogs: list[_Item] | None = field(default=None, init=False)

    async def test(self) -> str:
        blog = await self._blog({})
        await self._get(_POSTS, _PostItems, {"limit": 1})
        return f'Blog "{blog.label}"'

    async def find(self, post: Post) -> RemotePost | None:
        blog = await self._blog(post.options)
        async for item in self._newest(blog.id):
            same = item.name == one_line(post.title) and item.slug.rpartition("/")[2] == post.slug
            if same and item.content_group_id in ("", blog.id):
                return self._remote(item)
        return None

    async def create(self, post: Post) -> RemotePost:
        blog = await self._blog(post.options)
        fields = await self._fields(post, "") | {"contentGroupId": blog.id, "slug": post.slug}
        with conflict_may_be_ours():
            response = await self._call("POST", _POSTS, fields)
        made = self.target.decoded(response, _PostItem)
        with after_creation():
            return await self._brought_forward(made.id, post)

    async def update(self, remote_id: str, post: Post) -> RemotePost:
        """Updates the post's draft version, then publishes it, so that all changes become public together."""
        item = await self._get(f"{_POSTS}/{remote_id}", _PostItem)
        current, fields = self._remote(item), await self._fields(post, item.post_body or "")
        if current.status is PostStatus.SCHEDULED and post.status is PostStatus.PUBLISHED:
            fields["publishDate"] = self.connection.now()
        await self._call("PATCH", f"{_POSTS}/{remote_id}/draft", fields)
        return await self._brought_forward(remote_id, post)

    async def read(self, remote_id: str) -> RemotePost | None:
        try:
            return self._remote(await self._get(f"{_POSTS}/{remote_id}", _PostItem))
        except PublishFailed as error:
            if error.refusal is Refusal.GONE:
                return None
            raise

    async def delete(self, remote_id: str) -> None:
        await self._call("DELETE", f"{_POSTS}/{remote_id}", None)

    async def options(self) -> tuple[PublishOptionField, ...]:
        blogs = tuple(Choice(blog.id, blog.label) for blog in await self._list_blogs())
        authors = tuple([Choice(author.id, author.label) async for author in self._list(_AUTHORS)])
        return _blog_option(blogs), _author_option(authors)

    async def _brought_forward(self, id: str, post: Post) -> RemotePost:
        if post.status is PostStatus.PUBLISHED:
            await self._call("POST", f"{_POSTS}/{id}/draft/push-live", None)
        elif post.status is PostStatus.SCHEDULED:
            await self._call("POST", f"{_POSTS}/schedule", {"id": id, "publishDate": post.scheduled_for})
        return self.connection.with_warnings(self._remote(await self._get(f"{_POSTS}/{id}", _PostItem)))

    def _remote(self, item: _PostItem) -> RemotePost:
        text = None if item.post_body is None else fingerprint(item.name, item.post_body)
        state = (item.current_state or item.state).upper()
        if state == "PUBLISHED_OR_SCHEDULED":
            later = item.publish_date is not None and item.publish_date > self.connection.now()
            state = "SCHEDULED" if later else "PUBLISHED"
        if state == "PUBLISHED":
            return RemotePost(item.id, PostStatus.PUBLISHED, item.url or None, text)
        return RemotePost(item.id, PostStatus.SCHEDULED if state == "SCHEDULED" else PostStatus.DRAFT, None, text)

    async def _fields(self, post: Post, before: str) -> dict[str, Any]:
        """The fields common to creation and update. Creates missing tags, and uploads diagrams. `before`: the text that
        the post has."""

        async def text() -> str:
            return before

        gallery = FilesOfText(post, text, self._upload)
        drawn = (await illustrate(post, self.connection, _NAME, gallery)).post
        author = post.options.get("authorId") or self.connection.credentials.get("authorId")
        fields = {
            "name": one_line(post.title),
            "htmlTitle": one_line(post.meta_title or post.title),
            "postBody": html(drawn),
            "postSummary": f"<p>{escape(one_line(post.excerpt), quote=False)}</p>" if post.excerpt else None,
            "metaDescription": one_line(post.meta_description or "") or excerpt(post, _DESCRIPTION),
            "featuredImage": post.featured_image,
            "featuredImageAltText": post.featured_image_alt if post.featured_image else None,
            "linkRelCanonicalUrl": post.canonical_url,
            "blogAuthorId": author or None,
            "language": self.connection.credentials.get("language") or None,
        }
        tags = await self._tag_ids(post.tags)
        return without_none(fields) | {"useFeaturedImage": post.featured_image is not None, "tagIds": tags}

    async def _upload(self, name: str, picture: Picture, alt: str) -> str:
        """Upload a file and return its address; a file of the same name and content is reused."""
        form = {"fileName": name, "folderPath": _FOLDER, "options": msgspec.json.encode(_FILE_OPTIONS).decode()}
        file = (name, picture.content, picture.type)
        return self.target.decoded(await self._send("POST", _FILES, data=form, files={"file": file}), _File).url

    async def _tag_ids(self, names: tuple[str, ...]) -> list[int]:
        wanted = {name.casefold(): name for name in map(one_line, names) if name}
        if not wanted:
            return []
        known: dict[str, str] = {}
        async for tag in self._list(_TAGS):
            known.setdefault((tag.name or "").casefold(), tag.id)
        for key, name in wanted.items():
            if key not in known:
                language = self.connection.credentials.get("language") or None
                with before_creation():
                    response = await self._call("POST", _TAGS, without_none({"name": name, "language": language}))
                    known[key] = self.target.decoded(response, _Item).id
        return [int(known[key]) for key in wanted]

    async def _blog(self, options: Mapping[str, Any]) -> _Item:
        """The post's blog: its option, else the integration's setting, else the only one. Raises PublishFailed."""
        blogs = await self._list_blogs()
        wanted = options.get("blogId") or self.connection.credentials.get("blogId")
        fitting = [blog for blog in blogs if blog.id == str(wanted)] if wanted else blogs
        if len(fitting) != 1:
            known = ", ".join(f"{blog.label} ({blog.id})" for blog in blogs) or "none"
            raise PublishFailed(_NAME, f"it must be said which blog; the account has: {known}", Refusal.INVALID)
        return fitting[0]

    async def _list_blogs(self) -> list[_Item]:
        if self._blogs is None:
            self._blogs = [blog async for blog in self._list(_BLOGS)]
        return self._blogs

    async def _list(self, path: str) -> AsyncIterator[_Item]:
        after: str | None = None
        for _ in range(_PAGES):
            page = await self._get(path, _Items, without_none({"limit": _PAGE, "after": after}))
            for item in page.results:
                yield item
            if page.paging is None or page.paging.next is None:
                return
            after = page.paging.next.after

    async def _newest(self, blog: str) -> AsyncIterator[_PostItem]:
        """Yield the newest two hundred posts, which include that of any recent attempt."""
        asked: dict[str, Any] = {"limit": _POST_PAGE, "sort": "-createdAt", "contentGroupId__eq": blog}
        for _ in range(_POST_PAGES):
            page = await self._get(_POSTS, _PostItems, asked)
            for item in page.results:
                yield item
            if page.paging is None or page.paging.next is None:
                return
            asked["after"] = page.paging.next.after

    async def _get(self, path: str, kind: type[T], params: Mapping[str, Any] | None = None) -> T:
        return self.target.decoded(await self.target.get(path, params), kind)

    async def _call(self, method: str, path: str, fields: dict[str, Any] | None) -> httpx.Response:
        return await self._send(method, path, json=fields)

    async def _send(self, method: str, path: str, **parts: Any) -> httpx.Response:
        try:
            return await self.target.call(method, path, **parts)
        except PublishFailed as error:
            if error.refusal is not Refusal.LIMITED or error.retry_after is not None:
                raise
            raise PublishFailed(_NAME, error.message, Refusal.LIMITED, retry_after=_WINDOW) from error


def _refusal(response: httpx.Response) -> Refusal:
    """A daily quota is a permission problem, since a job cannot wait that long; a locked post is transient."""
    if response.status_code == 429 and '"DAILY"' in response.text:
        return Refusal.PERMISSION
    return Refusal.TRANSIENT if response.status_code == 423 else usual_refusal(response)


def _build(connection: Connection) -> HubSpotPublisher:
    headers = {"Authorization": f"Bearer {connection.credentials['accessToken']}"}
    return HubSpotPublisher(connection, connection.target(_NAME, _BASE, headers, _refusal))


def _blog_option(choices: tuple[Choice, ...] = ()) -> PublishOptionField:
    return PublishOptionField("blogId", "Blog", FieldType.SELECT, choices=choices,
                              help="Another blog of the account than the usual one; for a new post.")  # fmt: skip


def _author_option(choices: tuple[Choice, ...] = ()) -> PublishOptionField:
    return PublishOptionField("authorId", "Author", FieldType.SELECT, choices=choices,
                              help="One of the blog's authors in HubSpot.")  # fmt: skip


PROVIDER: Final = Provider(
    ProviderInfo(
        id="hubspot",
        name="HubSpot",
        icon=(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor"'
            ' stroke-width="2"><circle cx="14" cy="14" r="5"/><circle cx="4" cy="5" r="2"/>'
            '<path d="m5.5 6.5 4.7 4.2M14 9V3M11 17.5 8 21"/></svg>'
        ),
        features=(Feature.DRAFT, Feature.PUBLISH, Feature.SCHEDULE, Feature.UPDATE, Feature.FIND, Feature.TAGS,
                  Feature.FEATURED_IMAGE, Feature.EXCERPT, Feature.SLUG, Feature.CANONICAL_URL, Feature.OPTIONS,
                  Feature.DELETE),
        credential_fields=(
            SettingField("accessToken", "Service key", required=True, secret=True,
                         help="In HubSpot: Settings → Integrations → Service Keys, with the scope content, and"
                              " files for diagrams as pictures. The access token of a private app that exists already"
                              " works too."),
            SettingField("blogId", "Blog ID",
                         help="Needed when the account has several blogs; the connection test names them."),
            SettingField("authorId", "Author ID",
                         help="The blog author of posts that name no other. HubSpot may publish nothing without one."),
            SettingField("language", "Language",
                         help="The language of the blog as HubSpot writes it (en, de, pt-br), if it has several."),
        ),
        option_fields=(_blog_option(), _author_option()),
        constraints=IntegrationConstraints(
            body_format="HTML",
            cannot=(
                "The account needs a plan with blogs: Content Hub Starter, or Marketing Hub Professional and above.",
                "A public post does not become a draft again: a new text waits beside it, unpublished.",
                "The address of a post stays as it is when the article gets another one.",
                "There are no categories: tags are made when they are missing.",
                "A text for search engines that is missing is made of the excerpt, cut at 155 characters.",
                "Featured images and pictures of the text stay where they are; those of diagrams are copied into the"
                " folder contentgen of HubSpot's files.",
            ),
            unverified=(
                "The paths of the version 2026-09, and 2026-03 for files, with a service key.",
                "Which fields HubSpot needs to publish (author, description).",
                "Whether slugs have the blog's in front; posts are found by the last part and the title.",
                "The order of the list that posts are found in (the newest 200).",
                "Whether a scheduled post can be made public at once.",
            ),
        ),
    ),
    _build,
)  # fmt: skip
