"""A source whatever happens there, and whenever a process dies here."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_core.errors import Unavailable
from contentgen_core.model.synced_source import (
    SkipReason,
    SourceKind,
    SyncOutcome,
)
from contentgen_core.use_cases.synced_sources.manage_sources import NewSource
from tests.support.followed_place import (
    FakeReader,
    TitledReader,
    again,
    counted,
    followed,
    held,
    reads_at_most,
    synced,
    text,
    with_reader,
)
from tests.support.house import NICHE, open_house

_edits = st.lists(
    st.tuples(st.sampled_from("abcde"), st.sampled_from((None, "fan", "pump", "valve", SkipReason.UNREADABLE))),
    max_size=5,
)


_same = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from((None, "fan", "pump", "valve"))), max_size=4)


@settings(deadline=None, max_examples=25)
@given(st.lists(_same, min_size=1, max_size=4), st.booleans())
async def test_no_text_is_lost_and_none_stays_where_items_say_the_same(rounds: list[Any], tells: bool) -> None:
    async with open_house() as house:
        reader = TitledReader(tells=tells)
        source = await followed(house, reader, grace_days=0)
        for edits in rounds:
            for key, value in edits:
                if value is None:
                    reader.texts.pop(key, None)
                else:
                    reader.texts[key] = text(value)
            await synced(house, source)
        for _ in range(3):  # a listing of few is believed the second time; then what was a duplicate is stored
            report = await synced(house, source)
        stored = await held(house)
        assert set(stored.values()) == set(reader.texts.values())
        assert len(stored) == len(set(reader.texts.values()))
        assert report.skipped.get(SkipReason.DUPLICATE, 0) == len(reader.texts) - len(stored)


@settings(deadline=None, max_examples=25)
@given(st.lists(_edits, min_size=1, max_size=4), st.booleans(), st.booleans(), st.sampled_from((2, 1_000)))
async def test_after_any_edits_a_sync_equals_a_fresh_import(
    rounds: list[Any], tells: bool, names_versions: bool, most_read: int
) -> None:
    async with open_house() as house:
        reader = FakeReader(tells=tells, names_versions=names_versions)
        reads_at_most(house, most_read)
        source = await followed(house, reader, grace_days=0, kind=SourceKind.SITEMAP)
        for edits in rounds:
            for key, value in edits:
                if value is None:
                    reader.texts.pop(key, None)
                else:
                    reader.texts[key] = value if isinstance(value, SkipReason) else text(value + key)
            report = await synced(house, source)
            assert counted(report) == report.listed
        report = await synced(house, source)
        for _ in range(8):
            report = await synced(house, source)
            assert counted(report) == report.listed == len(reader.texts)
            if report.outcome is SyncOutcome.DONE and not report.read:
                break
        stored = await held(house)
        expected = {key: value for key, value in reader.texts.items() if not isinstance(value, SkipReason)}
        kept = {key: said for key, said in stored.items() if not isinstance(reader.texts.get(key), SkipReason)}
        assert kept == expected
        assert set(stored) <= set(reader.texts)
        assert (report.added, report.changed, report.removed, report.missing) == (0, 0, 0, 0)


@pytest.mark.parametrize("death", range(1, 14))
async def test_a_process_that_dies_at_any_transaction_loses_and_doubles_nothing(
    death: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_house() as house:
        reader = FakeReader({key: text(key) for key in "abcdefg"})
        with_reader(house, reader)
        sync = house.services.jobs.sync_source
        command = NewSource(house.caller, NICHE, SourceKind.FOLDER, "Handbook", "/srv/handbook")
        source = await house.services.knowledge.sources.create(command)
        unit_of_work, count = sync.runner.unit_of_work, [0]

        def dying() -> Any:
            count[0] += 1
            if count[0] == death:
                raise Unavailable("The process died here.", 1.0)
            return unit_of_work()

        runner = evolve(sync.runner, unit_of_work=dying)
        mortal = evolve(sync, runner=runner, follow=evolve(sync.follow, runner=runner))
        object.__setattr__(house.services.jobs, "sync_source", mortal)
        for _ in range(4):
            with suppress(Unavailable):
                await house.work()
            house.clock.advance(minutes=10)
        found = await again(house, source)
        assert await held(house) == {key: text(key) for key in "abcdefg"}
        assert found.last is not None
        assert (found.last.listed, found.last.added, found.last.changed) == (7, 7, 0)
        assert found.job_id is None
