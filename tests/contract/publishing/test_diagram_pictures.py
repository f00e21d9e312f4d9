"""Diagrams are drawn in a process of their own, and uploaded to targets that would show their source."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing
from typing import Any

import msgspec
import pytest
from attrs import define

from contentgen_adapters.publishing import shopify_files
from contentgen_adapters.publishing.diagram_pictures import FONTS, MAX_SOURCE, DiagramPainter, Draw, png_of
from contentgen_adapters.publishing.testing import Vendor, Wire, a_post
from contentgen_adapters.shared.http import make_client
from contentgen_adapters.shared.processes.pool import Limits, ProcessPool
from contentgen_core.model.publication import PostStatus
from contentgen_core.policies.text.markdown import flow_chart
from contentgen_core.ports.publishing import Publisher
from contentgen_core.testing.runtime import MOMENT
from tests.contract.publishing.contentful_support import Space, a_field
from tests.contract.publishing.pictures_support import PNG
from tests.contract.publishing.strapi_support import Cms
from tests.contract.publishing.test_ghost import Blog
from tests.contract.publishing.test_hubspot import HubSpot
from tests.contract.publishing.test_shopify import Shop
from tests.contract.publishing.test_webflow import POSTS, Webflow
from tests.contract.publishing.wordpress_support import Site

CHART = flow_chart(["Heat pumps", "Sizes & prices", "Winter"], [(0, "have", 1), (0, "need", 2)])
SOURCE = CHART.removeprefix("```mermaid\n").removesuffix("```")
TEXT = f"Before\n\n{CHART}\n\nBehind\n"


def has_a_font() -> bool:
    """Without one nothing is drawn."""
    from novasvg.fonts import get_font_face_for_family_stack  # type: ignore[import-untyped]

    return bool(get_font_face_for_family_stack(FONTS))


@pytest.mark.parametrize("source", [SOURCE, "sequenceDiagram\n  Ada->>Bob: Hello"])
def test_ours_and_others_are_drawn(source: str) -> None:
    assert png_of(source).startswith(b"\x89PNG") is has_a_font()


@pytest.mark.parametrize("source", [
    "", "no diagram", "flowchart TD\n  a[", "flowchart TD\n  a[\u0f40]",
    "flowchart TD\n" + "\n".join(f"a{at}-->a{at + 1}" for at in range(1_000)),
])  # fmt: skip
def test_what_is_no_diagram_too_large_a_one_or_has_letters_without_a_font_is_not_drawn(source: str) -> None:
    assert png_of(source) == b""


async def test_it_is_done_elsewhere_and_within_limits() -> None:
    async with aclosing(ProcessPool(places=2)) as pool:
        painter = DiagramPainter(pool)
        assert (await painter.draw(SOURCE, "tenant") or b"").startswith(b"\x89PNG") is has_a_font()
        assert await painter.draw("no diagram", "tenant") is None
        assert await painter.draw(SOURCE + " " * MAX_SOURCE, "tenant") is None
        assert await DiagramPainter(pool, Limits(cpu=10, answer=100)).draw(SOURCE, "tenant") is None


def connected(vendor: Vendor, draw: Draw, settings: Mapping[str, Any] | None = None) -> Publisher:
    client = make_client(transport=Wire(vendor))
    return vendor.provider.connect(vendor.credentials, settings or vendor.settings, client, lambda: MOMENT, draw=draw)


async def drawn(source: str) -> bytes | None:
    return PNG


@define
class Artist:
    drawings: int = 0

    async def draw(self, source: str) -> bytes | None:
        self.drawings += 1
        return PNG


async def not_drawn(source: str) -> bytes | None:
    return None


async def test_wordpress_gets_it_once_with_words_for_those_who_do_not_see_it() -> None:
    site, artist = Site(), Artist()
    publisher = connected(site, artist.draw)
    post = a_post(markdown=TEXT, featured_image=None)
    made = await publisher.create(post)
    await publisher.update(made.id, post)
    assert artist.drawings == 1
    [media] = site.media.values()
    content = site.held[int(made.id)]["content"]
    words = "Heat pumps have Sizes &amp; prices; Heat pumps need Winter"
    assert f'<img src="{media["source_url"]}" alt="{words}" class="wp-image-' in content
    assert f'<!-- wp:image {{"id":{media["id"]},' in content
    assert "flowchart" not in content
    assert media["alt_text"] == "Heat pumps have Sizes & prices; Heat pumps need Winter"


@pytest.mark.parametrize("form", ["exact", "editable"])
async def test_ghost_gets_it_once_as_well(form: str) -> None:
    blog, artist = Blog(), Artist()
    publisher = connected(blog, artist.draw, {"text": form})
    post_of_ours = a_post(markdown=TEXT, featured_image=None)
    made = await publisher.create(post_of_ours)
    await publisher.update(made.id, post_of_ours)
    assert artist.drawings == 1
    [(name, content)] = blog.uploads
    [post] = blog.held.values()
    assert content == PNG
    assert name in post["html"]
    assert "flowchart" not in post["html"]


async def test_contentful_gets_it_once_as_an_asset() -> None:
    space, artist = Space(), Artist()
    publisher = connected(space, artist.draw)
    post = a_post(markdown=TEXT, featured_image=None, sources=())
    made = await publisher.create(post)
    await publisher.update(made.id, post)
    assert (artist.drawings, space.uploads) == (1, [PNG])
    [(id, asset)] = space.assets.items()
    [_, shown, _] = space.entries[made.id]["fields"]["body"]["en-US"]["content"]
    assert shown["data"]["target"]["sys"]["id"] == id
    assert asset["fields"]["description"] == {"en-US": "Heat pumps have Sizes & prices; Heat pumps need Winter"}


async def test_contentfuls_markdown_gets_the_address_of_the_asset() -> None:
    space = Space()
    space.content_fields["body"] = a_field("body", "Text")
    made = await connected(space, drawn).create(a_post(markdown=TEXT, featured_image=None))
    [asset] = space.assets.values()
    name = asset["fields"]["file"]["en-US"]["fileName"]
    body = space.entries[made.id]["fields"]["body"]["en-US"]
    assert f"![Heat pumps have Sizes & prices; Heat pumps need Winter](https://images.ctfassets.net/{name})" in body


@pytest.mark.parametrize("form", ["markdown", "blocks", "html"])
async def test_strapi_gets_it_once_in_each_form(form: str) -> None:
    cms, artist = Cms(), Artist()
    publisher = connected(cms, artist.draw, {**cms.settings, "bodyKind": form})
    post = a_post(markdown=TEXT, featured_image=None)
    made = await publisher.create(post)
    await publisher.update(made.id, post)
    assert artist.drawings == len(cms.files) == 1
    shown = msgspec.json.encode(cms.documents[made.id]["published"]["text"]).decode()
    assert cms.files[0]["name"] in shown
    assert "flowchart" not in shown


async def test_webflow_gets_it_once_as_an_asset_of_the_site() -> None:
    site, artist = Webflow(), Artist()
    publisher = connected(site, artist.draw)
    post = a_post(markdown=TEXT)
    made = await publisher.create(post)
    await publisher.update(made.id, post)
    assert (artist.drawings, [*site.assets.values()]) == (1, [PNG])
    body = site.items[POSTS][made.id]["fieldData"]["post-body"]
    assert (
        f'src="https://cdn.website-files.example/site1/a1_{next(iter(site.assets))}" alt="Heat pumps have Sizes' in body
    )
    assert made.warnings == ()


async def test_shopify_gets_it_once_as_a_file_of_the_shop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shopify_files, "PROCESSING_WAITS", (0.0, 0.0))
    shop, artist = Shop(), Artist()
    publisher = connected(shop, artist.draw)
    post = a_post(markdown=TEXT)
    made = await publisher.create(post)
    await publisher.update(made.id, post)
    assert (artist.drawings, [*shop.stored.values()]) == (1, [PNG])
    assert [file["alt"] for file in shop.files.values()] == ["Heat pumps have Sizes & prices; Heat pumps need Winter"]
    assert f'src="https://cdn.example/{next(iter(shop.stored))}?v=1&amp;w=2"' in shop.articles[made.id]["body"]


async def test_hubspot_gets_it_once_in_a_folder_of_its_own() -> None:
    account, artist = HubSpot(), Artist()
    publisher = connected(account, artist.draw)
    post = a_post(markdown=TEXT)
    made = await publisher.create(post)
    await publisher.update(made.id, post)
    assert (artist.drawings, [*account.files.values()]) == (1, [PNG])
    assert f'src="https://1.fs1.hubspotusercontent.example/hub/{next(iter(account.files))}"' in account.posts()[0].body


@pytest.mark.parametrize("vendor", [HubSpot, Webflow, Shop, Space, Cms])
async def test_without_the_right_to_upload_it_is_a_list_and_told(vendor: type[Any]) -> None:
    target = vendor()
    setattr(target, *(("scopes", {"read_content", "write_content"}) if vendor is Shop else ("may_upload", False)))
    made = await connected(target, drawn).create(a_post(markdown=TEXT, featured_image=None))
    [held] = target.posts()
    assert held.status is PostStatus.PUBLISHED
    assert "flowchart" not in held.body
    assert "Sizes" in held.body
    assert len(made.warnings) == 1
    assert made.warnings[0].startswith("A diagram of its text was not uploaded: ")


async def test_a_file_that_shopify_cannot_process_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shopify_files, "PROCESSING_WAITS", (0.0,))
    shop = Shop()
    made = await connected(shop, drawn).create(a_post(markdown=TEXT))
    assert "has not processed the file in time" in made.warnings[0]
    assert len(shop.posts()) == 1


async def test_without_a_picture_or_the_right_to_upload_it_is_a_list() -> None:
    site = Site()
    made = await connected(site, not_drawn).create(a_post(markdown=TEXT, featured_image=None))
    site.rights["upload_files"] = False
    other = await connected(site, drawn).create(a_post(markdown=TEXT, featured_image=None, external_key="contentgen-2"))
    assert made.warnings == ()
    assert other.warnings[0].startswith("A diagram of its text was not uploaded: refused")
    for post in (made, other):
        content = site.held[int(post.id)]["content"]
        assert "flowchart" not in content
        assert "<li>Heat pumps have Sizes &amp; prices</li>" in content
