"""The contract of `ImageSearch`. Inherit `ImageSearchContract` in a test module and give it the fixture `images`: a
search over a service that has PICTURES."""

from __future__ import annotations

import asyncio
from typing import Final
from urllib.parse import urlsplit

import pytest
from attrs import frozen
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.images import ImageSearch, Orientation, Picture, PictureQuery


@frozen
class Sample:
    address: str
    alt: str
    photographer: str
    profile: str


PICTURES: Final = (
    Sample(
        "https://pictures.example/1?ixid=a&w=1080", "Heat pump in the snow", "Ada Ohm", "https://people.example/@ada"
    ),
    Sample("https://pictures.example/2", "Heat pump beside a house", "Zoë <Volt>", "https://people.example/@zoe"),
    Sample("https://pictures.example/3", "雪の中の家", "山田", "https://people.example/@yamada"),
)
"""A picture is found by the words of its `alt`, all of them; those given first come first."""


class ImageSearchContract:
    async def test_it_finds_a_picture_of_its_words_and_whose_it_is(self, images: ImageSearch) -> None:
        picture = await images.find(PictureQuery("heat pump"))
        assert picture is not None
        assert (picture.address, picture.alt) == (PICTURES[0].address, PICTURES[0].alt)
        assert picture.photographer == "Ada Ohm"
        assert (picture.photographer_url or "").startswith(PICTURES[0].profile)
        assert picture.provider == images.provider != ""
        assert picture.provider_name
        assert urlsplit(picture.provider_url).scheme == "https"
        assert picture.page_url

    async def test_nothing_found_is_an_answer(self, images: ImageSearch) -> None:
        assert await images.find(PictureQuery("zygomorphic quux")) is None

    @pytest.mark.parametrize("text", ["", "  \n\t", "\x00"])
    async def test_no_words_find_nothing(self, images: ImageSearch, text: str) -> None:
        assert await images.find(PictureQuery(text)) is None

    async def test_a_picture_that_is_not_wanted_again_gives_way_to_the_next(self, images: ImageSearch) -> None:
        second = await images.find(PictureQuery("heat pump", other_than=PICTURES[0].address))
        assert second is not None
        assert second.address == PICTURES[1].address
        assert second.photographer == "Zoë <Volt>"
        assert await images.find(PictureQuery("雪の中の家", other_than=PICTURES[2].address)) is None

    @pytest.mark.parametrize("language", [None, *Language])
    @pytest.mark.parametrize("orientation", ["landscape", "portrait", "square"])
    async def test_every_language_and_orientation_can_be_asked_for(
        self, images: ImageSearch, language: Language | None, orientation: Orientation
    ) -> None:
        assert await images.find(PictureQuery("heat pump", language, orientation)) is not None

    async def test_saying_that_a_picture_is_used_returns_at_once_and_raises_nothing(self, images: ImageSearch) -> None:
        picture = await images.find(PictureQuery("heat pump"))
        assert picture is not None
        images.report_use(picture)
        images.report_use(
            Picture("https://pictures.example/9", "another", "Another", "https://another.example/", "Nobody")
        )

    async def test_concurrent_searches_do_not_mix(self, images: ImageSearch) -> None:
        texts = ["heat pump", "house", "雪の中の家", "quux"] * 3
        found = await asyncio.gather(*(images.find(PictureQuery(text)) for text in texts))
        assert found[:4] == found[4:8] == found[8:]
        assert [picture and picture.address for picture in found[:4]] == [
            PICTURES[0].address, PICTURES[1].address, PICTURES[2].address, None,
        ]  # fmt: skip

    @settings(
        max_examples=40,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
    )
    @given(text=st.text(max_size=300) | st.text("ab !:<>&?\"'", max_size=300))
    async def test_any_text_is_a_query(self, images: ImageSearch, text: str) -> None:
        found = await images.find(PictureQuery(text))
        assert found is None or found.provider == images.provider
