"""Strapi as its REST API behaves: 5 with a draft and a published version of each document, 4 with a date."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from typing import Any, ClassVar

import httpx
import msgspec
import pytest
from attrs import define, evolve, field

from contentgen_adapters.publishing.provider import Provider
from contentgen_adapters.publishing.providers.strapi import PROVIDER
from contentgen_adapters.publishing.testing import ProviderContract, Vendor, VendorPost, Wire, a_post, connect
from contentgen_adapters.shared.http import make_client
from contentgen_core.errors import InvalidInput
from contentgen_core.model.publication import PostStatus
from contentgen_core.ports.publishing import Publisher, PublishFailed, Refusal
from contentgen_core.testing.runtime import MOMENT
from tests.contract.publishing.pictures_support import HOST, PNG, form_of, picture

TOKEN = "f00d" * 64
MAP = {
    "title": "headline", "body": "text", "slug": "slug", "excerpt": "teaser", "featuredImage": "cover",
    "tags": "tags", "categories": "topics", "canonicalUrl": "canonical",
}  # fmt: skip
SCALARS = {"headline", "text", "slug", "teaser", "canonical", "topics", "ourKey", "publishedAt", "locale"}


def error(status: int, name: str, message: str, *faults: tuple[str, str]) -> httpx.Response:
    details = {"errors": [{"path": [path], "message": text, "name": name} for path, text in faults]} if faults else {}
    problem = {"status": status, "name": name, "message": message, "details": details}
    return httpx.Response(status, json={"data": None, "error": problem})


@define
class Cms:
    """`documents`: fields by version (`draft`, `published`)."""

    provider: ClassVar[Provider] = PROVIDER
    credentials: ClassVar[Mapping[str, Any]] = {"baseUrl": "https://cms.example/admin/", "apiToken": TOKEN}
    wrong_credentials: ClassVar[Mapping[str, Any]] = {**credentials, "apiToken": "beef" * 64}
    settings: ClassVar[Mapping[str, Any]] = {
        "pluralApiId": "articles", "fieldMap": MAP, "tagsCollection": "tags",
        "urlTemplate": "https://www.example.com/blog/{slug}",
    }  # fmt: skip
    options: ClassVar[Mapping[str, Any]] = {}

    documents: dict[str, dict[str, dict[str, Any]]] = field(factory=dict)
    tags: dict[str, str] = field(factory=dict)
    files: list[dict[str, Any]] = field(factory=list)
    requests: list[httpx.Request] = field(factory=list)
    numbers: Any = field(factory=lambda: itertools.count(1))
    rights: set[str] = field(factory=lambda: {"find", "create", "update"})
    may_upload: bool = True
    five: ClassVar[bool] = True

    def answer(self, request: httpx.Request) -> httpx.Response:
        if request.url.host == HOST:
            return picture(request)
        self.requests.append(request)
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return error(401, "UnauthorizedError", "Missing or invalid credentials")
        match request.url.path.split("/")[1:]:
            case ["api", "upload"]:
                return self._upload(request)
            case ["api", "tags"]:
                return self._tags(request)
            case ["api", "articles"] if request.method == "GET":
                return self._unknown_name(request) or self._list(request)
            case ["api", "articles", *id] if request.method in ("POST", "PUT") and self._refused_write(request):
                return self._refused_write(request) or error(500, "InternalServerError", "unreachable")
            case ["api", "articles"]:
                return self._write(request, f"doc{next(self.numbers):021}", created=True)
            case ["api", "articles", id] if id in self.documents and request.method == "DELETE":
                del self.documents[id]
                return httpx.Response(204)
            case ["api", "articles", id] if id in self.documents:
                return self._read(request, id) if request.method == "GET" else self._write(request, id, created=False)
            case _:
                return error(404, "NotFoundError", "Not Found")

    def _refused_write(self, request: httpx.Request) -> httpx.Response | None:
        """Rights come first, then the form of the body; only then is the entry looked for."""
        if {"POST": "create", "PUT": "update"}[request.method] not in self.rights:
            return error(403, "ForbiddenError", "Forbidden")
        if not isinstance(msgspec.json.decode(request.content).get("data"), dict):
            return error(400, "ValidationError", 'Missing "data" payload in the request body')
        return None

    def _unknown_name(self, request: httpx.Request) -> httpx.Response | None:
        """Names in `fields` and `populate` are those of the content type, whether there are entries or not."""
        scalars = {*SCALARS - {"ourKey"}, "documentId" if self.five else "tags"}
        for parameter, known in (("fields[0]", scalars), ("populate[0]", {"cover", "tags"})):
            name = request.url.params.get(parameter)
            if name is not None and name not in known:
                return error(400, "ValidationError", f"Invalid key {name}")
        return None

    def _upload(self, request: httpx.Request) -> httpx.Response:
        if not self.may_upload:
            return error(403, "ForbiddenError", "Forbidden")
        form = form_of(request)
        info = msgspec.json.decode(form["fileInfo"].content)
        file = {"id": next(self.numbers), "name": info["name"], "alternativeText": info["alternativeText"],
                "bytes": form["files"].content}  # fmt: skip
        self.files.append(file)
        shown = {"hash": "h", "ext": ".png", "mime": "image/png", "provider": "local", "size": 0.08, "width": 9,
                 "height": 9, "createdAt": "2026-11-21", "updatedAt": "2026-11-21"}  # fmt: skip
        shown |= {"id": file["id"], "name": file["name"], "url": f"/uploads/{file['name']}"}
        return httpx.Response(201, json=[shown])

    def _tags(self, request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            id, name = f"tag{next(self.numbers)}", msgspec.json.decode(request.content)["data"]["name"]
            self.tags[id] = name
            return httpx.Response(201, json={"data": {"id": 1, "documentId": id, "name": name}, "meta": {}})
        wanted = request.url.params.get("filters[name][$eq]")
        found = [{"documentId": id, "name": n} for id, n in self.tags.items() if wanted in (None, n)]
        return httpx.Response(200, json={"data": found, "meta": {}})

    def _list(self, request: httpx.Request) -> httpx.Response:
        version = request.url.params.get("status", "published")
        held = [(id, versions[version]) for id, versions in self.documents.items() if version in versions]
        for name, value in request.url.params.items():
            if wanted := re.fullmatch(r"filters\[(\w+)\]\[\$eq\]", name):
                held = [(id, fields) for id, fields in held if fields.get(wanted[1]) == value]
        return httpx.Response(200, json={"data": [self._shown(id, f) for id, f in held], "meta": {"pagination": {}}})

    def _read(self, request: httpx.Request, id: str) -> httpx.Response:
        fields = self.documents[id].get(request.url.params.get("status", "published"))
        if fields is None:
            return error(404, "NotFoundError", "Not Found")
        return httpx.Response(200, json={"data": self._shown(id, fields, request.url.params.get("populate"))})

    def _write(self, request: httpx.Request, id: str, *, created: bool) -> httpx.Response:
        data = msgspec.json.decode(request.content)["data"]
        data.pop("publishedAt", None)  # passed over: the parameter decides
        unknown = set(data) - SCALARS - {"cover", "tags"}
        if unknown:
            return error(400, "ValidationError", f"Invalid key {next(iter(unknown))}")
        others = [v["draft"]["slug"] for other, v in self.documents.items() if other != id]
        if data.get("slug") in others:
            fault = ("slug", "This attribute must be unique")
            return error(400, "ValidationError", "This attribute must be unique", fault)
        if len(data["headline"]) > 255 or not set(data.get("tags", [])) <= set(self.tags):
            return error(500, "InternalServerError", "Internal Server Error")
        versions = self.documents.setdefault(id, {"draft": {"publishedAt": None}})
        versions["draft"].update(data)
        status = request.url.params.get("status", "published")
        if status == "published":
            versions["published"] = {**versions["draft"], "publishedAt": "2026-11-21T00:00:00.000Z"}
        return httpx.Response(201 if created else 200, json={"data": self._shown(id, versions[status]), "meta": {}})

    def _shown(self, id: str, fields: Mapping[str, Any], populate: str | None = None) -> dict[str, Any]:
        shown = {"id": 1, "documentId": id, **{name: fields.get(name) for name in SCALARS if name != "ourKey"}}
        if populate:
            files = [file for file in self.files if file["id"] == fields.get(populate)]
            shown[populate] = {"id": files[0]["id"], "name": files[0]["name"]} if files else None
        return shown

    def makes_a_post(self, request: httpx.Request) -> bool:
        return request.method == "POST" and request.url.path == "/api/articles"

    def posts(self) -> list[VendorPost]:
        return [self._post(id, versions) for id, versions in self.documents.items()]

    def _post(self, id: str, versions: dict[str, dict[str, Any]]) -> VendorPost:
        fields = versions.get("published", versions["draft"])
        body = fields["text"] if isinstance(fields["text"], str) else msgspec.json.encode(fields["text"]).decode()
        status = PostStatus.PUBLISHED if "published" in versions else PostStatus.DRAFT
        tags = tuple(self.tags.get(tag, tag) for tag in fields.get("tags", []))
        return VendorPost(id, fields["headline"], body, status, fields.get("slug"), tags)

    def remove(self, id: str) -> None:
        del self.documents[id]

    def edit(self, id: str) -> None:
        for version in self.documents[id].values():
            version["headline"] += " by hand"

    def invalid(self) -> httpx.Response:
        return error(400, "ValidationError", "2 errors occurred", ("headline", "headline is too long"))

    def busy(self) -> httpx.Response:
        return httpx.Response(429, text="Too many requests", headers={"Retry-After": "5"})


class FourCms(Cms):
    """Strapi 4: fields below `attributes`, numbers as ids, `publishedAt` written by whoever calls."""

    settings: ClassVar[Mapping[str, Any]] = {
        **{k: v for k, v in Cms.settings.items() if k != "tagsCollection"}, "majorVersion": "4", "bodyKind": "blocks",
    }  # fmt: skip
    five: ClassVar[bool] = False

    def _list(self, request: httpx.Request) -> httpx.Response:
        shown = [
            self._shown(id, versions["draft"])
            for id, versions in self.documents.items()
            if versions["draft"]["slug"] == request.url.params.get("filters[slug][$eq]", versions["draft"]["slug"])
            and (versions["draft"]["publishedAt"] or request.url.params.get("publicationState") == "preview")
        ]
        return httpx.Response(200, json={"data": shown, "meta": {}})

    def _read(self, request: httpx.Request, id: str) -> httpx.Response:
        shown = self._shown(id, self.documents[id]["draft"], request.url.params.get("populate"))
        return httpx.Response(200, json={"data": shown, "meta": {}})

    def _write(self, request: httpx.Request, id: str, *, created: bool) -> httpx.Response:
        data = msgspec.json.decode(request.content)["data"]
        if set(data) - SCALARS - {"cover", "tags"}:
            return error(400, "ValidationError", "Invalid key")
        id = id.removeprefix("doc").lstrip("0")
        versions = self.documents.setdefault(id, {"draft": {"publishedAt": "2026-11-21T00:00:00.000Z"}})
        versions["draft"].update(data)
        return httpx.Response(200, json={"data": self._shown(id, versions["draft"]), "meta": {}})

    def _shown(self, id: str, fields: Mapping[str, Any], populate: str | None = None) -> dict[str, Any]:
        shown = {name: value for name, value in fields.items() if name != "cover"}
        if populate:
            files = [file for file in self.files if file["id"] == fields.get(populate)]
            media = {"id": files[0]["id"], "attributes": {"name": files[0]["name"]}} if files else None
            shown[populate] = {"data": media}
        return {"id": int(id), "attributes": shown}

    def _post(self, id: str, versions: dict[str, dict[str, Any]]) -> VendorPost:
        status = PostStatus.PUBLISHED if versions["draft"]["publishedAt"] else PostStatus.DRAFT
        return evolve(super()._post(id, versions), status=status)


class TestStrapi(ProviderContract):
    @pytest.fixture
    def vendor(self) -> Vendor:
        return Cms()


class TestStrapiFour(ProviderContract):
    @pytest.fixture
    def vendor(self) -> Vendor:
        return FourCms()


@pytest.fixture
def cms() -> Cms:
    return Cms()


@pytest.fixture
def publisher(cms: Cms) -> Publisher:
    return connect(cms, Wire(cms))


def connected(cms: Cms, **settings: Any) -> Publisher:
    return PROVIDER.connect(
        cms.credentials, {**cms.settings, **settings}, make_client(transport=Wire(cms)), lambda: MOMENT
    )


async def test_mapped_fields_are_filled_and_no_others(cms: Cms, publisher: Publisher) -> None:
    made = await publisher.create(a_post(tags=("winter", "winter", "snow"), categories=("Energy",)))
    published = cms.documents[made.id]["published"]
    assert published["headline"] == a_post().title
    assert (published["teaser"], published["canonical"]) == (a_post().excerpt, a_post().canonical_url)
    assert [cms.tags[tag] for tag in published["tags"]] == ["winter", "snow"]
    assert published["topics"] == ["Energy"]
    [file] = cms.files
    assert (published["cover"], file["bytes"]) == (file["id"], PNG)
    assert file["alternativeText"] == "A heat pump in the snow"
    assert made.url == "https://www.example.com/blog/heat-pumps-in-winter"
    assert "metaTitle" not in published


@pytest.mark.parametrize("kind", ["markdown", "blocks", "html"])
async def test_the_text_has_the_form_of_its_field(cms: Cms, kind: str) -> None:
    await connected(cms, bodyKind=kind).create(a_post())
    [versions] = cms.documents.values()
    text = versions["published"]["text"]
    match kind:
        case "markdown":
            assert "## Sizes and prices" in text
        case "html":
            assert "<h2>Sizes and prices</h2>" in text
        case _:
            assert text[0]["type"] == "paragraph"


async def test_pictures_of_a_text_in_blocks_are_uploaded_once_and_others_are_links(cms: Cms) -> None:
    text = f"A\n\n![Pump](https://{HOST}/hero.jpg)\n\n![Gone](https://{HOST}/gone.png)"
    post = a_post(markdown=text, featured_image=None)
    publisher = connected(cms, bodyKind="blocks")
    made = await publisher.create(post)
    await publisher.update(made.id, post)
    [file] = cms.files
    [versions] = cms.documents.values()
    _, picture, gone, *_ = versions["published"]["text"]
    assert picture["type"] == "image"
    assert (picture["image"]["alternativeText"], picture["image"]["name"]) == ("Pump", file["name"])
    assert picture["image"]["url"] == f"https://cms.example/uploads/{file['name']}"
    assert gone["children"][0]["url"] == f"https://{HOST}/gone.png"


async def test_an_image_is_uploaded_once(cms: Cms, publisher: Publisher) -> None:
    made = await publisher.create(a_post())
    await publisher.update(made.id, a_post(title="Another"))
    assert len(cms.files) == 1
    assert cms.documents[made.id]["published"]["cover"] == cms.files[0]["id"]
    await publisher.update(made.id, a_post(featured_image="https://example.com/moved.png"))
    assert len(cms.files) == 2


async def test_strangers_entries_of_the_same_slug_are_not_taken_for_ours(cms: Cms, publisher: Publisher) -> None:
    cms.documents["theirs"] = {"draft": {"slug": a_post().slug, "headline": "Somebody's own", "publishedAt": None}}
    assert await publisher.find(a_post()) is None
    with pytest.raises(PublishFailed, match="slug: This attribute must be unique") as failure:
        await publisher.create(a_post())
    assert (failure.value.refusal, failure.value.outcome_unknown) == (Refusal.INVALID, False)


async def test_with_a_field_for_the_key_an_entry_is_found_whatever_its_title(cms: Cms) -> None:
    publisher = connected(cms, fieldMap={**MAP, "key": "ourKey"})
    made = await publisher.create(a_post())
    found = await publisher.find(a_post(title="Changed meanwhile", slug="changed"))
    assert found is not None
    assert found.id == made.id


async def test_a_draft_that_got_lost_is_found_as_well(publisher: Publisher) -> None:
    made = await publisher.create(a_post(status=PostStatus.DRAFT))
    assert await publisher.find(a_post()) == made
    assert made.url is None


async def test_an_update_leaves_the_slug_as_it_is(cms: Cms, publisher: Publisher) -> None:
    made = await publisher.create(a_post())
    await publisher.update(made.id, a_post(slug="another"))
    assert cms.documents[made.id]["published"]["slug"] == "heat-pumps-in-winter"


async def test_a_locale_goes_with_every_call_for_the_entries(cms: Cms) -> None:
    await connected(cms, locale="fr-FR").create(a_post())
    ours = [request for request in cms.requests if request.url.path.startswith("/api/articles")]
    assert {request.url.params["locale"] for request in ours} == {"fr-FR"}


async def test_a_title_that_is_too_long_is_told_before_anything_is_sent(cms: Cms, publisher: Publisher) -> None:
    with pytest.raises(PublishFailed, match="at most 255"):
        await publisher.create(a_post(title="x" * 256))
    assert cms.requests == []


async def test_the_wrong_version_is_told_by_the_test(cms: Cms) -> None:
    await connected(cms).create(a_post())
    with pytest.raises(PublishFailed, match="this is Strapi 5"):
        await connected(cms, majorVersion="4").test()


@pytest.mark.parametrize("entries", [0, 1])
@pytest.mark.parametrize("ours", ["title", "body", "featuredImage", "tags", "categories"])
async def test_fields_that_are_not_there_are_named_by_the_test(cms: Cms, entries: int, ours: str) -> None:
    for _ in range(entries):
        await connected(cms).create(a_post())
    await connected(cms).test()
    with pytest.raises(PublishFailed, match="no field nowhere"):
        await connected(cms, fieldMap={**MAP, ours: "nowhere"}).test()


@pytest.mark.parametrize("right", ["create", "update"])
@pytest.mark.parametrize("made", [Cms, FourCms])
async def test_a_token_that_may_not_publish_is_not_connected(made: type[Cms], right: str) -> None:
    cms = made(rights={"find", "create", "update"} - {right})
    with pytest.raises(PublishFailed, match=f"may not {right} entries of articles") as failure:
        await connected(cms).test()
    assert failure.value.refusal is Refusal.PERMISSION
    assert cms.documents == {}


@pytest.mark.parametrize(("made", "version"), [(Cms, "4"), (FourCms, "5")])
async def test_the_wrong_version_is_told_by_the_test_of_an_empty_collection(made: type[Cms], version: str) -> None:
    cms = made()
    with pytest.raises(PublishFailed, match="choose that version"):
        await connected(cms, majorVersion=version).test()


async def test_a_draft_is_never_public_though_the_wrong_version_was_chosen(cms: Cms) -> None:
    with pytest.raises(PublishFailed):
        await connected(cms, majorVersion="4").create(a_post(status=PostStatus.DRAFT, tags=(), featured_image=None))
    assert [post.status for post in cms.posts()] == [PostStatus.DRAFT]


async def test_an_unknown_collection_is_no_entry_that_is_gone(cms: Cms) -> None:
    lost = connected(cms, pluralApiId="artikel")
    for call in (lost.test(), lost.create(a_post(tags=(), featured_image=None))):
        with pytest.raises(PublishFailed) as failure:
            await call
        assert failure.value.refusal is Refusal.INVALID


async def test_tags_can_be_chosen_where_they_are_a_collection(cms: Cms, publisher: Publisher) -> None:
    cms.tags["tag7"] = "winter"
    [tags] = await publisher.options()
    assert (tags.name, [choice.value for choice in tags.choices]) == ("tags", ["winter"])


async def test_strapi_four_publishes_and_withdraws_by_a_date() -> None:
    cms = FourCms()
    publisher = connected(cms)
    made = await publisher.create(a_post(status=PostStatus.DRAFT))
    assert cms.documents[made.id]["draft"]["publishedAt"] is None
    assert (await publisher.update(made.id, a_post())).status is PostStatus.PUBLISHED
    assert (await publisher.update(made.id, a_post(status=PostStatus.DRAFT))).status is PostStatus.DRAFT


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"pluralApiId": "../users"}, "pluralApiId"),
        ({"tagsCollection": "a/b"}, "tagsCollection"),
        ({"fieldMap": {"title": "t", "slug": "s"}}, "fieldMap"),
        ({"fieldMap": {"title": "t", "body": "b"}}, "fieldMap"),
        ({"fieldMap": {"title": "t", "body": "t", "slug": "s"}}, "fieldMap"),
        ({"fieldMap": {"title": "a b", "body": "t", "slug": "s"}}, "fieldMap"),
        ({"fieldMap": {**MAP, "colour": "c"}}, "fieldMap"),
        ({"urlTemplate": "https://example.com/{title}"}, "urlTemplate"),
        ({"urlTemplate": "javascript:{slug}"}, "urlTemplate"),
        ({"urlTemplate": "https://example.com/"}, "urlTemplate"),
    ],
)
def test_settings_that_cannot_work_are_refused_by_name(cms: Cms, settings: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput, match=field):
        connected(cms, **settings)
