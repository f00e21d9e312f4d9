"""Check a claim against a passage in another language. Words cannot be compared there. Figures, dates, names, negations
and directions are, and the claim's nearness in meaning decides the rest. Names differ between languages (Geneva, Genf),
mostly little. A name counts as a missing fact when no word of the passage is spelled alike or near in meaning. In
German, and in scripts without capitals, only codes and abbreviations can be recognised as names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from contentgen_core.model.text import Token
from contentgen_core.policies.grounding.claim import Claim
from contentgen_core.policies.grounding.evidence import ParsedPassage, ParsedSentence, Window
from contentgen_core.policies.grounding.finding import REFUSED, SUPPORTED_FROM, Finding
from contentgen_core.policies.grounding.missing_facts import has_more, lacks_name, missing_figures, unmatched_quotations
from contentgen_core.policies.grounding.nearness import Nearness
from contentgen_core.policies.grounding.polarity import Polarity
from contentgen_core.policies.text.facts import Figure, FigureCounts, fold_name

# A sentence is supported from this nearness to one of the passage on.
NEAR_ENOUGH: Final = 0.5
# Two names are one from this nearness on.
SAME_NAME: Final = 0.65
# A name is written alike from this share of its letters in common, from the first on, and that many.
ALIKE_SHARE: Final = 0.6
ALIKE_LETTERS: Final = 4

_ROMAN: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_ORDINAL: Final = re.compile(r"(?:(\d{1,4})|([IVXLC]{2,}))[a-zª-º]{0,3}")


def doubtful_names(claim: Claim, source: ParsedPassage) -> tuple[str, ...]:
    """Return the claim's names for which the passage has no word of similar spelling."""
    return tuple(
        dict.fromkeys(
            name.text for name in claim.names if lacks_name(name, [source]) and not _has_similar_word(name, source)
        )
    )


def possible_names(source: ParsedPassage) -> tuple[str, ...]:
    """Return the passage's words that may be a name, or a form of one in another language (Greek, griechisch)."""
    words = (t.text for sentence in source.sentences for t in sentence.tokens if not t.stop)
    return tuple(dict.fromkeys(word for word in words if len(word) >= ALIKE_LETTERS or not word.islower()))


def compare(
    claim: Claim, source: ParsedPassage, windows: Sequence[Window], nearness: Nearness
) -> tuple[Finding, float]:
    """Return what the passage holds of the claim, and their nearness in meaning. `source`: the passage, parsed in its
    own language; `windows`: its windows; `nearness`: vectors in that language."""
    near = nearness.of(claim.text, source.compared) or (0.0,)
    nearest = near.index(max(near))
    names = _lacking_names(claim, source, nearness)
    options = [w for w in windows if w.first <= nearest < w.first + w.length]
    lacking = {(w.first, w.length): _lacking_figures(claim, w) for w in options}
    window = min(options, key=lambda w: (len(lacking[w.first, w.length]), w.length, w.first))
    missing = (
        *lacking[window.first, window.length],
        *_exchanged_figures(claim, source.sentences[nearest]),
        *names,
        *unmatched_quotations(claim, [source]),
    )
    score = max(near) / NEAR_ENOUGH * SUPPORTED_FROM
    if score > SUPPORTED_FROM:
        score = SUPPORTED_FROM + (max(near) - NEAR_ENOUGH) / (1 - NEAR_ENOUGH) * (1 - SUPPORTED_FROM)
    if missing or _is_contrary(claim.polarity, source.sentences[nearest].polarity):
        score = min(score, REFUSED)
    return Finding(round(score, 4), (window,), tuple(dict.fromkeys(missing))), max(near)


def _lacking_names(claim: Claim, source: ParsedPassage, nearness: Nearness) -> list[str]:
    words = possible_names(source)
    return [name for name in doubtful_names(claim, source) if max(nearness.of(name, words), default=0.0) < SAME_NAME]


def _lacking_figures(claim: Claim, window: Window) -> list[str]:
    return missing_figures(claim, [window], [figure for sentence in window.sentences for figure in _numerals(sentence)])


def _exchanged_figures(claim: Claim, nearest: ParsedSentence) -> list[str]:
    """Return the claim's figures that replace figures of the nearest sentence, wherever else in the passage they
    stand."""
    if not has_more(nearest.figures, claim.figures):
        return []
    known = FigureCounts([*nearest.figures, *_numerals(nearest)])
    return [figure.text for figure in claim.figures if not known.has(figure)]


def _numerals(sentence: ParsedSentence) -> list[Figure]:
    values = (_numeral(token.text) for token in sentence.tokens)
    return [Figure(str(value), frozenset({str(value)})) for value in values if value is not None]


def _has_similar_word(name: Token, source: ParsedPassage) -> bool:
    value = _numeral(name.text)
    if value is not None:
        figures = (figure for sentence in source.sentences for figure in sentence.figures)
        written = (_numeral(token.text) for sentence in source.sentences for token in sentence.tokens)
        return any(str(value) in figure.values for figure in figures) or value in written
    ours = fold_name(name.text)
    return any(_is_like(ours, theirs) for theirs in source.words)


def _is_like(one: str, other: str) -> bool:
    common = sum(1 for _ in takewhile(lambda letters: letters[0] == letters[1], zip(one, other, strict=False)))
    return common >= ALIKE_LETTERS and common >= ALIKE_SHARE * max(len(one), len(other))


def _numeral(word: str) -> int | None:
    """The value of an ordinal (18th, XVIIIe) or of a Roman numeral of two letters and more (XVIII)."""
    ordinal = _ORDINAL.fullmatch(word)
    if ordinal is None:
        return None
    if ordinal[1]:
        return int(ordinal[1])
    values = [_ROMAN[letter] for letter in ordinal[2]]
    return sum(-v if v < after else v for v, after in zip(values, [*values[1:], 0], strict=True))


def _is_contrary(claim: Polarity, source: Polarity) -> bool:
    """Whether one negates more often than the other, or a direction of the same group has another side, or only the
    claim excludes everything else ("only")."""
    if claim.denials != source.denials or (claim.only and not source.may_be_only):
        return True
    ours, theirs = _sides_by_group(claim), _sides_by_group(source)
    return any(_are_opposed(ours[group], theirs[group]) for group in ours.keys() & theirs.keys())


def _sides_by_group(found: Polarity) -> dict[str, list[int]]:
    sides: dict[str, list[int]] = {}
    for direction in found.directions:
        sides.setdefault(direction.group, []).append(direction.side)
    return sides


def _are_opposed(ours: Sequence[int], theirs: Sequence[int]) -> bool:
    """Whether the two have no side in common, or as many words with one side different."""
    return set(ours).isdisjoint(theirs) or (len(ours) == len(theirs) and sum(ours) != sum(theirs))
