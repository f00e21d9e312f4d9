"""Whether a source says a thing in the direction a sentence says it: more or less, for or against, with or without.

Every word of a direction ("increases", "fewer", "prevents", "not necessary") is compared with the words of the same
group, and less with those of kindred groups, near the same matter in the source. Continuous, so that it can be weighed:
1 where the source turns everything the same way, -1 where it turns the worst compared word round, 0 where there is
nothing to compare.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Final

from attrs import frozen

from contentgen_core.model.text import Token
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.polarity_words import LEXICONS, Lexicon

# How many words after a negation it still turns a direction round.
NEGATION_REACH: Final = 5
# How many words around a direction say what it is a direction of.
MATTER: Final = 5
# What keeps weak evidence weak.
DOUBT: Final = 0.05
# A direction counts this much even without a common matter around it.
ANYWHERE: Final = 0.15
# What a word of a kindred group counts: who finds more of a thing found that something raises it, and both say that
# there is a relation. A relation has no side of its own: only what is more of the other speaks for it.
KINDRED: Final = 0.3
RELATION: Final = "relation"
_KIN: Final = frozenset(
    {
        frozenset({"amount", "level"}),
        frozenset({"amount", "effect"}),
        frozenset({RELATION, "effect"}),
        frozenset({RELATION, "amount"}),
        frozenset({RELATION, "level"}),
        frozenset({RELATION, "worth"}),
    }
)
# What a common beginning of this many letters counts where the words differ.
BEGINNINGS: Final = ((7, 0.9), (6, 0.8), (5, 0.6))


@frozen
class Turn:
    """A word of a direction: its group, its side with negations applied, and the terms around it by closeness."""

    group: str
    side: int
    matter: dict[str, float]


@frozen
class Directed:
    """A sentence as its directions, and its other terms with the beginnings they are also recognised by."""

    turns: tuple[Turn, ...]
    terms: frozenset[str]
    beginnings: frozenset[str]


def directed(tokens: Sequence[Token], language: Language) -> Directed:
    lexicon = LEXICONS.get(language)
    found = _turns(tokens, lexicon) if lexicon else []
    turning = {at for at, _, _ in found}
    terms = frozenset(t.term for i, t in enumerate(tokens) if not t.stop and i not in turning)
    turns = tuple(Turn(group, side, _matter(tokens, at, turning)) for at, group, side in found)
    return Directed(turns, terms, beginnings(t.term for t in tokens if not t.stop))


def beginnings(terms: Iterable[str]) -> frozenset[str]:
    return frozenset(term[:length] for term in terms for length, _ in BEGINNINGS if len(term) >= length)


def likeness(term: str, terms: Set[str], starts: Set[str]) -> float:
    """1 for a term that is among the others, less for one that begins like one of them, else 0."""
    if term in terms:
        return 1.0
    for length, value in BEGINNINGS:  # no generator: this is the inner loop of a check
        if len(term) >= length and term[:length] in starts:
            return value
    return 0.0


def _turns(tokens: Sequence[Token], lexicon: Lexicon) -> list[tuple[int, str, int]]:
    found: list[tuple[int, str, int]] = []
    negation, end = -NEGATION_REACH - 1, 0
    for i, token in enumerate(tokens):
        word = token.text.casefold().replace("’", "'")
        if token.span.start - end > 1 or word in lexicon.clauses:
            negation = -NEGATION_REACH - 1
        end = token.span.end
        if lexicon.negates(word):
            negation = i
            continue
        turned = -1 if i - negation <= NEGATION_REACH else 1
        found += [(i, contrary.group, contrary.side * turned) for contrary in lexicon.contraries(word)]
    return found


def _matter(tokens: Sequence[Token], at: int, turning: Set[int]) -> dict[str, float]:
    around: dict[str, float] = {}
    for i in range(max(0, at - MATTER), min(len(tokens), at + MATTER + 1)):
        if i in turning or tokens[i].stop:
            continue
        # What follows a direction is its object more often than what goes before.
        close = (1.0 if i > at else 0.8) / (1 + 0.25 * (abs(i - at) - 1))
        around[tokens[i].term] = max(around.get(tokens[i].term, 0.0), close)
    return around


def agreement(claim: Directed, weights: dict[str, float], source: Iterable[Directed]) -> float:
    """In -1..1: of the claim's directions the one that the source's sentences bear out least. `weights`: how much each
    of the claim's terms tells; sentences about something else count little."""
    if not claim.turns:
        return 0.0
    total = sum(weights.get(term, 0.0) for term in claim.terms)
    for_, against = [0.0] * len(claim.turns), [0.0] * len(claim.turns)
    for sentence in source:
        if not sentence.turns:
            continue
        shared = sum(weights.get(t, 0.0) * likeness(t, sentence.terms, sentence.beginnings) for t in claim.terms)
        about = (shared / total) ** 2 if total else 1.0
        for theirs in sentence.turns:
            for i, ours in enumerate(claim.turns):
                kinship = _kinship(ours, theirs)
                if kinship:
                    value = kinship * about * (ANYWHERE + _same_matter(ours, theirs))
                    side = for_ if ours.side == theirs.side else against
                    side[i] = max(side[i], value)
    return min((f - a) / (f + a + DOUBT) for f, a in zip(for_, against, strict=True))


def _kinship(ours: Turn, theirs: Turn) -> float:
    if ours.group == theirs.group:
        return 1.0
    if frozenset((ours.group, theirs.group)) not in _KIN:
        return 0.0
    unsided = any(turn.group == RELATION for turn in (ours, theirs))
    return 0.0 if unsided and min(t.side for t in (ours, theirs) if t.group != RELATION) < 0 else KINDRED


def _same_matter(ours: Turn, theirs: Turn) -> float:
    """How much of what stands around one direction stands around the other, in 0..1."""
    total = sum(ours.matter.values())
    if not total:
        return 0.0
    starts = {term[:5]: close for term, close in theirs.matter.items() if len(term) >= 5}
    shared = 0.0
    for term, close in ours.matter.items():
        shared += close * max(theirs.matter.get(term, 0.0), 0.8 * starts.get(term[:5], 0.0))
    return shared / total
