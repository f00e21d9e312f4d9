"""Whole evaluations: the same seed gives the same figures, and what is broken makes the right ones fall."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest
from attrs import evolve

from contentgen_core.errors import InvalidInput
from contentgen_core.model.evaluation import Evaluation, Part
from contentgen_core.model.grounding import Verdict
from contentgen_core.model.knowledge import KbScope, KbView
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.coverage.assessment import Calibrations
from contentgen_core.policies.evaluation.comparison import Limits, compare
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.use_cases.evaluation.sample import MAX_DOCUMENTS
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
from contentgen_core.use_cases.knowledge.retrieved import Retrieved
from contentgen_grounded.bootstrap.memory import in_memory
from contentgen_grounded.evaluation import (
    EMPTY,
    EvaluationOptions,
    evaluate,
    sample_of_sources,
)
from contentgen_grounded.settings import Settings
from contentgen_http.demo.tenant import samples

SETTINGS = Settings(embeddings="hashed")
OPTIONS = EvaluationOptions(size=40, articles=2)


async def run(
    sources: Iterable[SourceText] | None = None, options: EvaluationOptions = OPTIONS, settings: Settings = SETTINGS
) -> Evaluation:
    sample = await sample_of_sources(samples("home-energy") if sources is None else sources, options.seed)
    return await evaluate(sample, "energy", options, settings=settings)


KEPT: list[Evaluation] = []


async def baseline() -> Evaluation:
    """A run over all parts, made once."""
    if not KEPT:
        KEPT.append(await run())
    return KEPT[0]


def fallen(now: Evaluation, before: Evaluation) -> set[str]:
    return {each.name for each in compare(now, before, Limits()) if each.fell}


async def test_two_runs_are_equal_and_another_seed_asks_others() -> None:
    first, second = await baseline(), await run()
    assert first.figures == second.figures
    assert first.setup == second.setup
    assert {figure.name.partition(".")[0] for figure in first.figures} == set(Part)
    only = EvaluationOptions(seed=8, size=40, articles=0, parts=frozenset({Part.GROUNDING}))
    other = {figure.name: figure for figure in (await run(options=only)).figures}
    keys = {o.key for o in next(f for f in first.figures if f.name == "grounding.supported").outcomes}
    assert {o.key for o in other["grounding.supported"].outcomes} != keys


async def test_order_of_the_sources_makes_no_difference() -> None:
    turned = await run(list(samples("home-energy"))[::-1])
    assert turned.figures == (await baseline()).figures


async def test_a_verifier_that_accepts_everything_makes_grounding_fall(monkeypatch: pytest.MonkeyPatch) -> None:
    check = Verifier.check

    def lenient(self: Verifier, *arguments: object, **named: object) -> object:
        return evolve(check(self, *arguments, **named), verdict=Verdict.SUPPORTED)  # type: ignore[arg-type]

    before = await baseline()
    monkeypatch.setattr(Verifier, "check", lenient)
    now = await run(options=evolve(OPTIONS, parts=frozenset({Part.GROUNDING})))
    names = fallen(now, before)
    assert {"grounding.refused", "grounding.refused_number", "grounding.refused_negation"} <= names
    assert all(name.startswith("grounding.refused") for name in names)
    number = next(each for each in compare(now, before, Limits()) if each.name == "grounding.refused_number")
    assert number.failed[0].failed.startswith("accepted: ")
    assert "The passage says: " in number.failed[0].failed


async def test_a_verifier_that_refuses_everything_makes_support_fall(monkeypatch: pytest.MonkeyPatch) -> None:
    check = Verifier.check

    def strict(self: Verifier, *arguments: object, **named: object) -> object:
        return evolve(check(self, *arguments, **named), verdict=Verdict.UNSUPPORTED)  # type: ignore[arg-type]

    before = await baseline()
    monkeypatch.setattr(Verifier, "check", strict)
    now = await run(options=evolve(OPTIONS, parts=frozenset({Part.GROUNDING})))
    assert fallen(now, before) == {"grounding.supported"}


async def test_a_ranking_upside_down_makes_retrieval_fall(monkeypatch: pytest.MonkeyPatch) -> None:
    to_show = Retrieve.to_show

    async def turned(self: Retrieve, *arguments: object, **named: object) -> Retrieved:
        found = await to_show(self, *arguments, **named)  # type: ignore[arg-type]
        return evolve(found, ranked=found.ranked[::-1])

    before = await baseline()
    monkeypatch.setattr(Retrieve, "to_show", turned)
    now = await run(options=evolve(OPTIONS, parts=frozenset({Part.RETRIEVAL})))
    assert "retrieval.words_ndcg" in fallen(now, before)
    assert all(name.startswith("retrieval.") for name in fallen(now, before))


async def test_a_threshold_that_lets_everything_through_makes_coverage_fall(monkeypatch: pytest.MonkeyPatch) -> None:
    before = await baseline()
    monkeypatch.setattr(Calibrations, "cuts_for", lambda self, evidence: (0.0, 0.0, 0.0))
    now = await run(options=evolve(OPTIONS, parts=frozenset({Part.COVERAGE})))
    assert fallen(now, before) == {"coverage.refused"}


async def test_a_threshold_that_lets_nothing_through_makes_coverage_fall(monkeypatch: pytest.MonkeyPatch) -> None:
    before = await baseline()
    monkeypatch.setattr(Calibrations, "cuts_for", lambda self, evidence: (101.0, 101.0, 101.0))
    now = await run(options=evolve(OPTIONS, parts=frozenset({Part.COVERAGE})))
    assert fallen(now, before) == {"coverage.covered"}


async def test_the_knowledge_base_of_a_tenant_is_only_read() -> None:
    scope = KbScope("energy")
    async with in_memory(SETTINGS) as services:
        await services.knowledge.import_sources(scope, samples("home-energy"))
        async with services.ports.unit_of_work() as tx:
            documents = await tx[Knowledge].documents(KbView("energy"), None, 100)
            before = await tx[Knowledge].passages_of([document.id for document in documents])
            pending = await tx[Knowledge].pending_changes()
        sample = await services.evaluation.sample(KbView("energy"), 7)
        found = await evaluate(sample, "energy", OPTIONS, settings=SETTINGS)
        async with services.ports.unit_of_work() as tx:
            assert await tx[Knowledge].documents(KbView("energy"), None, 100) == documents
            assert await tx[Knowledge].passages_of([document.id for document in documents]) == before
            assert await tx[Knowledge].pending_changes() == pending
    assert found.figures == (await baseline()).figures


async def test_an_empty_knowledge_base_is_told() -> None:
    with pytest.raises(InvalidInput, match="holds no passages"):
        await run([])
    with pytest.raises(InvalidInput) as told:
        await run([SourceText("a", "", "")])
    assert EMPTY in str(told.value.detail)


async def test_three_passages_say_little_and_say_so() -> None:
    text = "The pump number {n} weighs {n}1 kg in all."
    three = [SourceText(f"n{n}", f"Note {n} on heat pumps", text.format(n=n)) for n in (1, 2, 3)]
    found = await run(three)
    assert any("they say little" in note for note in found.notes)
    assert found.setup.passages == 3


async def test_what_cannot_be_measured_is_told() -> None:
    found = await run([SourceText("a", "Heat", "Too short.")], EvaluationOptions(size=5, articles=1))
    assert {note.partition(":")[0] for note in found.notes} >= {"coverage", "retrieval", "grounding", "articles"}
    assert found.figures == ()


async def test_a_language_without_stems_is_measured() -> None:
    texts = (
        "熱ポンプは外の空気から熱を集めて家の中に運びます。重さは82キロで、四本の足の上に立っています。",
        "窓の断熱は冬の暖かさを保ちます。二重のガラスは熱を30パーセント減らします。夏には日よけも役に立ちます。",
        "屋根の太陽光パネルは電気を作ります。一年に4000キロワット時を作ることができます。電池は夜のために電気をためます。",
    )
    sources = [
        SourceText(f"j{n}", f"家のエネルギーの話 {n}", text, language=Language.JA) for n, text in enumerate(texts)
    ]
    found = await run(sources, EvaluationOptions(size=20, articles=0))
    assert {figure.name for figure in found.figures} >= {"grounding.supported", "grounding.refused_number"}


async def test_of_many_sources_a_bounded_part_is_kept() -> None:
    many = (SourceText(f"s{n}", f"Source {n}", f"The part number {n} is kept here. ") for n in range(5_000))
    found = await sample_of_sources(many, 7)
    assert found.of == 5_000
    assert 0 < sum(map(len, found.passages)) <= MAX_DOCUMENTS


async def test_a_document_that_comes_changes_little_of_a_sample() -> None:
    sources = [SourceText(f"s{n}", f"Source {n}", f"The part number {n} is kept here. ") for n in range(200)]

    async def keys(given: Sequence[SourceText]) -> list[str]:
        async with in_memory(SETTINGS) as services:
            await services.knowledge.import_sources(KbScope("parts"), given)
            found = await services.evaluation.sample(KbView("parts"), 7, max_passages=50)
        return [document.source_key for document, _ in found.documents]

    before, after = await keys(sources), await keys([*sources, SourceText("new", "New", "Something new is here.")])
    assert len(before) == len(after) == 50
    assert len(set(before) - set(after)) <= 1
