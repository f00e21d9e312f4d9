"""Measure the voice of a text, or of several by the same writer."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.voice import Features, Formality, Person, Spelling
from contentgen_core.policies.voice.passages import blocks
from contentgen_core.policies.voice.words import AMERICAN, BRITISH, CONTRACTIONS, PRONOUNS

PERSON_SHARE: Final = 0.1
"""Share of the sentences with a pronoun from which it is the person of the text."""
MARKS: Final = 2
"""Words or signs of one kind from which they are a habit."""
INFORMAL_CONTRACTIONS: Final = 0.1
"""Contractions a sentence from which English is informal; formal without any in FORMAL_SENTENCES."""
FORMAL_SENTENCES: Final = 10
MOST_TERMS: Final = 15
FEWEST_USES: Final = 3
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]*)?")
_ASKS: Final = re.compile(r"[?？؟;][\"»”’)\]]*$")
_QUOTES: Final = ("«", "„", "“", "‘", '"', "「")
_DASH: Final = re.compile(r"—|\s–\s")


def measure(samples: Sequence[str], language: Language, analysis: TextAnalysis) -> Features | None:
    """The features of the samples together, in whatever order they are; None without a sentence that has a word."""
    read = [block for sample in samples for block in blocks(sample, language, analysis) if not block.heading]
    sentences = [sentence for block in read for sentence in block.sentences]
    tokens = [analysis.tokens(sentence, language) for sentence in sentences]
    lengths = [len(words) for words in tokens if words]
    if not lengths:
        return None
    mean = math.fsum(lengths) / len(lengths)
    spread = math.sqrt(math.fsum((length - mean) ** 2 for length in lengths) / len(lengths))
    paragraphs = [len(block.sentences) for block in read if not block.item]
    used = Counter(t.text.casefold() for words in tokens for t in words if not t.stop and t.text[:1].isalpha())
    terms = sorted((term for term, times in used.items() if times >= FEWEST_USES), key=lambda t: (-used[t], t))
    return Features(
        words=sum(lengths),
        sentences=len(lengths),
        sentence_words=round(mean, 1),
        sentence_spread=round(spread, 1),
        paragraph_sentences=round(sum(paragraphs) / len(paragraphs), 1) if paragraphs else 0.0,
        questions=_share(asks(sentence, language) for sentence in sentences),
        lists=_share(block.item for block in read for _ in block.sentences),
        dashes=_share(bool(_DASH.search(sentence)) for sentence in sentences),
        person=person(sentences, language),
        formality=formality(sentences, language),
        spelling=spelling(sentences, language),
        quotes=_quotes(sentences),
        terms=tuple(terms[:MOST_TERMS]),
    )


def asks(sentence: str, language: Language) -> bool:
    """Whether it is a question; a semicolon asks in Greek alone."""
    found = _ASKS.search(sentence)
    return found is not None and (found.group()[0] != ";" or language is Language.EL)


def person(sentences: Sequence[str], language: Language) -> Person | None:
    """The person that most sentences have; impersonal where few have any."""
    pronouns = PRONOUNS.get(language)
    if pronouns is None or not sentences:
        return None
    counts = Counter[Person]()
    for sentence in sentences:
        words = set(_fold_words(sentence))
        counts[Person.I] += bool(words & pronouns.i)
        counts[Person.WE] += bool(words & pronouns.we)
        counts[Person.YOU] += bool(words & (pronouns.informal | pronouns.formal)) or addresses_formally(
            sentence, language
        )
    most = max(counts, key=lambda each: (counts[each], each))
    return most if counts[most] >= PERSON_SHARE * len(sentences) else Person.IMPERSONAL


def formality(sentences: Sequence[str], language: Language) -> Formality | None:
    """Return the formality, by the form of address, in English by contractions; None where nothing tells."""
    if language is Language.EN:
        contracted = sum(any(word.endswith(CONTRACTIONS) for word in _fold_words(s)) for s in sentences)
        if contracted >= MARKS and contracted >= INFORMAL_CONTRACTIONS * len(sentences):
            return Formality.INFORMAL
        return Formality.FORMAL if not contracted and len(sentences) >= FORMAL_SENTENCES else None
    familiar = sum(addresses_informally(sentence, language) is not None for sentence in sentences)
    polite = sum(addresses_formally(sentence, language) for sentence in sentences)
    if familiar == polite or PRONOUNS.get(language) is None:
        return None
    pronouns = PRONOUNS[language]
    if not (pronouns.formal or pronouns.capital):
        return None  # everybody is addressed alike
    return Formality.INFORMAL if familiar > polite else Formality.FORMAL


def addresses_informally(sentence: str, language: Language) -> str | None:
    """The word by which a sentence addresses the reader as a friend, in languages that have two ways."""
    pronouns = PRONOUNS.get(language)
    if pronouns is None or not (pronouns.formal or pronouns.capital):
        return None
    return next((word for word in _fold_words(sentence) if word in pronouns.informal), None)


def addresses_formally(sentence: str, language: Language) -> bool:
    pronouns = PRONOUNS.get(language)
    if pronouns is None:
        return False
    written = _WORD.findall(sentence)
    return any(word in pronouns.capital for word in written[1:]) or any(w.lower() in pronouns.formal for w in written)


def contraction(sentence: str) -> str | None:
    """An English word that is contracted."""
    return next((word for word in _fold_words(sentence) if word.endswith(CONTRACTIONS)), None)


def spelling(sentences: Sequence[str], language: Language) -> Spelling | None:
    """The English spelling that more words show."""
    if language is not Language.EN:
        return None
    words = [word for sentence in sentences for word in _fold_words(sentence)]
    british, american = sum(word in BRITISH for word in words), sum(word in AMERICAN for word in words)
    if british == american:
        return None
    return Spelling.BRITISH if british > american else Spelling.AMERICAN


def find_spelling(sentence: str, kind: Spelling) -> str | None:
    """Return a word of the sentence that only this spelling has."""
    words = BRITISH if kind is Spelling.BRITISH else AMERICAN
    return next((word for word in _fold_words(sentence) if word in words), None)


def _fold_words(sentence: str) -> list[str]:
    """Return the words in lower case; an elided one with its apostrophe (j', l'), and without what follows it."""
    found: list[str] = []
    for written in _WORD.findall(sentence.replace("’", "'")):
        if len(written) > 1 and written.isupper():
            continue  # an abbreviation: "US" is nobody
        word = written.lower()
        found.append(word)
        head, apostrophe, tail = word.partition("'")
        if apostrophe and tail:
            found += [head + apostrophe, tail]
    return found


def _quotes(sentences: Sequence[str]) -> str | None:
    used = Counter(sign for sentence in sentences for sign in sentence if sign in _QUOTES)
    if not used or max(used.values()) < MARKS:
        return None
    return min(used, key=lambda sign: (-used[sign], sign))


def _share(marks: Iterable[bool]) -> float:
    values = list(marks)
    return round(sum(values) / len(values), 2) if values else 0.0
