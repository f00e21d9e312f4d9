"""Ghost as its Admin API behaves: tokens of five minutes, collisions by updated_at, slugs made unique, mails."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, ClassVar

import httpx
import jwt
import msgspec
import pytest
from attrs import define, field

from contentgen_adapters.publishing.provider import Provider
from contentgen_adapters.publishing.providers.ghost import PROVIDER
from contentgen_adapters.publishing.testing import ProviderContract, Vendor, VendorPost, Wire, a_post, connect
from contentgen_core.errors import InvalidInput
from contentgen_core.model.publication import PostStatus
from contentgen_core.ports.publishing import Publisher, PublishFailed, Refusal
from contentgen_core.testing.runtime import MOMENT
from tests.contract.publishing.pictures_support import HOST, PNG, form_of, picture

KEY_ID, SECRET = "5f" * 12, "0123456789abcdef" * 4
STATES = {"published": PostStatus.PUBLISHED, "scheduled": PostStatus.SCHEDULED, "draft": PostStatus.DRAFT}
FIELDS = {
    "title", "html", "status", "slug", "custom_excerpt", "feature_image", "feature_image_alt", "canonical_url", "tags",
    "authors", "meta_title", "meta_description", "visibility", "published_at", "featured", "codeinjection_foot",
    "updated_at",
}  # fmt: skip
LONGEST = {"title": 255, "slug": 191, "custom_excerpt": 300, "meta_title": 300, "meta_description": 500,
           "feature_image_alt": 191, "canonical_url": 2000}  # fmt: skip


def error(status: int, type: str, message: str, context: str | None = None) -> httpx.Response:
    problem = {"message": message, "context": context, "type": type, "code": None, "id": "0f3a"}
    return httpx.Response(status, json={"errors": [problem]})


@define
class Blog:
    provider: ClassVar[Provider] = PROVIDER
    credentials: ClassVar[Mapping[str, Any]] = {
        "adminUrl": "https://admin.blog.example/ghost/#/settings", "adminApiKey": f"{KEY_ID}:{SECRET}",
    }  # fmt: skip
    wrong_credentials: ClassVar[Mapping[str, Any]] = {**credentials, "adminApiKey": f"{KEY_ID}:{'ab' * 32}"}
    settings: ClassVar[Mapping[str, Any]] = {}
    options: ClassVar[Mapping[str, Any]] = {}

    held: dict[str, dict[str, Any]] = field(factory=dict)
    uploads: list[tuple[str, bytes]] = field(factory=list)
    mails: list[tuple[str, str]] = field(factory=list)
    numbers: Any = field(factory=lambda: itertools.count(1))

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.url.host == HOST:
            return picture(request)
        if not request.url.path.startswith("/ghost/api/admin/"):
            return httpx.Response(404, text="<html>404</html>")
        path = request.url.path.removeprefix("/ghost/api/admin/")
        if path == "site/":
            return httpx.Response(
                200, json={"site": {"title": "Heat", "url": "https://blog.example/", "version": "6.0"}}
            )
        if (refused := self._refused(request)) is not None:
            return refused
        match path.strip("/").split("/"):
            case ["users"]:
                return httpx.Response(200, json={"users": [{"id": "1", "name": "Ada", "email": "ada@blog.example"}]})
            case ["newsletters"]:
                held = [("weekly", "Weekly", "active"), ("old", "Old", "archived")]
                shown = [{"slug": s, "name": n, "status": state} for s, n, state in held]
                return httpx.Response(200, json={"newsletters": shown})
            case ["tags"]:
                return httpx.Response(200, json={"tags": [{"name": "Heat"}, {"name": "#internal"}]})
            case ["images", "upload"]:
                return self._upload(request)
            case ["posts"] if request.method == "GET":
                found = re.findall(r"'([^']*)'", request.url.params["filter"])
                return self._shown(*(post for post in self.held.values() if post["slug"] in found))
            case ["posts"]:
                return self._create(request)
            case ["posts", id] if id in self.held and request.method == "DELETE":
                del self.held[id]
                return httpx.Response(204)
            case ["posts", id] if id in self.held:
                return self._shown(self.held[id]) if request.method == "GET" else self._edit(request, self.held[id])
            case _:
                return error(404, "NotFoundError", "Resource not found error, cannot read post.", "Post not found.")

    def _refused(self, request: httpx.Request) -> httpx.Response | None:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme != "Ghost":
            return error(403, "NoPermissionError", "Authorization failed", "Unable to determine the user.")
        if jwt.get_unverified_header(token) != {"alg": "HS256", "kid": KEY_ID, "typ": "JWT"}:
            return error(401, "UnauthorizedError", "Unknown Admin API Key")
        try:
            claims = jwt.decode(
                token, bytes.fromhex(SECRET), ["HS256"], audience="/admin/",
                options={"verify_exp": False, "verify_iat": False},
            )  # fmt: skip
        except jwt.InvalidTokenError as problem:
            return error(401, "UnauthorizedError", f"Invalid token: {problem}")
        now = MOMENT.timestamp()
        if not claims["iat"] <= now < claims["exp"] <= claims["iat"] + 300:
            return error(401, "UnauthorizedError", "Invalid token: jwt expired")
        return None

    def _upload(self, request: httpx.Request) -> httpx.Response:
        form = form_of(request)
        file = form["file"]
        if file.type not in ("image/jpeg", "image/png", "image/gif", "image/webp"):
            return error(415, "UnsupportedMediaTypeError", "Please select a valid image.")
        assert file.filename is not None
        self.uploads.append((file.filename, file.content))
        url = f"https://blog.example/content/images/2026/11/{file.filename}"
        return httpx.Response(201, json={"images": [{"url": url, "ref": form["ref"].content.decode()}]})

    def _create(self, request: httpx.Request) -> httpx.Response:
        id = f"{next(self.numbers):024x}"
        post: dict[str, Any] = {"id": id, "status": "draft", "published_at": None, "feature_image": None, "tags": []}
        fields = msgspec.json.decode(request.content)["posts"][0]
        taken = {held["slug"] for held in self.held.values()}
        slug = fields.get("slug") or "untitled"
        fields["slug"] = next(s for s in (slug, *(f"{slug}-{n}" for n in range(2, 99))) if s not in taken)
        return self._stored(request, post, fields, 201)

    def _edit(self, request: httpx.Request, held: dict[str, Any]) -> httpx.Response:
        fields = msgspec.json.decode(request.content)["posts"][0]
        if "updated_at" not in fields:
            return error(422, "ValidationError", "Validation error, cannot edit post.", "updated_at is required.")
        if fields["updated_at"] != held["updated_at"]:
            return error(409, "UpdateCollisionError", "Saving failed! Someone else is editing this post.")
        return self._stored(request, held, fields, 200)

    def _stored(
        self, request: httpx.Request, post: dict[str, Any], fields: dict[str, Any], status: int
    ) -> httpx.Response:
        has_html = request.url.params.get("source") == "html" or "html" not in fields
        if not has_html or not set(fields) <= FIELDS or not {**post, **fields}.get("title"):
            return error(422, "ValidationError", "Validation error, cannot save post.", "Unknown field.")
        for name, most in LONGEST.items():
            if len(fields.get(name) or "") > most:
                context = f"Value in [posts.{name}] exceeds maximum length of {most} characters."
                return error(422, "ValidationError", "Validation error, cannot save post.", context)
        before = post["status"]
        after = {**post, **fields, "updated_at": f"2026-11-21T00:00:00.{next(self.numbers):03}Z"}
        if after["status"] == "scheduled" and not self._is_to_come(after["published_at"]):
            return error(422, "ValidationError", "Date must be at least 2 minutes in the future.")
        if after["status"] == "published":
            if self._is_to_come(after["published_at"]):
                return error(422, "ValidationError", "A published post cannot have a date to come.")
            after["published_at"] = after["published_at"] or MOMENT.isoformat()
        if (newsletter := request.url.params.get("newsletter")) and before == "draft" and after["status"] != "draft":
            self.mails.append((newsletter, request.url.params["email_segment"]))
        self.held[post["id"]] = after
        return self._shown(after, status=status)

    def _is_to_come(self, moment: str | None) -> bool:
        return moment is not None and datetime.fromisoformat(moment) > MOMENT + timedelta(minutes=2)

    def _shown(self, *posts: dict[str, Any], status: int = 200) -> httpx.Response:
        shown = [
            {name: value for name, value in post.items() if name != "html"}
            | {"url": f"https://blog.example/{'p/uuid' if post['status'] == 'draft' else post['slug']}/"}
            | {"lexical": msgspec.json.encode({"root": post["html"]}).decode()}
            for post in posts
        ]
        return httpx.Response(status, json={"posts": shown, "meta": {}})

    def makes_a_post(self, request: httpx.Request) -> bool:
        return request.method == "POST" and request.url.path.endswith("/posts/")

    def posts(self) -> list[VendorPost]:
        return [
            VendorPost(
                post["id"], post["title"], post["html"], STATES[post["status"]], post["slug"],
                tuple(tag["name"] for tag in post["tags"]),
            )
            for post in self.held.values()
        ]  # fmt: skip

    def remove(self, id: str) -> None:
        del self.held[id]

    def edit(self, id: str) -> None:
        self.held[id]["html"] += "<p>By hand.</p>"

    def invalid(self) -> httpx.Response:
        return error(422, "ValidationError", "Validation error, cannot save post.", "posts.title is too long")

    def busy(self) -> httpx.Response:
        return error(429, "TooManyRequestsError", "Too many requests.")


class TestGhost(ProviderContract):
    @pytest.fixture
    def vendor(self) -> Vendor:
        return Blog()


@pytest.fixture
def blog() -> Blog:
    return Blog()


@pytest.fixture
def wire(blog: Blog) -> Wire:
    return Wire(blog)


@pytest.fixture
def publisher(blog: Blog, wire: Wire) -> Publisher:
    return connect(blog, wire)


async def test_a_post_has_all_that_ghost_has_a_field_for(blog: Blog, publisher: Publisher) -> None:
    options = {"visibility": "members", "featured": True, "authors": ["ada@blog.example"]}
    await publisher.create(a_post(tags=("winter", "Winter", "#hidden"), excerpt="x" * 400, options=options))
    [held] = blog.held.values()
    assert held["tags"] == [{"name": "Energy"}, {"name": "Winter"}, {"name": "hidden"}]
    assert (held["visibility"], held["featured"], held["authors"]) == ("members", True, ["ada@blog.example"])
    assert (held["canonical_url"], held["meta_title"]) == ("https://example.com/heat-pumps", "Heat pumps")
    assert held["meta_description"] == "Heat pumps in winter"
    assert len(held["custom_excerpt"]) == 300
    assert held["feature_image"].startswith("https://blog.example/content/images/")
    assert held["feature_image_alt"] == "A heat pump in the snow"
    assert [content for _, content in blog.uploads] == [PNG]
    assert blog.mails == []


async def test_the_text_is_one_html_card_unless_it_shall_be_editable(blog: Blog, wire: Wire) -> None:
    await connect(blog, wire).create(a_post())
    await PROVIDER.connect(
        blog.credentials, {"text": "editable"}, httpx.AsyncClient(transport=wire), lambda: MOMENT
    ).create(a_post())
    exact, editable = (post["html"] for post in blog.held.values())
    assert exact.startswith("<!--kg-card-begin: html-->")
    assert exact.endswith("<!--kg-card-end: html-->")
    assert 'href="#source-1"' in exact
    assert "kg-card" not in editable
    assert "#source-1" not in editable


async def test_a_title_that_is_too_long_is_told_before_anything_is_sent(wire: Wire, publisher: Publisher) -> None:
    with pytest.raises(PublishFailed, match="at most 255") as failure:
        await publisher.create(a_post(title="x" * 256))
    assert failure.value.refusal is Refusal.INVALID
    assert wire.requests == []


async def test_an_image_is_uploaded_once(blog: Blog, publisher: Publisher) -> None:
    made = await publisher.create(a_post())
    await publisher.update(made.id, a_post(title="Another"))
    assert len(blog.uploads) == 1
    await publisher.update(made.id, a_post(featured_image="https://example.com/moved.png"))
    assert len(blog.uploads) == 2


async def test_a_newsletter_goes_out_with_the_first_publication_alone(blog: Blog, publisher: Publisher) -> None:
    mail = {"newsletter": "weekly", "emailSegment": "status:free"}
    made = await publisher.create(a_post(status=PostStatus.DRAFT, options=mail))
    assert blog.mails == []
    await publisher.update(made.id, a_post(options=mail))
    await publisher.update(made.id, a_post(options=mail))
    assert blog.mails == [("weekly", "status:free")]


async def test_a_repetition_after_a_lost_answer_asks_for_no_mail(blog: Blog, wire: Wire, publisher: Publisher) -> None:
    made = await publisher.create(a_post(options={"newsletter": "weekly"}))
    assert wire.requests[-1].url.params["newsletter"] == "weekly"
    await publisher.update(made.id, a_post(options={"newsletter": "weekly"}))
    assert "newsletter" not in wire.requests[-1].url.params


async def test_somebody_who_writes_at_the_same_moment_is_not_overwritten(blog: Blog, publisher: Publisher) -> None:
    made = await publisher.create(a_post())
    edit = Blog._edit

    def somebody_was_faster(self: Blog, request: httpx.Request, held: dict[str, Any]) -> httpx.Response:
        held["updated_at"] = "2026-11-21T09:00:00.000Z"
        return edit(self, request, held)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Blog, "_edit", somebody_was_faster)
        with pytest.raises(PublishFailed, match="Someone else is editing this post") as failure:
            await publisher.update(made.id, a_post(title="Another"))
    assert failure.value.refusal is Refusal.CONFLICT
    assert blog.posts()[0].title != "Another"


async def test_a_strangers_post_of_the_same_address_is_never_taken_for_ours(publisher: Publisher) -> None:
    await publisher.create(a_post(external_key="contentgen-another"))
    assert await publisher.find(a_post()) is None
    made = await publisher.create(a_post())
    assert made.url == "https://blog.example/heat-pumps-in-winter-2/"
    assert await publisher.find(a_post()) == made


async def test_an_update_leaves_the_address_as_it_is(blog: Blog, publisher: Publisher) -> None:
    made = await publisher.create(a_post())
    await publisher.update(made.id, a_post(slug="another"))
    assert [post.slug for post in blog.posts()] == ["heat-pumps-in-winter"]


async def test_a_slug_is_sent_in_the_form_that_ghost_keeps(blog: Blog, publisher: Publisher) -> None:
    post = a_post(slug="Wärme & 'x'/" + "y" * 200)
    made = await publisher.create(post)
    assert len(blog.posts()[0].slug or "") <= 180
    assert await publisher.find(post) == made


async def test_a_scheduled_post_can_be_published_at_once(blog: Blog, publisher: Publisher) -> None:
    made = await publisher.create(a_post(status=PostStatus.SCHEDULED, scheduled_for=MOMENT + timedelta(days=2)))
    assert (await publisher.update(made.id, a_post())).status is PostStatus.PUBLISHED


async def test_a_draft_has_no_address_for_readers(publisher: Publisher) -> None:
    assert (await publisher.create(a_post(status=PostStatus.DRAFT))).url is None


async def test_the_reason_is_told_in_ghosts_words(blog: Blog, wire: Wire, publisher: Publisher) -> None:
    wire.fault = lambda answer, request: error(422, "ValidationError", "Cannot save.", "Bad segment.")
    with pytest.raises(PublishFailed, match=r"^ghost: HTTP 422: Cannot save\. Bad segment\.$"):
        await publisher.create(a_post())


async def test_another_page_is_no_post_that_is_gone(blog: Blog, wire: Wire) -> None:
    elsewhere = connect(blog, wire, {**blog.credentials, "adminUrl": "https://blog.example/elsewhere"})
    with pytest.raises(PublishFailed) as failure:
        await elsewhere.read("0" * 24)
    assert failure.value.refusal is Refusal.INVALID


async def test_newsletters_authors_and_tags_can_be_chosen(publisher: Publisher) -> None:
    by_name = {each.name: [choice.value for choice in each.choices] for each in await publisher.options()}
    assert by_name == {"newsletter": ["weekly"], "authors": ["ada@blog.example"], "tags": ["Heat"]}


async def test_the_test_says_which_blog_it_is(publisher: Publisher) -> None:
    assert await publisher.test() == 'Blog "Heat" (Ghost 6.0)'


@pytest.mark.parametrize("key", ["", "abc", f"{KEY_ID}", f"{KEY_ID}:xyz", f"{KEY_ID}:abc", f"{KEY_ID}:{SECRET}:1"])
def test_a_key_of_another_form_is_refused(blog: Blog, wire: Wire, key: str) -> None:
    with pytest.raises(InvalidInput, match="adminApiKey"):
        connect(blog, wire, {**blog.credentials, "adminApiKey": key})


async def test_the_secret_half_of_the_key_is_in_no_message(wire: Wire, publisher: Publisher) -> None:
    assert SECRET not in repr(publisher)
    wire.fault = lambda answer, request: error(
        500, "InternalServerError", f"{SECRET} {request.headers['authorization']}"
    )
    with pytest.raises(PublishFailed) as failure:
        await publisher.create(a_post())
    assert SECRET not in str(failure.value)
    assert "eyJ" not in str(failure.value)
