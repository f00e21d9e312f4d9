"""A document that changes stays the same, and its passages that stay do too."""

from __future__ import annotations

from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_core.model.knowledge import KbScope, KbView, Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.passage_identity import keep_identity
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.testing import builders
from tests.support.house import NICHE, House, open_house

DOCUMENT = builders.kb_document()
SCOPE = KbScope(NICHE)
PARAGRAPHS = (
    "The fan of the outdoor unit makes most of the noise that neighbours hear at night.",
    "Rubber feet below the unit lower the vibration that reaches the wall of the house.",
    "A hedge between the unit and the fence takes little of the noise, a wall takes more.",
    "The limit for pure residential areas is thirty five decibels during the whole night.",
)


def passages(*texts: str) -> list[Passage]:
    return [builders.passage(DOCUMENT, text, chunk_index=n) for n, text in enumerate(texts)]


def indexes(before: list[Passage], *texts: str) -> list[int]:
    return [p.chunk_index for p in keep_identity(before, passages(*texts), len(before))]


def test_passages_that_stay_keep_their_identity_wherever_they_stand() -> None:
    before = passages(*PARAGRAPHS)
    assert indexes(before, *PARAGRAPHS) == [0, 1, 2, 3]
    assert indexes(before, *PARAGRAPHS[1:]) == [1, 2, 3]
    assert indexes(before, "Something else.", *PARAGRAPHS) == [4, 0, 1, 2, 3]
    assert indexes(before, *reversed(PARAGRAPHS)) == [3, 2, 1, 0]


def test_a_passage_with_another_figure_is_the_same_one() -> None:
    changed = PARAGRAPHS[3].replace("thirty five", "forty")
    assert indexes(passages(*PARAGRAPHS), *PARAGRAPHS[:3], changed) == [0, 1, 2, 3]
    assert indexes(passages(*PARAGRAPHS), PARAGRAPHS[0], changed) == [0, 3]


def test_a_passage_of_other_words_is_another_one() -> None:
    other = "Grants pay a third of the price where an old boiler of the house is replaced."
    assert indexes(passages(*PARAGRAPHS), PARAGRAPHS[0], other, *PARAGRAPHS[2:]) == [0, 4, 2, 3]


_texts = st.lists(st.sampled_from(("a b c d", "a b c e", "f g h i", "f g h j", "k", "")), max_size=8)


@given(_texts, _texts, st.integers(0, 3))
def test_identities_are_unique_and_nothing_else_of_a_passage_changes(
    before: list[str], after: list[str], unused: int
) -> None:
    former, present = passages(*before), passages(*after)
    unused += len(before)
    found = keep_identity(former, present, unused)
    assert [evolve(p, chunk_index=0) for p in found] == [evolve(p, chunk_index=0) for p in present]
    assert len({p.chunk_index for p in found}) == len(found)
    new = [p.chunk_index for p in found if p.chunk_index >= unused]
    assert new == list(range(unused, unused + len(new)))
    known = {p.chunk_index: p for p in former}
    assert all(p.chunk_index in known for p in found if p.chunk_index < unused)
    stayed = sum(min(before.count(text), after.count(text)) for text in set(after))
    assert sum(p.chunk_index in known and known[p.chunk_index].text == p.text for p in found) >= stayed


def article(*paragraphs: str, title: str = "Noise") -> SourceText:
    text = "\n\n".join(f"## Part {p.split()[1]}\n\n{p}" for p in paragraphs)
    return SourceText("noise", title, text, None, Language.EN)


async def stored(house: House) -> list[Passage]:
    async with house.services.ports.unit_of_work() as tx:
        known = await tx[Knowledge].known(SCOPE, ["noise"])
        return await tx[Knowledge].passages_of([known["noise"].id])


async def test_an_import_of_a_changed_source_keeps_what_stays() -> None:
    async with open_house() as house:
        imported = house.services.knowledge.import_sources
        await imported(SCOPE, [article(*PARAGRAPHS)])
        before = await stored(house)
        changed = PARAGRAPHS[1].replace("Rubber", "Steel")
        report = await imported(SCOPE, [article(changed, *PARAGRAPHS[2:], title="Noise of units")])
        after = await stored(house)
        assert (report.added, report.updated) == (0, 1)
        assert [p.ref for p in after] == [p.ref for p in before[1:]]
        assert [p.text for p in after] != [p.text for p in before[1:]]
        assert {p.document.title for p in after} == {"Noise of units"}
        assert after[0].document.created_at == before[0].document.created_at
        async with house.services.ports.unit_of_work() as tx:
            [versions] = (await tx[Knowledge].versions([after[0].document.id])).values()
        assert [(v.chunk_index, v.text) for v in versions] == [(p.chunk_index, p.text) for p in before[:2]]


async def test_an_article_goes_on_citing_a_source_that_changed() -> None:
    async with open_house() as house:
        imported, index = house.services.knowledge.import_sources, house.services.ports.index
        await imported(SCOPE, [article(*PARAGRAPHS)])
        await house.services.knowledge.apply_index_changes.drain("w1")
        await imported(SCOPE, [article(*PARAGRAPHS[2:])])
        await house.services.knowledge.apply_index_changes.drain("w1")
        [kept, last] = [p.ref for p in await stored(house)]

        async def found(word: str) -> set[object]:
            terms = {Language.EN: house.services.ports.analysis.terms(word, Language.EN)}
            return {hit.ref for hit in await index.search(KbView(NICHE), terms, None, 10)}

        assert await found("hedge") == {kept}
        assert await found("decibels") == {last}
        assert await found("rubber") == set()


_versions = st.permutations(PARAGRAPHS).flatmap(lambda p: st.integers(1, 4).map(lambda n: p[:n]))


@settings(deadline=None, max_examples=20)
@given(st.lists(_versions, min_size=1, max_size=3))
async def test_after_any_edits_a_source_is_as_if_it_were_imported_for_the_first_time(versions: list[list[str]]) -> None:
    async with open_house() as edited, open_house() as fresh:
        for version in versions:
            await edited.services.knowledge.import_sources(SCOPE, [article(*version)])
        await fresh.services.knowledge.import_sources(SCOPE, [article(*versions[-1])])
        one, other = await stored(edited), await stored(fresh)
        assert [(p.text, p.heading, p.terms, p.head_terms, p.place) for p in one] == [
            (p.text, p.heading, p.terms, p.head_terms, p.place) for p in other
        ]


async def test_a_source_that_says_what_another_says_keeps_nothing_that_it_said() -> None:
    async with open_house() as house:
        imported = house.services.knowledge.import_sources
        one, other = (SourceText(key, "Noise", PARAGRAPHS[n], None, Language.EN) for n, key in enumerate("ab"))
        await imported(SCOPE, [one, other])
        await imported(SCOPE, [evolve(one, text=other.text)])
        async with house.services.ports.unit_of_work() as tx:
            known = await tx[Knowledge].known(SCOPE, ["a", "b"])
            assert set(known) == {"b"}


async def test_sources_that_change_places_lose_nothing() -> None:
    async with open_house() as house:
        imported = house.services.knowledge.import_sources
        one, other = (SourceText(key, "Noise", PARAGRAPHS[n], None, Language.EN) for n, key in enumerate("ab"))
        await imported(SCOPE, [one, other])
        await imported(SCOPE, [evolve(one, text=other.text), evolve(other, text=one.text)])
        async with house.services.ports.unit_of_work() as tx:
            known = await tx[Knowledge].known(SCOPE, ["a", "b"])
            passages = await tx[Knowledge].passages_of([known["a"].id, known["b"].id])
        assert {p.document.source_key: p.text for p in passages} == {"a": other.text, "b": one.text}
