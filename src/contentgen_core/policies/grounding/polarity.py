"""Polarity: whether a source says a thing in the direction a sentence says it (more or less, for or against, with or
without), and whether one of them negates what the other states.

Words, not grammar: a negation bears on the content words that follow it closely in its clause, and turns round the side
of a direction among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from functools import cached_property
from itertools import chain, repeat
from typing import Final

from attrs import frozen

from contentgen_core.model.text import Token
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.comparisons import (
    Comparison,
    comparisons,
    denied_within,
    forms,
    is_reversed,
    leaves_nothing_else,
    may_leave_nothing_else,
)
from contentgen_core.policies.grounding.polarity_words import LEXICONS, Lexicon

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
SHORTEST_BEGINNING: Final = min(length for length, _ in BEGINNINGS)
# Two sentences with this share of their words in common are one, but for what was changed in it.
SAME_SENTENCE: Final = 0.8


@frozen
class Direction:
    """A word of a direction in a sentence.

    `word`: as a term; `group`: the words it is compared with; `side`: 1 or -1, turned by a negation before it;
    `matter`: the terms around it, by closeness in 0..1.
    """

    word: str
    group: str
    side: int
    matter: dict[str, float]


@frozen(eq=False)
class Polarity:
    """A sentence as its negations and directions. What a comparison asks of it is read when first asked for, since most
    sentences are never compared in most of it."""

    tokens: Sequence[Token]
    language: Language

    @cached_property
    def directions(self) -> tuple[Direction, ...]:
        """Its directions, in the order of the words."""
        found = self._marks.directing
        directing = {i for i, *_ in found}
        return tuple(
            Direction(self.tokens[i].term, group, side, _matter(self.tokens, i, directing)) for i, group, side in found
        )

    @cached_property
    def terms(self) -> frozenset[str]:
        """Content terms that are not words of a direction."""
        directing = {i for i, *_ in self._marks.directing}
        return frozenset(t.term for i, t in enumerate(self.tokens) if not t.stop and i not in directing)

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """Beginnings by which its content terms are recognised in other forms."""
        return beginnings(t.term for t in self.tokens if not t.stop)

    @property
    def reaches(self) -> tuple[tuple[str, ...], ...]:
        """The content terms that each negation bears on."""
        return self._marks.reaches

    @cached_property
    def content(self) -> frozenset[str]:
        """All content terms except negations."""
        return frozenset(
            t.term for t, not_ in zip(self.tokens, self._marks.negating, strict=True) if not (t.stop or not_)
        )

    @cached_property
    def words(self) -> Counter[str]:
        """The count of each word, without negations."""
        return Counter(word for word, not_ in zip(self._marks.words, self._marks.negating, strict=True) if not not_)

    @cached_property
    def length(self) -> int:
        """The number of words, without negations."""
        return self.words.total()

    @cached_property
    def negations(self) -> int:
        """The number of words of negation."""
        return sum(self._marks.negating)

    @cached_property
    def denials(self) -> int:
        """The number of negations; one of two words (ne … pas) counts once."""
        halves = sum(word in LEXICONS[self.language].halves for word in self._marks.words)
        return max(halves, self.negations - halves)

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        return comparisons(self.tokens, self._marks.directing, self.language)

    @cached_property
    def only(self) -> bool:
        """Whether it says that there is nothing else."""
        return leaves_nothing_else(self.tokens, self.language)

    @cached_property
    def may_be_only(self) -> bool:
        """Whether the sentence of a source excludes everything else, surely or perhaps."""
        return may_leave_nothing_else(self.tokens, self.language)

    @cached_property
    def forms(self) -> frozenset[str]:
        """The content words, as written and as terms."""
        return forms(self.tokens)

    @cached_property
    def denied_within(self) -> tuple[frozenset[str], ...]:
        """The rests of the words that begin with a denying prefix."""
        return denied_within(self.tokens, self.language)

    @cached_property
    def _marks(self) -> _Marks:
        return _Marks.read(self.tokens, LEXICONS[self.language])


@frozen
class _Marks:
    """The words of polarity in a sentence. `words`: as written, in lower case; `negating`: for each whether it is a
    negation; `directing`: the words of a direction, each with its place, group and side; `reaches`: for each negation
    the content terms it bears on."""

    words: tuple[str, ...]
    negating: tuple[bool, ...]
    directing: tuple[tuple[int, str, int], ...]
    reaches: tuple[tuple[str, ...], ...]

    @classmethod
    def read(cls, tokens: Sequence[Token], lexicon: Lexicon) -> _Marks:
        words = _lower_words(tokens)
        negating = [lexicon.negates(word) for word in words]
        reaches: list[list[str]] = []
        found: list[tuple[int, str, int]] = []
        left, end = 0, 0
        for i, (token, word) in enumerate(zip(tokens, words, strict=True)):
            if token.start - end > 1 or word in lexicon.clauses:
                left = 0
            end = token.end
            if negating[i]:
                left = lexicon.reach
                reaches.append([])
                continue
            turned = -1 if left > 0 else 1
            found += [(i, c.group, c.side * turned) for c in lexicon.contraries(word)]
            if not token.stop:
                if left > 0:
                    reaches[-1].append(token.term)
                left -= 1
        return cls(tuple(words), tuple(negating), tuple(found), tuple(map(tuple, reaches)))


def count_negations(tokens: Iterable[Token], language: Language) -> int:
    """Count the words of negation in a sentence."""
    return sum(map(LEXICONS[language].negates, _lower_words(tokens)))


def _lower_words(tokens: Iterable[Token]) -> list[str]:
    return [token.text.casefold().replace("’", "'") for token in tokens]


def beginnings(terms: Iterable[str]) -> frozenset[str]:
    each = set(terms)
    return frozenset([term[:length] for length, _ in BEGINNINGS for term in each if len(term) >= length])


def likeness(term: str, terms: Set[str], starts: Set[str]) -> float:
    """1 for a term that is among the others, less for one that begins like one of them, else 0. `starts`: their
    `beginnings`."""
    if term in terms:
        return 1.0
    if term[:SHORTEST_BEGINNING] not in starts:  # as for most: a longer beginning would be there with this one
        return 0.0
    for length, value in BEGINNINGS:  # no generator: this is the inner loop of a check
        if len(term) >= length and term[:length] in starts:
            return value
    return 0.0


def agreement(
    claim: Polarity, weights: dict[str, float], source: Iterable[Polarity], meant: Iterable[float] = ()
) -> float:
    """Return how far a source's sentences agree with the claim's directions, in -1..1: the value of the direction that
    agrees least. 1 where all agree, -1 where one is reversed, 0 where there is nothing to compare. `weights`: the
    weight of each of the claim's terms; sentences about something else count little. `meant`: for each sentence its
    nearness in meaning to the claim, in 0..1, which counts where words tell less."""
    if not claim.directions:
        return 0.0
    for_, against = [0.0] * len(claim.directions), [0.0] * len(claim.directions)
    for sentence, least in zip(source, chain(meant, repeat(0.0)), strict=False):
        compared = [(theirs, kin) for theirs in sentence.directions if (kin := _kin(claim.directions, theirs))]
        about = max(least, _relatedness(claim, weights, sentence)) if compared else 0.0
        for theirs, kin in compared:
            matters = {i: _same_matter(claim.directions[i], theirs) for i in kin}
            # The same word of the claim has the better right to be compared with it, unless another is nearer.
            same_word = [matter for i, matter in matters.items() if claim.directions[i].word == theirs.word]
            taken = max(same_word, default=-1.0)
            for i, kinship in kin.items():
                ours = claim.directions[i]
                if ours.word == theirs.word or matters[i] > taken:
                    side = for_ if ours.side == theirs.side else against
                    side[i] = max(side[i], kinship * about * (ANYWHERE + matters[i]))
    return min((f - a) / (f + a + DOUBT) for f, a in zip(for_, against, strict=True))


def _kin(directions: Sequence[Direction], theirs: Direction) -> dict[int, float]:
    """Return the weight of each direction, by index, that can be compared with the other one."""
    return {i: kinship for i, ours in enumerate(directions) if (kinship := _kinship(ours, theirs))}


def _relatedness(claim: Polarity, weights: dict[str, float], sentence: Polarity) -> float:
    """Return how much a sentence is about the same matter as the claim, in 0..1."""
    total = sum(weights.get(term, 0.0) for term in claim.terms)
    shared = sum(weights.get(t, 0.0) * likeness(t, sentence.terms, sentence.beginnings) for t in claim.terms)
    return (shared / total) ** 2 if total else 1.0


def negates(claim: Polarity, source: Sequence[Polarity]) -> bool:
    """Whether what a negation bears on, on one side, stands without any on the other."""
    return _denies([claim], source) or _denies(source, [claim])


def contradicts(claim: Polarity, source: Sequence[Polarity]) -> bool:
    """Whether the claim compares two things the other way round, says that there is nothing else, which the source does
    not, or has a word denied by its beginning that the source has plain, or the other way round."""
    if is_reversed(claim.comparisons, [comparison for sentence in source for comparison in sentence.comparisons]):
        return True
    if claim.only and not any(sentence.may_be_only for sentence in source):
        return True
    return _is_denied_within([claim], source) or _is_denied_within(source, [claim])


def _is_denied_within(one: Sequence[Polarity], other: Sequence[Polarity]) -> bool:
    own = frozenset[str]().union(*(sentence.forms for sentence in one))
    plain = frozenset[str]().union(*(sentence.forms for sentence in other))
    alike = frozenset[str]().union(*(found for sentence in other for found in sentence.denied_within))
    denied = (found for sentence in one for found in sentence.denied_within)
    return any(found & plain and not found & (own | alike) for found in denied)


def _denies(one: Iterable[Polarity], other: Sequence[Polarity]) -> bool:
    reaches = [reach for sentence in one for reach in sentence.reaches]
    if not reaches:
        return False
    # A negation bears most surely on the first word after it: only the first one that both sides have decides.
    content = frozenset[str]().union(*(sentence.content for sentence in other))
    reached = {term for sentence in other for reach in sentence.reaches for term in reach}
    heads = (next((t for t in reach if t in content), None) for reach in reaches)
    return any(head is not None and head not in reached for head in heads)


def recasts(claim: Polarity, source: Iterable[Polarity]) -> bool:
    """Whether the claim is one of the source's sentences almost word for word, with more or fewer negations in it."""
    best, differs = SAME_SENTENCE, False
    for sentence in source:
        common = _in_common(claim, sentence)
        if common >= best:
            best, differs = common, claim.negations != sentence.negations
    return differs


def is_recast(claim: Polarity, sentence: Polarity) -> bool:
    """Whether two sentences are one almost word for word, negations aside."""
    return _in_common(claim, sentence) >= SAME_SENTENCE


def _in_common(one: Polarity, other: Polarity) -> float:
    """The share of their words that two sentences have in common, in 0..1."""
    ours, theirs = one.words, other.words
    common = sum([min(ours[word], theirs[word]) for word in ours.keys() & theirs.keys()])
    return common / max(1, one.length, other.length)


def _matter(tokens: Sequence[Token], at: int, directing: Set[int]) -> dict[str, float]:
    around: dict[str, float] = {}
    for i in range(max(0, at - MATTER), min(len(tokens), at + MATTER + 1)):
        if i in directing or tokens[i].stop:
            continue
        # What follows a direction is its object more often than what goes before.
        close = (1.0 if i > at else 0.8) / (1 + 0.25 * (abs(i - at) - 1))
        around[tokens[i].term] = max(around.get(tokens[i].term, 0.0), close)
    return around


def _kinship(ours: Direction, theirs: Direction) -> float:
    if ours.group == theirs.group:
        return 1.0
    if frozenset((ours.group, theirs.group)) not in _KIN:
        return 0.0
    unsided = any(direction.group == RELATION for direction in (ours, theirs))
    return 0.0 if unsided and min(d.side for d in (ours, theirs) if d.group != RELATION) < 0 else KINDRED


def _same_matter(ours: Direction, theirs: Direction) -> float:
    """Return the share of the words around one direction that stand around the other, in 0..1."""
    total = sum(ours.matter.values())
    if not total:
        return 0.0
    starts = {term[:5]: close for term, close in theirs.matter.items() if len(term) >= 5}
    shared = 0.0
    for term, close in ours.matter.items():
        shared += close * max(theirs.matter.get(term, 0.0), 0.8 * starts.get(term[:5], 0.0))
    return shared / total
