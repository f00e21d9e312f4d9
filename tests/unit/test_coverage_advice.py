"""What coverage allows, and what is recommended where it is low."""

from datetime import UTC, datetime

import pytest
from attrs import evolve

from contentgen_core.model.coverage import Coverage, CoverageEvidence, CoverageLevel
from contentgen_core.model.tenant import PlanName
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.coverage.assessment import (
    Enforcement,
    assess,
    can_generate,
    enforce,
    probability,
    recommendations,
)
from contentgen_core.policies.retrieval.ranking import topic_query
from contentgen_core.testing.builders import kb_document, passage, ranked_passage, sha256
from tests.support.shelf import ANALYSIS, COVERED, EN, TEXTS, check, shelf

LEVELS = list(CoverageLevel)  # from insufficient up
OFF = "Which pump is used in coffee machines and how does it build pressure for espresso?"


@pytest.mark.parametrize(
    ("level", "allow_low", "result"),
    [
        (CoverageLevel.EXCELLENT, False, Enforcement.PROCEED),
        (CoverageLevel.GOOD, False, Enforcement.PROCEED),
        (CoverageLevel.GOOD, True, Enforcement.PROCEED),
        (CoverageLevel.LOW, False, Enforcement.BLOCKED),
        (CoverageLevel.LOW, True, Enforcement.FORCED),
        (CoverageLevel.INSUFFICIENT, False, Enforcement.BLOCKED),
        (CoverageLevel.INSUFFICIENT, True, Enforcement.FORCED),
    ],
)
def test_enforcement_follows_the_table(level: CoverageLevel, allow_low: bool, result: Enforcement) -> None:
    for plan in (PlanName.FREE, PlanName.STARTER, PlanName.PRO):
        assert enforce(level, allow_low, plan) is result


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("allow_low", [True, False])
def test_business_is_never_blocked(level: CoverageLevel, allow_low: bool) -> None:
    assert enforce(level, allow_low, PlanName.BUSINESS) is not Enforcement.BLOCKED
    assert can_generate(level, PlanName.BUSINESS)


def test_only_an_insufficient_knowledge_base_speaks_against_generation() -> None:
    assert [can_generate(level, PlanName.PRO) for level in LEVELS] == [False, True, True, True]


def test_recommendations_name_what_is_missing_and_what_to_do() -> None:
    coverage = check("Heat pump noise in Norway", shelf(TEXTS[:1]), ArticleLength.LONG)
    advice = " ".join(recommendations(coverage, ArticleLength.LONG, PlanName.PRO))
    assert "“Norway”" in advice
    assert "web search" in advice
    nothing = recommendations(check("Espresso", []), ArticleLength.SHORT, PlanName.FREE)
    assert "no source on this topic" in nothing[0]
    assert "with the Pro plan" in nothing[0]


def test_a_shorter_article_is_proposed_where_the_sources_allow_it() -> None:
    few = shelf(TEXTS[:3])
    coverage = check("Heat pump noise", few, ArticleLength.VERY_LONG)
    enough_for = [length for length in ArticleLength if check("Heat pump noise", few, length).level in COVERED]
    assert enough_for, "the sources carry no length at all"
    assert coverage.level not in COVERED
    advice = recommendations(coverage, ArticleLength.VERY_LONG)
    assert f"For a {enough_for[-1]} article the present sources would be enough." in advice


def test_recommendations_count_the_terms_that_are_not_found() -> None:
    coverage = check("Heat pump noise in Norway", shelf(TEXTS), ArticleLength.LONG)
    assert any(line.startswith("1 of 4 terms not found in your knowledge base: “Norway”.") for line in recommendations(
        coverage, ArticleLength.LONG
    ))  # fmt: skip


@pytest.mark.parametrize(("year", "named"), [(2026, True), (2024, False), (None, False)])
def test_recommendations_say_when_the_sources_have_grown_old(year: int | None, named: bool) -> None:
    coverage = check("Heat pump noise", shelf(TEXTS, fetched_at=datetime(2023, 5, 1, tzinfo=UTC)))
    advice = recommendations(coverage, ArticleLength.SHORT, year=year)
    assert ("Nothing on this topic is newer than 2023. A recent source would bring it up to date." in advice) is named


def test_sources_without_a_date_are_not_called_old() -> None:
    coverage = check("Heat pump noise", shelf(TEXTS, fetched_at=None))
    assert not any("newer" in line for line in recommendations(coverage, ArticleLength.SHORT, year=2050))


def test_sources_that_treat_the_topic_are_not_said_to_miss_it_where_there_are_too_few() -> None:
    few = CoverageEvidence(saturation=0.8, information=25.0, breadth=2.0, depth=3.0, documents=2, terms=("noise",))
    thin = Coverage(CoverageLevel.LOW, 100 * probability(few, ArticleLength.VERY_LONG), few)
    assert thin.score > 60
    assert not any("hardly together" in line for line in recommendations(thin, ArticleLength.VERY_LONG))
    assert any("hardly together" in line for line in recommendations(evolve(thin, score=30.0), ArticleLength.SHORT))


def test_a_covered_topic_needs_no_advice() -> None:
    evidence = CoverageEvidence(term_share=1, saturation=1, documents=9, passages=30)
    coverage = Coverage(CoverageLevel.EXCELLENT, 100.0, evidence)
    assert len(recommendations(coverage, ArticleLength.VERY_LONG)) == 1


@pytest.mark.parametrize(
    ("language", "topic", "texts", "missing"),
    [
        (Language.FR, "Le bruit d'une pompe à chaleur en Norvège", ("Le bruit de la pompe à chaleur.",), "Norvège"),
        (Language.DE, "Lärm einer Wärmepumpe in Norwegen", ("Der Lärm der Wärmepumpe.",), "Norwegen"),
        (Language.ES, "Ruido de la bomba de calor en Noruega", ("El ruido de la bomba de calor.",), "Noruega"),
        (Language.PL, "Hałas pompy ciepła w Norwegii", ("Hałas pompy ciepła.",), "Norwegii"),
        (Language.JA, "ノルウェーのヒートポンプの騒音", ("ヒートポンプの騒音は小さい。",), "ノルウェー"),
        (Language.PL, "x D b Hałas pompy ciepła в Norwegii", ("Hałas pompy ciepła.",), "Norwegii"),
        (Language.ZH, "茶 水", ("茶。",), "水"),
    ],
)
def test_missing_words_are_named_as_typed_in_any_language(
    language: Language, topic: str, texts: tuple[str, ...], missing: str
) -> None:
    found = [
        passage(kb_document(language=language), text, terms=ANALYSIS.terms(text, language), content_hash=sha256(text))
        for text in texts
    ]
    query = topic_query(topic, [language], ANALYSIS)
    coverage = assess(query, [ranked_passage(p) for p in found], {}, ArticleLength.STANDARD)
    assert coverage.evidence.missing_terms == (missing,)
    assert any(f"not found in your knowledge base: “{missing}”." in line for line in recommendations(
        coverage, ArticleLength.STANDARD
    ))  # fmt: skip


def test_evidence_tells_where_each_term_was_found_and_how_varied_the_sources_are() -> None:
    texts = ["Heat pump noise at night.", "The heat pump and its noise.", "A heat pump in winter."]
    found = [
        passage(
            kb_document(title=f"Page {n}", url=f"https://{host}/{n}", fetched_at=datetime(2020 + n, 5, 1, tzinfo=UTC)),
            text,
            terms=ANALYSIS.terms(text, EN),
            content_hash=sha256(text),
        )
        for n, (text, host) in enumerate(zip(texts, ("a.example", "b.example", "a.example"), strict=True))
    ]
    query = topic_query("Heat pump noise", [EN], ANALYSIS)
    evidence = assess(query, [ranked_passage(p) for p in found], {}, ArticleLength.SHORT).evidence
    assert [(t.word, t.documents) for t in evidence.found] == [("Heat", 3), ("pump", 3), ("noise", 2)]
    assert evidence.found[2].titles == ("Page 0", "Page 1")
    assert (evidence.documents, evidence.sites, evidence.oldest, evidence.newest) == (3, 2, 2020, 2022)
    assert 0.0 < evidence.diversity < 1.0


def test_recommendations_name_what_one_source_alone_knows() -> None:
    coverage = check("Heat pump noise at night", shelf(TEXTS), ArticleLength.LONG)
    advice = recommendations(coverage, ArticleLength.LONG)
    assert "Only one source says anything on “night”. A second one would confirm it." in advice


def test_the_best_passage_of_each_document_is_in_the_order_of_the_ranking() -> None:
    first, second = kb_document(title="First"), kb_document(title="Second")
    ranked = tuple(
        ranked_passage(passage(document, text, chunk_index=at))
        for at, (document, text) in enumerate([(first, "a"), (second, "b"), (first, "c")])
    )
    coverage = Coverage(CoverageLevel.GOOD, 70.0, CoverageEvidence(), ranked)
    assert coverage.best_passages == ranked[:2]
    assert coverage.sources_found == 2
