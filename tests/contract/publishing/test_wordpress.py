"""WordPress: what is sent, what is asked first, and what a person is told."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import httpx
import pytest
from attrs import evolve

from contentgen_adapters.publishing.providers.wordpress import PROVIDER
from contentgen_adapters.publishing.testing import ProviderContract, Vendor, Wire, a_post, connect
from contentgen_adapters.shared.http import make_client
from contentgen_core.errors import InvalidInput
from contentgen_core.model.publication import PostStatus
from contentgen_core.ports.publishing import Publisher, PublishFailed, Refusal
from contentgen_core.testing.runtime import MOMENT
from tests.contract.publishing.pictures_support import HOST, PNG
from tests.contract.publishing.wordpress_support import NOW, Site


class TestWordPress(ProviderContract):
    @pytest.fixture
    def vendor(self) -> Vendor:
        return Site()


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def wire(site: Site) -> Wire:
    return Wire(site)


@pytest.fixture
def publisher(site: Site, wire: Wire) -> Publisher:
    return connect(site, wire)


async def test_a_post_has_its_terms_its_image_and_what_the_options_say(site: Site, publisher: Publisher) -> None:
    site.terms["tags"][3] = "Winter sports"
    site.terms["tags"][4] = "winter"
    post = a_post(tags=("Winter", "winter", "R&D"), options={"author": "7", "sticky": True, "comments": "closed"})
    await publisher.create(post)
    [held] = site.held.values()
    assert [site.terms["tags"][id] for id in held["tags"]] == ["winter", "R&amp;D"]
    assert [site.terms["categories"][id] for id in held["categories"]] == ["Energy"]
    [media] = site.media.values()
    assert held["featured_media"] == media["id"]
    assert (media["alt_text"], media["bytes"]) == ("A heat pump in the snow", len(PNG))
    assert (held["author"], held["sticky"], held["comment_status"]) == (7, True, "closed")
    assert (held["excerpt"], held["slug"]) == ("What heat pumps cost in winter.", "heat-pumps-in-winter")


async def test_what_looks_like_a_tag_in_a_title_or_an_excerpt_is_shown_as_it_is(
    site: Site, publisher: Publisher
) -> None:
    await publisher.create(a_post(title="<b> & co", excerpt="a < b"))
    assert [(held["title"], held["excerpt"]) for held in site.held.values()] == [("&lt;b> & co", "a &lt; b")]


@pytest.mark.parametrize(
    "text", ["[gallery]", "[caption width=1]lost[/caption]", "[[gallery]]", "`[embed]x[/embed]`", "```\n[gallery]\n```",
             "[x](https://example.com/?a=[gallery])"]
)  # fmt: skip
async def test_shortcodes_in_a_text_are_text(site: Site, publisher: Publisher, text: str) -> None:
    made = await publisher.create(a_post(markdown=f"Before [1].\n\n{text}\n\nAfter.\n"))
    shown = site._shown(int(made.id), {})["content"]["rendered"]
    assert "class='gallery'" not in shown
    assert "[1]" in shown
    assert not re.search(r"\[[a-z]", site.held[int(made.id)]["content"])


async def test_pictures_of_the_text_are_uploaded_once_and_those_that_cannot_be_had_stay_links(
    site: Site, publisher: Publisher
) -> None:
    own = "https://blog.example/uploads/mine.png"
    text = f"![A pump](https://{HOST}/hero.jpg)\n\n![Gone](https://example.com/gone.png)\n\n![Mine]({own})\n"
    made = await publisher.create(a_post(markdown=text, featured_image=None))
    await publisher.update(made.id, a_post(markdown=text, featured_image=None))
    assert made.warnings == (
        "The picture https://example.com/gone.png of its text was not uploaded: the picture cannot be fetched"
        " (HTTP 404)",
    )
    [media] = site.media.values()
    content = site.held[int(made.id)]["content"]
    assert media["alt_text"] == "A pump"
    assert f'<img src="{media["source_url"]}" alt="A pump" class="wp-image-{media["id"]}" />' in content
    assert f"https://{HOST}/hero.jpg" not in content
    assert '<img src="https://example.com/gone.png"' in content
    assert f'<img src="{own}"' in content


async def test_a_post_waits_for_no_server_of_a_picture(site: Site, publisher: Publisher) -> None:
    made = await publisher.create(a_post(markdown=f"![A pump](https://{HOST}/gone-for-now.png)", featured_image=None))
    assert "the picture cannot be fetched" in made.warnings[0]


async def test_all_pictures_of_a_post_are_looked_for_at_once(site: Site, wire: Wire) -> None:
    text = "\n\n".join(f"![A pump](https://{HOST}/hero.jpg?{n})" for n in range(25))
    publisher = connect(site, wire)
    made = await publisher.create(a_post(markdown=text))
    await publisher.update(made.id, a_post(markdown=text))
    looks = [each for each in wire.requests if each.method == "GET" and each.url.path.endswith("/media")]
    fetched = [each for each in wire.requests if each.url.host == HOST]
    assert (len(looks), len(fetched), len(site.media)) == (2, 21, 21)


async def test_a_user_who_may_not_upload_is_asked_once(site: Site, wire: Wire) -> None:
    site.rights["upload_files"] = False
    text = "\n\n".join(f"![A pump](https://{HOST}/hero.jpg?{n})" for n in range(3))
    made = await connect(site, wire).create(a_post(markdown=text, featured_image=None))
    assert len([each for each in wire.requests if each.url.host == HOST]) == len(made.warnings) == 1


async def test_pictures_of_the_text_are_left_where_they_are_without_the_right_or_the_wish(site: Site) -> None:
    post = a_post(markdown=f"![A pump](https://{HOST}/hero.jpg)", featured_image=None)
    site.rights["upload_files"] = False
    made = await connect(site, Wire(site)).create(post)
    assert "the account may not create or change /news/wp-json/wp/v2/media" in made.warnings[0]
    site.rights["upload_files"] = True
    client = make_client(transport=Wire(site))
    unwilling = PROVIDER.connect(site.credentials, {"uploadPictures": False}, client, lambda: MOMENT)
    await unwilling.create(evolve(post, external_key="contentgen-2"))
    assert site.media == {}
    assert all(f"https://{HOST}/hero.jpg" in held["content"] for held in site.held.values())


@pytest.mark.parametrize("names", [
    ("_yoast_wpseo_title", "_yoast_wpseo_metadesc", "_yoast_wpseo_canonical"),
    ("rank_math_title", "rank_math_description", "rank_math_canonical_url"),
    (),
])  # fmt: skip
async def test_texts_for_search_engines_go_where_the_site_has_fields_for_them(
    site: Site, publisher: Publisher, names: tuple[str, ...]
) -> None:
    site.seo = {name: {"type": "string"} for name in names}
    made = await publisher.create(a_post())
    values = ("Heat pumps", "Heat pumps in winter", "https://example.com/heat-pumps")
    expected = dict(zip(names, values, strict=True)) if names else None
    assert site.held[int(made.id)].get("meta") == expected


async def test_texts_for_search_engines_that_were_asked_to_be_none_are_emptied(
    site: Site, publisher: Publisher
) -> None:
    site.seo = {f"_yoast_wpseo_{name}": {"type": "string"} for name in ("title", "metadesc", "canonical")}
    made = await publisher.create(a_post())
    await publisher.update(made.id, a_post(meta_title=None, meta_description=None, clears=("metaDescription",)))
    assert site.held[int(made.id)]["meta"] == {
        "_yoast_wpseo_metadesc": "", "_yoast_wpseo_canonical": "https://example.com/heat-pumps",
    }  # fmt: skip


async def test_texts_for_search_engines_that_the_user_may_not_write_keep_no_post_from_being_told(
    site: Site, publisher: Publisher
) -> None:
    site.seo = {"_yoast_wpseo_title": {"type": "string"}}
    site.rights["meta"] = False
    made = await publisher.create(a_post())
    assert await publisher.read(made.id) == await publisher.update(made.id, a_post()) == made
    assert [post.id for post in site.posts()] == [made.id]


async def test_a_post_whose_texts_for_search_engines_got_lost_may_be_there(
    site: Site, wire: Wire, publisher: Publisher
) -> None:
    site.seo = {"_yoast_wpseo_title": {"type": "string"}}
    answer = site.answer

    def busy_behind_the_post(request: httpx.Request) -> httpx.Response:
        return site.busy() if b'{"meta"' in request.content[:7] else answer(request)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Site, "answer", lambda self, request: busy_behind_the_post(request))
        with pytest.raises(PublishFailed) as failure:
            await publisher.create(a_post())
    assert (failure.value.outcome_unknown, failure.value.retry_after) == (True, 30)
    assert await publisher.find(a_post()) is not None


async def test_posts_may_be_of_another_type(site: Site) -> None:
    site.type = "guides"
    client = make_client(transport=Wire(site))
    publisher = PROVIDER.connect(site.credentials, {"postType": "guides"}, client, lambda: MOMENT)
    assert await publisher.test()
    made = await publisher.create(a_post())
    assert await publisher.read(made.id) == made
    site.type = "others"
    with pytest.raises(PublishFailed, match="no post type guides"):
        await publisher.test()
    with pytest.raises(InvalidInput):
        PROVIDER.connect(site.credentials, {"postType": "../users"}, client, lambda: MOMENT)


async def test_terms_and_images_are_made_once(site: Site, publisher: Publisher) -> None:
    made = await publisher.create(a_post(tags=("R&D",)))
    await publisher.update(made.id, a_post(tags=("R&D",)))
    assert len(site.media) == 1
    assert list(site.terms["tags"].values()) == ["R&amp;D"]


async def test_a_term_that_is_named_twice_is_made_as_it_is_first_written(site: Site, publisher: Publisher) -> None:
    await publisher.create(a_post(tags=("Winter", "winter")))
    assert list(site.terms["tags"].values()) == ["Winter"]


async def test_a_term_is_known_again_whatever_its_case_and_though_a_search_does_not_find_it(
    site: Site, publisher: Publisher
) -> None:
    site.terms["tags"][3] = "R&amp;d"
    await publisher.create(a_post(tags=("r&D",), categories=("UNCATEGORIZED",)))
    assert [(held["tags"], held["categories"]) for held in site.held.values()] == [([3], [1])]


async def test_a_term_that_somebody_made_at_the_same_moment_is_used(site: Site, publisher: Publisher) -> None:
    site.terms["tags"][5] = "winter"
    blind = Site._terms

    def search_finds_nothing(self: Site, request: httpx.Request, taxonomy: str, params: Any) -> httpx.Response:
        return httpx.Response(200, json=[]) if request.method == "GET" else blind(self, request, taxonomy, params)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Site, "_terms", search_finds_nothing)
        await publisher.create(a_post(tags=("winter",), categories=()))
    assert [held["tags"] for held in site.held.values()] == [[5]]


async def test_a_user_who_may_not_make_terms_is_told_so_and_nothing_is_posted(site: Site, publisher: Publisher) -> None:
    site.rights["terms"] = False
    with pytest.raises(PublishFailed, match=r"its categories: .* not allowed to create terms") as failure:
        await publisher.create(a_post())
    assert (failure.value.refusal, failure.value.outcome_unknown) == (Refusal.PERMISSION, False)
    assert site.posts() == []


async def test_a_contributor_is_told_what_he_may_not_do(site: Site, wire: Wire, publisher: Publisher) -> None:
    site.rights |= {"publish_posts": False, "upload_files": False}
    assert "may not publish posts (drafts only) or upload featured images" in await publisher.test()
    with pytest.raises(PublishFailed) as failure:
        await publisher.create(a_post(featured_image=None))
    assert failure.value.refusal is Refusal.PERMISSION
    assert (await publisher.create(a_post(featured_image=None, status=PostStatus.DRAFT))).status is PostStatus.DRAFT


async def test_an_image_that_cannot_be_had_stops_the_post(site: Site, publisher: Publisher) -> None:
    with pytest.raises(PublishFailed, match="featured image") as failure:
        await publisher.create(a_post(featured_image="https://example.com/missing.png"))
    assert failure.value.refusal is Refusal.INVALID
    assert site.posts() == []


async def test_an_image_that_the_site_does_not_take_is_not_tried_again(site: Site, publisher: Publisher) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.contract.publishing.wordpress_support.PNG", b"of another type")
        with pytest.raises(PublishFailed, match=r"featured image: .*not allowed to upload this file type") as failure:
            await publisher.create(a_post())
    assert not failure.value.retryable
    assert site.posts() == []


async def test_a_strangers_post_of_the_same_address_is_never_taken_for_ours(site: Site, publisher: Publisher) -> None:
    await publisher.create(a_post(external_key="contentgen-another"))
    assert await publisher.find(a_post()) is None
    made = await publisher.create(a_post())
    found = await publisher.find(a_post())
    assert found == made
    assert made.url == "https://blog.example/news/heat-pumps-in-winter-2/"


async def test_a_search_that_finds_too_much_does_not_mislead(site: Site, publisher: Publisher) -> None:
    """Plugins replace the search by one for similar words."""
    await publisher.create(a_post(external_key="contentgen-another"))
    search = Site._search
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Site, "_search", lambda self, params: search(self, {**params, "search": ""}))
        assert await publisher.find(a_post()) is None


async def test_a_draft_that_got_lost_is_found_as_well(site: Site, publisher: Publisher) -> None:
    made = await publisher.create(a_post(status=PostStatus.DRAFT))
    assert await publisher.find(a_post()) == made
    assert made.url is None


async def test_a_scheduled_post_can_be_published_at_once(site: Site, publisher: Publisher) -> None:
    made = await publisher.create(a_post(status=PostStatus.SCHEDULED, scheduled_for=MOMENT + timedelta(days=2)))
    [held] = site.held.values()
    assert held["date_gmt"] == (MOMENT + timedelta(days=2)).strftime("%Y-%m-%dT%H:%M:%S")
    assert (await publisher.update(made.id, a_post())).status is PostStatus.PUBLISHED
    assert [post["date_gmt"] for post in site.held.values()] == [NOW]


async def test_what_is_due_within_a_minute_is_published_at_once(publisher: Publisher) -> None:
    made = await publisher.create(a_post(status=PostStatus.SCHEDULED, scheduled_for=MOMENT + timedelta(seconds=59)))
    assert made.status is PostStatus.PUBLISHED


async def test_a_password_that_was_withdrawn_is_told_as_such_by_every_call(
    site: Site, wire: Wire, publisher: Publisher
) -> None:
    made = await publisher.create(a_post())
    withdrawn = connect(site, wire, site.wrong_credentials)
    calls = (
        withdrawn.test(), withdrawn.find(a_post()), withdrawn.read(made.id), withdrawn.update(made.id, a_post()),
        withdrawn.create(a_post(tags=(), categories=(), featured_image=None)), withdrawn.options(),
    )  # fmt: skip
    for call in calls:
        with pytest.raises(PublishFailed) as failure:
            await call
        assert failure.value.refusal is Refusal.CREDENTIALS


async def test_an_update_leaves_the_address_the_date_and_terms_that_were_chosen_there(
    site: Site, publisher: Publisher
) -> None:
    made = await publisher.create(a_post(tags=(), categories=()))
    [held] = site.held.values()
    held |= {"slug": "chosen-there", "date_gmt": "2020-01-01T00:00:00", "categories": [1]}
    await publisher.update(made.id, a_post(tags=(), categories=()))
    [now] = site.held.values()
    assert (now["slug"], now["date_gmt"], now["categories"]) == ("chosen-there", "2020-01-01T00:00:00", [1])


async def test_a_site_without_readable_addresses_is_called_by_a_parameter(site: Site, wire: Wire) -> None:
    plain = PROVIDER.connect(site.credentials, {"plainPermalinks": True}, wire_client(wire), lambda: MOMENT)
    made = await plain.create(a_post())
    assert await plain.read(made.id) == made
    assert all("rest_route" in str(r.url) for r in wire.requests if r.url.host != HOST)


async def test_another_site_is_no_post_that_is_gone(site: Site, wire: Wire) -> None:
    lost = connect(site, wire, {**site.credentials, "siteUrl": "https://blog.example/elsewhere"})
    with pytest.raises(PublishFailed) as failure:
        await lost.read("12")
    assert failure.value.refusal is Refusal.INVALID
    with pytest.raises(PublishFailed, match="no WordPress API at this address"):
        await lost.test()


async def test_authors_categories_and_tags_can_be_chosen(site: Site, publisher: Publisher) -> None:
    site.terms["tags"][3] = "R&amp;D"
    by_name = {each.name: each for each in await publisher.options()}
    assert [(choice.value, choice.label) for choice in by_name["author"].choices] == [("7", "Ada & Co")]
    assert [choice.label for choice in by_name["categories"].choices] == ["Uncategorized"]
    assert [choice.value for choice in by_name["tags"].choices] == ["R&D"]


async def test_the_password_is_sent_without_its_spaces_and_never_shown(site: Site, wire: Wire) -> None:
    wrong = connect(site, wire, {**site.credentials, "username": "bob"})
    with pytest.raises(PublishFailed) as failure:
        await wrong.test()
    assert failure.value.refusal is Refusal.CREDENTIALS
    assert "abcdEFGH" not in str(failure.value)


@pytest.mark.parametrize("ending", ["", "/", "/wp-admin", "/wp-admin/", "/wp-json/", "/wp-login.php"])
async def test_the_address_is_understood_as_people_copy_it(site: Site, wire: Wire, ending: str) -> None:
    url = f"https://blog.example/news{ending}"
    assert await connect(site, wire, {**site.credentials, "siteUrl": url}).test() == "blog.example, as Ada & Co"


def test_an_address_with_a_query_is_refused(site: Site, wire: Wire) -> None:
    with pytest.raises(InvalidInput, match="siteUrl"):
        connect(site, wire, {**site.credentials, "siteUrl": "https://blog.example/?page=2"})


def wire_client(wire: Wire) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=wire)
