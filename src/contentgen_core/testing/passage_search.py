"""The part of the contract of `PassageIndex` that asks what a search finds, with the samples for all of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from itertools import product
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import DocumentId, TenantId
from contentgen_core.model.knowledge import KbScope, KbView
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.knowledge_base import IndexedPassage, PassageIndex, Vector
from contentgen_core.testing import builders

MODEL: Final = "sample-model"
DIMENSION: Final = 8
NICHE: Final = builders.NICHE_KEY
VIEW: Final = KbView(NICHE)

Reopen = Callable[[str, int], Awaitable[PassageIndex]]

ODD_TERMS: Final = (
    *("c++", '"', "'", "a'b", '"unclosed', "(", ")", "((", "+", "-", "*", "a*", "?", "\\", "/", ":", "a:b", "^2", "~"),
    *("AND", "OR", "NOT", "[a", "{", "}", "!", "&&", "||", "%", "_", ";--", "\x00", "日本語", "ไทย", "שלום", "é", "ﬁ"),
    *("😀", "x" * 300),
)
ODD_IDS: Final = ("a' OR '1'='1", 'a"b', "a\\", "%", "a,b", "a) OR (true", "\x00", "ключ")

terms_of_any_kind: Final = st.text(st.characters(codec="utf-8"), min_size=1, max_size=60).filter(
    lambda text: text.split() == [text]
)


def axis(direction: int, dimension: int = DIMENSION) -> Vector:
    """A unit vector along one axis."""
    return [1.0 if i == direction else 0.0 for i in range(dimension)]


def entry(
    text: str = "heat pump", vector: Vector | None = None, chunk_index: int = 0, **document: Any
) -> IndexedPassage:
    """A passage whose terms are the words of `text`, of a document with these fields."""
    passage = builders.passage(builders.kb_document(**document), text, chunk_index=chunk_index)
    return IndexedPassage(passage, axis(0) if vector is None else vector)


async def put(index: PassageIndex, entries: Sequence[IndexedPassage]) -> None:
    """The passages with their vectors."""
    await index.upsert([entry.passage for entry in entries])
    await index.upsert_vectors(entries)


async def by_words(
    index: PassageIndex, *terms: str, view: KbView = VIEW, language: Language = Language.EN
) -> set[SourceRef]:
    return {hit.ref for hit in await index.search(view, {language: terms}, None, 100)}


async def by_vector(index: PassageIndex, vector: Vector, view: KbView = VIEW) -> set[SourceRef]:
    return {hit.ref for hit in await index.search(view, {}, vector, 100)}


def refs(*entries: IndexedPassage) -> set[SourceRef]:
    return {entry.passage.ref for entry in entries}


class PassageSearchContract:
    async def test_a_new_passage_is_found_at_once_by_its_words_and_by_its_vector(self, index: PassageIndex) -> None:
        for number in range(3):
            new = entry(f"fresh{number}", axis(number))
            await put(index, [new])
            assert await by_words(index, f"fresh{number}") == refs(new)
            hits = await index.search(VIEW, {}, axis(number), 1)
            assert [hit.ref for hit in hits] == [new.passage.ref]

    async def test_a_passage_found_on_both_sides_is_one_hit_with_both_scores(self, index: PassageIndex) -> None:
        await put(index, [entry("heat pump", axis(1))])
        (hit,) = await index.search(VIEW, {Language.EN: ["pump"]}, axis(1), 10)
        assert hit.text_score > 0
        assert hit.cosine == pytest.approx(1.0, abs=1e-5)

    async def test_a_side_that_was_not_asked_gives_no_score(self, index: PassageIndex) -> None:
        await put(index, [entry("heat pump", axis(1))])
        (lexical,) = await index.search(VIEW, {Language.EN: ["pump"]}, None, 10)
        (near,) = await index.search(VIEW, {Language.EN: ["absent"]}, axis(1), 10)
        assert lexical.cosine is None
        assert near.text_score == 0.0

    async def test_nearness_is_the_cosine(self, index: PassageIndex) -> None:
        same, across, opposite = entry(vector=axis(0)), entry(vector=axis(1)), entry(vector=[-2.0, *[0.0] * 7])
        await put(index, [same, across, opposite])
        found = {hit.ref: hit.cosine for hit in await index.search(VIEW, {}, axis(0), 10)}
        assert found[same.passage.ref] == pytest.approx(1.0, abs=1e-5)
        assert found[across.passage.ref] == pytest.approx(0.0, abs=1e-5)
        assert found[opposite.passage.ref] == pytest.approx(-1.0, abs=1e-5)

    async def test_the_nearest_of_many_vectors_are_those_of_each(self, index: PassageIndex) -> None:
        entries = [entry(f"word{n}", [1.0, n / 4, *[0.0] * 6]) for n in range(4)]
        hidden = entry("hidden", axis(0), scope=KbScope(NICHE, TenantId("other")))
        await put(index, [*entries, hidden])
        asked = [entries[0].vector, [0.0] * DIMENSION, entries[3].vector]
        first, none, last = await index.nearest(VIEW, asked, 2)
        assert [hit.ref for hit in first] == [entries[0].passage.ref, entries[1].passage.ref]
        assert [hit.ref for hit in last] == [entries[3].passage.ref, entries[2].passage.ref]
        assert first[0].cosine == pytest.approx(1.0, abs=1e-5)
        assert none == []
        assert await index.nearest(VIEW, [], 2) == []
        assert [len(hits) for hits in await index.nearest(VIEW, [axis(0)], 9)] == [4]
        with pytest.raises(ValueError, match="dimension"):
            await index.nearest(VIEW, [[1.0]], 2)

    async def test_each_side_keeps_its_best_up_to_the_limit(self, index: PassageIndex) -> None:
        texts = ["pump " * n + "filler " * (9 - n) for n in range(1, 9)]
        entries = [entry(text, [1.0, n / 10, *[0.0] * 6]) for n, text in enumerate(texts)]
        await put(index, entries)
        hits = await index.search(VIEW, {Language.EN: ["pump"]}, axis(0), 3)
        assert {hit.ref for hit in hits if hit.text_score} == refs(*entries[-3:])
        assert {hit.ref for hit in hits if hit.cosine is not None} == refs(*entries[:3])
        scores = {hit.ref: hit.text_score for hit in hits}
        ordered = [scores[e.passage.ref] for e in entries[-3:]]
        assert ordered == sorted(ordered)

    async def test_a_word_of_the_title_or_heading_counts_more_than_one_of_the_text(self, index: PassageIndex) -> None:
        document = builders.kb_document()
        headed = builders.passage(document, "alpha beta gamma", head_terms=("pump",))
        plain = builders.passage(document, "alpha beta gamma pump delta", chunk_index=1)
        await put(index, [IndexedPassage(headed, axis(0)), IndexedPassage(plain, axis(0))])
        found = {hit.ref: hit.text_score for hit in await index.search(VIEW, {Language.EN: ["pump"]}, None, 10)}
        assert found[headed.ref] > found[plain.ref] > 0

    async def test_the_lexical_side_is_a_union_over_languages(self, index: PassageIndex) -> None:
        english, french = entry("boiler"), entry("chaudière", language=Language.FR)
        await put(index, [english, french])
        hits = await index.search(VIEW, {Language.EN: ["boiler"], Language.FR: ["chaudière"]}, None, 10)
        assert {hit.ref for hit in hits} == refs(english, french)

    async def test_a_word_meets_passages_of_its_own_language_only(self, index: PassageIndex) -> None:
        english, french = entry("chat"), entry("chat", language=Language.FR)
        await put(index, [english, french])
        assert await by_words(index, "chat", language=Language.FR) == refs(french)

    async def test_nothing_asked_gives_nothing(self, index: PassageIndex) -> None:
        await put(index, [entry()])
        assert await index.search(VIEW, {}, None, 10) == []
        assert await index.search(VIEW, {Language.EN: []}, None, 10) == []
        assert await index.search(VIEW, {Language.EN: ["pump"]}, axis(0), 0) == []

    async def test_an_empty_index_answers_with_nothing(self, index: PassageIndex) -> None:
        assert await index.search(VIEW, {Language.EN: ["pump"]}, axis(0), 10) == []
        await index.optimize()
        await index.check()

    async def test_a_vector_of_zeros_is_near_nothing(self, index: PassageIndex) -> None:
        silent, loud = entry(vector=[0.0] * DIMENSION), entry(vector=axis(2))
        await put(index, [silent, loud])
        assert await by_vector(index, [0.0] * DIMENSION) == set()
        assert await by_vector(index, axis(2)) == refs(loud)

    async def test_every_view_finds_exactly_what_it_sees(self, index: PassageIndex) -> None:
        tenants = (None, TenantId("tenant-a"), TenantId("tenant-b"))
        niches, countries = ("solar", "wind"), (None, "FR", "DE")
        entries = [
            entry("pump", scope=KbScope(niche, tenant, country))
            for niche, tenant, country in product(niches, tenants, countries)
        ]
        await put(index, entries)
        country_sets: Sequence[frozenset[str]] = [frozenset(c) for c in ((), ("FR",), ("DE",), ("FR", "DE"), ("IT",))]
        for niche, tenant, seen in product((*niches, "other"), (*tenants, TenantId("tenant-c")), country_sets):
            view = KbView(niche, tenant, seen)
            expected = refs(*(e for e in entries if view.sees(e.passage.document.scope)))
            assert await by_words(index, "pump", view=view) == expected, view
            assert await by_vector(index, axis(0), view=view) == expected, view

    async def test_an_id_with_odd_characters_names_itself_and_no_other(self, index: PassageIndex) -> None:
        others = entry("pump", scope=KbScope(NICHE, TenantId("somebody")))
        own = {id: entry("pump", id=DocumentId(id), scope=KbScope(NICHE, TenantId(id))) for id in ODD_IDS}
        await put(index, [others, *own.values()])
        for id, mine in own.items():
            view = KbView(NICHE, TenantId(id))
            assert await by_words(index, "pump", view=view) == refs(mine), id
            narrowed = KbView(NICHE, TenantId(id), document_ids=frozenset({DocumentId(id)}))
            assert await by_vector(index, axis(0), view=narrowed) == refs(mine), id
            assert await by_words(index, "pump", view=KbView(id)) == set()
        await index.remove([DocumentId(id) for id in ODD_IDS[:3]])
        left = [len(await by_words(index, "pump", view=KbView(NICHE, TenantId(id)))) for id in ODD_IDS]
        assert left == [0, 0, 0, *[1] * (len(ODD_IDS) - 3)]

    async def test_named_documents_narrow_a_view_and_never_widen_it(self, index: PassageIndex) -> None:
        mine = entry("pump", scope=KbScope(NICHE, TenantId("a")))
        shared = entry("pump")
        alien = entry("pump", scope=KbScope(NICHE, TenantId("b")))
        await put(index, [mine, shared, alien])
        named = frozenset({mine.passage.document.id, alien.passage.document.id, DocumentId("unknown")})
        view = KbView(NICHE, TenantId("a"), document_ids=named)
        assert await by_words(index, "pump", view=view) == refs(mine)
        assert await by_vector(index, axis(0), view=view) == refs(mine)
        nothing = KbView(NICHE, TenantId("a"), document_ids=frozenset())
        assert await by_words(index, "pump", view=nothing) == await by_vector(index, axis(0), view=nothing) == set()

    async def test_terms_with_odd_characters_are_found_and_never_an_error(self, index: PassageIndex) -> None:
        entries = [entry(chunk_index=i) for i, _ in enumerate(ODD_TERMS)]
        odd = [
            IndexedPassage(builders.passage(e.passage.document, chunk_index=i, terms=(term,)), axis(0))
            for i, (e, term) in enumerate(zip(entries, ODD_TERMS, strict=True))
        ]
        for settled in (False, True):
            await put(index, odd)
            if settled:
                await index.optimize()
            for one, term in zip(odd, ODD_TERMS, strict=True):
                assert await by_words(index, term) == refs(one), term
            assert await by_words(index, *ODD_TERMS) == refs(*odd)

    # Examples may share an index, and every adapter's class runs this one method.
    @settings(
        max_examples=25,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
    )
    @given(term=terms_of_any_kind)
    async def test_any_term_is_found_again(self, index: PassageIndex, term: str) -> None:
        passage = builders.passage(builders.kb_document(), terms=(term, "other"))
        await put(index, [IndexedPassage(passage, axis(0))])
        assert passage.ref in await by_words(index, term)

    async def test_hundreds_of_terms_are_no_error(self, index: PassageIndex) -> None:
        wanted = entry("w0")
        await put(index, [wanted])
        many = [f"w{i}" for i in range(700)]
        hits = await index.search(VIEW, dict.fromkeys(Language, many), None, 10)
        assert {hit.ref for hit in hits} == refs(wanted)
