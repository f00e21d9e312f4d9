"""Whether two sentences contradict each other: they are on one thing, tell the same of it, and differ in one value.

What cannot be told for certain counts as no conflict: a person has to look at each one that is found."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from attrs import evolve, frozen

from contentgen_core.model.conflict import ConflictKind
from contentgen_core.model.text import Span
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.conflicts.statements import Statement, Word
from contentgen_core.policies.conflicts.subjects import on_different_things
from contentgen_core.policies.conflicts.values import Measure, Time
from contentgen_core.policies.conflicts.words import AT_A_PLACE, PLACED, TOWARDS_A_NAME
from contentgen_core.policies.grounding.polarity import RELATION
from contentgen_core.policies.grounding.polarity_words import LEXICONS


@frozen
class Difference:
    """`one`, `other`: where the values stand in the two sentences; an empty span where only one has a word."""

    kind: ConflictKind
    one: Span
    other: Span

    def turned(self) -> Difference:
        return evolve(self, one=self.other, other=self.one)


@frozen
class _Apart:
    """The words that each of two sentences has and the other has not; a run on one side may stand for one on the
    other."""

    runs: tuple[tuple[tuple[Word, ...], tuple[Word, ...]], ...]

    @property
    def none(self) -> bool:
        return not self.runs


def compare(one: Statement, other: Statement) -> Difference | None:
    """Return the difference between two statements, or None. Symmetric except for the sides."""
    if one.passage.document.language is not other.passage.document.language:
        return None
    swapped = _order(other) < _order(one)
    found = _compare(other, one) if swapped else _compare(one, other)
    if found is None or _are_of_two_subjects(one, other):
        return None
    return found.turned() if swapped else found


def say_the_same(one: Statement, other: Statement) -> bool:
    """Whether two sentences are on one thing and tell the same of it, in the words by which they are compared."""
    if one.passage.document.language is not other.passage.document.language:
        return False
    if one.telling != other.telling or not _same_subject(one, other):
        return False
    apart = _apart(one, other)
    if apart is None or not apart.none or _unmatched_measures(one.measures, other.measures) != ((), ()):
        return False
    if not _times_agree(one, other, both=True) or _denials_differ(one, other):
        return False
    return not _are_of_two_subjects(one, other)


def _are_of_two_subjects(one: Statement, other: Statement) -> bool:
    """Whether the surroundings of two sentences name two different things. Called last, since it reads both
    passages."""
    if one.proper & other.proper:
        return False
    return on_different_things(one.naming, one.span, other.naming, other.span)


def _order(statement: Statement) -> tuple[str, str]:
    return statement.text, str(statement.passage.ref)


def _compare(one: Statement, other: Statement) -> Difference | None:
    if one.telling != other.telling or not _same_subject(one, other):
        return None
    apart = _apart(one, other)
    if apart is None:
        return None
    measures = _unmatched_measures(one.measures, other.measures)
    if measures is None:
        return None
    left, right = measures
    if apart.none:
        if _denials_differ(one, other):
            plain = not left and not right and _times_agree(one, other)
            return _negation(one, other) if plain else None
        if left or right:
            return _figure(one, other, left, right)
        return _date(one, other)
    if left or right or not _times_agree(one, other, both=True) or _denials_differ(one, other):
        return None
    return _replacement(one, other, apart)


def _same_subject(one: Statement, other: Statement) -> bool:
    """Whether nothing says that the two are on different things: a sentence that names nothing itself is on what its
    document is on."""
    years = one.head.years, other.head.years
    if all(years) and not years[0] & years[1]:
        return False
    if one.named and other.named:
        return True  # whose names are compared as words
    if one.subject and other.subject and not (one.subject <= other.subject or other.subject <= one.subject):
        return False
    if one.named or other.named:
        named, backward = (one, other) if one.named else (other, one)
        return bool(named.subject & (backward.subject | backward.head.words)) or _same_title(one, other)
    return _same_title(one, other)


def _same_title(one: Statement, other: Statement) -> bool:
    """Whether one of the titles has all that the other has."""
    ours, theirs = one.head.title, other.head.title
    return bool(ours and theirs) and (ours <= theirs or theirs <= ours)


def _apart(one: Statement, other: Statement) -> _Apart | None:
    """Return what sets two statements apart; None where they have too little in common to be on the same thing."""
    ours, theirs = one.terms, other.terms
    left = [w for w in one.words if w.term not in theirs and w.token.term not in other.head.terms]
    right = [w for w in other.words if w.term not in ours and w.token.term not in one.head.terms]
    if not left and not right:
        return _Apart(())
    if not left or not right:  # a word more narrows what a sentence is on
        return None
    steps = SequenceMatcher(None, [w.term for w in one.words], [w.term for w in other.words], autojunk=False)
    runs = []
    for kind, start, end, first, last in steps.get_opcodes():
        if kind == "equal":
            continue
        run = (
            tuple(w for w in one.words[start:end] if w in left),
            tuple(w for w in other.words[first:last] if w in right),
        )
        if any(run):
            runs.append(run)
    return _Apart(tuple(runs))


def _unmatched_measures(
    ours: Sequence[Measure], theirs: Sequence[Measure]
) -> tuple[tuple[Measure, ...], tuple[Measure, ...]] | None:
    """Return the measures of each that the other lacks. None where the numbers show that the sentences are on different
    things."""
    labels = [sorted(str(sorted(m.readings)) for m in side if m.label) for side in (ours, theirs)]
    if labels[0] != labels[1]:
        return None
    left = tuple(m for m in ours if not m.label and not any(m.is_same(o) for o in theirs))
    right = tuple(m for m in theirs if not m.label and not any(m.is_same(o) for o in ours))
    return left, right


def _figure(one: Statement, other: Statement, left: Sequence[Measure], right: Sequence[Measure]) -> Difference | None:
    """Return the difference where each has one measure that the other lacks, of the same time, possibly in other
    units."""
    if not left or not right or not _times_agree(one, other, both=True):
        return None
    if any(m.bound for m in (*left, *right)):
        return None
    ours, theirs = left[0], right[0]
    if not all(m.is_same(ours) for m in left) or not all(m.is_same(theirs) for m in right):
        return None  # more than one figure differs: another case
    if not ours.is_like(theirs) or not _same_place(one, other, ours, theirs):
        return None
    return Difference(ConflictKind.FIGURE, ours.span, theirs.span)


def _same_place(one: Statement, other: Statement, ours: Measure, theirs: Measure) -> bool:
    """Whether two figures measure or count the same in their sentences: by their unit where no other has it, else by
    the words around them."""
    alone = all(
        sum(m.dimension == measure.dimension for m in statement.measures if not m.is_same(measure)) == 0
        for statement, measure in ((one, ours), (other, theirs))
    )
    if ours.dimension and alone:
        return True
    return any(a and a == b for a, b in zip(_around(one, ours), _around(other, theirs), strict=True))


def _around(statement: Statement, measure: Measure) -> tuple[str | None, str | None]:
    """The words after and before a figure."""
    before = [w.term for w in statement.words if w.token.span.end <= measure.span.start]
    after = [w.term for w in statement.words if w.token.span.start >= measure.span.end]
    return (after[0] if after else None), (before[-1] if before else None)


def _times_agree(one: Statement, other: Statement, *, both: bool = False) -> bool:
    """Whether each time of one is a time of the other. `both`: where one has none at all, they do not."""
    if not one.times and not other.times:
        return True
    if not one.times or not other.times:
        return not both
    return _each_agrees(one.times, other.times) and _each_agrees(other.times, one.times)


def _each_agrees(ours: Sequence[Time], theirs: Sequence[Time]) -> bool:
    return all(any(time.agrees(other) for other in theirs) for time in ours)


def _date(one: Statement, other: Statement) -> Difference | None:
    """Return the difference where both state a different time for the same event, or for the same beginning or end."""
    if [m.readings for m in one.measures] != [m.readings for m in other.measures]:
        return None
    left = [time for time in one.times if not any(time.agrees(o) for o in other.times)]
    right = [time for time in other.times if not any(time.agrees(o) for o in one.times)]
    if len(left) != 1 or len(right) != 1:
        return None
    if not (one.once and other.once) and not (left[0].since and right[0].since):
        return None
    return Difference(ConflictKind.DATE, left[0].span, right[0].span)


def _denials_differ(one: Statement, other: Statement) -> bool:
    return one.polarity.denials != other.polarity.denials


def _negation(one: Statement, other: Statement) -> Difference | None:
    """Return the difference where one denies, by one word, what the other states."""
    if abs(one.polarity.denials - other.polarity.denials) != 1:
        return None
    return Difference(ConflictKind.NEGATION, _denial(one), _denial(other))


def _denial(statement: Statement) -> Span:
    lexicon = LEXICONS[statement.passage.document.language]
    words = ((t, t.text.casefold().replace("’", "'")) for t in statement.tokens)
    return next((t.span for t, word in words if lexicon.negates(word)), Span(0, 0))


def _replacement(one: Statement, other: Statement, apart: _Apart) -> Difference | None:
    """Return the difference where one word or name replaces another in the same place."""
    if len(apart.runs) != 1:
        return None
    ours, theirs = apart.runs[0]
    if not ours or not theirs:
        return None
    spans = [Span(run[0].token.span.start, run[-1].token.span.end) for run in (ours, theirs)]
    language = one.passage.document.language
    if len(ours) == len(theirs) == 1 and _are_contrary(ours[0], theirs[0], language):
        return Difference(ConflictKind.CONTRARY, *spans)
    if all(w.name for w in (*ours, *theirs)) and _tells_a_name(one, ours) and _tells_a_name(other, theirs):
        return Difference(ConflictKind.NAME, *spans)
    return None


def _are_contrary(ours: Word, theirs: Word, language: Language) -> bool:
    lexicon = LEXICONS[language]
    sides = [{c.group: c.side for c in lexicon.contraries(w.token.text.casefold())} for w in (ours, theirs)]
    return any(sides[0][group] != sides[1][group] for group in sides[0].keys() & sides[1].keys() - {RELATION})


def _tells_a_name(statement: Statement, run: Sequence[Word]) -> bool:
    """Whether a name is what a sentence tells of its subject, and the only one that it can tell."""
    tokens, language = list(statement.tokens), statement.passage.document.language
    at = tokens.index(run[0].token)
    if at == 0 or any(b.token.span.start - a.token.span.end > 1 for a, b in pairwise(run)):
        return False
    if not any(w.token.span.end <= run[0].token.span.start for w in statement.words):
        return False
    cue = tokens[at - 1].text.casefold()
    if cue in TOWARDS_A_NAME[language]:
        return True
    placed = any(token.text.casefold() in PLACED[language] for token in tokens)
    return cue in AT_A_PLACE[language] and placed
