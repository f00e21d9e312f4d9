"""What documents were, and what they said, as of a time."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.errors import InvalidInput, NotFound
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.use_cases.knowledge.document_history import TextAsOf
from tests.support.house import NICHE, House, open_house

SECTIONS = tuple(
    f"# Part {n}\n\n{text} " + "It goes on for a while, and so is a passage of its own, no part of others. " * 12
    for n, text in enumerate(
        (
            "The fan of the outdoor unit makes the noise.",
            "Rubber feet lower the vibration of the wall.",
            "A hedge takes little of the noise away.",
            "The limit at night is thirty five decibels.",
            "The limit at night is forty decibels now.",
        )
    )
)


async def imported(house: House, sections: tuple[int, ...], scope: KbScope | None = None) -> None:
    text = "\n\n".join(SECTIONS[n] for n in sections)
    source = SourceText("a", "Noise", text, None, Language.EN)
    await house.services.knowledge.import_sources(scope or KbScope(NICHE, house.caller.tenant_id), [source])


async def document_id(house: House, scope: KbScope | None = None) -> DocumentId:
    async with house.services.ports.unit_of_work() as tx:
        known = await tx[Knowledge].known(scope or KbScope(NICHE, house.caller.tenant_id), ["a"])
    return known["a"].id


async def said(house: House, id: DocumentId, at: datetime | None = None) -> TextAsOf:
    return await house.services.knowledge.history.text(house.caller, id, at, 0, 200)


@given(st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=4, unique=True).map(tuple), min_size=1, max_size=5))
async def test_as_of_any_time_it_says_what_was_imported_last(revisions: list[tuple[int, ...]]) -> None:
    async with open_house() as house:
        times: list[datetime] = []
        texts: list[list[str]] = []
        for sections in revisions:
            await imported(house, sections)
            id = await document_id(house)
            times.append(house.clock.now())
            texts.append([passage.text for passage in (await said(house, id)).passages])
            house.clock.advance(hours=1)
        for time, text in zip(times, texts, strict=True):
            for at in (time, time + timedelta(minutes=59)):
                found = await said(house, id, at)
                assert [passage.text for passage in found.passages] == text
                assert found.since <= at
                assert found.until is None or at < found.until
        history = await house.services.knowledge.history.versions(house.caller, id)
        assert history.kept_since == times[0] == history.document.created_at


async def test_a_part_of_the_passages_is_answered() -> None:
    async with open_house() as house:
        await imported(house, (0, 1, 2))
        id = await document_id(house)
        whole = await said(house, id)
        assert whole.total == len(whole.passages) > 2
        part = await house.services.knowledge.history.text(house.caller, id, None, 1, 1)
        assert (part.passages, part.total) == (whole.passages[1:2], whole.total)


async def test_before_it_came_in_nothing_is_known() -> None:
    async with open_house() as house:
        await imported(house, (0,))
        id = await document_id(house)
        with pytest.raises(InvalidInput, match="is known from"):
            await said(house, id, house.clock.now() - timedelta(seconds=1))
        assert (await said(house, id, house.clock.now() + timedelta(days=9))).until is None


async def test_a_clock_that_goes_back_loses_no_version() -> None:
    async with open_house() as house:
        await imported(house, (0,))
        id = await document_id(house)
        first = await said(house, id)
        start = house.clock.now()
        house.clock.advance(hours=1)
        await imported(house, (1,))
        house.clock.advance(hours=-2)
        await imported(house, (2,))
        assert (await said(house, id, start)).passages == first.passages
        former = (await house.services.knowledge.history.versions(house.caller, id)).former
        assert [version.since for version in former] == [start + timedelta(hours=1), start]


async def test_others_read_what_everybody_shares_alone() -> None:
    async with open_house() as house:
        other = await house.other_tenant()
        history = house.services.knowledge.history
        await imported(house, (0,))
        own = await document_id(house)
        for refused in (history.versions(other, own), history.text(other, own, None, 0, 9)):
            with pytest.raises(NotFound):
                await refused
        await imported(house, (0,), KbScope(NICHE))
        shared = await document_id(house, KbScope(NICHE))
        assert (await history.versions(other, shared)).document.id == shared
        await imported(house, (0,), KbScope("no-niche"))
        with pytest.raises(NotFound):
            await history.versions(other, await document_id(house, KbScope("no-niche")))
        with pytest.raises(NotFound):
            await history.versions(other, DocumentId("nope"))
