import gc
import random
import weakref

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import GroundingLevel, SentenceReceipt, Verdict
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.evidence import ParsedPassages
from contentgen_core.policies.grounding.verifier import Verifier, check_sentence, receipt
from contentgen_core.policies.text.verbatim import Letters, longest_verbatim_run
from contentgen_core.testing.builders import kb_document, passage

ANALYSIS = IcuTextAnalysis()
EN, FR, DE = Language.EN, Language.FR, Language.DE

HEAT = passage(
    kb_document(title="Heat pump basics"),
    "A heat pump with a COP of 3 delivers 3 kWh of heat for every 1 kWh of electricity. "
    "Typical units from Daikin cost 12,500 euros and last about 20 years. "
    "A small backup heater is not necessary in mild climates. "
    "Lower flow temperatures increase the efficiency of the unit by 2.5 percent per degree. "
    "The first model was sold on 12 March 1978 in Zurich.",
)
NOISE = passage(
    kb_document(title="Noise"),
    "The fan makes most of the noise. “Nobody hears a fan at ten metres,” says the institute.",
)
FRENCH = passage(
    kb_document(title="Pompes à chaleur", language=FR),
    "Une pompe à chaleur coûte 12 500 € et dure environ douze ans. Le bruit ne dépasse pas 45 décibels la nuit. "
    "En mars 2024, l'aide de l'ADEME a augmenté de 3,5 %.",
)
ALL = {p.ref: p for p in (HEAT, NOISE, FRENCH)}


def check(text: str, *cited: Passage, language: Language = EN, quotation: bool = False) -> SentenceReceipt:
    sentence = DraftSentence(text, tuple(p.ref for p in cited), quotation)
    return check_sentence(sentence, ALL, ANALYSIS, language)


FAITHFUL = [
    "A heat pump with a COP of 3 delivers 3 kWh of heat for every 1 kWh of electricity.",
    "With a COP of 3, a heat pump delivers 3 kWh of heat for 1 kWh of electricity.",
    "A typical Daikin unit costs €12,500 and lasts about 20 years.",
    "Typical units cost 12 500 euros.",
    "In mild climates a small backup heater is not necessary.",
    "Lower flow temperatures increase efficiency by 2.5% per degree.",
    "The first heat pump model was sold in Zurich on 12 March 1978.",
]


def test_what_a_check_took_apart_is_freed_with_it_and_waits_for_no_collection() -> None:
    gc.disable()
    try:
        parsed = ParsedPassages(ANALYSIS)
        for sentence in (DraftSentence(text, tuple(ALL)) for text in FAITHFUL):
            Verifier(ALL, ANALYSIS, parsed).check(sentence, EN)
        kept = [weakref.ref(parsed.of(passage, EN)) for passage in ALL.values()]
        assert all(each() for each in kept)
        del parsed
        assert not any(each() for each in kept)
    finally:
        gc.enable()


@pytest.mark.parametrize("text", FAITHFUL)
def test_what_the_source_says_is_supported(text: str) -> None:
    found = check(text, HEAT)
    assert (found.verdict, found.missing_facts) == (Verdict.SUPPORTED, ())
    assert found.citations_needed == 1
    assert found.support is not None
    assert found.support.source == HEAT.ref
    assert found.support.content_hash == HEAT.content_hash


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("A heat pump with a COP of 4 delivers 3 kWh of heat for every 1 kWh of electricity.", "4"),
        ("A heat pump with a COP of 3 delivers 3 MWh of heat for every 1 kWh of electricity.", "3 MWh"),
        ("Typical units from Daikin cost 1,250 euros and last about 20 years.", "1,250 euros"),
        ("Typical units from Daikin cost 12,500 dollars and last about 20 years.", "12,500 dollars"),
        ("Typical units from Vaillant cost 12,500 euros and last about 20 years.", "Vaillant"),
        ("Typical units from Daikin cost 12,500 euros and last about 20 months.", "20 months"),
        ("Lower flow temperatures increase the efficiency of the unit by 25 percent per degree.", "25 percent"),
        ("The first model was sold on 12 May 1978 in Zurich.", "May"),
        ("The first model was sold on 12 March 1978 in Vienna.", "Vienna"),
        ("Typical units from Daikin cost 12.5 million euros and last about 20 years.", "12.5 million euros"),
    ],
)
def test_a_changed_fact_is_flagged(text: str, missing: str) -> None:
    found = check(text, HEAT)
    assert found.verdict is Verdict.UNSUPPORTED
    assert missing in found.missing_facts


@pytest.mark.parametrize(
    "text",
    [
        "A small backup heater is necessary in mild climates.",
        "Lower flow temperatures reduce the efficiency of the unit by 2.5 percent per degree.",
        "Typical units from Daikin do not last about 20 years.",
        "A small backup heater is not never necessary in mild climates.",
        "The moon is made of cheese and rock.",
    ],
)
def test_the_opposite_and_the_unrelated_are_not_supported(text: str) -> None:
    assert check(text, HEAT).verdict is Verdict.UNSUPPORTED


def test_figures_are_compared_across_ways_of_writing_them() -> None:
    for text in ("Une pompe à chaleur coûte 12.500 euros.", "La pompe à chaleur dure environ 12 ans."):
        assert check(text, FRENCH, language=FR).verdict is Verdict.SUPPORTED, text
    assert "dix ans" in check("Une pompe à chaleur dure environ dix ans.", FRENCH, language=FR).missing_facts
    assert check("En mars 2024, l'aide de l'ADEME a augmenté de 3.5 %.", FRENCH, language=FR).missing_facts == ()
    assert "mai" in check("En mai 2024, l'aide de l'ADEME a augmenté de 3,5 %.", FRENCH, language=FR).missing_facts
    assert check("Le bruit dépasse 45 décibels la nuit.", FRENCH, language=FR).verdict is Verdict.UNSUPPORTED


def test_a_figure_put_in_anothers_place_is_flagged_although_the_source_has_it() -> None:
    air = passage(
        text="Humidity between about 40 and 60 percent is comfortable for most people. Mould grows above 70 percent. "
        "Replacing two or three undersized radiators is often enough to bring the temperature down."
    )
    for text, missing in (
        ("Humidity between about 40 and 70 percent is comfortable for most people.", "70 percent"),
        ("Replacing three or three undersized radiators is often enough to bring the temperature down.", "three"),
    ):
        found = check_sentence(DraftSentence(text, (air.ref,)), {air.ref: air}, ANALYSIS, EN)
        assert found.verdict is Verdict.UNSUPPORTED
        assert missing in found.missing_facts


@pytest.mark.parametrize(
    ("source", "text", "missing"),
    [
        ("Blocking CTLA-4 and PD-L1 helps in chronic kidney disease.", "Blocking CTLA4 helps in kidney disease.", ()),
        ("Blocking CTLA4 helps in kidney disease.", "Blocking CTLA-4 helps in kidney disease.", ()),
        ("Blocking CTLA-4 helps in kidney disease.", "Blocking CTLA-5 helps in kidney disease.", ("5", "CTLA-5")),
        ("Patients with chronic kidney disease need care.", "Chronic kidney disease (CKD) patients need care.", ()),
        (
            "Patients with chronic heart disease need care.",
            "Chronic kidney disease (CKD) patients need care.",
            ("CKD", "kidney"),
        ),
        ("A dose of 400 mg is enough for an adult.", "For an adult a dose of 400mg is enough.", ()),
        ("A dose of 400 mg is enough for an adult.", "For an adult a dose of 400mg/day is enough.", ("day",)),
        ("The clock of NIH3T3 cells is robust.", "The clock of NIH 3T3 cells is robust.", ()),
        ("The clock of NIH3T3 cells is robust.", "The clock of NIH 3T4 cells is robust.", ("NIH", "3T4", "3T")),
        ("The receptor ROR-γ is a target.", "The receptor RORγ is a target.", ()),
        ("The receptor ROR-γ is a target.", "The receptor RORβ is a target.", ("RORβ",)),
        ("Patients with sickle cell disease need care.", "SCD patients need care.", ()),
        ("Patients with sickle cell disease need care.", "SCE patients need care.", ("SCE",)),
        ("Sickle, cell by cell: a disease needs care.", "SCD patients need care.", ("SCD", "patients")),
        ("It rests on break-induced DNA replication.", "It rests on break-induced replication (BIR).", ()),
        (
            "It rests on break-induced replication.",
            "It rests on break-induced cell replication (BCR).",
            ("BCR", "cell"),
        ),
        ("They were seen in both 55- and 65-year-old people.", "It was seen in people of 55 years.", ()),
        ("A dose of 400 mg is enough for an adult.", "For an adult a dose of 500mg is enough.", ("500mg",)),
    ],
)
def test_codes_and_abbreviations_are_compared_as_they_may_be_written(
    source: str, text: str, missing: tuple[str, ...]
) -> None:
    given = passage(text=source)
    found = check_sentence(DraftSentence(text, (given.ref,)), {given.ref: given}, ANALYSIS, EN)
    assert bool(found.missing_facts) is bool(missing), found.missing_facts
    assert set(found.missing_facts) <= {*missing, "CTLA"}


def test_a_part_of_a_sentence_that_denies_it_is_not_supported() -> None:
    denial = passage(text="It is not true that modern heat pumps are loud.")
    part = DraftSentence("modern heat pumps are loud", (denial.ref,))
    assert check_sentence(part, {denial.ref: denial}, ANALYSIS, EN).verdict is Verdict.UNSUPPORTED


def test_the_span_is_the_sentence_that_supports() -> None:
    found = check("A small backup heater is not necessary in a mild climate.", HEAT)
    assert found.support is not None
    assert HEAT.text[found.support.start : found.support.end] == (
        "A small backup heater is not necessary in mild climates."
    )


def test_a_quotation_must_match_word_for_word() -> None:
    exact = check("Nobody hears a fan at ten metres", NOISE, quotation=True)
    assert exact.verdict is Verdict.SUPPORTED
    assert exact.support is not None
    assert NOISE.text[exact.support.start : exact.support.end] == "Nobody hears a fan at ten metres"
    assert check("Nobody hears a fan at nine metres", NOISE, quotation=True).verdict is Verdict.UNSUPPORTED
    assert check("Nobody hears a fan at ten metres", HEAT, quotation=True).verdict is Verdict.UNSUPPORTED


def test_words_in_quotation_marks_must_be_the_sources_own() -> None:
    assert check("The institute says “nobody hears the fan at ten metres”.", NOISE).missing_facts != ()
    assert check("The institute says “Nobody hears a fan at ten metres”.", NOISE).missing_facts == ()


def test_two_sources_can_support_a_sentence_together() -> None:
    text = "A heat pump with a COP of 3 delivers 3 kWh of heat while the fan makes most of the noise."
    assert check(text, HEAT, NOISE).verdict is Verdict.SUPPORTED
    assert check(text, HEAT, NOISE).citations_needed == 2


def test_a_citation_that_adds_nothing_is_not_needed() -> None:
    found = check("The fan makes most of the noise.", NOISE, HEAT)
    assert (found.verdict, found.citations_needed) == (Verdict.SUPPORTED, 1)


def test_a_sentence_without_a_source_is_told_apart_from_one_in_an_unsourced_article() -> None:
    assert check("The fan makes most of the noise.").verdict is Verdict.UNSUPPORTED
    unknown = DraftSentence("The fan makes most of the noise.", (SourceRef("nobody", 3),))
    assert check_sentence(unknown, ALL, ANALYSIS, EN).verdict is Verdict.UNSUPPORTED
    assert check_sentence(unknown, {}, ANALYSIS, EN).verdict is Verdict.UNSOURCED


SENTENCES = [(HEAT, span.of(HEAT.text), EN) for span in ANALYSIS.sentences(HEAT.text, EN)] + [
    (FRENCH, span.of(FRENCH.text), FR) for span in ANALYSIS.sentences(FRENCH.text, FR)
]


@given(st.sampled_from(SENTENCES))
def test_every_sentence_of_a_source_is_supported_by_it(sample: tuple[Passage, str, Language]) -> None:
    source, text, language = sample
    found = check(text, source, language=language)
    assert (found.verdict, found.support and found.support.score) == (Verdict.SUPPORTED, 1.0)


@given(st.sampled_from([s for s in SENTENCES if any(c.isdigit() for c in s[1])]), st.integers(0, 9), st.randoms())
def test_any_altered_figure_is_flagged(
    sample: tuple[Passage, str, Language], digit: int, chance: random.Random
) -> None:
    source, text, language = sample
    at = chance.choice([i for i, c in enumerate(text) if c.isdigit()])
    altered = text[:at] + str(digit) + "7" + text[at + 1 :]
    found = check(altered, source, language=language)
    assert found.verdict is Verdict.UNSUPPORTED
    assert found.missing_facts


@given(st.text(max_size=80), st.sampled_from(Language), st.booleans())
def test_any_text_gets_a_receipt(text: str, language: Language, quotation: bool) -> None:
    found = check(text, HEAT, NOISE, language=language, quotation=quotation)
    assert found.text == text
    if found.support is not None:
        source = ALL[found.support.source]
        assert 0 <= found.support.start < found.support.end <= len(source.text)
        assert 0.0 <= found.support.score <= 1.0
    assert found.verdict is not Verdict.SUPPORTED or found.support is not None


def test_totals_are_shares_and_a_share_of_nothing_is_one() -> None:
    supported = SentenceReceipt("a", (1, 2), Verdict.SUPPORTED, citations_needed=1)
    bare = SentenceReceipt("b", (), Verdict.UNSUPPORTED)
    grounding = receipt([supported, bare], citations_made=4, citations_valid=3, quotations_made=2, quotations_matched=1)
    totals = grounding.totals
    assert grounding.level is GroundingLevel.PARTIAL
    assert (totals.sentences, totals.citation_recall, totals.citation_precision) == (2, 0.5, 0.5)
    assert (totals.citation_validity, totals.quote_match, totals.fact_match) == (0.75, 0.5, 1.0)
    empty = receipt([], citations_made=0, citations_valid=0)
    assert empty.level is GroundingLevel.NONE
    assert (empty.totals.citation_recall, empty.totals.citation_precision, empty.totals.quote_match) == (1.0, 1.0, 1.0)


def test_an_article_is_fully_grounded_from_nineteen_sentences_in_twenty() -> None:
    good = SentenceReceipt("a", (1,), Verdict.SUPPORTED, citations_needed=1)
    bad = SentenceReceipt("b", (), Verdict.UNSUPPORTED)
    assert receipt([good] * 19 + [bad], citations_made=19, citations_valid=19).level is GroundingLevel.FULL
    assert receipt([good] * 18 + [bad] * 2, citations_made=18, citations_valid=18).level is GroundingLevel.PARTIAL
    assert receipt([bad] * 3, citations_made=0, citations_valid=0).level is GroundingLevel.NONE


def test_a_missing_fact_lowers_the_fact_match() -> None:
    good = SentenceReceipt("a", (1,), Verdict.SUPPORTED, citations_needed=1)
    bad = evolve(good, verdict=Verdict.UNSUPPORTED, missing_facts=("3 kWh",))
    assert receipt([good, bad], citations_made=2, citations_valid=2).totals.fact_match == 0.5


def test_the_longest_verbatim_run_counts_words_outside_quotations() -> None:
    own = "We found that the fan makes most of the noise. Another thing."
    assert longest_verbatim_run([own], [NOISE, HEAT], Letters(ANALYSIS, EN)) == 7
    quoted = "We found that “the fan makes most of the noise” indeed."
    assert longest_verbatim_run([quoted], [NOISE], Letters(ANALYSIS, EN)) < 3
    assert longest_verbatim_run([""], [NOISE], Letters(ANALYSIS, EN)) == 0
    assert longest_verbatim_run([own], [], Letters(ANALYSIS, EN)) == 0


@given(st.lists(st.sampled_from("abcd"), max_size=30), st.lists(st.sampled_from("abcd"), max_size=30))
def test_the_longest_verbatim_run_is_the_longest_common_stretch(ours: list[str], theirs: list[str]) -> None:
    source = passage(text=" ".join(theirs) or "-")
    stretches = [ours[i:j] for i in range(len(ours)) for j in range(i + 1, len(ours) + 1)]
    shared = [s for s in stretches if any(theirs[k : k + len(s)] == s for k in range(len(theirs)))]
    expected = max(map(len, shared), default=0)
    assert longest_verbatim_run([" ".join(ours)], [source], Letters(ANALYSIS, EN)) == expected
