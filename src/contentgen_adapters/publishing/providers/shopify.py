"""Shopify (GraphQL Admin API): articles of an online store's blog, in HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from html import escape
from typing import Any, Final

import httpx
import msgspec
from attrs import define, evolve, field

from contentgen_adapters.publishing.bodies.html import html
from contentgen_adapters.publishing.bodies.texts import one_line
from contentgen_adapters.publishing.graphql import GraphQL, UserError
from contentgen_adapters.publishing.illustrations import FilesOfText, illustrate
from contentgen_adapters.publishing.payload import without_none
from contentgen_adapters.publishing.provider import Connection, Provider
from contentgen_adapters.publishing.shopify_files import NAME, ShopFiles
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
from contentgen_core.ports.publishing import PublishFailed, Refusal

_VERSION: Final = "2026-10"
_DOMAIN: Final = re.compile(r"(?:https://)?([a-z0-9][a-z0-9-]{0,62})(?:\.myshopify\.com)?/?", re.IGNORECASE)
_BLOG: Final = re.compile(r"(?:gid://shopify/Blog/)?([0-9]{1,20})")
_EARLIER: Final = timedelta(minutes=1)
"""How long before its expiry a token is renewed."""
_HINTS: Final = {"ACCESS_DENIED": "the app needs the scopes read_content and write_content"}
_MARK: Final = {"namespace": "contentgen", "key": "external_key"}

_ARTICLE: Final = """{ id title body handle isPublished publishedAt blog { handle }
  metafield(namespace: "contentgen", key: "external_key") { value } }"""
_HOME: Final = "query { shop { name primaryDomain { url } } blogs(first: 50) { nodes { id handle title } } }"
_READ: Final = f"query ($id: ID!) {{ article(id: $id) {_ARTICLE} }}"
_FIND: Final = f"query ($query: String!) {{ articles(first: 20, query: $query) {{ nodes {_ARTICLE} }} }}"
_CREATE: Final = f"""mutation ($article: ArticleCreateInput!) {{
  articleCreate(article: $article) {{ article {_ARTICLE} userErrors {{ code field message }} }}
}}"""
_UPDATE: Final = f"""mutation ($id: ID!, $article: ArticleUpdateInput!) {{
  articleUpdate(id: $id, article: $article) {{ article {_ARTICLE} userErrors {{ code field message }} }}
}}"""
_DELETE: Final = """mutation ($id: ID!) {
  articleDelete(id: $id) { deletedArticleId userErrors { code field message } }
}"""


class _Blog(msgspec.Struct):
    handle: str
    id: str = ""
    title: str = ""


class _Mark(msgspec.Struct):
    value: str


class _Article(msgspec.Struct, rename="camel"):
    id: str
    title: str
    handle: str
    is_published: bool
    blog: _Blog
    published_at: datetime | None = None
    metafield: _Mark | None = None
    body: str | None = None


class _Domain(msgspec.Struct):
    url: str


class _Shop(msgspec.Struct, rename="camel"):
    name: str
    primary_domain: _Domain


class _Blogs(msgspec.Struct):
    nodes: list[_Blog]


class _Home(msgspec.Struct):
    shop: _Shop
    blogs: _Blogs


class _Articles(msgspec.Struct):
    nodes: list[_Article] = []


class _Seen(msgspec.Struct):
    article: _Article | None = None
    articles: _Articles = msgspec.field(default_factory=_Articles)


class _Changed(msgspec.Struct, rename="camel"):
    article: _Article | None = None
    user_errors: list[UserError] = []


class _Token(msgspec.Struct):
    access_token: str
    expires_in: float = 0.0


@define
class ShopifyPublisher:
    """Finds articles by our key in a metafield. An app's token is cached until it expires. `_home`: the cached shop
    with its blogs."""

    connection: Connection
    shop: str
    _api: GraphQL | None = field(default=None, repr=False)
    _until: datetime | None = None
    _home: _Home | None = None

    async def test(self) -> str:
        home = await self._find_home()
        return f'Blog "{self._blog(home, {}).title}" of {home.shop.name}'

    async def find(self, post: Post) -> RemotePost | None:
        home = await self._find_home()
        number = self._blog(home, post.options).id.rpartition("/")[2]
        handle = re.sub(r'["\\\\]', "", post.slug)
        asked = {"query": f'handle:"{handle}" AND blog_id:{number}'}
        seen = await (await self._session()).query(_FIND, _Seen, asked)
        ours = (article for article in seen.articles.nodes if _is_same(article, post))
        return next((self._remote(home, article) for article in ours), None)

    async def create(self, post: Post) -> RemotePost:
        home = await self._find_home()
        article = _fields(await self._illustrate(post, None), self._author(home)) | {
            "blogId": self._blog(home, post.options).id,
            "handle": post.slug,
        }
        if post.status is PostStatus.SCHEDULED:
            article["publishDate"] = post.scheduled_for
        else:
            article["isPublished"] = post.status is PostStatus.PUBLISHED
        with conflict_may_be_ours():
            return await self._mutate(home, "articleCreate", _CREATE, {"article": article})

    async def update(self, remote_id: str, post: Post) -> RemotePost:
        home = await self._find_home()
        article = _fields(await self._illustrate(post, remote_id), self._author(home))
        if post.status is PostStatus.SCHEDULED:
            article |= {"isPublished": False, "publishDate": post.scheduled_for}
        elif post.status is PostStatus.DRAFT:
            article |= {"isPublished": False, "publishDate": None}
        else:
            article["isPublished"] = True
        return await self._mutate(home, "articleUpdate", _UPDATE, {"id": remote_id, "article": article})

    async def read(self, remote_id: str) -> RemotePost | None:
        home = await self._find_home()
        seen = await (await self._session()).query(_READ, _Seen, {"id": remote_id})
        return self._remote(home, seen.article) if seen.article else None

    async def unpublish(self, remote_id: str) -> None:
        article = {"isPublished": False, "publishDate": None}
        await self._mutate(await self._find_home(), "articleUpdate", _UPDATE, {"id": remote_id, "article": article})

    async def delete(self, remote_id: str) -> None:
        api = await self._session()
        deleted = (await api.mutate(_DELETE, dict[str, _Changed | None], {"id": remote_id})).get("articleDelete")
        api.check(deleted.user_errors if deleted else ())

    async def options(self) -> tuple[PublishOptionField, ...]:
        blogs = (await self._find_home()).blogs.nodes
        return (_blog_option(tuple(Choice(blog.id, blog.title) for blog in blogs)),)

    async def _mutate(self, home: _Home, name: str, mutation: str, variables: Mapping[str, Any]) -> RemotePost:
        api = await self._session()
        changed = (await api.mutate(mutation, dict[str, _Changed | None], variables)).get(name)
        api.check(changed.user_errors if changed else ())
        if changed is None or changed.article is None:
            message = "it did not say what became of the article"
            raise PublishFailed(NAME, message, Refusal.INVALID, outcome_unknown=True)
        return self.connection.with_warnings(self._remote(home, changed.article))

    async def _illustrate(self, post: Post, remote_id: str | None) -> Post:
        async def text() -> str:
            if remote_id is None:
                return ""
            article = (await (await self._session()).query(_READ, _Seen, {"id": remote_id})).article
            return (article and article.body) or ""

        files = ShopFiles(self.connection, await self._session())
        return (await illustrate(post, self.connection, NAME, FilesOfText(post, text, files.uploaded))).post

    def _remote(self, home: _Home, article: _Article) -> RemotePost:
        """The remote post, with the usual storefront address: the API does not return one."""
        text = None if article.body is None else fingerprint(article.title, article.body)
        if article.is_published:
            url = f"{home.shop.primary_domain.url.rstrip('/')}/blogs/{article.blog.handle}/{article.handle}"
            return RemotePost(article.id, PostStatus.PUBLISHED, url, text)
        later = article.published_at is not None and article.published_at > self.connection.now()
        return RemotePost(article.id, PostStatus.SCHEDULED if later else PostStatus.DRAFT, None, text)

    def _author(self, home: _Home) -> str:
        return self.connection.credentials.get("authorName") or home.shop.name

    def _blog(self, home: _Home, options: Mapping[str, Any]) -> _Blog:
        """The post's blog: its option, else the integration's setting, else the shop's first. Raises PublishFailed."""
        blogs = home.blogs.nodes
        wanted = options.get("blogId") or self.connection.credentials.get("blogId")
        if wanted:
            number = _BLOG.fullmatch(str(wanted))
            blogs = [blog for blog in blogs if number and blog.id == f"gid://shopify/Blog/{number[1]}"]
        if not blogs:
            known = ", ".join(f"{b.title} ({b.id.rpartition('/')[2]})" for b in home.blogs.nodes)
            message = f"there is no such blog; the shop has: {known}" if known else "the shop has no blog yet"
            raise PublishFailed(NAME, message, Refusal.INVALID)
        return blogs[0]

    async def _find_home(self) -> _Home:
        if self._home is None:
            self._home = await (await self._session()).query(_HOME, _Home)
        return self._home

    async def _session(self) -> GraphQL:
        now = self.connection.now()
        if self._api is None or (self._until is not None and now >= self._until):
            token = self.connection.credentials.get("adminAccessToken")
            if not token:
                given = await self._token()
                token, self._until = given.access_token, now + timedelta(seconds=given.expires_in) - _EARLIER
            headers = {"X-Shopify-Access-Token": token}
            target = self.connection.target(NAME, f"{self.shop}/admin/api/{_VERSION}/graphql.json", headers, _refusal)
            target = evolve(target, secrets=(*target.secrets, token))
            self._api = GraphQL(target, _seconds_to_wait, _HINTS)
        return self._api

    async def _token(self) -> _Token:
        target = self.connection.target(NAME, self.shop, refusal=_refusal_of_token)
        form = {
            "grant_type": "client_credentials",
            "client_id": self.connection.credentials["clientId"],
            "client_secret": self.connection.credentials["clientSecret"],
        }
        return await _token_from(target, form)


async def _token_from(target: Target, form: dict[str, str]) -> _Token:
    """An access token. Raises PublishFailed; the call has no effect at the shop."""
    response = await target.call("POST", "/admin/oauth/access_token", data=form, reads=True)
    return target.decoded(response, _Token, reads=True)


def _is_same(article: _Article, post: Post) -> bool:
    if article.handle.lower() != post.slug.lower():
        return False
    return article.metafield.value == post.external_key if article.metafield else article.title == one_line(post.title)


def _fields(post: Post, author: str) -> dict[str, Any]:
    """The fields common to creation and update."""
    image = {"url": post.featured_image, "altText": post.featured_image_alt} if post.featured_image else None
    fields = {
        "title": one_line(post.title),
        "author": {"name": author},
        "body": html(post),
        "summary": escape(one_line(post.excerpt), quote=False) if post.excerpt else None,
        "image": without_none(image) if image else None,
        "templateSuffix": post.options.get("templateSuffix") or None,
    }
    marks = [_metafield(_MARK["namespace"], _MARK["key"], post.external_key)]
    if post.meta_title:
        marks.append(_metafield("global", "title_tag", one_line(post.meta_title)))
    if post.meta_description:
        marks.append(_metafield("global", "description_tag", one_line(post.meta_description)))
    return without_none(fields) | {"tags": _tags(post), "metafields": marks}


def _metafield(namespace: str, key: str, value: str) -> dict[str, str]:
    return {"namespace": namespace, "key": key, "type": "single_line_text_field", "value": value}


def _tags(post: Post) -> list[str]:
    """The tags without commas, which would split them."""
    return [*dict.fromkeys(tag for tag in (one_line(tag.replace(",", " ")) for tag in post.tags) if tag)]


def _seconds_to_wait(extensions: Mapping[str, Any]) -> float | None:
    """Seconds until the query cost is available again."""
    try:
        cost = extensions["cost"]
        status = cost["throttleStatus"]
        missing = cost["requestedQueryCost"] - status["currentlyAvailable"]
        return max(0.0, float(missing / status["restoreRate"]))
    except (KeyError, TypeError, ZeroDivisionError):
        return None


def _refusal(response: httpx.Response) -> Refusal:
    """A 404 means an unknown shop or API version; a missing article is reported with status 200."""
    return {404: Refusal.INVALID, 423: Refusal.PERMISSION}.get(response.status_code) or usual_refusal(response)


def _refusal_of_token(response: httpx.Response) -> Refusal:
    return Refusal.CREDENTIALS if response.status_code in (400, 401, 403, 404) else usual_refusal(response)


def _build(connection: Connection) -> ShopifyPublisher:
    """Raises InvalidInput."""
    given = connection.credentials
    domain = _DOMAIN.fullmatch(given["shopDomain"].strip())
    if domain is None:
        raise InvalidInput.of("credentials.shopDomain", "must be like my-shop.myshopify.com")
    if not given.get("adminAccessToken") and not (given.get("clientId") and given.get("clientSecret")):
        raise InvalidInput.of("credentials.clientSecret", "needs a client ID and secret, or an Admin API access token")
    if given.get("blogId") and not _BLOG.fullmatch(given["blogId"]):
        raise InvalidInput.of("credentials.blogId", "must be the number of a blog")
    return ShopifyPublisher(connection, f"https://{domain[1].lower()}.myshopify.com")


def _blog_option(choices: tuple[Choice, ...] = ()) -> PublishOptionField:
    return PublishOptionField("blogId", "Blog", FieldType.SELECT, choices=choices,
                              help="Another blog of the shop than the usual one; for a new article.")  # fmt: skip


PROVIDER: Final = Provider(
    ProviderInfo(
        id="shopify",
        name="Shopify",
        icon=(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor"'
            ' stroke-width="2"><path d="M5 8h14l1 13H4z"/><path d="M9 8a3 3 0 0 1 6 0M9 13h6M9 17h4"/></svg>'
        ),
        features=(Feature.DRAFT, Feature.PUBLISH, Feature.SCHEDULE, Feature.UPDATE, Feature.FIND, Feature.TAGS,
                  Feature.FEATURED_IMAGE, Feature.EXCERPT, Feature.SLUG, Feature.OPTIONS,
                  Feature.UNPUBLISH, Feature.DELETE),
        credential_fields=(
            SettingField("shopDomain", "Shop", required=True,
                         help="my-shop.myshopify.com, as Shopify's Settings → Domains shows it."),
            SettingField("clientId", "Client ID",
                         help="In Shopify's Dev Dashboard: your app → Settings. The app and the shop must belong to the"
                              " same organisation, and the app needs the scopes read_content and write_content, and for"
                              " diagrams as pictures read_files and write_files."),
            SettingField("clientSecret", "Client secret", secret=True,
                         help="Beside the client ID, in the Dev Dashboard: your app → Settings."),
            SettingField("adminAccessToken", "Admin API access token", secret=True,
                         help="Instead of client ID and secret: the token (shpat_…) of a custom app that the shop made"
                              " before 2026."),
            SettingField("blogId", "Blog number",
                         help="The number at the end of the blog's address in Shopify's admin. Empty: the first blog."),
            SettingField("authorName", "Author", help="Shown with the articles. Empty: the name of the shop."),
        ),
        option_fields=(
            _blog_option(),
            PublishOptionField("templateSuffix", "Theme template",
                               help="The suffix of another article template of your theme."),
        ),
        constraints=IntegrationConstraints(
            body_format="HTML",
            cannot=(
                "There is no canonical address: an article that stands elsewhere first cannot point there.",
                "There are no categories: use tags or another blog. Commas in tags become spaces.",
                "The address of an article stays as it is when the article gets another one.",
                "An article is not moved to another blog by an update.",
                "Pictures of the text stay where they are; those of diagrams become files of the shop.",
                "A handle that another article of the blog has is refused.",
            ),
            unverified=(
                "Scheduling: the time alone is sent, and the article is read back afterwards.",
                "The public address, which the API does not tell: that of the usual storefront is assumed.",
                "The metafields global.title_tag and global.description_tag for search engines.",
                "How long a new article takes until it is found by its handle (10 seconds are waited).",
            ),
        ),
        found_after=10.0,
    ),
    _build,
)  # fmt: skip
