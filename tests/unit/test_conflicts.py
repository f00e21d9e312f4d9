"""Sentences that contradict each other, and those that seem to."""

from __future__ import annotations

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.conflict import ConflictKind
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.conflicts.comparing import compare, say_the_same
from contentgen_core.policies.conflicts.finding import Finder
from contentgen_core.policies.conflicts.statements import Sentences, Statement, Wordings, read_statements
from contentgen_core.testing.builders import kb_document, passage

ANALYSIS = IcuTextAnalysis()
WORDINGS = Wordings(ANALYSIS)
EN, DE, FR, ES = Language.EN, Language.DE, Language.FR, Language.ES
GRANTS = "Heat pump grants"


def read(text: str, title: str = GRANTS, language: Language = EN, id: str = "one") -> tuple[Statement, ...]:
    document = kb_document(id=DocumentId(id), title=title, language=language)
    return tuple(read_statements(Sentences(passage(document, text), ANALYSIS), WORDINGS).values())


def found(
    one: str, other: str, title: str = GRANTS, other_title: str | None = None, language: Language = EN
) -> tuple[ConflictKind, str, str] | None:
    """The kind and the words that differ, of the last sentence of each."""
    a, b = read(one, title, language)[-1], read(other, other_title or title, language, "other")[-1]
    difference = compare(a, b)
    assert compare(b, a) == (difference.turned() if difference else None)
    return difference and (difference.kind, difference.one.of(a.text), difference.other.of(b.text))


@pytest.mark.parametrize(
    ("kind", "one", "other", "words", "language"),
    [
        ("figure", "The grant pays 4,000 pounds for each heat pump.",
         "According to the council, the grant provides 2,500 pounds for each heat pump.",
         ("4,000 pounds", "2,500 pounds"), EN),
        ("figure", "The Borea 7 weighs 90 kg without water.", "The Borea 7 weighs 120 kilograms without water.",
         ("90 kg", "120 kilograms"), EN),
        ("figure", "The tunnel is 5 km long.", "The tunnel is 5 miles long.", ("5 km", "5 miles"), EN),
        ("figure", "Die Förderung beträgt 4.000 Euro je Wärmepumpe.", "Die Förderung beträgt 2.500 Euro je Wärmepumpe.",
         ("4.000 Euro", "2.500 Euro"), DE),
        ("figure", "La subvention est de 4 000 euros par logement.", "La subvention est de 2 500 euros par logement.",
         ("4 000 euros", "2 500 euros"), FR),
        ("date", "The bridge was opened in 1932.", "The bridge was opened in 1936.", ("1932", "1936"), EN),
        ("date", "Applications close on 31 March 2025.", "Applications close on 30 April 2025.",
         ("31 March 2025", "30 April 2025"), EN),
        ("date", "Das Museum wurde 1954 eröffnet.", "Das Museum wurde 1958 eröffnet.", ("1954", "1958"), DE),
        ("name", "The chief executive of Acme is Anna Miller.", "The chief executive of Acme is Peter Smith.",
         ("Anna Miller", "Peter Smith"), EN),
        ("name", "Acme was founded in Berlin.", "Acme was founded in Munich.", ("Berlin", "Munich"), EN),
        ("negation", "The grant is not paid to landlords.", "The grant is paid to landlords.", ("not", ""), EN),
        ("negation", "La pompe est bruyante la nuit.", "La pompe n'est pas bruyante la nuit.", ("", "pas"), FR),
        ("negation", "La ayuda es compatible con otras.", "La ayuda no es compatible con otras.", ("", "no"), ES),
        ("contrary", "Insulation increases the demand for heat pumps.", "Insulation reduces the demand for heat pumps.",
         ("increases", "reduces"), EN),
    ],
)  # fmt: skip
def test_a_conflict_is_found(kind: str, one: str, other: str, words: tuple[str, str], language: Language) -> None:
    assert found(one, other, language=language) == (ConflictKind(kind), *words)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The grant pays 4,000 pounds for each heat pump.", "The grant provides 4000 pounds for each heat pump."),
        ("The warranty lasts 5 years.", "The warranty lasts 60 months."),
        ("The tunnel is 10 km long.", "The tunnel is 6.2 miles long."),
        ("About 4,000 homes use heat pumps.", "4,123 homes use heat pumps."),
        ("The tower is 98.6 m high.", "The tower is 99 m high."),
        ("More than 400 homes use heat pumps.", "500 homes use heat pumps."),
        ("The Borea 7 weighs 90 kg without water.", "The Borea 9 weighs 120 kg without water."),
        ("The Borea weighs 90 kg without water.", "The Rotta weighs 120 kg without water."),
        ("In 2019 the town had 5,000 inhabitants.", "In 2021 the town had 6,000 inhabitants."),
        ("Since 2024 the grant pays 2,500 pounds for each pump.", "The grant pays 4,000 pounds for each pump."),
        ("The grant pays 4,000 pounds for each pump.", "In Bavaria, the grant pays 2,500 pounds for each pump."),
        ("The grant pays new members 4,000 pounds.", "The grant pays old members 2,500 pounds."),
        ("Growth in the north reached 4 %.", "Growth in the south reached 6 %."),
        ("The team scored 3 goals and 11 points.", "The team scored 11 goals and 3 points."),
        ("The team played 30 games and won 20 of them.", "The team played 28 games and won 15 of them."),
        ("The club won the cup in 2003.", "The club won the cup in 2005."),
        ("Season 4 has 10 episodes.", "Season 5 has 12 episodes."),
        ("The office in Berlin employs Anna.", "The office in Munich employs Anna."),
        ("The cup was won by Fernández each year.", "This cup was won by Martínez each year."),
        ("Does the grant pay 4,000 pounds?", "The grant pays 2,500 pounds."),
        ("Noise | 40 dB | 50 dB", "Noise | 45 dB | 50 dB"),
    ],
)  # fmt: skip
def test_a_near_miss_is_none(one: str, other: str) -> None:
    for a in read(one):
        for b in read(other, id="other"):
            assert compare(a, b) is None


def test_what_it_is_on_is_known_from_the_title_alone() -> None:
    one, other = "It was released by Sony on 5 May 2003.", "It was released by Sony on 7 June 2005."
    assert found(one, other, "Blue (album)", "Red (album)") is None
    assert found(one, other, "Blue (album)", "Blue (album)") == (ConflictKind.DATE, "5 May 2003", "7 June 2005")
    assert found(one, other, "Blue (album) - Discogs", "Blue") is not None
    named = "Blue was released by Sony on 7 June 2005."
    assert found(one, named, "Blue (album)", "All albums") is not None
    assert found(one, named, "Red (album)", "All albums") is None
    assert found(one, other, "", "") is None


def test_what_a_sentence_before_it_names_counts_more_than_the_title() -> None:
    one = "The Borea competes with the Rotta. Its tank holds 90 litres of water."
    other = "The Rotta competes with the Borea. Its tank holds 120 litres of water."
    assert found(one, one.replace("90", "120")) is not None
    assert found(one, other) is None


def test_titles_of_different_years_are_on_different_things() -> None:
    one, other = "The levy is 4 euros a night.", "The levy is 6 euros a night."
    assert found(one, other, "Budget 2024", "Budget 2024") is not None
    assert found(one, other, "Budget 2024", "Budget 2025") is None


def test_sentences_of_different_languages_are_not_compared() -> None:
    one = read("Acme was founded in 1950.")[0]
    other = read("Acme was founded in 1960.", language=DE)[0]
    assert compare(one, other) is None


SENTENCES = st.sampled_from(
    [
        "The grant pays 4,000 pounds for each heat pump.",
        "The Borea 7 weighs 90 kg without water.",
        "The bridge was opened in 1932.",
        "The chief executive of Acme is Anna Miller.",
        "The grant is not paid to landlords.",
        "Insulation reduces the demand for heat pumps by 12 %.",
        "Acme was founded in Berlin in 1950 and employs 1,200 people.",
    ]
)


@given(SENTENCES, st.sampled_from(["", "Officially, ", "According to the press, ", "Today, "]))
def test_no_sentence_contradicts_itself(sentence: str, opening: str) -> None:
    said = opening + (sentence[0].lower() + sentence[1:] if opening and sentence.startswith("The") else sentence)
    assert found(sentence, said) is None


@given(st.integers(2, 10**6), st.integers(2, 10**6))
def test_two_figures_conflict_from_a_twentieth_apart(one: int, other: int) -> None:
    difference = found(f"The grant pays {one} pounds to owners.", f"The grant pays {other} pounds to owners.")
    apart = abs(one - other) / max(one, other)
    if apart >= 0.05:
        assert difference is not None
    if one == other:
        assert difference is None


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_is_read_and_compared(one: str, other: str) -> None:
    for a in read(one):
        for b in read(other, id="other"):
            compare(a, b)


VARIED = st.lists(
    st.sampled_from(
        [
            "The grant pays 4,000 pounds for each heat pump.",
            "The grant provides 2,500 pounds for each heat pump.",
            "According to the council, the grant pays 4,000 pounds (gross) for each heat pump.",
            "The grant is paid to landlords.",
            "The grant is not paid to landlords.",
            "The bridge was opened in 1932.",
            "The bridge was opened in March 1933.",
            "The chief executive of Acme is Anna Miller.",
            "The chief executive of Acme is Jean-Luc Martin.",
            "Demand for heat pumps rises in winter.",
            "Demand for heat pumps falls in winter.",
            "It was later adopted by other towns.",
            "These are not counted.",
            "Is it paid?",
            "Acme employs 1,200 people. It employs 1,300 people in Bavaria.",
            "It employs 1,200 people.",
        ]
    ),
    min_size=1,
    max_size=6,
)


@given(VARIED, VARIED)
def test_sentences_that_are_never_read_would_have_told_nothing(one: list[str], other: list[str]) -> None:
    left, right = _passage_of(one, "one"), _passage_of(other, "other")
    found = Finder(ANALYSIS, WORDINGS).compare(left, [right])
    every = [
        (a, b)
        for a in read_statements(Sentences(left, ANALYSIS), WORDINGS).values()
        for b in read_statements(Sentences(right, ANALYSIS), WORDINGS).values()
        if 2 * len(a.terms & b.terms) >= max(len(a.terms), len(b.terms)) - 1
    ]
    conflicts = {(a.span, b.span) for a, b in every if compare(a, b)}
    assert {(c.one.span, c.other.span) for c in found.conflicts} == conflicts
    agreements = {(a.span, b.span) for a, b in every if say_the_same(a, b)} - conflicts
    assert {(a.one.span, a.other.span) for a in found.agreements} == agreements


def _passage_of(sentences: list[str], name: str) -> Passage:
    """With words of its own, so that it is no copy of another one."""
    own = " ".join(f"{name}{n}" for n in range(120))
    said = passage(kb_document(id=DocumentId(name), title=GRANTS, language=EN), f"{' '.join(sentences)} {own}.")
    return evolve(said, terms=ANALYSIS.terms(said.text, EN), head_terms=ANALYSIS.terms(GRANTS, EN))
