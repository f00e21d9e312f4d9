"""How an entailment model's judgements enter the grounding check."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.errors import NotConfigured, ProviderFailed
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.entailment import MAX_HYPOTHESIS, MAX_PREMISE, Judgement, Pair
from contentgen_core.model.grounding import LEXICAL, Grounding, SentenceReceipt, Support, Verdict
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.entailment import Question, decide, decide_each, open_questions
from contentgen_core.policies.grounding.verifier import Verifier, receipt
from contentgen_core.ports.entailment import MAX_PAIRS, require_bounded
from contentgen_core.testing.builders import kb_document, passage
from contentgen_core.testing.strategies import WORDS
from contentgen_core.use_cases.grounding.checking import check
from tests.support.scripted_entailment import DENIES, ENTAILS, SILENT, ScriptedEntailment

ANALYSIS = IcuTextAnalysis()
EN = Language.EN
DOWN = ProviderFailed("entailment", "away", retryable=True)

HEAT = passage(
    kb_document(title="Heat"), "A heat pump moves heat into the house. It needs 1 kWh of power for 3 kWh of heat."
)
NOISE = passage(
    kb_document(title="Noise"), "The fan makes most of the noise. Is a quiet fan worth its price?", chunk_index=4
)
TWISTED = DraftSentence("Of the noise, the fan makes next to nothing.", (NOISE.ref,))
PARAPHRASE = DraftSentence("There are fans for all those who are noisy.", (NOISE.ref,))
COUNTED = DraftSentence("The fan makes 45 dB of the noise.", (NOISE.ref,))
VERBATIM = DraftSentence("The fan makes most of the noise.", (NOISE.ref,))
QUOTED = DraftSentence("The fan makes most of the noise", (NOISE.ref,), quotation=True)
UNSOURCED = DraftSentence("Nobody knows.")
ALL = (TWISTED, PARAPHRASE, COUNTED, VERBATIM, QUOTED, UNSOURCED)


def verifier(*passages: Passage) -> Verifier:
    return Verifier({p.ref: p for p in passages or (HEAT, NOISE)}, ANALYSIS)


def questions_on(sentences: Sequence[DraftSentence], *passages: Passage) -> list[Question]:
    over = verifier(*passages)
    return open_questions(over, over.check_each(sentences, EN), EN)


async def checked(sentence: DraftSentence, model: ScriptedEntailment | None) -> SentenceReceipt:
    [found] = (await check([sentence], verifier(), EN, model)).values()
    return found


async def test_a_contradiction_that_words_accept_is_caught() -> None:
    assert (await checked(TWISTED, None)).verdict is Verdict.SUPPORTED
    found = await checked(TWISTED, ScriptedEntailment({TWISTED.text: DENIES}))
    assert (found.verdict, found.verifier, found.citations_needed) == (Verdict.UNSUPPORTED, "scripted-nli", 0)
    assert found.support is not None
    assert found.support.score < 0.5


async def test_a_paraphrase_that_words_refuse_is_accepted() -> None:
    assert (await checked(PARAPHRASE, None)).verdict is Verdict.UNSUPPORTED
    found = await checked(PARAPHRASE, ScriptedEntailment({PARAPHRASE.text: ENTAILS}))
    assert (found.verdict, found.verifier, found.citations_needed) == (Verdict.SUPPORTED, "scripted-nli", 1)
    assert found.support is not None
    assert (found.support.source, found.support.score) == (NOISE.ref, 0.9)
    assert NOISE.text[found.support.start : found.support.end] in NOISE.text.split(". ")[0] + "."


async def test_what_is_neither_said_nor_denied_is_not_supported() -> None:
    assert (await checked(TWISTED, ScriptedEntailment(otherwise=SILENT))).verdict is Verdict.UNSUPPORTED


async def test_a_missing_number_is_refused_even_when_the_model_says_entailment() -> None:
    model = ScriptedEntailment(otherwise=ENTAILS)
    found = await checked(COUNTED, model)
    assert (found.verdict, found.verifier, found.missing_facts) == (Verdict.UNSUPPORTED, LEXICAL, ("45 dB",))
    assert not model.calls  # nor is it asked


@pytest.mark.parametrize("sentence", [VERBATIM, QUOTED, UNSOURCED, evolve(VERBATIM, sources=(NOISE.ref, HEAT.ref))])
async def test_what_rules_can_tell_for_certain_is_not_asked(sentence: DraftSentence) -> None:
    model = ScriptedEntailment(otherwise=DENIES)
    assert await checked(sentence, model) == await checked(sentence, None)
    assert not model.calls


async def test_without_a_model_receipts_are_those_of_the_rules() -> None:
    for sentence in ALL:
        assert await checked(sentence, None) == verifier().check(sentence, EN)


async def test_a_failing_model_leaves_the_verdicts_of_the_rules() -> None:
    found = await check(ALL, verifier(), EN, ScriptedEntailment(None, DOWN))
    assert found == {s: verifier().check(s, EN) for s in ALL}


async def test_a_model_that_is_not_set_up_says_so() -> None:
    with pytest.raises(NotConfigured):
        await checked(TWISTED, ScriptedEntailment(None, NotConfigured("No order.", "CONTENTGEN_ENTAILMENT_LABELS")))


async def test_one_call_judges_a_section_and_nothing_is_asked_twice() -> None:
    model = ScriptedEntailment(otherwise=ENTAILS)
    section = await check([*ALL, PARAPHRASE], verifier(NOISE), EN, model)
    assert [{pair.hypothesis for pair in call} for call in model.calls] == [{TWISTED.text, PARAPHRASE.text}]
    article = await check(ALL, verifier(), EN, model, section)
    assert len(model.calls) == 1
    assert article == section
    assert article[PARAPHRASE].verdict is Verdict.SUPPORTED


async def test_a_sentence_is_judged_again_where_more_of_what_it_cites_is_given() -> None:
    model, both = ScriptedEntailment(otherwise=ENTAILS), evolve(PARAPHRASE, sources=(NOISE.ref, HEAT.ref))
    section = await check([both], verifier(NOISE), EN, model)
    article = await check([both], verifier(), EN, model, section)
    assert len(model.calls) == 2
    assert (list(section), list(article)) == ([PARAPHRASE], [both])


async def test_many_sentences_are_asked_in_calls_of_bounded_size_and_a_failure_keeps_what_was_judged() -> None:
    many = [DraftSentence(f"The price of a fan is {'very ' * i}quiet.", (NOISE.ref,)) for i in range(MAX_PAIRS)]

    class Tiring(ScriptedEntailment):
        async def judge(self, pairs: object) -> list[Judgement]:
            if self.calls:
                raise DOWN
            return await super().judge(pairs)  # type: ignore[arg-type]

    found = await check(many, verifier(), EN, Tiring(otherwise=ENTAILS))
    judged = [found[sentence].verifier for sentence in many]
    assert judged == ["scripted-nli"] * (MAX_PAIRS // 2) + [LEXICAL] * (MAX_PAIRS // 2)


def test_a_receipt_names_the_model_that_judged_some_of_its_sentences() -> None:
    by_rules, by_model = SentenceReceipt("A.", (), Verdict.SUPPORTED), SentenceReceipt("B.", (), Verdict.SUPPORTED)

    def of(*sentences: SentenceReceipt) -> Grounding:
        return receipt(sentences, citations_made=0, citations_valid=0)

    assert of().verifier == of(by_rules).verifier == LEXICAL
    assert of(by_rules, evolve(by_model, verifier="nli-1")).verifier == "nli-1"


def test_a_question_shows_the_window_with_its_neighbours_and_then_the_whole_passage() -> None:
    names = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")
    text = " ".join(f"The fact {name} is told here." for name in names)
    source = passage(kb_document(title="Facts"), text.replace("epsilon is told", "epsilon is told by the fan"))
    sentence = DraftSentence("By the fan the fact epsilon is told.", (source.ref,))
    [question] = questions_on([sentence], source)
    near, wide = question.pairs
    assert near.hypothesis == wide.hypothesis == sentence.text
    assert [name for name in names if name in near.premise] == ["gamma", "delta", "epsilon", "zeta", "eta"]
    assert near.premise.startswith("Facts\nThe fact gamma ")
    assert wide.premise == f"Facts\n{source.text}"


def test_a_passage_without_an_end_is_cut_at_the_bound() -> None:
    source = passage(kb_document(title="Heat"), "heat pump and house " * 300)
    [question] = questions_on([DraftSentence("A house has some heat.", (source.ref,))], source)
    require_bounded(question.pairs)
    assert MAX_PREMISE - 10 < len(question.pairs[-1].premise) <= MAX_PREMISE


def test_judgements_that_do_not_fit_the_questions_are_refused() -> None:
    with pytest.raises(ValueError, match="judgements"):
        decide_each(questions_on(ALL), [ENTAILS] * 50, "nli")


@given(
    texts=st.lists(
        st.lists(st.sampled_from([*WORDS, ".", ". ", "\n\n"]), min_size=1, max_size=600).map(" ".join),
        min_size=1,
        max_size=12,
    ),
    title=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=400),
    said=st.lists(st.sampled_from(WORDS), min_size=1, max_size=500).map(" ".join),
)
def test_every_question_keeps_the_bounds_of_the_port(texts: list[str], title: str, said: str) -> None:
    sources = [passage(kb_document(title=title), text, heading=title[::-1]) for text in texts]
    asked = questions_on([DraftSentence(said, tuple(s.ref for s in sources))], *sources)
    for question in asked:
        require_bounded(question.pairs)
        assert all(pair.premise.strip() for pair in question.pairs)
        assert question.support.source in {s.ref for s in sources}
    assert MAX_PREMISE <= MAX_HYPOTHESIS  # a sentence that would fill a premise still fits


@st.composite
def judgements(draw: st.DrawFn) -> Judgement:
    low, high = sorted((draw(st.floats(0, 1)), draw(st.floats(0, 1))))
    return Judgement(low, high - low, 1.0 - high)


def asked(*, missing: tuple[str, ...] = (), needed: int = 0) -> Question:
    support = Support(SourceRef(DocumentId("d"), 0), "h", 0, 5, 0.3)
    found = SentenceReceipt("It is.", (), Verdict.SUPPORTED, support, missing, needed)
    return Question(DraftSentence("It is."), found, support, (Pair("p", "It is."),))


SEVERAL = st.lists(judgements(), min_size=1, max_size=3)


@given(SEVERAL)
def test_the_score_tells_the_verdict_and_the_order_of_premises_is_nothing(found: list[Judgement]) -> None:
    decided = decide(asked(), found, "nli")
    assert decided == decide(asked(), found[::-1], "nli")
    assert decided.support is not None
    holds = decided.verdict is Verdict.SUPPORTED
    assert decided.support.score >= 0.5 if holds else decided.support.score <= 0.5
    assert decided.citations_needed == int(holds)


def test_a_wider_premise_that_contradicts_outweighs_a_near_one_that_entails_less_surely() -> None:
    assert decide(asked(), [ENTAILS, Judgement(0.01, 0.04, 0.95)], "nli").verdict is Verdict.UNSUPPORTED
    assert decide(asked(), [ENTAILS, Judgement(0.1, 0.2, 0.7)], "nli").verdict is Verdict.SUPPORTED


@given(SEVERAL)
def test_no_judgement_makes_up_for_a_missing_fact(found: list[Judgement]) -> None:
    decided = decide(asked(missing=("45 dB",)), [*found, ENTAILS], "nli")
    assert decided.verdict is Verdict.UNSUPPORTED


@given(SEVERAL, judgements())
def test_a_premise_that_contradicts_never_helps_and_one_that_entails_never_hurts(
    found: list[Judgement], other: Judgement
) -> None:
    before = decide(asked(), found, "nli").verdict
    after = decide(asked(), [*found, other], "nli").verdict
    if other.entailment <= max(j.entailment for j in found):
        assert before is Verdict.SUPPORTED or after is Verdict.UNSUPPORTED
    if other.contradiction <= max(j.contradiction for j in found):
        assert before is Verdict.UNSUPPORTED or after is Verdict.SUPPORTED


@given(judgements())
def test_one_premise_supports_from_even_odds_on(found: Judgement) -> None:
    holds = decide(asked(), [found], "nli").verdict is Verdict.SUPPORTED
    assert holds == (found.entailment >= 0.5 and found.contradiction < found.entailment)


@pytest.mark.parametrize("values", [(0.5, 0.5, 0.5), (1.2, -0.1, -0.1), (float("nan"), 0.5, 0.5), (0.0, 0.0, 0.0)])
def test_a_judgement_is_a_distribution(values: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="sum to 1"):
        Judgement(*values)
