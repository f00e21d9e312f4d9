"""Pictures of a text that have to be a target's own, whatever becomes of them there."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import httpx
import pytest
from attrs import define, field
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.publishing.bodies.diagrams import with_lists
from contentgen_adapters.publishing.bodies.html import html
from contentgen_adapters.publishing.illustrations import Kept, illustrate
from contentgen_adapters.publishing.pictures import Picture
from contentgen_adapters.publishing.provider import Connection
from contentgen_adapters.publishing.testing import a_post
from contentgen_adapters.shared.http import make_client
from contentgen_core.policies.text.markdown import flow_chart
from contentgen_core.ports.publishing import PublishFailed, Refusal
from contentgen_core.testing.runtime import MOMENT
from tests.contract.publishing.pictures_support import HOST, PNG, picture

CHARTS = [flow_chart([f"Pumps {n}", f"Size {n}"], [(0, "have", 1)]) for n in range(3)]
PICTURES = [f"![Pump {n}](https://{HOST}/hero.jpg?{n})" for n in range(3)]
TEXT = "\n\n".join(part for pair in zip(CHARTS, PICTURES, strict=True) for part in (*pair, "Behind it."))
FINAL = (Refusal.INVALID, Refusal.PERMISSION, Refusal.GONE, Refusal.CONFLICT)


@define
class Shelf:
    """`outcomes`: of the uploads, in their order; None: it is kept. `there`: what it has, by name."""

    outcomes: list[Refusal | None] = field(factory=list)
    there: dict[str, Kept] = field(factory=dict)
    uploads: int = 0

    async def known(self, names: Collection[str]) -> Mapping[str, Kept]:
        return {name: kept for name, kept in self.there.items() if name in names}

    async def keep(self, name: str, picture: Picture, alt: str) -> Kept:
        outcome = self.outcomes[self.uploads] if self.uploads < len(self.outcomes) else None
        self.uploads += 1
        if outcome is not None:
            raise PublishFailed("shelf", "no", outcome)
        self.there[name] = Kept(f"https://shelf.example/{len(self.there)}.png")
        return self.there[name]


async def drawn(source: str) -> bytes:
    return PNG


def connection() -> Connection:
    return Connection({}, {}, make_client(transport=httpx.MockTransport(picture)), lambda: MOMENT, draw=drawn)


@given(outcomes=st.lists(st.none() | st.sampled_from(FINAL), max_size=6))
async def test_each_is_the_targets_own_or_told_and_nothing_of_the_text_is_lost(
    outcomes: list[Refusal | None],
) -> None:
    shelf, connected, post = Shelf(outcomes), connection(), a_post(markdown=TEXT, sources=())
    shown = await illustrate(post, connected, "shelf", shelf, pictures=True)
    assert len(shown.pictures) == len(shelf.there)
    seen = html(shown.post)
    assert seen.count("Behind it.") == 3
    assert "flowchart" not in seen
    for n in range(3):
        assert f"Size {n}" in seen  # as a list, or as the words for those who do not see the picture
        assert f"https://{HOST}/hero.jpg?{n}" in seen
    barred = Refusal.PERMISSION in outcomes[: shelf.uploads]
    assert (len(shelf.there) + len(connected.warnings) == 6) or barred
    assert shelf.uploads == (outcomes.index(Refusal.PERMISSION) + 1 if barred else 6)
    again = await illustrate(post, connection(), "shelf", Shelf(there=shelf.there), pictures=True)
    assert set(shown.pictures) <= set(again.pictures)


@pytest.mark.parametrize("refusal", [Refusal.TRANSIENT, Refusal.LIMITED, Refusal.CREDENTIALS])
async def test_a_target_that_is_away_busy_or_shut_makes_the_post_wait(refusal: Refusal) -> None:
    with pytest.raises(PublishFailed) as failure:
        await illustrate(a_post(markdown=TEXT), connection(), "shelf", Shelf([refusal]), pictures=True)
    assert (failure.value.refusal, failure.value.outcome_unknown) == (refusal, False)


@pytest.mark.parametrize("address", ["javascript:alert(1)", "", "//shelf.example/1.png", "https://a.example/ b.png"])
async def test_an_address_that_is_none_shows_no_picture(address: str) -> None:
    class Odd(Shelf):
        async def keep(self, name: str, picture: Picture, alt: str) -> Kept:
            return Kept(address)

    post = a_post(markdown=f"{CHARTS[0]}\n\n{PICTURES[0]}")
    shown = await illustrate(post, connection(), "shelf", Odd(), pictures=True)
    assert (shown.post, shown.pictures) == (with_lists(post), {})


async def test_a_text_without_pictures_asks_nothing() -> None:
    class Untouched(Shelf):
        async def known(self, names: Collection[str]) -> Mapping[str, Kept]:
            raise AssertionError

    post = a_post(markdown="Words alone.")
    assert (await illustrate(post, connection(), "shelf", Untouched(), pictures=True)).post is post
