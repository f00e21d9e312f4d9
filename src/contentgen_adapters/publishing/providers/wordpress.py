"""Self-hosted WordPress: the REST API of its core, with an application password (WordPress 5.6 and newer)."""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from html import unescape
from typing import Any, Final
from urllib.parse import urlsplit

from attrs import evolve, frozen

from contentgen_adapters.publishing.bodies.texts import one_line
from contentgen_adapters.publishing.bodies.wordpress import Uploaded, html_block, wordpress_html
from contentgen_adapters.publishing.illustrations import illustrate
from contentgen_adapters.publishing.preparing import preparation, response_of, with_reason
from contentgen_adapters.publishing.provider import Connection, Provider
from contentgen_adapters.publishing.target import fingerprint
from contentgen_adapters.publishing.wordpress_api import (
    NAME,
    StoredPost,
    Term,
    User,
    WordPressApi,
    error_of,
    refusal_of,
)
from contentgen_adapters.publishing.wordpress_media import MediaLibrary
from contentgen_adapters.publishing.wordpress_seo import seo_meta
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

_STATUS: Final = {PostStatus.DRAFT: "draft", PostStatus.PUBLISHED: "publish", PostStatus.SCHEDULED: "future"}
_SEEN: Final = {"publish": PostStatus.PUBLISHED, "private": PostStatus.PUBLISHED, "future": PostStatus.SCHEDULED}
_POST_TYPE: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,49}")
_IN_FRONT: Final = ("/wp-json", "/wp-admin", "/wp-login.php", "/index.php")


@frozen
class WordPressPublisher:
    """Finds posts by a hidden comment with our key at the end of their text, so that another post with the same slug is
    never taken for ours. `uploads`: whether pictures of the text are uploaded."""

    connection: Connection
    api: WordPressApi
    uploads: bool

    async def test(self) -> str:
        try:
            response = await self.api.get("/users/me", {"context": "edit"})
        except PublishFailed as error:
            raise self._explain(error) from error.__cause__
        user = self.api.decoded(response, User)
        may = user.capabilities if isinstance(user.capabilities, dict) else {}
        await self._find_type()
        rights = _RIGHTS if self.api.posts == "/posts" else {}  # other types have rights of their own
        missing = [what for right, what in rights.items() if not may.get(right)]
        host = urlsplit(self.api.target.base).hostname
        return f"{host}, as {unescape(user.name)}" + (f". This user may not {' or '.join(missing)}." if missing else "")

    async def _find_type(self) -> None:
        """Raises PublishFailed."""
        try:
            await self.api.get(self.api.posts, {"per_page": 1, "_fields": "id"})
        except PublishFailed as error:
            answer = response_of(error)
            if answer is None or answer.status_code != 404:
                raise
            message = f"there is no post type {self.api.posts[1:]} in its API (is it shown there, as show_in_rest?)"
            raise PublishFailed(NAME, message, Refusal.INVALID) from error.__cause__

    def _explain(self, error: PublishFailed) -> PublishFailed:
        """A failed test with advice for the user. WordPress does not refuse wrong credentials: it continues as for a
        request without a login."""
        answer = response_of(error)
        if answer is not None and answer.status_code == 404:
            return PublishFailed(
                NAME,
                "there is no WordPress API at this address. Is it the site's address? If the site has plain permalinks,"
                " switch that setting on",
                Refusal.INVALID,
            )
        if answer is not None and answer.status_code == 401:
            return with_reason(
                self.api.target,
                error,
                "the user name or the application password is wrong, or the web server drops the Authorization header."
                f" WordPress says: {error_of(answer).message}",
            )
        return error

    async def find(self, post: Post) -> RemotePost | None:
        return next(iter(await self.copies(post)), None)

    async def copies(self, post: Post) -> list[RemotePost]:
        params = {"search": post.external_key, "status": "any", "context": "edit", "per_page": 20}
        response = await self.api.get(self.api.posts, params)
        marker = _marker(post)
        found = self.api.decoded(response, list[StoredPost])
        return [_remote(each) for each in found if each.content is not None and marker in each.content.raw]

    async def create(self, post: Post) -> RemotePost:
        fields = {**await self._fields(post), "slug": post.slug}
        return await self._send(self.api.posts, fields)

    async def update(self, remote_id: str, post: Post) -> RemotePost:
        """Updates the post, except for its slug. A post in the trash counts as gone: an update would restore it."""
        existing = await self._existing(remote_id)
        if existing is None:
            raise PublishFailed(NAME, f"there is no post {remote_id} (any more)", Refusal.GONE)
        fields = await self._fields(post)
        now = self.connection.now()
        if post.status is PostStatus.PUBLISHED and (existing.date_gmt or "") > _gmt(now):
            fields["date_gmt"] = _gmt(now)  # with a future date WordPress would schedule it
        return await self._send(f"{self.api.posts}/{existing.id}", fields)

    async def read(self, remote_id: str) -> RemotePost | None:
        existing = await self._existing(remote_id)
        return _remote(existing) if existing else None

    async def unpublish(self, remote_id: str) -> None:
        await self.api.call("POST", f"{self.api.posts}/{_number(remote_id)}", json={"status": "draft"})

    async def delete(self, remote_id: str) -> None:
        """Moves the post to the trash, from where a person can take it back."""
        await self.api.call("DELETE", f"{self.api.posts}/{_number(remote_id)}")

    async def options(self) -> Sequence[PublishOptionField]:
        people = await self._list_terms("/users", {"who": "authors"})
        categories, tags = await self._list_terms("/categories"), await self._list_terms("/tags")
        return (
            evolve(_AUTHOR, choices=tuple(Choice(str(each.id), unescape(each.name)) for each in people)),
            PublishOptionField("categories", "Categories", FieldType.LIST, choices=_names(categories)),
            PublishOptionField("tags", "Tags", FieldType.LIST, choices=_names(tags)),
        )

    async def _list_terms(self, path: str, more: dict[str, Any] | None = None) -> list[Term]:
        """Return the first hundred terms or users; none if the user may not list them."""
        try:
            response = await self.api.get(path, {"per_page": 100, "_fields": "id,name", **(more or {})})
        except PublishFailed as error:
            if error.refusal in (Refusal.PERMISSION, Refusal.INVALID):
                return []
            raise
        return self.api.decoded(response, list[Term])

    async def _existing(self, remote_id: str) -> StoredPost | None:
        if not remote_id.isdecimal():
            return None
        try:
            response = await self.api.get(f"{self.api.posts}/{remote_id}", {"context": "edit"})
        except PublishFailed as error:
            if error.refusal is Refusal.GONE:
                return None
            raise
        existing = self.api.decoded(response, StoredPost)
        return None if existing.status == "trash" else existing

    async def _send(self, path: str, fields: dict[str, Any]) -> RemotePost:
        meta = fields.pop("meta", None)
        made = self.api.decoded(await self.api.call("POST", path, json=fields), StoredPost)
        if meta:
            await self._describe(made.id, meta)
        return self.connection.with_warnings(_remote(made))

    async def _describe(self, id: int, meta: dict[str, str]) -> None:
        """Behind the post: refused with it, WordPress would have made the post nevertheless. Not allowed, the texts are
        left out."""
        try:
            await self.api.call("POST", f"{self.api.posts}/{id}", json={"meta": meta})
        except PublishFailed as error:
            if error.refusal in (Refusal.INVALID, Refusal.PERMISSION):
                return
            raise PublishFailed(
                NAME, error.message, error.refusal, outcome_unknown=True, retry_after=error.retry_after
            ) from error.__cause__

    async def _fields(self, post: Post) -> dict[str, Any]:
        """Return the fields of a post. Terms and author are included only if the post has some, or if it asked for
        none: otherwise those chosen in WordPress are kept.
        """
        library = MediaLibrary(self.api, self.connection.client, post)
        own = urlsplit(self.api.target.base).hostname
        shown = await illustrate(post, self.connection, NAME, library, pictures=self.uploads, own=own)
        pictures = {address: Uploaded(kept.record, kept.url) for address, kept in shown.pictures.items()}
        body = await asyncio.to_thread(wordpress_html, shown.post, pictures)
        fields: dict[str, Any] = {
            "title": _to_html(post.title),
            "content": f"{body}{html_block(_marker(post))}".rstrip(),
            "status": _STATUS[post.status],
            "excerpt": None if post.excerpt is None else _to_html(post.excerpt),
            "date_gmt": _gmt(post.scheduled_for) if post.scheduled_for else None,
            "author": _author(post),
            "sticky": post.options.get("sticky"),
            "comment_status": post.options.get("comments"),
            "meta": await seo_meta(self.api, post) or None,
        }
        for taxonomy, names in (("categories", post.categories), ("tags", post.tags)):
            with preparation(f"its {taxonomy}"):
                fields[taxonomy] = [await self._term(taxonomy, name) for name in _distinct(names)]
                fields[taxonomy] = fields[taxonomy] or ([] if taxonomy in post.clears else None)
        if post.featured_image:
            with preparation("its featured image"):
                alt = post.featured_image_alt or ""
                fields["featured_media"] = await library.featured(post.featured_image, alt)
        return {name: value for name, value in fields.items() if value is not None}

    async def _term(self, taxonomy: str, name: str) -> int:
        """The id of a category or tag, created if missing. The search also matches parts of names; names are HTML."""
        response = await self.api.get(f"/{taxonomy}", {"search": name, "per_page": 100, "_fields": "id,name"})
        for term in self.api.decoded(response, list[Term]):
            if one_line(unescape(term.name)).casefold() == name.casefold():
                return term.id
        try:
            made = await self.api.call("POST", f"/{taxonomy}", json={"name": name})
        except PublishFailed as error:
            answer = response_of(error)
            existing = error_of(answer).existing_term if answer is not None else None
            if existing is None:
                raise
            return existing
        return self.api.decoded(made, Term).id


def _number(remote_id: str) -> int:
    """Raises PublishFailed."""
    if not remote_id.isdecimal():
        raise PublishFailed(NAME, f"there is no post {remote_id[:50]}", Refusal.GONE)
    return int(remote_id)


def _marker(post: Post) -> str:
    return f"<!-- {post.external_key} -->"


def _to_html(text: str) -> str:
    """A text as HTML for title and excerpt. WordPress escapes ampersands itself."""
    return text.replace("<", "&lt;")


def _remote(existing: StoredPost) -> RemotePost:
    status = _SEEN.get(existing.status, PostStatus.DRAFT)
    title, content = existing.title, existing.content
    text = fingerprint(title.raw, content.raw) if title is not None and content is not None else None
    return RemotePost(str(existing.id), status, existing.link or None if status is not PostStatus.DRAFT else None, text)


def _gmt(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _distinct(names: Sequence[str]) -> list[str]:
    """The names without duplicates, case aside, in their first spelling."""
    found: dict[str, str] = {}
    for name in filter(None, map(one_line, names)):
        found.setdefault(name.casefold(), name)
    return list(found.values())


def _names(terms: Sequence[Term]) -> tuple[Choice, ...]:
    return tuple(Choice(name, name) for name in (unescape(term.name) for term in terms))


def _author(post: Post) -> int | None:
    """Raises PublishFailed."""
    author = post.options.get("author")
    if not author:
        return None
    if not str(author).isdecimal():
        raise PublishFailed(NAME, "the option author must be the number of a user", Refusal.INVALID)
    return int(author)


def _build(connection: Connection) -> WordPressPublisher:
    given, settings = connection.credentials, connection.settings
    site = str(given["siteUrl"]).strip().rstrip("/")
    for ending in _IN_FRONT:
        site = site.removesuffix(ending)
    if urlsplit(site).query or urlsplit(site).fragment:
        raise InvalidInput.of("credentials.siteUrl", "the address of the site alone, without ? and #")
    password = "".join(str(given["applicationPassword"]).split())
    token = base64.b64encode(f"{given['username']}:{password}".encode()).decode()
    target = connection.target(NAME, site, {"Authorization": f"Basic {token}"}, refusal_of)
    target = evolve(target, secrets=(*connection.secrets, password, token))
    kind = str(settings.get("postType") or "posts").strip()
    if not _POST_TYPE.fullmatch(kind):
        raise InvalidInput.of("settings.postType", "the name of a post type in addresses of the API, such as posts")
    api = WordPressApi(target, settings.get("plainPermalinks") is True, f"/{kind}")
    return WordPressPublisher(connection, api, settings.get("uploadPictures") is not False)


_RIGHTS: Final = {"publish_posts": "publish posts (drafts only)", "upload_files": "upload featured images"}
_AUTHOR: Final = PublishOptionField(
    "author", "Author", FieldType.SELECT, help="Who the post is by; without it the user of the integration."
)

PROVIDER: Final = Provider(
    ProviderInfo(
        id=NAME,
        name="WordPress",
        icon=(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor"'
            ' stroke-width="2" stroke-linejoin="round"><rect x="2" y="3" width="20" height="18" rx="3"/>'
            '<path d="m6 8 3 9 3-7 3 7 3-9"/></svg>'
        ),
        features=(Feature.DRAFT, Feature.PUBLISH, Feature.SCHEDULE, Feature.UPDATE, Feature.FIND, Feature.TAGS,
                  Feature.CATEGORIES, Feature.FEATURED_IMAGE, Feature.EXCERPT, Feature.SLUG, Feature.OPTIONS,
                  Feature.UNPUBLISH, Feature.DELETE, Feature.TWINS),
        credential_fields=(
            SettingField("siteUrl", "Site address", FieldType.URL, required=True,
                         help="The address of your site, such as https://blog.example.com (what stands before"
                              " /wp-admin). Use https: over http the password could be read on its way."),
            SettingField("username", "User name", required=True,
                         help="The login name of the user who will own the posts: an author or of a higher role."),
            SettingField("applicationPassword", "Application password", required=True, secret=True,
                         help="In WordPress under Users → Profile → Application Passwords → Add New. It is shown"
                              " once; it is not the password you log in with."),
        ),
        setting_fields=(
            SettingField("plainPermalinks", "Plain permalinks", FieldType.BOOLEAN, default=False,
                         help="Switch on if Settings → Permalinks is “Plain” at your site."),
            SettingField("postType", "Post type", default="posts",
                         help="What the posts are: posts, pages, or the name in the API (rest_base) of a type of your"
                              " own."),
            SettingField("uploadPictures", "Upload pictures", FieldType.BOOLEAN, default=True,
                         help="Copy the pictures of a text into the media library; else they are loaded from where they"
                              " are."),
        ),
        option_fields=(
            _AUTHOR,
            PublishOptionField("sticky", "Keep at the top", FieldType.BOOLEAN, help="Keep the post on the front page."),
            PublishOptionField("comments", "Comments", FieldType.SELECT,
                               choices=(Choice("open", "Allowed"), Choice("closed", "Not allowed")),
                               help="Whether readers may comment; without it as the site has it."),
        ),
        constraints=IntegrationConstraints(
            body_format="WordPress blocks",
            cannot=(
                "WordPress has no field for a canonical address or for SEO texts. Those of Yoast SEO, Rank Math and"
                " SEOPress are filled where the site lets its API write them (show_in_rest).",
                "Of a text, the first twenty pictures are uploaded; one that cannot be fetched stays a link.",
                "The address (slug) of a post is set when it is made and not changed by updates; WordPress adds -2"
                " to one that is taken.",
                "Featured images are uploaded as JPEG, PNG, GIF or WebP of at most 10 MB.",
                "Each text ends with a hidden comment by which a post is found again. Where a plugin removes comments,"
                " a post whose answer got lost cannot be found and may be made twice.",
                "What is due within a minute is published at once.",
                "A call that is held up on its way for longer than half a minute, and arrives after the post was looked"
                " for, makes a second post, which is moved to the trash when it is found minutes later.",
                "Lists whose items hold more than text and lists, and definition lists, are blocks of HTML.",
            ),
            unverified=(
                "Hosts' firewalls and security plugins may refuse the API in ways of their own.",
                "Versions other than 6.1, which was tried.",
            ),
        ),
    ),
    _build,
)  # fmt: skip
