"""Strapi as its REST API behaves: 5 with a draft and a published version of each document, 4 with a date."""

from __future__ import annotations

from typing import Any

import pytest

from contentgen_adapters.publishing.providers.strapi import PROVIDER
from contentgen_adapters.publishing.testing import ProviderContract, Vendor, Wire, a_post, connect
from contentgen_adapters.shared.http import make_client
from contentgen_core.errors import InvalidInput
from contentgen_core.model.publication import PostStatus
from contentgen_core.ports.publishing import Publisher, PublishFailed, Refusal
from contentgen_core.testing.runtime import MOMENT
from tests.contract.publishing.pictures_support import HOST, PNG
from tests.contract.publishing.strapi_support import MAP, Cms, FourCms


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
