"""What an import leaves out, it counts."""

from __future__ import annotations

from itertools import pairwise

from attrs import evolve

from contentgen_core.model.knowledge import KbScope
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.use_cases.knowledge.import_sources import BATCH_PASSAGES, FIRST_BATCH_PASSAGES, ImportReport
from tests.support.house import NICHE, open_house


async def test_sources_without_anything_to_read_are_counted_wherever_they_stand() -> None:
    nothing = [SourceText(f"nothing {n}", "A picture", text) for n, text in enumerate(("", "<!-- later -->"))]
    known = SourceText("known", "Tides", "A dam makes electricity of the tides.")
    async with open_house() as house:
        reports: list[ImportReport] = []
        imported = house.services.knowledge.import_sources
        report = await imported(KbScope(NICHE), [*nothing, known, *nothing], on_progress=reports.append)
        assert (report.added, report.without_text) == (1, 4)
        assert (await imported(KbScope(NICHE), [known])).without_text == 0
        assert await imported(KbScope(NICHE), nothing) == ImportReport(without_text=2)


async def test_a_large_import_is_stored_in_parts_of_a_bounded_size() -> None:
    sources = (SourceText(f"tide {n}", f"Tide {n}", f"Dam {n} makes electricity of the tides.") for n in range(1_300))
    async with open_house() as house:
        reports: list[ImportReport] = []
        await house.services.knowledge.import_sources(KbScope(NICHE), sources, on_progress=reports.append)
        stored = [0, *(report.passages for report in reports)]
        assert stored[-1] == 1_300
        parts = [after - before for before, after in pairwise(stored)]
        assert parts[0] <= FIRST_BATCH_PASSAGES
        assert len(parts) > 1
        assert max(parts) <= BATCH_PASSAGES


async def test_a_source_with_another_author_is_updated() -> None:
    tides = SourceText("tides", "Tides", "A dam makes electricity of the tides.")
    async with open_house() as house:
        imported, scope = house.services.knowledge.import_sources, KbScope(NICHE)
        for author, outcome in ((None, "added"), ("Ada Ohm", "updated"), ("Bob Volt", "updated"), (None, "updated")):
            counts = await imported(scope, [evolve(tides, author=author)])
            assert getattr(counts, outcome) == 1
            assert (await imported(scope, [evolve(tides, author=author)])).unchanged == 1
            async with house.services.ports.unit_of_work() as tx:
                assert (await tx[Knowledge].known(scope, ["tides"]))["tides"].author == author
        assert (await imported(scope, [evolve(tides, author="admin\0")])).unchanged == 1
