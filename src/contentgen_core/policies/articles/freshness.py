"""Find the present state of the words that support a sentence, and the words that the sentence would need now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Final

from attrs import frozen

from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import Span, TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.verbatim import find_verbatim

COUNTERPART: Final = 0.5
"""The share of the longer one's terms that two statements have in common from which one is the other, changed."""
LONGEST_EXCHANGE: Final = 6
"""Words that stand for others where a statement changed. More is another statement."""


@frozen
class Counterpart:
    """The present text of a passage in the place of former words: `text` of the passage."""

    passage: Passage
    text: str


def still_said(was: str, passages: Iterable[Passage]) -> Passage | None:
    """The passage that has the former words, word for word."""
    return next((passage for passage in passages if find_verbatim(was, passage.text) is not None), None)


def counterpart(was: str, former: str, passages: Iterable[Passage], analysis: TextAnalysis) -> Counterpart | None:
    """The words of the passages that are most like the former ones, as many sentences as these are; None where nothing
    is like them. What stood there before beside them is no other version of them.

    `former`: the text that `was` is from."""
    best: tuple[float, Counterpart] | None = None
    for passage in passages:
        language = passage.document.language
        terms, count = Counter(analysis.terms(was, language)), len(analysis.sentences(was, language))
        for text in _runs(passage.text, analysis.sentences(passage.text, language), max(1, count)):
            likeness = _likeness(terms, Counter(analysis.terms(text, language)))
            better = likeness >= COUNTERPART and (best is None or likeness > best[0])
            if better and find_verbatim(text, former) is None:
                best = likeness, Counterpart(passage, text)
    return best[1] if best else None


def rests_on(text: str, words: str, sentence: str, analysis: TextAnalysis, language: Language) -> bool:
    """Whether a sentence of an article says what this sentence of its source says: where it rests on several, those
    count that have at least half as many of its terms as the one that has most.

    `words`: of the source that it rests on, one sentence or a few."""
    if find_verbatim(words, sentence) is not None:
        return True
    terms = Counter(analysis.terms(text, language))
    spans = analysis.sentences(words, language)
    found = [(span.of(words), Counter(analysis.terms(span.of(words), language))) for span in spans]
    most = max(((terms & own).total() for _, own in found), default=0)
    return any(
        2 * (terms & own).total() >= most
        for said, own in found
        if find_verbatim(said, sentence) is not None or find_verbatim(sentence, said) is not None
    )


def revised_sentence(text: str, was: str, now: str, analysis: TextAnalysis, language: Language) -> str | None:
    """Revise a sentence by its source's change: the new words where it has the old ones literally, else with each word
    replaced that the source replaced. None where it states the old ones in another way. `was`, `now`: the words of the
    source."""
    if find_verbatim(text, was) is not None and find_verbatim(was, text) is not None:
        return now
    former = [token.text.casefold() for token in analysis.tokens(was, language)]
    present = analysis.tokens(now, language)
    tokens = analysis.tokens(text, language)
    words = [token.text.casefold() for token in tokens]
    changes: list[tuple[int, int, str]] = []
    steps = SequenceMatcher(None, former, [token.text.casefold() for token in present], autojunk=False).get_opcodes()
    for kind, start, end, new_start, new_end in steps:
        if kind != "replace" or max(end - start, new_end - new_start) > LONGEST_EXCHANGE:
            continue
        at = _place_of(former[start:end], words)
        if at is not None:
            new = now[present[new_start].start : present[new_end - 1].end]
            changes.append((tokens[at].start, tokens[at + end - start - 1].end, new))
    for first, last, new in sorted(changes, reverse=True):
        text = f"{text[:first]}{new}{text[last:]}"
    return text if changes else None


def _place_of(words: Sequence[str], within: Sequence[str]) -> int | None:
    """Return the place of these words if they stand in one place only."""
    starts = range(len(within) - len(words) + 1)
    found = [at for at in starts if list(within[at : at + len(words)]) == list(words)]
    return found[0] if len(found) == 1 else None


def _runs(text: str, spans: Sequence[Span], count: int) -> Iterable[str]:
    """Yield each run of `count` consecutive sentences."""
    for first in range(max(1, len(spans) - count + 1)):
        run = spans[first : first + count]
        if run:
            yield text[run[0].start : run[-1].end]


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    return sum((one & other).values()) / max(one.total(), other.total(), 1)
