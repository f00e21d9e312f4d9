"""No section says what one before it said, and none says a thing twice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.article import Usage
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.drafting import DraftParagraph, DraftSentence, SectionDraft
from contentgen_core.model.grounding import SentenceReceipt, Support, Verdict
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.repetition import SAME_WORDS, without_repetitions

ANALYSIS = IcuTextAnalysis()
SOURCE = SourceRef(DocumentId("a"), 0)
FIRST = "A heat pump takes heat from the cold air outdoors."
SAME = "From the cold air outdoors, a heat pump takes heat."
PARAPHRASE = "Warmth in winter air is collected by the unit."
OTHER = "Insulation comes before the boiler is chosen."


def section(*texts: str) -> SectionDraft:
    return SectionDraft("H", (DraftParagraph(tuple(DraftSentence(t, (SOURCE,)) for t in texts)),), Usage("test"))


def kept(*sections: SectionDraft, **known: object) -> list[list[str]]:
    found = without_repetitions(
        dict(enumerate(sections)),
        known.get("receipts", {}),  # type: ignore[arg-type]
        known.get("vectors", {}),  # type: ignore[arg-type]
        Language.EN,
        ANALYSIS,
    )
    return [[s.text for s in found[position].sentences] for position in sorted(found)]


def test_the_same_words_are_said_once() -> None:
    assert kept(section(FIRST, OTHER), section(SAME, PARAPHRASE), section(OTHER, "Rest.")) == [
        [FIRST, OTHER],
        [PARAPHRASE],
        ["Rest."],
    ]


def test_what_continues_a_dropped_sentence_goes_with_it() -> None:
    it = DraftSentence("It warms the rooms.", (SOURCE,), continues=True)
    also = DraftSentence("That also dries them.", (SOURCE,), continues=True)
    again = SectionDraft(
        "H", (DraftParagraph((DraftSentence(SAME, (SOURCE,)), it, also, DraftSentence(PARAPHRASE))),), Usage("test")
    )
    assert kept(section(FIRST), again, section("Rest.")) == [[FIRST], [PARAPHRASE], ["Rest."]]


def test_another_figure_is_another_statement() -> None:
    ten, nine = "The warranty of the pump covers 10 years.", "The warranty of the pump covers 9 years."

    assert kept(section(ten), section(nine, OTHER), section("Rest.")) == [[ten], [nine, OTHER], ["Rest."]]


@pytest.mark.parametrize(("near", "dropped"), [(0.97, True), (0.93, False)])
def test_the_same_meaning_is_said_once(near: float, dropped: bool) -> None:
    vectors = {FIRST: (1.0, 0.0), PARAPHRASE: (near, (1 - near**2) ** 0.5), OTHER: (0.0, 1.0)}

    said = kept(section(FIRST), section(PARAPHRASE, OTHER), section("Rest."), vectors=vectors)

    assert said[1] == ([OTHER] if dropped else [PARAPHRASE, OTHER])


def test_what_rests_on_the_same_words_repeats_sooner() -> None:
    vectors = {FIRST: (1.0, 0.0), PARAPHRASE: (0.93, (1 - 0.93**2) ** 0.5)}
    receipts = {
        DraftSentence(text, (SOURCE,)): SentenceReceipt(text, (), Verdict.SUPPORTED, Support(SOURCE, "h", 0, 50, 0.9))
        for text in (FIRST, PARAPHRASE)
    }

    said = kept(section(FIRST), section(PARAPHRASE, OTHER), section("Rest."), vectors=vectors, receipts=receipts)

    assert said[1] == [OTHER]


def test_the_last_section_may_gather_what_was_said() -> None:
    vectors = {FIRST: (1.0, 0.0), PARAPHRASE: (1.0, 0.0)}

    assert kept(section(FIRST), section(PARAPHRASE, SAME), vectors=vectors) == [[FIRST], [PARAPHRASE]]


def resting_together(*texts: str) -> dict[DraftSentence, SentenceReceipt]:
    """Receipts of sentences that the same words of a passage support."""
    support = Support(SOURCE, "h", 0, 50, 0.9)
    return {DraftSentence(t, (SOURCE,)): SentenceReceipt(t, (), Verdict.SUPPORTED, support) for t in texts}


@pytest.mark.parametrize("again", [FIRST, f"Put differently, {FIRST}"])
def test_a_section_says_a_thing_once(again: str) -> None:
    assert kept(section(FIRST, OTHER, again), section("Rest.")) == [[FIRST, OTHER], ["Rest."]]


def test_words_in_another_order_say_the_same_where_they_rest_on_the_same_words() -> None:
    assert kept(section(FIRST, SAME), section("Rest."))[0] == [FIRST, SAME]
    assert kept(section(FIRST, SAME), section("Rest."), receipts=resting_together(FIRST, SAME))[0] == [FIRST]


def test_a_paraphrase_within_a_section_is_known_by_its_meaning() -> None:
    vectors = {FIRST: (1.0, 0.0), PARAPHRASE: (0.97, 0.243), OTHER: (0.0, 1.0)}

    assert kept(section(FIRST, OTHER, PARAPHRASE), section("Rest."), vectors=vectors)[0] == [FIRST, OTHER]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The warranty of the pump covers 10 years.", "The warranty of the pump covers 9 years."),
        ("In winter the pump by Daikin heats the house.", "In winter the pump by Bosch heats the house."),
        ("In winter the pump heats the whole house.", "In winter the pump of Daikin heats the whole house."),
        ("Heat pumps of this size heat the rooms.", "Heat pumps of this size do not heat the rooms."),
        ("Heat pumps of this size suit old houses well.", "Heat pumps of this size suit new houses well."),
        ("Heat pumps of this size pay off after renovation.", "Heat pumps of this size pay off before renovation."),
        ("Small pumps cost 40 euros and big pumps 90 euros.", "Small pumps cost 90 euros and big pumps 40 euros."),
        ("Most pumps by Daikin are quieter than Bosch pumps.", "Most pumps by Bosch are quieter than Daikin pumps."),
    ],
)
def test_what_differs_in_a_word_that_counts_is_another_statement(one: str, other: str) -> None:
    known = {"vectors": {one: (1.0, 0.0), other: (1.0, 0.0)}, "receipts": resting_together(one, other)}

    assert kept(section(one, other), section("Rest."), **known)[0] == [one, other]


def test_what_may_speak_of_something_else_is_dropped_only_where_it_rests_on_the_same_words() -> None:
    it = "It stays quiet and needs little space."
    again = f"Therefore: {it}"
    texts = (OTHER, it, FIRST, again)

    assert kept(section(*texts), section("Rest."))[0] == list(texts)
    assert kept(section(*texts), section("Rest."), receipts=resting_together(*texts))[0] == [OTHER, it, FIRST]


def test_what_belongs_together_stays_within_a_section() -> None:
    quoted = DraftSentence(FIRST, (SOURCE,), quotation=True)
    again, it = DraftSentence(SAME, (SOURCE,)), DraftSentence("It warms the rooms.", (SOURCE,), continues=True)
    draft = SectionDraft("H", (DraftParagraph((DraftSentence(FIRST), quoted, again, it)),), Usage("test"))

    assert kept(draft, section("Rest."))[0] == [FIRST, FIRST, SAME, it.text]


WORDS = st.lists(st.sampled_from("heat pump house winter cold warm noise price".split()), min_size=3, max_size=6)  # noqa: SIM905
TEXTS = st.lists(WORDS.map(" ".join), min_size=1, max_size=4)


@given(st.lists(TEXTS, min_size=2, max_size=4))
def test_nothing_nearly_identical_is_left_beside_a_sections_only_sentence(texts: list[list[str]]) -> None:
    sections = [section(*each) for each in texts]
    said = kept(*sections)

    assert all(said)
    assert kept(*(section(*each) for each in said)) == said
    for later in range(1, len(said)):
        if len(set(said[later])) > 1:
            terms = [frozenset(ANALYSIS.terms(text, Language.EN)) for text in said[later]]
            before = [frozenset(ANALYSIS.terms(t, Language.EN)) for each in said[:later] for t in each]
            pairs = [(a, b) for a in terms for b in before if min(len(a), len(b)) >= 3]
            assert all(len(a & b) / min(len(a), len(b)) < SAME_WORDS for a, b in pairs)


@given(TEXTS, TEXTS)
def test_within_a_section_only_what_another_sentence_says_is_dropped(one: list[str], other: list[str]) -> None:
    said = kept(section(*one, *other), section("Rest."))[0]
    dropped = [text for text in (*one, *other) if text not in said]
    long = [text for text in said if len(_terms(text)) >= 3]

    assert said[0] == one[0]
    assert len(long) == len(set(long))
    assert all(any(_share(text, left) >= SAME_WORDS for left in said) for text in dropped)


def _share(one: str, other: str) -> float:
    ours, theirs = _terms(one), _terms(other)
    return len(ours & theirs) / min(len(ours), len(theirs))


def _terms(text: str) -> frozenset[str]:
    return frozenset(ANALYSIS.terms(text, Language.EN))
