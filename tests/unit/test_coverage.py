import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.coverage import Coverage, CoverageEvidence, CoverageLevel
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import IndexHit, Origin, Passage, RankedPassage, TermStatistics
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.coverage import weights as coverage_weights
from contentgen_core.policies.coverage.assessment import (
    assess,
    features,
    features_of_long,
    features_of_short,
    level_of,
    probability,
)
from contentgen_core.policies.coverage.calibration import Calibration
from contentgen_core.policies.coverage.evidence import shortness
from contentgen_core.policies.coverage.meaning import Meaning
from contentgen_core.policies.retrieval.ranking import Candidate, TopicQuery, rank, topic_query
from contentgen_core.testing.builders import kb_document, passage, ranked_passage
from tests.support.shelf import ANALYSIS, COVERED, EN, TEXTS, check, shelf, statistics_of

LEVELS = list(CoverageLevel)  # from insufficient up


OFF = "Which pump is used in coffee machines and how does it build pressure for espresso?"


def test_a_topic_the_sources_treat_is_covered() -> None:
    coverage = check("Heat pump noise and the house", shelf(TEXTS))
    assert coverage.level in (CoverageLevel.GOOD, CoverageLevel.EXCELLENT)
    assert coverage.evidence.documents >= 3
    assert coverage.evidence.missing_terms == ()


def test_one_common_word_does_not_cover_another_topic() -> None:
    coverage = check("Pump espresso like a barista in Milan", shelf([*TEXTS, OFF.replace("espresso", "coffee")]))
    assert coverage.level is CoverageLevel.INSUFFICIENT
    assert {"espresso", "barista", "Milan"} <= set(coverage.evidence.missing_terms)


def test_an_empty_knowledge_base_covers_nothing() -> None:
    coverage = check("Heat pump noise", [])
    assert (coverage.level, coverage.score, coverage.sources_found) == (CoverageLevel.INSUFFICIENT, 0.0, 0)
    assert coverage.evidence.missing_terms == ("Heat", "pump", "noise")


def test_words_of_titles_in_general_and_years_hardly_count() -> None:
    plain = check("Heat pump noise", shelf(TEXTS))
    titled = check("The complete guide to heat pump noise in 2026", shelf(TEXTS))
    assert titled.score > 0.8 * plain.score


def test_longer_articles_need_more() -> None:
    scores = [check("Heat pump noise", shelf(TEXTS), length).score for length in ArticleLength]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > scores[-1]


def test_what_a_model_wrote_is_no_evidence() -> None:
    invented = check("Heat pump noise", shelf(TEXTS, origin=Origin.AI))
    assert invented.score == 0.0
    assert invented.evidence.documents == 0


def test_a_copy_under_another_name_changes_nothing() -> None:
    originals = shelf(TEXTS[:3])
    query = topic_query("Heat pump noise", [EN], ANALYSIS)
    statistics = statistics_of(originals)
    copies = [evolve(p, document=kb_document(title="")) for p in originals]

    def score(passages: list[Passage]) -> float:
        found = rank(query, [Candidate(p, IndexHit(p.ref, 1.0, None)) for p in passages], statistics, 0.0, 48)
        return assess(query, found, statistics, ArticleLength.LONG).score

    assert score([*originals, *copies]) == score(originals)


def test_a_source_in_another_language_of_the_view_counts() -> None:
    query = TopicQuery("heat noise", {EN: ("heat", "noise"), Language.DE: ("wärm", "lärm")}, {"lärm": "Lärm"})
    statistics = {
        EN: TermStatistics(100, 5.0, {"heat": 1, "noise": 40}),
        Language.DE: TermStatistics(100, 5.0, {}),
    }
    german = passage(kb_document(language=Language.DE), "wärm lärm x")
    english = passage(kb_document(), "heat x y")
    both = assess(query, [ranked_passage(german), ranked_passage(english)], statistics, ArticleLength.SHORT)
    one = assess(query, [ranked_passage(english)], statistics, ArticleLength.SHORT)
    assert both.evidence.documents == 2
    assert both.score > one.score
    assert one.evidence.missing_terms == ("noise",)


TERMS = ["heat", "pump", "noise", "night"]
QUERY = TopicQuery(" ".join(TERMS), {EN: tuple(TERMS)}, {})


@st.composite
def rankings(draw: st.DrawFn) -> list[RankedPassage]:
    found = []
    for i in range(draw(st.integers(0, 10))):
        terms = tuple(draw(st.lists(st.sampled_from([*TERMS, "x", "y"]), min_size=1, max_size=6)))
        document = kb_document(
            id=DocumentId(f"d{draw(st.integers(0, 5))}"), origin=draw(st.sampled_from([Origin.IMPORT, Origin.AI]))
        )
        item = passage(document, f"{i} {terms}", chunk_index=i, terms=terms)
        found.append(ranked_passage(item, rerank_score=draw(st.floats(0, 1))))
    return found


@st.composite
def figures(draw: st.DrawFn) -> dict[Language, TermStatistics]:
    return {EN: TermStatistics(50, 5.0, {t: draw(st.integers(0, 50)) for t in TERMS})}


@given(rankings(), figures(), st.sampled_from(ArticleLength), st.data())
def test_adding_a_passage_never_lowers_the_score(
    found: list[RankedPassage],
    statistics: dict[Language, TermStatistics],
    length: ArticleLength,
    data: st.DataObject,
) -> None:
    extra = passage(kb_document(), "new", terms=tuple(data.draw(st.lists(st.sampled_from([*TERMS, "x"]), max_size=5))))
    addition = ranked_passage(extra, rerank_score=data.draw(st.floats(0, 1)))
    at = data.draw(st.integers(0, len(found)))
    before = assess(QUERY, found, statistics, length)
    after = assess(QUERY, [*found[:at], addition, *found[at:]], statistics, length)
    assert after.score >= before.score
    assert LEVELS.index(after.level) >= LEVELS.index(before.level)
    assert 0.0 <= before.score <= 100.0


@given(rankings(), st.lists(st.floats(-0.5, 2.0), min_size=11, max_size=11), st.sampled_from(ArticleLength))
def test_adding_a_passage_that_is_near_in_meaning_never_lowers_the_score(
    found: list[RankedPassage], nearness: list[float], length: ArticleLength
) -> None:
    """At the same background."""
    query = TopicQuery("heat pump", {EN: ("heat", "pump")}, {})
    added = ranked_passage(passage(kb_document(), "other words", chunk_index=99, terms=("x",)))
    known = {r.ref: near for r, near in zip([*found, added], nearness, strict=False)}
    meaning = Meaning(frozenset({EN}), known, 0.2)
    before = assess(query, found, {}, length, meaning)
    after = assess(query, [*found, added], {}, length, meaning)
    if before.evidence.nearness is None:  # judged by words alone: another calibration
        return
    assert after.score >= before.score
    assert LEVELS.index(after.level) >= LEVELS.index(before.level)


@pytest.mark.parametrize("topic", ["Heat pump?", "「ヒートポンプ」？", "“Heat pump?”", "مضخة؟"])
def test_a_question_is_judged_as_a_long_topic_however_short_it_is(topic: str) -> None:
    title = topic.translate(dict.fromkeys(map(ord, "?？؟")))
    asked, named = (
        assess(TopicQuery(text, {EN: ("heat",)}, {}), [], {}, ArticleLength.SHORT) for text in (topic, title)
    )
    assert shortness(asked.evidence.subject_words) == 0.0
    assert shortness(named.evidence.subject_words) == 1.0


def judged_by_meaning(topic: str, texts: list[str], nearness: float, background: float = 0.2) -> Coverage:
    passages = shelf(texts)
    query = topic_query(topic, [EN], ANALYSIS)
    found = rank(query, [Candidate(p, IndexHit(p.ref, 1.0, None)) for p in passages], statistics_of(passages), 0.0, 48)
    meaning = Meaning(frozenset({EN}), {p.ref: nearness for p in passages}, background)
    return assess(query, found, statistics_of(passages), ArticleLength.SHORT, meaning)


TIDAL = [
    "A tidal power station lets the sea through its turbines twice a day.",
    "Barrages at river mouths drive generators with the rise and fall of the water.",
    "Undersea turbines turn in the currents between islands and feed the grid.",
]


def test_sources_that_say_it_in_other_words_are_found_for_a_short_topic() -> None:
    by_words, by_meaning = check("Ocean energy", shelf(TIDAL)), judged_by_meaning("Ocean energy", TIDAL, 1.5)
    assert by_words.score < 10
    assert by_meaning.level is not CoverageLevel.INSUFFICIENT
    assert by_meaning.evidence.documents == 3
    assert by_meaning.evidence.missing == 2, "the words are told as missing all the same"


def test_another_subject_of_the_neighbourhood_is_no_evidence() -> None:
    """All that the knowledge base holds is as near to the topic as these are."""
    near_by = judged_by_meaning("Ocean fishing", TIDAL, 0.5, background=0.4)
    assert near_by.level is CoverageLevel.INSUFFICIENT
    assert near_by.evidence.documents == 0


def test_a_passage_in_a_language_that_the_embedder_does_not_model_counts_by_its_words() -> None:
    german = passage(kb_document(language=Language.DE), "wärmepumpe lärm")
    query = TopicQuery("Wärmepumpe Lärm", {Language.DE: ("wärmepumpe", "lärm")}, {})
    meaning = Meaning(frozenset({EN}), {}, 0.2)
    found = [ranked_passage(german)]
    assert assess(query, found, {}, ArticleLength.SHORT, meaning) == assess(query, found, {}, ArticleLength.SHORT)


@given(rankings(), figures(), st.data())
def test_a_repetition_never_raises_the_score(
    found: list[RankedPassage], statistics: dict[Language, TermStatistics], data: st.DataObject
) -> None:
    if not found:
        return
    original = data.draw(st.sampled_from(found))
    again = kb_document(origin=original.passage.document.origin)
    copy = evolve(original, passage=evolve(original.passage, document=again))
    assert (
        assess(QUERY, [*found, copy], statistics, ArticleLength.LONG).score
        == assess(QUERY, found, statistics, ArticleLength.LONG).score
    )


EVIDENCE = st.builds(
    CoverageEvidence,
    saturation=st.floats(0, 1),
    information=st.floats(0, 60),
    missing=st.integers(0, 9),
    breadth=st.floats(0, 20),
    depth=st.floats(0, 48),
    subject_words=st.integers(0, 8),
)
MEANT = st.builds(
    evolve, EVIDENCE, nearness=st.floats(-1, 3), prominence=st.floats(0, 2), subject_words=st.just(3)
) | st.builds(evolve, EVIDENCE, nearness=st.floats(-1, 3), prominence=st.floats(0, 2), subject_words=st.just(4))


def most_of(one: CoverageEvidence, other: CoverageEvidence) -> CoverageEvidence:
    return evolve(
        one,
        saturation=max(one.saturation, other.saturation),
        information=max(one.information, other.information),
        missing=min(one.missing, other.missing),
        breadth=max(one.breadth, other.breadth),
        depth=max(one.depth, other.depth),
        nearness=None if one.nearness is None or other.nearness is None else max(one.nearness, other.nearness),
        prominence=max(one.prominence, other.prominence),
    )


@given(st.tuples(EVIDENCE, EVIDENCE) | st.tuples(MEANT, MEANT), st.sampled_from(ArticleLength))
def test_more_of_every_feature_never_lowers_the_probability(
    found: tuple[CoverageEvidence, CoverageEvidence], length: ArticleLength
) -> None:
    one, other = found[0], evolve(found[1], subject_words=found[0].subject_words)
    both = most_of(one, other)
    assert probability(both, length) >= max(probability(one, length), probability(other, length))
    assert 0.0 <= probability(one, length) <= 1.0


def test_one_document_that_says_it_all_is_enough_for_a_short_article_alone() -> None:
    thorough = CoverageEvidence(saturation=0.8, information=25.0, breadth=1.0, depth=2.0)
    levels = [level_of(100 * probability(thorough, length)) for length in ArticleLength]
    assert levels[0] in COVERED
    assert levels[-1] not in COVERED


@given(EVIDENCE)
def test_a_longer_article_is_never_covered_better(evidence: CoverageEvidence) -> None:
    scores = [probability(evidence, length) for length in ArticleLength]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("calibration", "inputs"),
    [
        (coverage_weights.WORDS, features(CoverageEvidence())),
        (coverage_weights.LONG, features_of_long(CoverageEvidence())),
        (coverage_weights.SHORT, features_of_short(CoverageEvidence())),
    ],
)
def test_the_weights_are_of_the_features_and_none_is_negative(
    calibration: Calibration, inputs: dict[str, float]
) -> None:
    assert set(calibration.weights) == set(inputs)
    assert min(calibration.weights.values()) >= 0
    assert list(calibration.cuts) == sorted(set(calibration.cuts))


@given(st.floats(0, 100), st.floats(0, 100))
def test_a_higher_score_is_never_a_lower_level(a: float, b: float) -> None:
    low, high = sorted((a, b))
    for calibration in (coverage_weights.WORDS, coverage_weights.SHORT):
        assert LEVELS.index(level_of(low, calibration.cuts)) <= LEVELS.index(level_of(high, calibration.cuts))
