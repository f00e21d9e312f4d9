"""The term statistics: equal, after any history, to counting the passages of the view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from attrs import evolve, frozen
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from contentgen_core.model.ids import DocumentId, TenantId
from contentgen_core.model.knowledge import KbDocument, KbScope, KbView, Passage, TermStatistics
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import given as stored
from tests.contract.store.given import given_tenants

TERMS: Final = ("heat", "pump", "kwh", "тепл", "熱")
LANGUAGES: Final = (Language.EN, Language.FR, Language.JA)
COUNTRIES: Final = (None, "GB", "FR")


@frozen
class Piece:
    """A document of the history: its tenant (0: the platform), country, and the terms and head terms of its passages.
    `revised`: the same for its passages once its text has changed, with its language then; None: it never did. `title`:
    the head terms of its passages once it has another title; None: it keeps its own. `removed`: whether it is removed
    again."""

    owner: int
    country: str | None
    language: Language
    passages: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    title: tuple[str, ...] | None = None
    removed: bool = False
    revised: tuple[Language, tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]] | None = None


_terms = st.lists(st.sampled_from(TERMS), max_size=6).map(tuple)
_pieces = st.builds(
    Piece,
    owner=st.integers(0, 2),
    country=st.sampled_from(COUNTRIES),
    language=st.sampled_from(LANGUAGES),
    passages=st.lists(st.tuples(_terms, _terms), max_size=3).map(tuple),
    title=st.none() | _terms,
    revised=st.none()
    | st.tuples(st.sampled_from(LANGUAGES), st.lists(st.tuples(_terms, _terms), max_size=3).map(tuple)),
    removed=st.booleans(),
)


def naive_statistics(
    passages: Iterable[Passage], view: KbView, terms: Mapping[Language, Sequence[str]]
) -> dict[Language, TermStatistics]:
    """The statistics by definition, counted over every passage."""
    statistics: dict[Language, TermStatistics] = {}
    for language, asked in terms.items():
        visible = [
            passage
            for passage in passages
            if passage.document.language is language
            and view.sees(passage.document.scope)
            and (view.document_ids is None or passage.document.id in view.document_ids)
        ]
        if visible:
            length = sum(len(passage.terms) + len(passage.head_terms) for passage in visible)
            counts = {t: sum(t in (*passage.terms, *passage.head_terms) for passage in visible) for t in asked}
            present = {term: count for term, count in counts.items() if count}
            statistics[language] = TermStatistics(len(visible), length / len(visible), present)
    return statistics


def rounded(statistics: Mapping[Language, TermStatistics]) -> dict[Language, tuple[int, float, dict[str, int]]]:
    """For comparison: a mean may differ in its last digits with the order of additions."""
    return {lang: (s.passages, round(s.mean_length, 9), s.passages_with) for lang, s in statistics.items()}


class StatisticsContract:
    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(pieces=st.lists(_pieces, max_size=8))
    @example(pieces=[])
    @example(
        pieces=[Piece(0, None, Language.EN, ((("heat", "heat"), ("heat", "pump")), ((), ())), None, removed=False)]
    )
    @example(pieces=[Piece(0, None, Language.EN, ((("heat",), ("pump",)), ((), ())), ("heat", "kwh"), removed=False)])
    @example(pieces=[Piece(1, "GB", Language.EN, ((("heat",), ()),), ("kwh",), removed=True)])
    @example(pieces=[Piece(0, None, Language.EN, ((("heat",), ()),) * 2, revised=(Language.FR, ((("pump",), ()),)))])
    async def test_statistics_equal_a_naive_count_after_any_changes(
        self, unit_of_work: UnitOfWork, pieces: list[Piece]
    ) -> None:
        niche_key = f"niche-{builders.new_id()}"  # the fixture lives through all examples: each has its own niche
        owners = (None, *(tenant.id for tenant in await given_tenants(unit_of_work)))
        documents = [_document(piece, niche_key, owners) for piece in pieces]
        async with unit_of_work() as tx:
            await tx[Knowledge].add(documents)
        async with unit_of_work() as tx:
            for n, piece in enumerate(pieces):
                if piece.revised is not None:
                    documents[n] = _revised(documents[n][0], *piece.revised)
                    await tx[Knowledge].replace([documents[n]])
        async with unit_of_work() as tx:
            for n, piece in enumerate(pieces):
                if piece.title is not None:
                    documents[n] = _retitled(*documents[n], piece.title)
                    await tx[Knowledge].retitle(*documents[n])
        async with unit_of_work() as tx:
            removed = [document.id for piece, (document, _) in zip(pieces, documents, strict=True) if piece.removed]
            await tx[Knowledge].remove(removed)
        live = [passage for document, passages in documents if document.id not in removed for passage in passages]
        asked = {language: [*TERMS, "unknown", TERMS[0]] for language in LANGUAGES} | {Language.DE: ["heat"]}
        async with unit_of_work() as tx:
            for view in _views(niche_key, owners, [document.id for document, _ in documents[::2]]):
                statistics = await tx[Knowledge].statistics(view, asked)
                assert rounded(statistics) == rounded(naive_statistics(live, view, asked))
                languages = {p.document.language for p in naive_visible(live, view)}
                assert await tx[Knowledge].languages(view) == languages

    async def test_a_view_without_passages_has_no_statistics(self, unit_of_work: UnitOfWork) -> None:
        async with unit_of_work() as tx:
            assert await tx[Knowledge].statistics(KbView("nothing"), {Language.EN: ["heat"]}) == {}
            assert await tx[Knowledge].statistics(KbView("nothing"), {}) == {}

    async def test_a_language_asked_without_terms_still_has_its_size(self, unit_of_work: UnitOfWork) -> None:
        document = builders.kb_document()
        await stored(unit_of_work, (document, [builders.passage(document, "one two three")]))
        async with unit_of_work() as tx:
            statistics = await tx[Knowledge].statistics(KbView(builders.NICHE_KEY), {Language.EN: []})
        assert statistics == {Language.EN: TermStatistics(1, 3.0, {})}

    async def test_another_tenants_import_moves_nothing(self, unit_of_work: UnitOfWork) -> None:
        tenant, other = await given_tenants(unit_of_work)
        mine, theirs = (builders.kb_document(scope=KbScope(builders.NICHE_KEY, t.id)) for t in (tenant, other))
        await stored(unit_of_work, (mine, [builders.passage(mine, "heat pump")]))
        views = [
            KbView(builders.NICHE_KEY, tenant.id),
            KbView(builders.NICHE_KEY),
            KbView(builders.NICHE_KEY, tenant.id, document_ids=frozenset({mine.id, theirs.id})),
        ]

        async def figures() -> list[object]:
            async with unit_of_work() as tx:
                return [await tx[Knowledge].statistics(view, {Language.EN: ["heat", "solar"]}) for view in views]

        before = await figures()
        chapters = [builders.passage(theirs, f"heat solar {n}", chunk_index=n) for n in range(20)]
        await stored(unit_of_work, (theirs, chapters))
        assert await figures() == before == [before[0], {}, before[0]]


def naive_visible(passages: Iterable[Passage], view: KbView) -> list[Passage]:
    named = view.document_ids
    return [p for p in passages if view.sees(p.document.scope) and (named is None or p.document.id in named)]


def _document(piece: Piece, niche_key: str, owners: tuple[TenantId | None, ...]) -> tuple[KbDocument, list[Passage]]:
    scope = KbScope(niche_key, owners[piece.owner], piece.country)
    document = builders.kb_document(scope=scope, language=piece.language)
    return document, _passages(document, piece.passages)


def _revised(
    document: KbDocument, language: Language, texts: Iterable[tuple[tuple[str, ...], tuple[str, ...]]]
) -> tuple[KbDocument, list[Passage]]:
    document = evolve(document, language=language, revised_at=MOMENT)
    return document, _passages(document, texts)


def _passages(document: KbDocument, texts: Iterable[tuple[tuple[str, ...], tuple[str, ...]]]) -> list[Passage]:
    return [
        builders.passage(document, chunk_index=n, terms=terms, head_terms=head_terms)
        for n, (terms, head_terms) in enumerate(texts)
    ]


def _retitled(
    document: KbDocument, passages: list[Passage], title: tuple[str, ...]
) -> tuple[KbDocument, list[Passage]]:
    document = evolve(document, title="A new title")
    return document, [evolve(passage, document=document, head_terms=title) for passage in passages]


def _views(niche_key: str, owners: tuple[TenantId | None, ...], named: list[DocumentId]) -> list[KbView]:
    countries = (frozenset[str](), frozenset({"GB"}), frozenset({"GB", "FR"}))
    everything = [KbView(niche_key, owner, of) for owner in owners for of in countries]
    return [*everything, KbView(niche_key, owners[1], frozenset({"GB"}), frozenset(named))]
