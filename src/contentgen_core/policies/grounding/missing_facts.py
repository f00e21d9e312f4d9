"""Find the facts of a sentence that its sources lack: figures, dates, names, codes, quoted words, and exchanged
words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from contentgen_core.model.text import Token
from contentgen_core.policies.grounding.claim import Claim
from contentgen_core.policies.grounding.evidence import ParsedPassage, Window
from contentgen_core.policies.grounding.polarity import is_recast
from contentgen_core.policies.text.facts import Figure, FigureCounts, fold_name

# Shorter abbreviations are the initials of some words in any text.
SPELLED_OUT_FROM: Final = 3


def missing_facts(claim: Claim, windows: Sequence[Window]) -> tuple[str, ...]:
    """Return the facts that are missing. Figures and dates must stand in the windows themselves, names and quoted words
    anywhere in the cited passages; an exchanged word must be near in meaning to the word it replaces, where that is
    known."""
    sources = [w.source for w in windows]
    missing = missing_figures(claim, windows)
    missing += [name.text for name in claim.names if lacks_name(name, sources)]
    missing += unmatched_quotations(claim, sources)
    missing += claim.exchanged
    return tuple(dict.fromkeys(missing))


def missing_figures(claim: Claim, windows: Sequence[Window], also: Sequence[Figure] = ()) -> list[str]:
    """Figures and dates of the claim that are not in the windows, or there in another's place.

    `also`: further figures of the windows."""
    known = FigureCounts([*also, *(figure for w in windows for figure in w.figures)])
    dates = {month for w in windows for month in w.months}
    missing = [figure.text for figure in claim.figures if not known.has(figure)]
    missing += [text for month, text in claim.months.items() if month not in dates]
    missing += _exchanged_figures(claim, windows)
    return missing + _surplus_figures(claim.figures, [f for w in windows for s in w.sentences for f in s.figures])


def lacks_name(name: Token, sources: Sequence[ParsedPassage]) -> bool:
    """Whether none of the passages has the name, as it is written or as what an abbreviation stands for."""
    forms = _forms(name)
    return not (any(source.words & forms for source in sources) or _is_spelled_out(name, sources))


def unmatched_quotations(claim: Claim, sources: Sequence[ParsedPassage]) -> list[str]:
    """The claim's quotations that no passage has word for word."""
    return [quoted for quoted in claim.quotations if all(source.wording.find(quoted) is None for source in sources)]


def _exchanged_figures(claim: Claim, windows: Sequence[Window]) -> list[str]:
    """Return the figures that replace others in a sentence taken over almost word for word, wherever else they
    stand."""
    found: list[str] = []
    claimed = FigureCounts(claim.figures)
    for sentence in (s for w in windows for s in w.sentences):
        lost = any(not claimed.has(figure) for figure in sentence.figures)
        if lost and claim.figures and is_recast(claim.polarity, sentence.polarity):
            known = FigureCounts(sentence.figures)
            found += [figure.text for figure in claim.figures if not known.has(figure)]
    return found


def _surplus_figures(claimed: Sequence[Figure], known: Sequence[Figure]) -> list[str]:
    """Return the figures that the claim has more often than the source, where the source has another figure more
    often."""

    if not has_more(known, claimed):
        return []
    in_source, so_far = FigureCounts(known), FigureCounts()
    found = []
    for figure in claimed:
        so_far.add(figure)
        if so_far.times(figure) > in_source.times(figure) > 0:
            found.append(figure.text)
    return found


def has_more(some: Sequence[Figure], others: Sequence[Figure]) -> bool:
    """Whether one of these figures stands here more often than among the others."""
    here, there = FigureCounts(some), FigureCounts(others)
    return any(here.times(figure) > there.times(figure) for figure in some)


def _forms(name: Token) -> frozenset[str]:
    """A name as the source may have it: as a word, as a term, an abbreviation also without its plural s."""
    forms = {fold_name(name.text), name.term}
    if name.text.endswith("s") and sum(c.isupper() for c in name.text) >= 2:
        forms.add(fold_name(name.text[:-1]))
    return frozenset(forms)


def _is_spelled_out(name: Token, sources: Sequence[ParsedPassage]) -> bool:
    """Whether an abbreviation's letters are the initials of consecutive words of a source: those that carry meaning."""
    letters = name.text.removesuffix("s")
    if len(letters) < SPELLED_OUT_FROM or not (letters.isalpha() and letters.isupper()):
        return False
    return any(fold_name(letters) in row for source in sources for row in source.initials)
