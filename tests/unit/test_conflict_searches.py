"""The search for conflicts in a knowledge base, and what follows a decision."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from unittest.mock import patch

import pytest
from attrs import evolve

from contentgen_core.errors import InvalidInput, NotFound, NotPermitted, Unavailable
from contentgen_core.model.conflict import Conflict, ConflictKind, ConflictState, Decision, SideName
from contentgen_core.model.ids import ConflictId
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.tenant import Role
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.conflicts import ConflictSearches
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from contentgen_core.use_cases.conflicts import find_conflicts
from contentgen_core.use_cases.conflicts.manage_conflicts import DEBOUNCE, ConflictOutdated, ConflictPage, ShownConflict
from tests.support.house import AGENT, NICHE, House, findable, open_house

TITLE = "Heat pump grants in winter"
OLD = "The grant pays 4,000 pounds for each efficient heat pump in winter."
NEW = "The grant pays 2,500 pounds for each efficient heat pump in winter."
MORE = "Low flow temperatures raise the efficiency of every heat pump."
OTHERS = "Owners apply for it before the work on the heating begins."


async def told(
    house: House, key: str, text: str, published: date | None = None, site: str = "example.org", title: str = TITLE
) -> None:
    """A source says this."""
    url = f"https://{site}/{key}"
    source = SourceText(url, title, text, url, Language.EN, published=published)
    await house.services.knowledge.import_sources(KbScope(NICHE, house.caller.tenant_id), [source])
    await findable(house.services)


async def searched(house: House) -> ConflictPage:
    await house.services.knowledge.conflicts.run(house.caller, NICHE)
    await house.work()
    return await listed(house)


async def listed(house: House, state: ConflictState | None = None) -> ConflictPage:
    return await house.services.knowledge.conflicts.page(house.caller, NICHE, state, None, 50)


async def decide(house: House, conflict: ConflictId, decision: Decision, side: SideName | None = None) -> ShownConflict:
    return await house.services.knowledge.conflicts.decide(house.caller, NICHE, conflict, decision, side)


def of(page: ConflictPage) -> Conflict:
    [shown] = page.conflicts
    return shown.conflict


def named(conflict: Conflict, sentence: str) -> SideName:
    return SideName.ONE if conflict.one.sentence == sentence else SideName.OTHER


async def test_a_conflict_is_found_with_the_newer_and_the_more_independent_side() -> None:
    async with open_house() as house:
        assert (await listed(house)).search is None
        await told(house, "old", f"{OLD} {MORE}", date(2023, 5, 1))
        await told(house, "new", f"{OTHERS} {NEW}", date(2026, 2, 1), "council.example")
        await told(house, "also", f"Nothing else is paid. {NEW} Ask the council.", None, "press.example")
        await told(house, "copy", f"Nothing else is paid. {NEW} Ask the council.  ", None, "copies.example")
        page = await searched(house)
        found = {frozenset({c.conflict.one.sentence, c.conflict.other.sentence}) for c in page.conflicts}
        assert found == {frozenset({OLD, NEW})}
        conflict = next(
            c.conflict for c in page.conflicts if {c.conflict.one.site, c.conflict.other.site} >= {"council.example"}
        )
        new, old = named(conflict, NEW), named(conflict, OLD)
        assert (conflict.kind, conflict.newer, conflict.more_independent) == (ConflictKind.FIGURE, new, new)
        side = getattr(conflict, new.value)
        assert side.independent == 2
        assert getattr(conflict, old.value).independent == 1
        assert getattr(conflict, old.value).value.of(OLD) == "4,000 pounds"
        assert page.search is not None
        assert page.search.last is not None
        assert page.search.last.found == len(page.conflicts)
        assert page.search.last.waiting == 0


async def test_only_what_changed_is_compared_again() -> None:
    async with open_house() as house:
        await told(house, "old", OLD)
        await told(house, "new", NEW)
        first = await searched(house)
        again = await searched(house)
        assert again.conflicts == first.conflicts
        assert again.search is not None
        assert again.search.last is not None
        assert (again.search.last.passages, again.search.last.found) == (0, 0)
        await told(house, "third", f"{MORE} {OTHERS}")
        third = await searched(house)
        assert third.search is not None
        assert third.search.last is not None
        assert (third.search.last.documents, third.search.last.passages) == (1, 1)
        assert third.conflicts == first.conflicts


@pytest.mark.parametrize("decided", [False, True])
async def test_a_sentence_that_is_gone_ends_its_conflict(decided: bool) -> None:
    async with open_house() as house:
        await told(house, "old", f"{OLD} {MORE}")
        await told(house, "new", NEW)
        conflict = of(await searched(house))
        if decided:
            await decide(house, conflict.id, Decision.BOTH)
        await told(house, "old", f"{OTHERS} {OLD} {MORE}")  # only elsewhere
        assert of(await searched(house)).state is (ConflictState.DECIDED if decided else ConflictState.OPEN)
        await told(house, "old", f"{OTHERS} {MORE}")
        page = await searched(house)
        assert of(page).state is ConflictState.OUTDATED
        assert page.counts == {ConflictState.OUTDATED: 1}
        assert (await listed(house, ConflictState.OPEN)).conflicts == ()
        with pytest.raises(ConflictOutdated):
            await decide(house, conflict.id, Decision.BOTH)


async def test_a_document_that_is_removed_ends_its_conflicts() -> None:
    async with open_house() as house:
        await told(house, "old", OLD)
        await told(house, "new", NEW)
        conflict = of(await searched(house))
        async with house.services.ports.unit_of_work() as tx:
            await tx[Knowledge].remove([conflict.one.source.document_id])  # type: ignore[list-item]
        await findable(house.services)
        house.clock.advance(seconds=DEBOUNCE.total_seconds())
        await house.services.upkeep.conflicts.fire_due()
        await house.work()
        assert of(await listed(house)).state is ConflictState.OUTDATED


async def test_it_is_searched_again_a_while_after_the_knowledge_changed() -> None:
    async with open_house() as house:
        await told(house, "old", OLD)
        await searched(house)
        await told(house, "new", NEW)
        await house.services.upkeep.conflicts.fire_due()
        assert await house.work() == 0
        house.clock.advance(seconds=DEBOUNCE.total_seconds())
        for _ in range(2):
            await house.services.upkeep.conflicts.fire_due()
        assert await house.work() == 1
        assert len((await listed(house)).conflicts) == 1
        await house.services.upkeep.conflicts.fire_due()
        assert await house.work() == 0


async def test_passages_without_vectors_are_compared_later() -> None:
    async with open_house() as house:
        await told(house, "old", OLD)
        source = SourceText("https://example.org/new", TITLE, NEW, None, Language.EN)
        await house.services.knowledge.import_sources(KbScope(NICHE, house.caller.tenant_id), [source])
        await house.services.knowledge.apply_index_changes.drain("test")
        page = await searched(house)
        assert page.search is not None
        assert page.search.last is not None
        assert (page.search.last.waiting, len(page.conflicts)) == (1, 0)
        await findable(house.services)
        house.clock.advance(seconds=DEBOUNCE.total_seconds())
        await house.services.upkeep.conflicts.fire_due()
        await house.work()
        assert len((await listed(house)).conflicts) == 1


async def test_an_attempt_that_dies_goes_on_where_it_was() -> None:
    async with open_house() as house:
        for number in range(3):
            await told(house, f"old{number}", f"{OLD} {number}", site=f"{number}.example")
        await told(house, "new", NEW)
        await house.services.knowledge.conflicts.run(house.caller, NICHE)
        store, calls = find_conflicts.FindConflicts._store, 0

        async def dying(self: find_conflicts.FindConflicts, *args: object) -> None:
            nonlocal calls
            calls += 1
            if calls == 2:
                raise Unavailable("gone")
            await store(self, *args)  # type: ignore[arg-type]

        with (
            patch.object(find_conflicts, "DOCUMENTS_AT_ONCE", 1),
            patch.object(find_conflicts, "BATCH_PASSAGES", 1),
            patch.object(find_conflicts.FindConflicts, "_store", dying),
        ):
            with pytest.raises(Unavailable):
                await house.work()
            house.clock.advance(minutes=2)
            async with house.services.ports.unit_of_work() as tx:
                [search] = [await tx[ConflictSearches].of_niche(house.caller.tenant_id, NICHE)]
        assert search is not None
        assert search.job_id is not None
        await house.work("w2")
        page = await listed(house)
        assert {named(c.conflict, NEW) for c in page.conflicts}
        assert len(page.conflicts) == 3
        assert page.search is not None
        assert page.search.job_id is None


async def written(house: House) -> Sequence[str]:
    planned = await house.services.writing.plan(
        PlanArticleCommand(
            house.caller, AGENT, TITLE, language=Language.EN, auto_validate=True, allow_low_coverage=True
        )
    )
    await house.work()
    article = await house.article(planned.article.id)
    assert article.grounding is not None
    return [sentence.text.strip() for sentence in article.grounding.sentences]


async def test_articles_show_what_they_rest_on_and_later_ones_follow_the_decision() -> None:
    async with open_house() as house:
        await told(house, "old", OLD)
        await told(house, "new", NEW)
        assert {OLD, NEW} <= set(await written(house))
        conflict = of(await searched(house))
        losing, winning = named(conflict, OLD), named(conflict, NEW)
        shown = await decide(house, conflict.id, Decision.PREFER, winning)
        assert shown.conflict.losing == getattr(conflict, losing.value)
        assert (shown.conflict.decided_by, shown.conflict.decided_at) == (house.caller.user_id, house.clock.now())
        assert [len(shown.citing[side]) for side in (losing, winning)] == [1, 1]
        after = await written(house)
        assert OLD not in after
        assert NEW in after
        await decide(house, conflict.id, Decision.DISMISS)
        assert {OLD, NEW} <= set(await written(house))


async def test_the_rest_of_a_passage_is_still_written_from() -> None:
    async with open_house() as house:
        await told(house, "old", f"{OLD} {OTHERS}")
        await told(house, "new", NEW)
        conflict = of(await searched(house))
        await decide(house, conflict.id, Decision.PREFER, named(conflict, NEW))
        after = await written(house)
        assert OTHERS in after
        assert OLD not in after


async def test_decisions_are_checked() -> None:
    async with open_house() as house:
        await told(house, "old", OLD)
        await told(house, "new", NEW)
        conflict = of(await searched(house))
        for decision, side in ((Decision.PREFER, None), (Decision.BOTH, SideName.ONE)):
            with pytest.raises(InvalidInput):
                await decide(house, conflict.id, decision, side)
        viewer, other = evolve(house.caller, role=Role.VIEWER), await house.other_tenant()
        conflicts = house.services.knowledge.conflicts
        assert (await conflicts.page(viewer, NICHE, None, None, 50)).conflicts
        for refused in (conflicts.run(viewer, NICHE), conflicts.decide(viewer, NICHE, conflict.id, Decision.BOTH)):
            with pytest.raises(NotPermitted):
                await refused
        with pytest.raises(NotFound):
            await conflicts.decide(other, NICHE, conflict.id, Decision.BOTH)
        with pytest.raises(NotFound):
            await conflicts.page(house.caller, "nowhere", None, None, 50)
        assert (await conflicts.page(other, NICHE, None, None, 50)).conflicts == ()


@pytest.mark.parametrize("leaves", [True, False])
async def test_a_witness_that_leaves_or_says_something_else_counts_no_longer(leaves: bool) -> None:
    async with open_house() as house:
        await told(house, "old", f"{OLD} {MORE}")
        await told(house, "new", f"{OTHERS} {NEW}", None, "council.example")
        await told(house, "also", f"Nothing else is paid. {NEW} Ask the council.", None, "press.example")

        async def between() -> Conflict:
            conflicts = [shown.conflict for shown in (await searched(house)).conflicts]
            return next(c for c in conflicts if {c.one.site, c.other.site} == {"example.org", "council.example"})

        conflict = await between()
        side = named(conflict, NEW)
        assert (conflict.more_independent, conflict.stronger_name) == (side, side)
        [witness] = getattr(conflict, side.value).witnesses
        house.clock.advance(seconds=60)
        if leaves:
            async with house.services.ports.unit_of_work() as tx:
                await tx[Knowledge].remove([witness.document_id])
            await findable(house.services)
        else:
            await told(house, "also", f"Nothing else is paid. {MORE} Ask the council.", None, "press.example")
        after = await between()
        assert (after.state, getattr(after, side.value).independent) == (ConflictState.OPEN, 1)
        assert (after.stronger_name, after.reweighed_at) == (None, house.clock.now())


async def test_a_witness_whose_other_words_change_still_counts() -> None:
    async with open_house() as house:
        await told(house, "old", f"{OLD} {MORE}")
        await told(house, "new", f"{OTHERS} {NEW}", None, "council.example")
        await told(house, "also", f"Nothing else is paid. {NEW} Ask the council.", None, "press.example")
        before = [shown.conflict for shown in (await searched(house)).conflicts]
        await told(house, "also", f"Nothing more is paid. {NEW} Ask the council.", None, "press.example")
        after = [shown.conflict for shown in (await searched(house)).conflicts]

        def independent(conflicts: list[Conflict]) -> list[int]:
            return sorted(side.independent for c in conflicts for side in (c.one, c.other))

        assert independent(after) == independent(before)


async def test_a_conflict_whose_sentences_come_back_is_the_same_with_its_decision() -> None:
    async with open_house() as house:
        await told(house, "old", f"{OLD} {MORE}")
        await told(house, "new", NEW)
        conflict = of(await searched(house))
        for decision, state in ((None, ConflictState.OPEN), (Decision.BOTH, ConflictState.DECIDED)):
            if decision is not None:
                await decide(house, conflict.id, decision)
            await told(house, "old", f"{OTHERS} {MORE}")
            assert of(await searched(house)).state is ConflictState.OUTDATED
            await told(house, "old", f"{OLD} {MORE}")
            again = of(await searched(house))
            assert (again.id, again.state, again.decision) == (conflict.id, state, decision)
