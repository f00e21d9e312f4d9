"""Hashnode (GraphQL API of 2026): Markdown posts and drafts of one publication, which must be on the Pro plan."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
from attrs import field, frozen

from contentgen_adapters.publishing.bodies.markdown import markdown
from contentgen_adapters.publishing.bodies.texts import one_line, shorten, tag_slugs
from contentgen_adapters.publishing.graphql import GraphQL
from contentgen_adapters.publishing.payload import check_length, without_none
from contentgen_adapters.publishing.provider import Connection, Provider
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

_NAME: Final = "Hashnode"
_TAGS: Final = 15
_SUBTITLE: Final = 250
_BODY_BYTES: Final = 100_000
"""Of a request; the service's limit is 100 KB."""
_CACHED: Final = 25.0
"""Seconds for which the service may answer queries from a cache."""
_DRAFT: Final = "draft:"
"""Prefix of a draft's id: its publication creates a post with another id."""
_DRAFT_PAGES: Final = 10
_HINTS: Final = {"FORBIDDEN": "Hashnode's API needs the Pro plan for the publication, and a role that may publish"}

_POST: Final = "{ id title slug url }"
_ME: Final = "query { me { username name publications(first: 50) { edges { node { id title } } } } }"
_PUBLICATION: Final = "query ($id: ObjectId!) { publication(id: $id) { id title } }"
_POST_BY_ID: Final = f"query ($id: ID!) {{ post(id: $id) {_POST} }}"
_DRAFT_BY_ID: Final = "query ($id: ObjectId!) { draft(id: $id) { id title slug } }"
_POSTS: Final = f"""query ($id: ObjectId!, $slug: String!) {{
  publication(id: $id) {{ post(slug: $slug) {_POST} posts(first: 20) {{ edges {{ node {_POST} }} }} }}
}}"""
_DRAFTS: Final = """query ($id: ObjectId!, $after: String) {
  publication(id: $id) {
    drafts(first: 50, after: $after) { edges { node { id title slug } } pageInfo { hasNextPage endCursor } }
  }
}"""
_SERIES: Final = """query ($id: ObjectId!) {
  publication(id: $id) { seriesList(first: 50) { edges { node { id name } } } }
}"""


def _mutation(name: str, kind: str, answer: str) -> str:
    return f"mutation ($input: {kind}!) {{ {name}(input: $input) {answer} }}"


_PUBLISH_POST: Final = _mutation("publishPost", "PublishPostInput", f"{{ post {_POST} }}")
_UPDATE_POST: Final = _mutation("updatePost", "UpdatePostInput", f"{{ post {_POST} }}")
_REMOVE_POST: Final = _mutation("removePost", "RemovePostInput", "{ post { id title slug } }")
_CREATE_DRAFT: Final = _mutation("createDraft", "CreateDraftInput", "{ draft { id title slug } }")
_UPDATE_DRAFT: Final = _mutation("updateDraft", "UpdateDraftInput", "{ draft { id title slug } }")
_PUBLISH_DRAFT: Final = _mutation("publishDraft", "PublishDraftInput", f"{{ post {_POST} }}")


class _Item(msgspec.Struct):
    """A post, a draft, a publication or a series."""

    id: str
    title: str | None = None
    name: str | None = None
    slug: str | None = None
    url: str | None = None


class _Edge(msgspec.Struct):
    node: _Item


class _PageInfo(msgspec.Struct, rename="camel"):
    has_next_page: bool = False
    end_cursor: str | None = None


class _Edges(msgspec.Struct, rename="camel"):
    edges: list[_Edge] = []
    page_info: _PageInfo = msgspec.field(default_factory=_PageInfo)


class _Publication(msgspec.Struct, rename="camel"):
    id: str = ""
    title: str = ""
    post: _Item | None = None
    posts: _Edges = msgspec.field(default_factory=_Edges)
    drafts: _Edges = msgspec.field(default_factory=_Edges)
    series_list: _Edges = msgspec.field(default_factory=_Edges)


class _Person(msgspec.Struct):
    username: str
    name: str | None = None
    publications: _Edges = msgspec.field(default_factory=_Edges)


class _Data(msgspec.Struct, rename="camel"):
    me: _Person | None = None
    publication: _Publication | None = None
    post: _Item | None = None
    draft: _Item | None = None


class _Payload(msgspec.Struct):
    post: _Item | None = None
    draft: _Item | None = None


@frozen
class HashnodePublisher:
    """Finds posts by their title and the beginning of their slug: Hashnode appends a number to a taken one."""

    publication_id: str
    api: GraphQL
    sleep: Callable[[float], Awaitable[None]]
    fresh: set[str] = field(factory=set, init=False)
    """Ids created through this publisher, which the service's cache may not have yet."""

    async def test(self) -> str:
        person = (await self.api.query(_ME, _Data)).me
        if person is None:
            raise PublishFailed(_NAME, "the access token belongs to nobody", Refusal.CREDENTIALS)
        found = (await self.api.query(_PUBLICATION, _Data, {"id": self.publication_id})).publication
        if found is None:
            known = ", ".join(f"{edge.node.title} ({edge.node.id})" for edge in person.publications.edges) or "none"
            message = f"there is no publication of the given id; those of this account: {known}"
            raise PublishFailed(_NAME, message, Refusal.INVALID)
        return f'Publication "{found.title}", as {person.name or person.username}'

    async def find(self, post: Post) -> RemotePost | None:
        return await self._find_published(post) or await self._find_draft(post)

    async def create(self, post: Post) -> RemotePost:
        if post.status is PostStatus.DRAFT:
            given = _draft_input(post) | {"publicationId": self.publication_id}
            made = await self._draft_changed("createDraft", _CREATE_DRAFT, given)
        else:
            given = _post_input(post) | {"publicationId": self.publication_id}
            made = await self._post_changed("publishPost", _PUBLISH_POST, given)
        self.fresh.add(made.id)
        return made

    async def update(self, remote_id: str, post: Post) -> RemotePost:
        """Updates the post. A draft that is gone may have been published, by an earlier attempt or by a user."""
        if not remote_id.startswith(_DRAFT):
            return await self._post_updated(remote_id, post)
        published = await self._find_published(post)
        if published is not None:
            return await self._post_updated(published.id, post)
        id = remote_id.removeprefix(_DRAFT)
        given = _draft_input(post) | {"draftId": id}
        draft = await self._draft_changed("updateDraft", _UPDATE_DRAFT, given)
        if post.status is PostStatus.DRAFT:
            return draft
        made = await self._post_changed("publishDraft", _PUBLISH_DRAFT, {"draftId": id})
        self.fresh.add(made.id)
        return made

    async def read(self, remote_id: str) -> RemotePost | None:
        seen = await self._read(remote_id)
        if seen is None and remote_id in self.fresh:
            await self.sleep(_CACHED)
            seen = await self._read(remote_id)
        return seen

    async def delete(self, remote_id: str) -> None:
        if remote_id.startswith(_DRAFT):
            raise PublishFailed(_NAME, "drafts can be deleted in its dashboard alone", Refusal.INVALID)
        await self._mutate("removePost", _REMOVE_POST, {"id": remote_id})

    async def options(self) -> tuple[PublishOptionField, ...]:
        data = await self.api.query(_SERIES, _Data, {"id": self.publication_id})
        series = data.publication.series_list.edges if data.publication else []
        return (_series(tuple(Choice(edge.node.id, edge.node.name or edge.node.id) for edge in series)),)

    async def _read(self, remote_id: str) -> RemotePost | None:
        """Return the post; None also for a removed one, which can still be queried by id but is missing in its
        publication.
        """
        try:
            if remote_id.startswith(_DRAFT):
                id = remote_id.removeprefix(_DRAFT)
                draft = (await self.api.query(_DRAFT_BY_ID, _Data, {"id": id})).draft
                return _remote_draft(draft) if draft else None
            post = (await self.api.query(_POST_BY_ID, _Data, {"id": remote_id})).post
            if post is None:
                return None
            variables = {"id": self.publication_id, "slug": post.slug}
            publication = (await self.api.query(_POSTS, _Data, variables)).publication
        except PublishFailed as error:
            if error.refusal is Refusal.GONE:
                return None
            raise
        listed = publication.post if publication else None
        return _remote_post(listed) if listed and listed.id == remote_id else None

    async def _find_published(self, post: Post) -> RemotePost | None:
        variables = {"id": self.publication_id, "slug": post.slug}
        try:
            publication = (await self.api.query(_POSTS, _Data, variables)).publication
        except PublishFailed as error:
            if error.refusal is Refusal.GONE:
                return None
            raise
        if publication is None:
            return None
        candidates = [publication.post, *(edge.node for edge in publication.posts.edges)]
        return next((_remote_post(item) for item in candidates if item and _is_same(item, post)), None)

    async def _find_draft(self, post: Post) -> RemotePost | None:
        """The draft for this post. Raises LookupUnsupported after the last page that is searched."""
        after = None
        for _ in range(_DRAFT_PAGES):
            data = await self.api.query(_DRAFTS, _Data, {"id": self.publication_id, "after": after})
            if data.publication is None:
                return None
            drafts = data.publication.drafts
            for edge in drafts.edges:
                if _is_same(edge.node, post):
                    return _remote_draft(edge.node)
            if not drafts.page_info.has_next_page:
                return None
            after = drafts.page_info.end_cursor
        raise LookupUnsupported

    async def _post_updated(self, id: str, post: Post) -> RemotePost:
        if await self.read(id) is None:
            raise PublishFailed(_NAME, "the post is not in the publication any more", Refusal.GONE)
        given = _post_input(post) | {"id": id}
        del given["slug"]
        return await self._post_changed("updatePost", _UPDATE_POST, given)

    async def _post_changed(self, name: str, mutation: str, given: dict[str, Any]) -> RemotePost:
        return _remote_post(_there((await self._mutate(name, mutation, given)).post))

    async def _draft_changed(self, name: str, mutation: str, given: dict[str, Any]) -> RemotePost:
        return _remote_draft(_there((await self._mutate(name, mutation, given)).draft))

    async def _mutate(self, name: str, mutation: str, given: dict[str, Any]) -> _Payload:
        size = len(msgspec.json.encode({"query": mutation, "variables": {"input": given}}))
        check_length(_NAME, "the article with all its fields", size, _BODY_BYTES, "bytes")
        data = await self.api.mutate(mutation, dict[str, _Payload | None], {"input": given})
        return data.get(name) or _Payload()


def _there(item: _Item | None) -> _Item:
    if item is None:
        message = "it did not say what became of the post"
        raise PublishFailed(_NAME, message, Refusal.INVALID, outcome_unknown=True)
    return item


def _is_same(item: _Item, post: Post) -> bool:
    return item.title == one_line(post.title) and (not item.slug or item.slug.startswith(post.slug))


def _remote_post(item: _Item) -> RemotePost:
    return RemotePost(item.id, PostStatus.PUBLISHED, item.url)


def _remote_draft(item: _Item) -> RemotePost:
    return RemotePost(f"{_DRAFT}{item.id}", PostStatus.DRAFT)


def _post_input(post: Post) -> dict[str, Any]:
    return _common(post) | without_none(
        {"coverImage": post.featured_image, "metaTitle": post.meta_title, "metaDescription": post.meta_description}
    )


def _draft_input(post: Post) -> dict[str, Any]:
    meta = without_none({"title": post.meta_title, "description": post.meta_description})
    cover = {"coverImageURL": post.featured_image} if post.featured_image else None
    more = {"coverImageOptions": cover, "metaTags": meta or None, "settings": {"slugOverridden": True}}
    return _common(post) | without_none(more)


def _common(post: Post) -> dict[str, Any]:
    fields = {
        "title": one_line(post.title),
        "contentMarkdown": markdown(post),
        "slug": post.slug,
        "subtitle": shorten(one_line(post.excerpt or ""), _SUBTITLE) or None,
        "originalArticleURL": post.canonical_url,
        "seriesId": post.options.get("seriesId") or None,
        "disableComments": post.options.get("disableComments"),
    }
    return without_none(fields) | {"tags": _tags(post)}


def _tags(post: Post) -> list[dict[str, str]]:
    """Tags with slug and name as written."""
    found: dict[str, str] = {}
    for tag in post.tags:
        for slug in tag_slugs([tag], most=1, separator="-"):
            found.setdefault(slug, one_line(tag))
    return [{"slug": slug, "name": name} for slug, name in [*found.items()][:_TAGS]]


def _build(connection: Connection) -> HashnodePublisher:
    headers = {"Authorization": f"Bearer {connection.credentials['accessToken']}"}
    target = connection.target(_NAME, connection.credentials["endpoint"], headers)
    return HashnodePublisher(connection.credentials["publicationId"], GraphQL(target, hints=_HINTS), asyncio.sleep)


def _series(choices: tuple[Choice, ...] = ()) -> PublishOptionField:
    return PublishOptionField("seriesId", "Series", FieldType.SELECT, choices=choices,
                              help="The series of your publication that the post belongs to.")  # fmt: skip


PROVIDER: Final = Provider(
    ProviderInfo(
        id="hashnode",
        name="Hashnode",
        icon=(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor"'
            ' stroke-width="2"><path d="M9 4 7 20M17 4l-2 16M4 9h17M3 15h17"/></svg>'
        ),
        features=(Feature.DRAFT, Feature.PUBLISH, Feature.UPDATE, Feature.FIND, Feature.TAGS, Feature.FEATURED_IMAGE,
                  Feature.EXCERPT, Feature.SLUG, Feature.CANONICAL_URL, Feature.OPTIONS, Feature.DELETE),
        credential_fields=(
            SettingField("accessToken", "Personal access token", required=True, secret=True,
                         help="On Hashnode: Account settings → Developer → Generate new token."),
            SettingField("publicationId", "Publication ID", required=True,
                         help="In the address of your blog's dashboard: hashnode.com/{this part}/dashboard. When it is"
                              " wrong, the connection test names the publications of your account."),
            SettingField("endpoint", "API address", FieldType.URL, default="https://gql-beta.hashnode.com/",
                         help="Leave as it is, unless Hashnode announces another address of its API."),
        ),
        option_fields=(
            _series(),
            PublishOptionField("disableComments", "No comments", FieldType.BOOLEAN,
                               help="Readers cannot comment on the post."),
        ),
        constraints=IntegrationConstraints(
            body_format="Markdown",
            body_max=_BODY_BYTES,
            tags_max=_TAGS,
            cannot=(
                "Hashnode's API is open to publications on the Pro plan alone.",
                "A published post cannot become a draft again: it is updated and stays public.",
                "There are no categories. The first 15 tags are taken.",
                "An article with all its fields has at most 100,000 bytes.",
                f"The subtitle is the excerpt, cut at {_SUBTITLE} characters.",
                "The address of a published post stays as it is when the article gets another one.",
                "Pictures in SVG do not show.",
            ),
            unverified=(
                "The address of the API after its beta.",
                "The limits of titles and subtitles.",
                "Whether a slug that is taken gets a number or is refused.",
            ),
        ),
        found_after=_CACHED,
    ),
    _build,
)  # fmt: skip
