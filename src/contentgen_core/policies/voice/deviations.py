"""Describe, for a person, how an article deviates from its voice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.voice import ChosenVoice, Features, Formality, Person, Spelling
from contentgen_core.policies.voice.measure import (
    addresses_formally,
    addresses_informally,
    contraction,
    find_spelling,
    measure,
)
from contentgen_core.policies.voice.terms import TermFinder

MAX_DEVIATIONS: Final = 50
WORDS_TOLERANCE: Final = 0.35
"""Share of the mean asked for by which sentences and paragraphs may differ from it."""
FEWEST_WORDS: Final = 4
FEWEST_SENTENCES: Final = 1.5
SHARE_TOLERANCE: Final = 0.15
_NAMES: Final = {
    Person.I: "the first person (I)",
    Person.WE: "the first person (we)",
    Person.YOU: "the reader (you)",
    Person.IMPERSONAL: "no person",
}


def deviations(
    voice: ChosenVoice,
    language: Language,
    analysis: TextAnalysis,
    headings: Sequence[str],
    paragraphs: Sequence[Sequence[str]],
) -> tuple[str, ...]:
    """Return the deviations, those of terms first; sentences are counted through the article from 1. `headings`: with
    the title; `paragraphs`: the sentences of each."""
    sentences = [sentence for paragraph in paragraphs for sentence in paragraph]
    found = [
        *_avoided_terms(voice, language, analysis, headings, sentences),
        *_unused_terms(voice, language, analysis, sentences),
    ]
    if voice.features is not None and sentences:
        measured = measure(["\n\n".join(" ".join(paragraph) for paragraph in paragraphs)], language, analysis)
        if measured is not None:
            found += _measured_deviations(voice.features, measured)
        found += _words(voice.features, language, sentences)
    return tuple(found[:MAX_DEVIATIONS])


def _avoided_terms(
    voice: ChosenVoice, language: Language, analysis: TextAnalysis, headings: Sequence[str], sentences: Sequence[str]
) -> Iterator[str]:
    finder = TermFinder(analysis, language, voice.avoid)
    for heading in headings:
        for term in finder.found(heading):
            yield f"avoided term “{term}” in the heading “{heading}”"
    for number, sentence in enumerate(sentences, start=1):
        for term in finder.found(sentence):
            yield f"avoided term “{term}” in sentence {number}"


def _unused_terms(
    voice: ChosenVoice, language: Language, analysis: TextAnalysis, sentences: Sequence[str]
) -> Iterator[str]:
    used = set(TermFinder(analysis, language, voice.use).found(" ".join(sentences)))
    for term in voice.use:
        if term not in used:
            yield f"term “{term}” is not used"


def _measured_deviations(asked: Features, measured: Features) -> Iterator[str]:
    if abs(measured.sentence_words - asked.sentence_words) > max(FEWEST_WORDS, WORDS_TOLERANCE * asked.sentence_words):
        yield f"mean sentence {measured.sentence_words:.0f} words, asked {asked.sentence_words:.0f}"
    paragraph = asked.paragraph_sentences
    if paragraph and abs(measured.paragraph_sentences - paragraph) > max(FEWEST_SENTENCES, WORDS_TOLERANCE * paragraph):
        yield f"mean paragraph {measured.paragraph_sentences:.1f} sentences, asked {paragraph:.1f}"
    if asked.person not in (None, measured.person) and measured.person is not None:
        yield f"speaks with {_NAMES[measured.person]}, asked {_NAMES[asked.person]}"
    for name, share, wanted in (
        ("questions", measured.questions, asked.questions),
        ("sentences with a dash", measured.dashes, asked.dashes),
    ):
        if abs(share - wanted) > SHARE_TOLERANCE:
            yield f"{share:.0%} {name}, asked {wanted:.0%}"


def _words(asked: Features, language: Language, sentences: Sequence[str]) -> Iterator[str]:
    """The first sentence with a word that tells another formality or spelling."""
    for number, sentence in enumerate(sentences, start=1):
        if word := _wrong_address(asked.formality, language, sentence):
            yield f"{word} in sentence {number}, asked {asked.formality}"
            break
    if asked.spelling is None or language is not Language.EN:
        return
    other = Spelling.AMERICAN if asked.spelling is Spelling.BRITISH else Spelling.BRITISH
    for number, sentence in enumerate(sentences, start=1):
        if word := find_spelling(sentence, other):
            yield f"“{word}” ({other} spelling) in sentence {number}, asked {asked.spelling}"
            break


def _wrong_address(asked: Formality | None, language: Language, sentence: str) -> str | None:
    if asked is Formality.FORMAL:
        word = contraction(sentence) if language is Language.EN else addresses_informally(sentence, language)
        return None if word is None else f"“{word}” used"
    if asked is Formality.INFORMAL and language is not Language.EN and addresses_formally(sentence, language):
        return "the polite address used"
    return None
