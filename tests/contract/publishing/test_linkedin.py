"""LinkedIn's Posts, Images and organisation APIs, as far as a post needs them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import unquote

import httpx
import msgspec
import pytest

from contentgen_adapters.publishing.provider import Provider
from contentgen_adapters.publishing.providers.linkedin import PROVIDER
from contentgen_adapters.publishing.testing import ProviderContract, Vendor, VendorPost, Wire, a_post, connect
from contentgen_core.errors import InvalidInput
from contentgen_core.model.publication import PostStatus
from contentgen_core.model.publishing_target import Post
from contentgen_core.ports.publishing import LookupUnsupported, Publisher, PublishFailed, Refusal

TOKEN = "AQVtoken0123456789"
MEMBER = "urn:li:person:ada123"
HOUSE = "urn:li:organization:4711"
JPG = b"\xff\xd8\xff\xe0 a picture"
HASHTAG = re.compile(r"\{hashtag\|\\#\|([^{}|]+)\}")


def error(status: int, message: str) -> httpx.Response:
    return httpx.Response(status, json={"message": message, "serviceErrorCode": 100, "status": status})


def little_text(commentary: str) -> str:
    """As it is shown. A reserved character that is not escaped cuts the post."""
    plain = HASHTAG.sub(r"#\1", commentary)
    outside = re.sub(r"\\.", "", HASHTAG.sub("", commentary))
    assert not re.search(r"[\\|{}@\[\]()<>*_~#]", outside), outside
    return re.sub(r"\\(.)", r"\1", plain)


class LinkedIn:
    provider: ClassVar[Provider] = PROVIDER
    credentials: ClassVar[Mapping[str, Any]] = {"accessToken": TOKEN}
    wrong_credentials: ClassVar[Mapping[str, Any]] = {"accessToken": "AQVwrong0123456789"}
    settings: ClassVar[Mapping[str, Any]] = {}
    options: ClassVar[Mapping[str, Any]] = {}

    def __init__(self) -> None:
        self.held: dict[str, dict[str, Any]] = {}
        self.pictures: dict[str, bytes] = {}
        self.made = 0
        self.picture = httpx.Response(200, content=JPG, headers={"Content-Type": "image/jpeg"})
        self.rights = {"userinfo", "organizationAcls"}
        self.roles = [
            {"role": "ADMINISTRATOR", "organization": HOUSE, "roleAssignee": MEMBER, "state": "APPROVED"},
            {"role": "ANALYST", "organization": "urn:li:organization:1", "roleAssignee": MEMBER, "state": "APPROVED"},
        ]

    def answer(self, request: httpx.Request) -> httpx.Response:
        if not (request.url.host or "").endswith("linkedin.com"):
            assert "authorization" not in request.headers
            return self.picture
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return error(401, "Invalid access token")
        path = request.url.path
        if path == "/v2/userinfo":
            return self._if("userinfo", {"sub": "ada123", "name": "Ada"})
        if fault := _fault_of_headers(request):
            return fault
        match request.method, path:
            case "GET", "/rest/organizationAcls":
                assert dict(request.url.params) == {"q": "roleAssignee", "state": "APPROVED"}
                return self._if("organizationAcls", {"elements": self.roles, "paging": {"start": 0}})
            case "POST", "/rest/images":
                return self._upload(request)
            case "PUT", _ if path.startswith("/dms-uploads/"):
                self.pictures[f"urn:li:image:{path.rsplit('/', 1)[-1]}"] = request.content
                return httpx.Response(201)
            case "POST", "/rest/posts":
                return self._create(msgspec.json.decode(request.content))
            case "DELETE", _:
                assert request.headers["x-restli-method"] == "DELETE"
                self.held.pop(unquote(path.removeprefix("/rest/posts/")), None)
                return httpx.Response(204)
            case "POST", _ if path.startswith("/rest/posts/"):
                return self._change(unquote(path.removeprefix("/rest/posts/")), request)
        return error(404, f"No virtual resource found for {path}")

    def _if(self, right: str, body: dict[str, Any]) -> httpx.Response:
        return httpx.Response(200, json=body) if right in self.rights else error(403, "Not enough permissions")

    def _upload(self, request: httpx.Request) -> httpx.Response:
        assert request.url.params["action"] == "initializeUpload"
        owner = msgspec.json.decode(request.content)["initializeUploadRequest"]["owner"]
        if owner not in (MEMBER, HOUSE):
            return error(403, "Not enough permissions for the owner")
        self.made += 1
        value = {
            "uploadUrl": f"https://www.linkedin.com/dms-uploads/v2/C{self.made}",
            "image": f"urn:li:image:C{self.made}",
        }
        return httpx.Response(200, json={"value": value})

    def _create(self, body: dict[str, Any]) -> httpx.Response:
        if body["author"] not in (MEMBER, HOUSE):
            return error(403, "author: not authorized")
        if body["lifecycleState"] != "PUBLISHED" or body["visibility"] not in ("PUBLIC", "CONNECTIONS", "LOGGED_IN"):
            return error(422, "lifecycleState or visibility is not a valid value")
        if len(body["commentary"]) > 3000 or body["distribution"]["feedDistribution"] != "MAIN_FEED":
            return error(422, "commentary is too long")
        article = body.get("content", {}).get("article", {})
        if article and (not article["source"] or len(article["title"]) > 400):
            return error(422, "article is not valid")
        if "thumbnail" in article and article["thumbnail"] not in self.pictures:
            return error(422, "thumbnail does not exist")
        for urn, held in self.held.items():
            if (held["author"], held["commentary"]) == (body["author"], body["commentary"]):
                return error(422, f"Content is a duplicate of {urn}")
        self.made += 1
        urn = f"urn:li:share:{7_000_000 + self.made}"
        self.held[urn] = body
        return httpx.Response(201, headers={"x-restli-id": urn})

    def _change(self, urn: str, request: httpx.Request) -> httpx.Response:
        if request.headers.get("X-RestLi-Method") != "PARTIAL_UPDATE":
            return error(400, "a method is needed")
        if urn not in self.held:
            return error(404, f"{urn} does not exist")
        assert "%3A" in request.url.raw_path.decode()
        changes = msgspec.json.decode(request.content)["patch"]["$set"]
        assert [*changes] == ["commentary"]
        self.held[urn] = {**self.held[urn], **changes}
        return httpx.Response(204)

    def makes_a_post(self, request: httpx.Request) -> bool:
        return (request.method, request.url.path) == ("POST", "/rest/posts")

    def posts(self) -> list[VendorPost]:
        return [self._shown(urn, body) for urn, body in self.held.items()]

    def _shown(self, urn: str, body: dict[str, Any]) -> VendorPost:
        text = little_text(body["commentary"])
        article = body.get("content", {}).get("article", {})
        tags = tuple(HASHTAG.findall(body["commentary"]))
        shown = f"{text}\n{article.get('source', '')} {article.get('title', '')} {article.get('description', '')}"
        return VendorPost(urn, text.split("\n")[0], shown, PostStatus.PUBLISHED, tags=tags)

    def remove(self, id: str) -> None:
        del self.held[id]

    def invalid(self) -> httpx.Response:
        return error(422, "ERROR :: /commentary :: text is too long")

    def busy(self) -> httpx.Response:
        return error(429, "Resource level throttle DAY limit for calls to this resource is reached.")


def _fault_of_headers(request: httpx.Request) -> httpx.Response | None:
    if not request.url.path.startswith("/rest/"):
        return None
    if request.headers.get("X-Restli-Protocol-Version") != "2.0.0":
        return error(400, "the protocol version is needed")
    if not "202601" <= request.headers.get("LinkedIn-Version", "") <= "202612":
        return error(426, "Requested version 20250101 is not active")
    return None


class TestLinkedIn(ProviderContract):
    """Of the text its beginning is shown; what the sources say stands in the article."""

    survives = ("Heat pumps move heat", "„Wärme“", "https://example.com/heat-pumps")

    @pytest.fixture
    def vendor(self) -> Vendor:
        return LinkedIn()

    @pytest.fixture
    def post(self, vendor: Vendor) -> Post:
        return a_post(excerpt=None)

    async def test_a_post_announces_the_article_with_a_card(self) -> None:
        linkedin = LinkedIn()
        made = await connect(linkedin, Wire(linkedin)).create(a_post())
        assert made.url == f"https://www.linkedin.com/feed/update/{made.id}/"
        [held] = linkedin.held.values()
        assert held["author"] == MEMBER
        assert held["visibility"] == "PUBLIC"
        assert held["content"]["article"] == {
            "source": "https://example.com/heat-pumps",
            "title": a_post().title,
            "description": "Heat pumps in winter",
            "thumbnail": "urn:li:image:C1",
        }
        assert linkedin.pictures == {"urn:li:image:C1": JPG}
        assert linkedin.posts()[0].tags == ("HeatPumps", "Winter")

    async def test_without_a_canonical_address_there_is_no_card(self) -> None:
        linkedin = LinkedIn()
        await connect(linkedin, Wire(linkedin)).create(a_post(canonical_url=None))
        [held] = linkedin.held.values()
        assert "content" not in held
        assert linkedin.pictures == {}

    async def test_author_and_visibility_can_be_chosen(self) -> None:
        linkedin = LinkedIn()
        publisher = connect(linkedin, Wire(linkedin))
        await publisher.create(a_post(options={"author": HOUSE, "visibility": "LOGGED_IN"}))
        [held] = linkedin.held.values()
        assert (held["author"], held["visibility"]) == (HOUSE, "LOGGED_IN")
        for options in ({"author": "urn:li:share:1"}, {"visibility": "NOBODY"}):
            with pytest.raises(PublishFailed) as failure:
                await publisher.create(a_post(options=options))
            assert failure.value.refusal is Refusal.INVALID
        assert len(linkedin.held) == 1

    async def test_the_same_again_is_the_first_post(self) -> None:
        linkedin = LinkedIn()
        publisher = connect(linkedin, Wire(linkedin))
        first = await publisher.create(a_post())
        assert await publisher.create(a_post()) == first
        assert len(linkedin.held) == 1

    async def test_a_duplicate_of_a_person_is_a_refusal(self) -> None:
        linkedin = LinkedIn()
        wire = Wire(linkedin)
        wire.fault = lambda answer, request: error(422, f"Content is a duplicate of {MEMBER}")
        with pytest.raises(PublishFailed) as failure:
            await connect(linkedin, wire).create(a_post())
        assert failure.value.refusal is Refusal.INVALID

    async def test_an_update_leaves_the_card_as_it_is(self) -> None:
        linkedin = LinkedIn()
        publisher = connect(linkedin, Wire(linkedin))
        made = await publisher.create(a_post())
        before = linkedin.held[made.id]["content"]
        await publisher.update(made.id, a_post(title="Another title", canonical_url="https://example.com/other"))
        assert linkedin.held[made.id]["content"] == before
        assert linkedin.posts()[0].title == "Another title"

    async def test_a_post_that_is_gone_is_updated_as_gone_and_cannot_be_read(self) -> None:
        linkedin = LinkedIn()
        publisher = connect(linkedin, Wire(linkedin))
        made = await publisher.create(a_post())
        linkedin.remove(made.id)
        with pytest.raises(PublishFailed) as failure:
            await publisher.update(made.id, a_post())
        assert failure.value.refusal is Refusal.GONE
        with pytest.raises(LookupUnsupported):
            await publisher.read(made.id)

    @pytest.mark.parametrize(
        ("answer", "refusal"),
        [
            (httpx.Response(200, content=b"RIFF....WEBP"), Refusal.INVALID),
            (httpx.Response(404), Refusal.INVALID),
            (httpx.Response(401), Refusal.INVALID),
            (httpx.Response(302, headers={"Location": "https://elsewhere.example/"}), Refusal.INVALID),
        ],
    )
    async def test_a_picture_that_cannot_be_had_stops_the_post(self, answer: httpx.Response, refusal: Refusal) -> None:
        linkedin = LinkedIn()
        linkedin.picture = answer
        with pytest.raises(PublishFailed, match="featured image") as failure:
            await connect(linkedin, Wire(linkedin)).create(a_post())
        assert (failure.value.refusal, failure.value.outcome_unknown) == (refusal, False)
        assert linkedin.held == {}

    @pytest.mark.parametrize("path", ["/rest/images", "/dms-uploads/v2/C1"])
    async def test_a_lost_upload_made_no_post(self, path: str) -> None:
        linkedin = LinkedIn()
        answer = linkedin.answer

        def lost(request: httpx.Request) -> httpx.Response:
            if request.url.path == path:
                raise httpx.ReadTimeout("no answer", request=request)
            return answer(request)

        linkedin.answer = lost  # type: ignore[method-assign]
        with pytest.raises(PublishFailed) as failure:
            await connect(linkedin, Wire(linkedin)).create(a_post())
        assert failure.value.retryable
        assert not failure.value.outcome_unknown

    async def test_the_token_goes_to_linkedin_alone(self) -> None:
        linkedin = LinkedIn()
        answer = linkedin.answer
        value = {"uploadUrl": "https://linkedin.com.example/upload", "image": "urn:li:image:C1"}
        linkedin.answer = lambda request: (  # type: ignore[method-assign]
            httpx.Response(200, json={"value": value}) if request.url.path == "/rest/images" else answer(request)
        )
        wire = Wire(linkedin)
        with pytest.raises(PublishFailed, match="foreign"):
            await connect(linkedin, wire).create(a_post())
        tokens = {request.url.host for request in wire.requests if "authorization" in request.headers}
        assert tokens == {"api.linkedin.com"}

    async def test_who_may_post_for_whom_is_tested(self) -> None:
        linkedin = LinkedIn()

        def publisher(author: str) -> Publisher:
            return connect(linkedin, Wire(linkedin), {"accessToken": TOKEN, "author": author})

        assert HOUSE in await publisher(HOUSE).test()
        assert "Ada" in await publisher(MEMBER).test()
        for author in ("urn:li:organization:1", "urn:li:person:other"):
            with pytest.raises(PublishFailed) as failure:
                await publisher(author).test()
            assert failure.value.refusal is Refusal.PERMISSION

    async def test_those_for_whom_one_may_post_can_be_chosen(self) -> None:
        linkedin = LinkedIn()
        publisher = connect(linkedin, Wire(linkedin))
        [field] = await publisher.options()
        assert [choice.value for choice in field.choices] == [MEMBER, HOUSE]
        linkedin.rights = {"userinfo"}
        [field] = await publisher.options()
        assert [choice.value for choice in field.choices] == [MEMBER]
        linkedin.rights = set()
        with pytest.raises(PublishFailed):
            await publisher.options()

    async def test_a_version_that_is_switched_off_is_said_to_be(self) -> None:
        linkedin = LinkedIn()
        old = {"accessToken": TOKEN, "author": MEMBER, "apiVersion": "202511"}
        with pytest.raises(PublishFailed, match="not active") as failure:
            await connect(linkedin, Wire(linkedin), old).create(a_post(canonical_url=None))
        assert failure.value.refusal is Refusal.PERMISSION
        assert not failure.value.retryable

    @pytest.mark.parametrize(("field", "value"), [("author", "ada123"), ("author", "urn:li:share:1"),
                                                  ("apiVersion", "v2")])  # fmt: skip
    def test_credentials_of_another_form_are_refused(self, field: str, value: str) -> None:
        linkedin = LinkedIn()
        with pytest.raises(InvalidInput, match=f"credentials.{field}"):
            connect(linkedin, Wire(linkedin), {"accessToken": TOKEN, field: value})
