"""Publishing to Contentful, over a stand-in for its API."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from contentgen_adapters.publishing import contentful_assets
from contentgen_adapters.publishing.providers.contentful import PROVIDER
from contentgen_adapters.publishing.testing import ProviderContract, Vendor, Wire, a_post, connect
from contentgen_adapters.shared.http import make_client
from contentgen_core.errors import InvalidInput
from contentgen_core.model.publication import PostStatus
from contentgen_core.ports.publishing import Publisher, PublishFailed, Refusal
from contentgen_core.testing.runtime import MOMENT
from tests.contract.publishing.contentful_support import (
    KEY,
    MAP,
    Space,
    a_field,
    texts,
)
from tests.contract.publishing.pictures_support import HOST, PNG


class TestContentful(ProviderContract):
    @pytest.fixture
    def vendor(self) -> Vendor:
        return Space()


@pytest.fixture
def space() -> Space:
    return Space()


@pytest.fixture
def publisher(space: Space) -> Publisher:
    return connect(space, Wire(space))


def connected(space: Space, **settings: Any) -> Publisher:
    client = make_client(transport=Wire(space))
    return PROVIDER.connect(space.credentials, {**space.settings, **settings}, client, lambda: MOMENT)


async def test_an_entry_has_our_key_as_its_id_and_what_is_mapped(space: Space, publisher: Publisher) -> None:
    made = await publisher.create(a_post())
    assert made.id == KEY
    assert made.url == "https://www.example.com/blog/heat-pumps-in-winter"
    fields = space.entries[KEY]["fields"]
    assert set(fields) == {"title", "body", "slug", "teaser", "hero", "keywords", "canonical"}
    assert fields["keywords"] == {"en-US": ["heat pumps", "winter"]}
    assert len(fields["teaser"]["en-US"]) <= 20
    assert fields["body"]["en-US"]["nodeType"] == "document"


async def test_the_featured_image_is_one_published_asset(space: Space, publisher: Publisher) -> None:
    await publisher.create(a_post())
    await publisher.create(a_post(external_key="contentgen-another"))
    [(id, asset)] = space.assets.items()
    assert space.entries[KEY]["fields"]["hero"]["en-US"]["sys"] == {"type": "Link", "linkType": "Asset", "id": id}
    file = asset["fields"]["file"]["en-US"]
    assert (file["contentType"], file["fileName"]) == ("image/jpeg", "hero.jpg")
    assert asset["fields"]["title"] == {"en-US": "A heat pump in the snow"}
    assert "publishedVersion" in asset["sys"]
    for step in ("/files/en-US/process", "/published"):
        assert space.calls.count(f"PUT /assets/{id}{step}") == 1


async def test_pictures_of_a_rich_text_are_assets_and_others_stay_links(space: Space) -> None:
    text = f"A ![Pump](https://{HOST}/hero.jpg) B\n\n- ![Pump](https://{HOST}/hero.jpg)\n\n![](https://{HOST}/gone.png)"
    post, wire = a_post(markdown=text, featured_image=None, sources=()), Wire(space)
    publisher = connect(space, wire)
    made = await publisher.create(post)
    await publisher.update(made.id, post)
    [(id, asset)] = space.assets.items()
    before, shown, behind, items, gone = space.entries[KEY]["fields"]["body"]["en-US"]["content"]
    link = {"sys": {"type": "Link", "linkType": "Asset", "id": id}}
    assert shown == {"nodeType": "embedded-asset-block", "data": {"target": link}, "content": []}
    assert items["content"][0]["content"] == [shown]
    assert ("".join(texts(before)).split(), "".join(texts(behind)).split()) == (["A"], ["B"])
    assert f"https://{HOST}/gone.png" in "".join(texts(gone))
    assert space.uploads == [PNG]
    assert asset["fields"]["description"] == {"en-US": "Pump"}
    assert (asset["fields"]["file"]["en-US"]["contentType"], "publishedVersion" in asset["sys"]) == ("image/png", True)
    assert len(made.warnings) == 1


async def test_pictures_stay_links_without_the_right_to_assets_or_where_the_field_takes_none(space: Space) -> None:
    post = a_post(markdown=f"![Pump](https://{HOST}/hero.jpg)", featured_image=None)
    space.may_upload = False
    refused = await connect(space, Wire(space)).create(post)
    assert "the account may not create or change" in refused.warnings[0]
    space.may_upload = True
    space.content_fields["body"]["validations"] = [{"enabledNodeTypes": ["heading-2"]}]
    made = await connect(space, Wire(space)).update(refused.id, post)
    assert (made.warnings, space.assets) == ((), {})
    assert f"https://{HOST}/hero.jpg" in space.posts()[0].body


async def test_an_asset_whose_file_was_lost_is_made_again(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contentful_assets, "PROCESSING_WAITS", (0.0,))
    post = a_post(markdown=f"![Pump](https://{HOST}/hero.jpg)", featured_image=None)
    space.looks_until_processed = 9
    with pytest.raises(PublishFailed):
        await connect(space, Wire(space)).create(post)
    for asset in space.assets.values():
        asset.pop("looks")
    space.looks_until_processed = 1
    await connect(space, Wire(space)).create(post)
    assert (len(space.assets), len(space.uploads)) == (1, 2)


async def test_a_draft_publishes_nothing_not_even_its_image(space: Space, publisher: Publisher) -> None:
    await publisher.create(a_post(status=PostStatus.DRAFT))
    assert not any(call.endswith("/published") for call in space.calls)


async def test_an_image_that_takes_its_time_is_waited_for(
    space: Space, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contentful_assets, "PROCESSING_WAITS", (0.0, 0.0, 0.0))
    space.looks_until_processed = 3
    await publisher.create(a_post())
    assert len(space.posts()) == 1


async def test_an_image_that_never_comes_holds_the_post_back_for_another_try(
    space: Space, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contentful_assets, "PROCESSING_WAITS", (0.0, 0.0))
    space.looks_until_processed = 9
    with pytest.raises(PublishFailed, match="has not fetched it yet") as failure:
        await publisher.create(a_post())
    assert (failure.value.refusal, failure.value.outcome_unknown) == (Refusal.TRANSIENT, False)
    assert space.posts() == []
    space.looks_until_processed = 1
    await publisher.create(a_post())
    assert len(space.assets) == 1


async def test_fields_go_to_the_locale_only_where_they_are_translated(space: Space) -> None:
    await connected(space, locale="de-DE").create(a_post())
    fields = space.entries[KEY]["fields"]
    assert set(fields["body"]) == {"de-DE"}
    assert set(fields["title"]) == {"en-US"}


async def test_an_update_keeps_other_fields_other_locales_and_the_slug(space: Space, publisher: Publisher) -> None:
    await publisher.create(a_post())
    held = space.entries[KEY]
    held["fields"]["rating"] = {"en-US": 5}
    held["fields"]["body"]["de-DE"] = {"nodeType": "document", "data": {}, "content": []}
    held["fields"]["slug"]["en-US"] = "chosen-there"
    held["metadata"] = {"tags": [{"sys": {"type": "Link", "linkType": "Tag", "id": "energy"}}]}
    await publisher.update(KEY, a_post(title="Another", slug="other"))
    now = space.entries[KEY]
    assert now["fields"]["rating"] == {"en-US": 5}
    assert now["fields"]["title"] == {"en-US": "Another"}
    assert set(now["fields"]["body"]) == {"de-DE", "en-US"}
    assert now["fields"]["slug"] == {"en-US": "chosen-there"}
    assert now["metadata"]["tags"]


async def test_an_update_to_a_draft_takes_the_entry_back(space: Space, publisher: Publisher) -> None:
    await publisher.create(a_post())
    assert (await publisher.update(KEY, a_post(status=PostStatus.DRAFT))).status is PostStatus.DRAFT
    assert [post.status for post in space.posts()] == [PostStatus.DRAFT]


async def test_what_somebody_wrote_at_the_same_moment_is_kept(space: Space, publisher: Publisher) -> None:
    await publisher.create(a_post())
    stored, faster = Space._held, [True]

    def somebody_is_faster(self: Space, request: httpx.Request, kind: Any, id: str, rest: list[str]) -> httpx.Response:
        if request.method == "PUT" and kind is self.entries and not rest and faster:
            faster.pop()
            kind[id]["sys"]["version"] += 1
            kind[id]["fields"]["rating"] = {"en-US": 4}
        return stored(self, request, kind, id, rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Space, "_held", somebody_is_faster)
        await publisher.update(KEY, a_post(title="Another"))
    assert space.entries[KEY]["fields"]["rating"] == {"en-US": 4}
    assert space.posts()[0].title == "Another"


async def test_a_field_of_the_owners_that_is_required_is_named_and_the_next_try_makes_no_second_entry(
    space: Space, publisher: Publisher
) -> None:
    space.content_fields["rating"]["required"] = True
    with pytest.raises(PublishFailed, match=r'Validation error; fields\.rating: "rating" is required') as failure:
        await publisher.create(a_post())
    assert failure.value.refusal is Refusal.INVALID
    space.content_fields["rating"]["required"] = False
    assert (await publisher.create(a_post())).status is PostStatus.PUBLISHED
    assert len(space.posts()) == 1


async def test_a_long_text_takes_markdown_up_to_its_limit(space: Space, publisher: Publisher) -> None:
    space.content_fields["body"] = a_field("body", "Text")
    await publisher.create(a_post())
    assert "## Sizes and prices" in space.entries[KEY]["fields"]["body"]["en-US"]
    with pytest.raises(PublishFailed, match="body takes 50,000") as failure:
        await publisher.create(a_post(markdown="x" * 50_001))
    assert failure.value.refusal is Refusal.INVALID


async def test_a_title_that_is_too_long_and_a_request_too_large_are_not_sent(
    space: Space, publisher: Publisher
) -> None:
    for post in (a_post(title="x" * 257), a_post(markdown="long words " * 100_000)):
        with pytest.raises(PublishFailed, match="too long"):
            await publisher.create(post)
    assert space.entries == {}


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"fieldMap": {**MAP, "excerpt": "abstract"}}, "has no field abstract"),
        ({"fieldMap": {**MAP, "excerpt": "rating"}}, "rating is of the type Integer"),
        (
            {"fieldMap": {**MAP, "categories": "title", "title": "canonical", "canonicalUrl": ""}},
            "title is of the type",
        ),
        ({"locale": "fr-FR"}, "no locale fr-FR; there are en-US, de-DE"),
        ({"contentTypeId": "page"}, "the content type page"),
    ],
)
async def test_what_does_not_fit_the_content_type_is_told_by_the_test(
    space: Space, settings: dict[str, Any], reason: str
) -> None:
    with pytest.raises(PublishFailed, match=reason) as failure:
        await connected(space, **settings).test()
    assert failure.value.refusal is Refusal.INVALID


async def test_an_unknown_space_is_no_entry_that_is_gone(space: Space) -> None:
    lost = connect(space, Wire(space), {**space.credentials, "spaceId": "other"})
    with pytest.raises(PublishFailed, match="the space and environment") as failure:
        await lost.test()
    assert failure.value.refusal is Refusal.INVALID


async def test_the_wait_that_contentful_asks_for_is_passed_on(space: Space) -> None:
    wire = Wire(space)
    wire.fault = lambda answer, request: space.busy()
    with pytest.raises(PublishFailed) as failure:
        await connect(space, wire).create(a_post())
    assert failure.value.retry_after == 3.0


async def test_europeans_are_called_in_europe(space: Space) -> None:
    wire = Wire(space)
    await connect(space, wire, {**space.credentials, "region": "eu"}).test()
    assert {request.url.host for request in wire.requests} == {"api.eu.contentful.com"}


async def test_values_that_a_list_allows_can_be_chosen(space: Space, publisher: Publisher) -> None:
    assert await publisher.options() == ()
    space.content_fields["keywords"]["items"]["validations"] = [{"in": ["winter", "snow"]}]
    [tags] = await publisher.options()
    assert (tags.name, [choice.value for choice in tags.choices]) == ("tags", ["winter", "snow"])


@pytest.mark.parametrize("space_id", ["", "a/b", "..", "x" * 65])
def test_an_id_that_is_none_is_refused_by_name(space: Space, space_id: str) -> None:
    with pytest.raises(InvalidInput, match="spaceId"):
        connect(space, Wire(space), {**space.credentials, "spaceId": space_id})
