"""A voice in words, for a model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from contentgen_core.model.voice import ChosenVoice, Features, Formality, Person

_PERSONS: Final = {
    Person.I: "writes as I",
    Person.WE: "writes as we",
    Person.YOU: "speaks to the reader (you)",
    Person.IMPERSONAL: "is impersonal: neither I nor we nor you",
}


def describe_voice(voice: ChosenVoice) -> str:
    """Describe a voice line by line: the terms, the measured features, and the tenant's guide last."""
    lines: list[str] = []
    if voice.avoid:
        lines.append(f"Terms never to use, in no form: {'; '.join(voice.avoid)}")
    if voice.use:
        lines.append(f"Terms to use where they fit: {'; '.join(voice.use)}")
    if voice.features is not None:
        lines += _habits(voice.features)
    if voice.guide:
        lines.append(f"Guide: {voice.guide}")
    return "\n".join(lines)


def _habits(features: Features) -> Iterator[str]:
    mean, spread = features.sentence_words, features.sentence_spread
    low, high = max(1.0, mean - spread), mean + spread
    yield f"Sentences of {mean:.0f} words on average, most of them from {low:.0f} to {high:.0f}"
    if features.paragraph_sentences:
        yield f"Paragraphs of {features.paragraph_sentences:.0f} sentences"
    if features.person is not None:
        yield f"The text {_PERSONS[features.person]}"
    if features.formality is not None:
        formal = features.formality is Formality.FORMAL
        yield (
            "Formal: the polite form of address, no contractions"
            if formal
            else "Informal: readers are addressed as friends, contractions are welcome"
        )
    if features.spelling is not None:
        yield f"Spelling: {features.spelling}"
    yield f"Questions: {features.questions:.0%} of the sentences; items of lists: {features.lists:.0%}"
    yield f"Sentences with a dash: {features.dashes:.0%}"
    if features.quotes is not None:
        yield f"Quotation marks: {features.quotes}"
    if features.terms:
        yield f"Words it uses often: {', '.join(features.terms)}"
