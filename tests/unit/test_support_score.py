"""What the score of a sentence is made of, and how its weights are fitted."""

import pytest
from attrs import evolve
from benchmarks.quality.fit_grounding import Seen, fit, written
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import Verdict
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding import support_weights
from contentgen_core.policies.grounding.finding import SUPPORTED_FROM
from contentgen_core.policies.grounding.support_score import About, Same, score
from contentgen_core.policies.grounding.support_weights import BY_MEANING, BY_WORDS
from contentgen_core.policies.grounding.verifier import Explanation, Verifier
from contentgen_core.testing.builders import kb_document, passage

ANALYSIS = IcuTextAnalysis()
WALLS = passage(
    kb_document(title="Walls"),
    "Insulation reduces the heat loss of a wall. Paint has no influence on damp. It costs 40 euros a square metre.",
)

SHARES = st.floats(0, 1)
ABOUTS = st.builds(About, close=SHARES, anywhere=SHARES, missing=st.sampled_from([0.0, 1.0]), near=st.none() | SHARES)
SAMES = st.builds(Same, agreed=st.floats(-1, 1), negated=st.sampled_from([0.0, 1.0]))


def explain(text: str) -> Explanation:
    return Verifier({WALLS.ref: WALLS}, ANALYSIS).explain(DraftSentence(text, (WALLS.ref,)), Language.EN)


def test_an_explanation_names_what_speaks_for_and_against() -> None:
    faithful, foreign = explain("Insulation reduces heat loss."), explain("Cheese ripens slowly.")
    assert faithful.features[0].close == faithful.features[0].anywhere == 1.0
    assert foreign.features[0].anywhere == 0.0
    assert faithful.features[1].agreed > 0 > explain("Insulation increases heat loss.").features[1].agreed
    assert explain("Paint influences damp.").features[1].negated == 1.0
    assert explain("It costs 50 euros a square metre.").missing == ("50 euros",)
    assert explain("It costs 50 euros a square metre.").features[0].missing == 1.0
    assert explain("Insulation increases the heat loss of a wall.").opposed
    assert not explain("Insulation reduces the heat loss of a wall.").opposed


def test_a_verdict_follows_from_its_explanation() -> None:
    verifier = Verifier({WALLS.ref: WALLS}, ANALYSIS)
    for text in ("Insulation reduces heat loss.", "Cheese ripens slowly.", "Insulation increases heat loss."):
        sentence = DraftSentence(text, (WALLS.ref,))
        explained = verifier.explain(sentence, Language.EN)
        holds = score(explained.features) >= SUPPORTED_FROM and not (explained.missing or explained.opposed)
        assert (verifier.check(sentence, Language.EN).verdict is Verdict.SUPPORTED) is holds


@given(ABOUTS, SAMES, SHARES)
def test_more_evidence_never_lowers_a_score(about: About, same: Same, more: float) -> None:
    assert 0.0 <= score((about, same)) <= 1.0
    assert score((evolve(about, close=max(about.close, more)), same)) >= score((about, same))
    assert score((evolve(about, anywhere=max(about.anywhere, more)), same)) >= score((about, same))
    assert score((about, evolve(same, agreed=max(same.agreed, more)))) >= score((about, same))
    assert score((evolve(about, missing=1.0), same)) <= score((about, same))
    assert score((about, evolve(same, negated=1.0))) <= score((about, same))
    if about.near is not None:
        assert score((evolve(about, near=max(about.near, more)), same)) >= score((about, same))


def test_a_sentence_whose_words_are_all_found_holds_without_a_direction() -> None:
    assert score((About(close=1.0, anywhere=1.0, missing=0.0), Same(agreed=0.0, negated=0.0))) >= 0.5


def test_the_committed_weights_are_as_the_fit_writes_them() -> None:
    with open(support_weights.__file__, encoding="utf-8") as module:
        assert module.read() == written(BY_WORDS, BY_MEANING)


@pytest.mark.parametrize("known", [False, True])
def test_a_fit_tells_the_matter_from_what_is_said_of_it(known: bool) -> None:
    def seen(kind: str, close: float, agreed: float) -> Seen:
        return Seen(kind, (About(close, close, 0.0, close if known else None), Same(agreed, 0.0)), may=True)

    fitted = fit(
        [seen("SUPPORT", 0.8 + i / 100, 0.5) for i in range(9)]
        + [seen("CONTRADICT", 0.8 + i / 100, -0.5) for i in range(9)]
        + [seen(kind, 0.2 + i / 100, 0.5) for i in range(9) for kind in ("no evidence", "nearest other")]
        + [seen("random other", 0.0, 0.0)]
    )
    assert fitted.about["close"] > 0
    assert ("near" in fitted.about) is known
    assert fitted.about.get("near", 1.0) > 0
    assert fitted.same["agreed"] > 0
    assert fitted.same["negated"] == pytest.approx(0.0)
    assert 0.0 < fitted.enough < 1.0
