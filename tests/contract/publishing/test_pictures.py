"""Featured images are fetched within bounds."""

from __future__ import annotations

import httpx
import pytest

from contentgen_adapters.publishing.pictures import Picture, fetch_picture, file_stem
from contentgen_adapters.publishing.testing import a_post
from contentgen_adapters.shared.http import make_client
from contentgen_core.ports.publishing import PublishFailed, Refusal
from tests.contract.publishing.pictures_support import PNG, picture


async def fetch(address: str) -> Picture:
    async with make_client(transport=httpx.MockTransport(picture)) as client:
        return await fetch_picture("target", client, address)


async def test_a_picture_is_told_by_its_bytes_whatever_its_server_says() -> None:
    assert await fetch("https://example.com/hero.jpg") == Picture(PNG, "image/png", "png")


async def test_redirects_of_a_picture_are_followed() -> None:
    assert (await fetch("https://example.com/moved.png")).content == PNG


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("around.png", "redirects too often"),
        ("page.png", "no JPEG, PNG, GIF or WebP"),
        ("large.png", "larger than"),
        ("missing.png", "HTTP 404"),
    ],
)
async def test_what_is_no_usable_picture_is_refused_with_the_reason(path: str, reason: str) -> None:
    with pytest.raises(PublishFailed, match=reason) as failure:
        await fetch(f"https://example.com/{path}")
    assert failure.value.refusal is Refusal.INVALID
    assert not failure.value.outcome_unknown


def test_the_same_picture_of_a_post_has_one_name() -> None:
    post = a_post()
    assert file_stem(post) == file_stem(a_post(title="Another"))
    assert file_stem(post) != file_stem(a_post(featured_image="https://example.com/other.jpg"))
    assert file_stem(a_post(slug="Wärme/../x")).isascii()
    assert "/" not in file_stem(a_post(slug="Wärme/../x"))
