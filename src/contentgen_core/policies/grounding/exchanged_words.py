"""Find words that a sentence has in the place of a source's words. Where a sentence equals one of its source in all
terms but a few, a word that the source has nowhere is either a synonym or another statement; their nearness in meaning
decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

from attrs import frozen

from contentgen_core.model.text import Token
from contentgen_core.policies.grounding.evidence import ParsedPassage
from contentgen_core.policies.grounding.nearness import Nearness
from contentgen_core.policies.grounding.polarity import likeness

SAME_TERMS: Final = 0.8
"""The share of a claim's terms that a source's sentence has in the same order, from which it is almost that one."""
FEWEST_SAME: Final = 4
MOST_EXCHANGED: Final = 2
"""Terms in a row that stand for others, on either side. More are told in another way."""
MOST_TERMS: Final = 200
"""Of a sentence that is compared."""
FEWEST_LETTERS: Final = 5
"""Of a stop word that another word may stand for: those of fewer say little."""
OTHER_WORDING: Final = 0.05
"""The nearness from which a word may be another wording for the one in its place: 0 is that of any two words."""


@frozen
class Exchange:
    """A word of a claim that its sources do not have, and the words that their sentences have in its place."""

    word: str
    replaced: tuple[str, ...]

    def says_something_else(self, words: Nearness) -> bool:
        """Whether the word means something else than those it replaces. `words`: nearness of words; words unknown to it
        pass."""
        return max(words.of(self.word, self.replaced), default=1.0) < OTHER_WORDING


def exchanges(tokens: Sequence[Token], sources: Sequence[ParsedPassage]) -> tuple[Exchange, ...]:
    """Compare a claim's tokens with the sentences of its sources that are almost the same, and return the exchanged
    words."""
    content = [token for token in tokens if not token.stop]
    terms = [token.term for token in content]
    if not terms or len(terms) > MOST_TERMS:
        return ()
    found: dict[str, dict[str, None]] = {}
    for source in sources:
        for sentence in source.sentences:
            if len(sentence.terms.intersection(terms)) < SAME_TERMS * len(set(terms)):
                continue
            for place, replaced in _replaced_runs(terms, sentence.tokens):
                if _is_new(content[place], sources):
                    found.setdefault(content[place].text, {}).update((token.text, None) for token in replaced)
    return tuple(Exchange(word, tuple(replaced)) for word, replaced in found.items())


def _replaced_runs(ours: Sequence[str], tokens: Sequence[Token]) -> Iterator[tuple[int, Sequence[Token]]]:
    """Yield the places of a claim's terms that replace terms of a sentence, each with the tokens there, stop words
    included; none where too few terms are the same."""
    places = [-1, *(i for i, token in enumerate(tokens) if not token.stop), len(tokens)][: MOST_TERMS + 2]
    theirs = [tokens[i].term for i in places[1:-1]]
    steps = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    same = sum(end - start for kind, start, end, _, _ in steps if kind == "equal")
    if same < max(FEWEST_SAME, SAME_TERMS * len(ours)):
        return
    for kind, start, end, first, last in steps:
        if kind == "replace" and end - start == last - first <= MOST_EXCHANGED:
            between = tokens[places[first] + 1 : places[last + 1]]
            there = [token for token in between if not token.stop or len(token.text) >= FEWEST_LETTERS]
            yield from ((place, there) for place in range(start, end))


def _is_new(token: Token, sources: Sequence[ParsedPassage]) -> bool:
    if not token.text.isalpha():
        return False
    return not any(likeness(token.term, source.words, source.beginnings) for source in sources)
