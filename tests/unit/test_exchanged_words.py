"""A sentence of its source with a word exchanged is another statement, unless the word is another wording."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import SentenceReceipt, Verdict
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.evidence import ParsedPassage
from contentgen_core.policies.grounding.exchanged_words import MOST_TERMS, Exchange, exchanges
from contentgen_core.policies.grounding.reasons import reason
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.testing.builders import kb_document, passage
from contentgen_core.use_cases.grounding.checking import check
from contentgen_core.use_cases.grounding.meaning import Meaning
from contentgen_core.use_cases.knowledge.embedding_weights import EmbeddingWeights
from tests.support.understanding_embedder import UnderstandingEmbedder

ANALYSIS = IcuTextAnalysis()
EN = Language.EN
SAID = "The outdoor unit of the heat pump stays quiet during cold winter nights."
PUMPS = passage(kb_document(title="Pumps"), f"{SAID} A loud fan points to a worn bearing.")
OTHER, SYNONYM = (SAID.replace("quiet", word) for word in ("yellow", "silent"))
NEAR: Mapping[tuple[str, str], float] = {("silent", "quiet"): 0.8, (OTHER, SAID): 0.95, (SYNONYM, SAID): 0.95}


def found_in(text: str, *sources: str, language: Language = EN) -> tuple[Exchange, ...]:
    parsed = [ParsedPassage.read(passage(kb_document(title=""), s, terms=()), ANALYSIS, language) for s in sources]
    return exchanges(ANALYSIS.tokens(text, language), parsed)


async def checked(text: str) -> SentenceReceipt:
    embedder = UnderstandingEmbedder(NEAR)
    meaning = Meaning(embedder, EmbeddingWeights(embedder))
    verifier = Verifier({PUMPS.ref: PUMPS}, ANALYSIS)
    [found] = (await check([DraftSentence(text, (PUMPS.ref,))], verifier, EN, meaning=meaning)).values()
    return found


async def test_an_exchanged_word_is_missing_unless_it_is_near_the_one_in_whose_place_it_stands() -> None:
    other, synonym = await checked(OTHER), await checked(SYNONYM)
    assert (other.verdict, other.missing_facts) == (Verdict.UNSUPPORTED, ("yellow",))
    assert reason(other, [PUMPS]) == "“Pumps” does not have: yellow"
    assert (synonym.verdict, synonym.missing_facts) == (Verdict.SUPPORTED, ())


async def test_where_no_meaning_is_known_the_word_is_said_nowhere() -> None:
    other = DraftSentence(OTHER, (PUMPS.ref,))
    verifier = Verifier({PUMPS.ref: PUMPS}, ANALYSIS)
    away = UnderstandingEmbedder(NEAR)
    away.fails = True
    by_words = await check([other], verifier, EN)
    assert (by_words[other].verdict, by_words[other].missing_facts) == (Verdict.UNSUPPORTED, ("yellow",))
    assert await check([other], verifier, EN, meaning=Meaning(away, EmbeddingWeights(away))) == by_words


def test_what_stands_in_the_place_of_a_word_is_found_with_the_stop_words_around_it() -> None:
    assert found_in(OTHER, SAID) == (Exchange("yellow", ("quiet", "during")),)


@pytest.mark.parametrize(
    "text",
    [
        SAID,
        SAID.replace("quiet", "very quiet and pleasantly calm"),  # inserted
        SAID.replace("stays quiet", "quiet"),  # left out
        SAID.replace("nights", "night"),  # inflected
        SAID.replace("quiet", "bearing"),  # elsewhere in the passage
        SAID.replace("outdoor unit of the heat pump", "heat pump's outdoor unit"),  # in another order
        SAID.replace("quiet", "3000"),  # a figure: told by another rule
        "A yellow unit stays quiet.",  # too little of it is the same
    ],
)
def test_other_changes_are_no_exchange(text: str) -> None:
    assert found_in(text, PUMPS.text) == ()


@pytest.mark.parametrize(
    ("language", "said", "word", "other"),
    [
        (Language.FR, "La pompe à chaleur reste silencieuse pendant les nuits froides.", "silencieuse", "jaune"),
        (Language.DE, "Die Wärmepumpe bleibt in kalten Winternächten angenehm leise.", "leise", "gelb"),
        (Language.ES, "La bomba de calor permanece silenciosa durante las noches frías.", "silenciosa", "amarilla"),
        (Language.IT, "La pompa di calore resta silenziosa durante le notti fredde.", "silenziosa", "gialla"),
        (Language.PT, "A bomba de calor fica silenciosa durante as noites frias.", "silenciosa", "amarela"),
    ],
)
def test_it_is_found_in_any_language(language: Language, said: str, word: str, other: str) -> None:
    [found] = found_in(said.replace(word, other), said, language=language)
    assert found.word == other
    assert word in found.replaced


WORDS = st.lists(st.sampled_from("heat pump house winter cold warm noise price yellow bearing".split()), max_size=12)  # noqa: SIM905


@given(WORDS, WORDS)
def test_only_words_that_the_sources_have_nowhere_are_exchanged(one: list[str], other: list[str]) -> None:
    ours, theirs = " ".join(one), " ".join(other)
    found = found_in(ours, theirs)
    assert found == found_in(ours, theirs)
    assert all(each.word in one and each.word not in other for each in found)
    assert all(set(each.replaced) <= set(other) for each in found)
    assert found_in(ours, ours) == found_in(theirs, theirs) == found_in(ours, theirs, ours) == ()


@given(WORDS, st.integers(0, 12))
def test_an_inserted_word_is_no_exchange(words: list[str], at: int) -> None:
    assume("kettle" not in words)
    assert found_in(" ".join([*words[:at], "kettle", *words[at:]]), " ".join(words)) == ()


def test_a_sentence_of_countless_words_is_not_compared() -> None:
    words = [f"w{chr(97 + n % 26)}{chr(97 + n // 26)}x" for n in range(MOST_TERMS + 1)]
    assert found_in(" ".join(["yellow", *words]), " ".join(["quiet", *words])) == ()
