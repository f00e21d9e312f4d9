"""The grounding check: whether what an article says is in what it cites. Deterministic, without a model.

A sentence is supported when its words are found close together in a cited passage and every hard fact in it (figures
with their units, dates, names, codes, quoted words) is found there as well, without being turned into its opposite.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from attrs import frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import (
    Grounding,
    GroundingLevel,
    GroundingTotals,
    SentenceReceipt,
    Support,
    Verdict,
)
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.agreement import Directed, agreement, directed, likeness
from contentgen_core.policies.evidence import Source, Window
from contentgen_core.policies.facts import (
    Figure,
    codes,
    figures,
    folded,
    introduced,
    months,
    names,
    spelled_figures,
)
from contentgen_core.policies.polarity import is_recast, opposed
from contentgen_core.policies.verbatim import find_verbatim, longest_verbatim_run, quotations
from contentgen_core.ports.text_analysis import Span, TextAnalysis, Token

__all__ = ["Verifier", "check_sentence", "longest_verbatim_run", "receipt"]

# A sentence is supported from this score on (with no fact missing).
SUPPORTED_FROM: Final = 0.5
# What evidence is made of: words found close together (1), words found anywhere in the passages, and directions agreed
# with as far as the words are found. Fitted by logistic regression, then over a small grid, on one half of the SciFact
# claims (docs/quality.md).
ANYWHERE: Final = 0.35
AGREED: Final = 1.3
# The evidence from which a sentence is supported, chosen on the same half, and the most there can be.
ENOUGH: Final = 0.65
MOST: Final = 1.0 + ANYWHERE + AGREED
# The share of the closeness that neighbouring words staying neighbours makes.
ORDER_SHARE: Final = 0.15
# What a score is multiplied by when the source says the opposite, and when a fact is not in it.
OPPOSED: Final = 0.45
FACT_MISSING: Final = 0.45
# A combination of passages must beat the best single one by this much to be needed.
COMBINATION_GAIN: Final = 0.02
# Recall from which an article counts as fully grounded.
FULL_FROM: Final = 0.95


@frozen
class _Claim:
    """A sentence taken apart. `weights`: its distinct content terms, longer (rarer) words weighing more; `verbatim`:
    where each of its sources holds it word for word."""

    text: str
    tokens: tuple[Token, ...]
    weights: dict[str, float]
    pairs: frozenset[tuple[str, str]]
    figures: tuple[Figure, ...]
    months: dict[int, str]
    names: tuple[Token, ...]
    quotations: tuple[str, ...]
    directed: Directed
    verbatim: dict[SourceRef, Span | None]

    def is_verbatim_in(self, window: Window) -> bool:
        span = self.verbatim[window.source.passage.ref]
        return span is not None and window.start <= span.start and span.end <= window.end


@frozen
class _Finding:
    """How far some passages support a claim: in the windows chosen, with what is missing."""

    score: float
    windows: tuple[Window, ...]
    missing: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return self.score >= SUPPORTED_FROM and not self.missing


class Verifier:
    """Checks sentences against passages, taking each passage apart once and judging each sentence once.

    Threads may share it: what two find out at the same time is the same."""

    def __init__(self, passages: Mapping[SourceRef, Passage], analysis: TextAnalysis) -> None:
        self._passages, self._analysis = passages, analysis
        self._sources: dict[tuple[SourceRef, Language], Source] = {}
        self._receipts: dict[tuple[str, bool, tuple[SourceRef, ...], Language], SentenceReceipt] = {}

    def narrowed(self, passages: Iterable[Passage]) -> Verifier:
        """The same over some of its passages. What it finds of a sentence both remember; the passages taken apart,
        which are large, go with it."""
        narrowed = Verifier({p.ref: p for p in passages if p.ref in self._passages}, self._analysis)
        narrowed._receipts = self._receipts
        return narrowed

    def check(self, sentence: DraftSentence, language: Language) -> SentenceReceipt:
        """The sentence's receipt; its `citations` are left to whoever numbers them. Citations of passages that are not
        given are ignored (their invalidity is counted with the totals)."""
        refs = self._cited(sentence)
        if not refs:
            verdict = Verdict.UNSUPPORTED if self._passages else Verdict.UNSOURCED
            return SentenceReceipt(sentence.text, (), verdict)
        key = (sentence.text, sentence.quotation, refs, language)
        receipt = self._receipts.get(key)
        if receipt is None:  # what was settled meanwhile stays
            receipt = self._receipts.setdefault(key, self._receipt(sentence, refs, language))
        return receipt

    def open_windows(self, sentence: DraftSentence, language: Language) -> tuple[Window, ...]:
        """For each passage that the sentence cites, where it says most of it. Nothing where rules alone can tell: for a
        quotation, for what a passage holds word for word, and where no passage given is cited."""
        sources = [self._source(ref, language) for ref in self._cited(sentence)]
        if sentence.quotation or any(find_verbatim(sentence.text, source.text) is not None for source in sources):
            return ()
        return self._windows(self._claim(sentence.text, sources, language), sources)

    def settle(self, sentence: DraftSentence, language: Language, receipt: SentenceReceipt) -> None:
        """From now on `check` tells this receipt of the sentence, here and wherever this is narrowed."""
        self._receipts[sentence.text, sentence.quotation, self._cited(sentence), language] = receipt

    def _cited(self, sentence: DraftSentence) -> tuple[SourceRef, ...]:
        return tuple(dict.fromkeys(ref for ref in sentence.sources if ref in self._passages))

    def _receipt(self, sentence: DraftSentence, refs: tuple[SourceRef, ...], language: Language) -> SentenceReceipt:
        sources = [self._source(ref, language) for ref in refs]
        if sentence.quotation:
            return _quotation_receipt(sentence.text, sources)
        claim = self._claim(sentence.text, sources, language)
        finding = self._find(claim, sources, language)
        best = max(finding.windows, key=lambda w: self._weigh(claim, (w,)))
        return SentenceReceipt(
            text=sentence.text,
            citations=(),
            verdict=Verdict.SUPPORTED if finding.holds else Verdict.UNSUPPORTED,
            support=_support(best.source, best.start, best.end, finding.score) if finding.score else None,
            missing_facts=finding.missing,
            citations_needed=self._needed(claim, sources, language) if finding.holds else 0,
        )

    def _source(self, ref: SourceRef, language: Language) -> Source:
        # Read in the language of the article, so that both sides of a comparison are stemmed alike.
        key = (ref, language)
        if key not in self._sources:
            self._sources[key] = Source.read(self._passages[ref], self._analysis, language)
        return self._sources[key]

    def _claim(self, text: str, sources: Sequence[Source], language: Language) -> _Claim:
        tokens = self._analysis.tokens(text, language)
        terms = [t.term for t in tokens if not t.stop]
        known = frozenset[str]().union(*(source.words for source in sources))
        settled = _settled(text, known)
        left = _blanked(text, settled)
        written = figures(left, language)
        measures = {figure.text for figure in written if figure.unit}
        return _Claim(
            text=text,
            tokens=tokens,
            weights={term: min(len(term), 12) ** 0.5 for term in terms},
            pairs=frozenset(pairwise(terms)),
            figures=(*written, *spelled_figures(tokens, language)),
            months=months(text, tokens, language),
            names=tuple(
                name
                for name in names(text, tokens, language)
                if name.text not in measures and not any(a <= name.span.start < b for a, b in settled)
            ),
            quotations=quotations(text),
            directed=directed(tokens, language),
            verbatim={source.passage.ref: find_verbatim(text, source.text) for source in sources},
        )

    def _find(self, claim: _Claim, sources: Sequence[Source], language: Language) -> _Finding:
        """The best single source, or all of them together where they hold clearly better."""
        singles = [self._judge(claim, self._windows(claim, [source]), language) for source in sources]
        best = max(singles, key=lambda f: (f.holds, f.score))
        if len(sources) == 1:
            return best
        together = self._judge(claim, self._windows(claim, sources), language)
        better = together.score >= best.score + COMBINATION_GAIN
        return together if together.holds >= best.holds and (better or not best.holds) else best

    def _needed(self, claim: _Claim, sources: Sequence[Source], language: Language) -> int:
        """How many citations contribute. ALCE's precision counts one that supports alone, or without which the others
        do not support; as this verifier has degrees, one without which they support clearly less counts as well."""
        if len(sources) == 1:
            return 1
        whole = self._find(claim, sources, language).score
        needed = 0
        for i, source in enumerate(sources):
            rest = self._find(claim, [*sources[:i], *sources[i + 1 :]], language)
            if not rest.holds or rest.score <= whole - COMBINATION_GAIN or self._find(claim, [source], language).holds:
                needed += 1
        return needed

    def _windows(self, claim: _Claim, sources: Sequence[Source]) -> tuple[Window, ...]:
        """One window a source, each chosen to add most to those before it."""
        chosen: tuple[Window, ...] = ()
        for source in sources:
            options = source.windows
            if claim.verbatim[source.passage.ref] is not None:
                options = [w for w in options if claim.is_verbatim_in(w)] or options
            # Among windows of equal weight the shortest is the most telling, then the first.
            chosen += (max(options, key=lambda w: (round(self._weigh(claim, (*chosen, w)), 3), -w.length, -w.start)),)
        return chosen

    def _weigh(self, claim: _Claim, windows: Sequence[Window]) -> float:
        """Weighted containment of the claim's terms in the windows, mixed with kept neighbourhoods, in 0..1."""
        total = sum(claim.weights.values())
        if not total:
            return float(any(claim.is_verbatim_in(w) for w in windows))
        found = 0.0
        for term, weight in claim.weights.items():
            found += weight * max(w.holds(term) for w in windows)
        containment = found / total
        if not claim.pairs:
            return containment
        kept = sum(1 for pair in claim.pairs if any(w.keeps(pair) for w in windows)) / len(claim.pairs)
        return (1 - ORDER_SHARE) * containment + ORDER_SHARE * kept

    def _judge(self, claim: _Claim, windows: tuple[Window, ...], language: Language) -> _Finding:
        verbatim = any(claim.is_verbatim_in(w) for w in windows)
        score = 1.0 if verbatim else self._weigh(claim, windows)
        missing = () if verbatim else _missing_facts(claim, windows, language)
        if missing:
            score *= FACT_MISSING
        # Even word for word: the source may deny what a part of its sentence says.
        turned = opposed(claim.tokens, [s.tokens for w in windows for s in w.sentences], language)
        if turned:
            score *= OPPOSED
        if not verbatim and claim.weights:
            score = _weighed_up(claim, score, [w.source for w in windows], language)
        if turned or missing:  # other words cannot make up for it
            score = min(score, OPPOSED if turned else FACT_MISSING)
        return _Finding(round(score, 4), windows, missing)


def _weighed_up(claim: _Claim, close: float, sources: Sequence[Source], language: Language) -> float:
    """The score in 0..1 from how much is found close together, and from what the whole passages say."""
    words = frozenset[str]().union(*(source.words for source in sources))
    starts = frozenset[str]().union(*(source.beginnings for source in sources))
    found = sum(weight * likeness(term, words, starts) for term, weight in claim.weights.items())
    anywhere = found / sum(claim.weights.values())
    agreed = agreement(claim.directed, claim.weights, [d for source in sources for d in source.directed(language)])
    evidence = close + ANYWHERE * anywhere + AGREED * agreed * anywhere
    if evidence < ENOUGH:
        return max(0.0, evidence / ENOUGH * SUPPORTED_FROM)
    return SUPPORTED_FROM + (evidence - ENOUGH) / (MOST - ENOUGH) * (1 - SUPPORTED_FROM)


def _settled(text: str, known: frozenset[str]) -> list[tuple[int, int]]:
    """Where codes stand that the passages have whole, hyphens aside, and abbreviations of words that they have."""
    found = [(start, end) for start, end, code in codes(text) if code in known]
    for start, end, words in introduced(text):
        if all(folded(word) in known for word in words.split()):
            found.append((start, end))
    return found


def _blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + "x" * (end - start) + text[end:]
    return text


def check_sentence(
    sentence: DraftSentence, passages: Mapping[SourceRef, Passage], analysis: TextAnalysis, language: Language
) -> SentenceReceipt:
    """What a sentence rests on among the passages it cites, and whether that holds (one check of a Verifier)."""
    return Verifier(passages, analysis).check(sentence, language)


def _missing_facts(claim: _Claim, windows: Sequence[Window], language: Language) -> tuple[str, ...]:
    """Figures and dates must stand in the windows themselves, names and quoted words anywhere in the cited passages."""
    known = [figure for w in windows for figure in w.figures]
    dates = {month for w in windows for month in w.months}
    words = frozenset().union(*(w.source.words for w in windows))
    missing = [figure.text for figure in claim.figures if not figure.is_among(known)]
    missing += [text for month, text in claim.months.items() if month not in dates]
    missing += _exchanged(claim, windows)
    missing += _swapped(claim.figures, [f for w in windows for s in w.sentences for f in s.figures])
    missing += [name.text for name in claim.names if not words & _forms(name)]
    missing += [
        quoted for quoted in claim.quotations if all(find_verbatim(quoted, w.source.text) is None for w in windows)
    ]
    return tuple(dict.fromkeys(missing))


def _exchanged(claim: _Claim, windows: Sequence[Window]) -> list[str]:
    """Figures that a sentence taken over almost word for word has in the place of others, wherever else they stand."""
    found: list[str] = []
    for sentence in (s for w in windows for s in w.sentences):
        lost = any(not figure.is_among(claim.figures) for figure in sentence.figures)
        if lost and claim.figures and is_recast(claim.tokens, sentence.tokens):
            found += [figure.text for figure in claim.figures if not figure.is_among(sentence.figures)]
    return found


def _swapped(claimed: Sequence[Figure], known: Sequence[Figure]) -> list[str]:
    """Figures that the claim has more often than the source, where another is in the source more often."""

    def more_often(here: Sequence[Figure], there: Sequence[Figure]) -> list[str]:
        return [f.text for i, f in enumerate(here) if _times(f, here[: i + 1]) > _times(f, there) > 0]

    return more_often(claimed, known) if _fewer(claimed, known) else []


def _fewer(claimed: Sequence[Figure], known: Sequence[Figure]) -> bool:
    return any(_times(figure, known) > _times(figure, claimed) for figure in known)


def _times(figure: Figure, among: Sequence[Figure]) -> int:
    return sum(bool(figure.values & other.values) for other in among)


def _forms(name: Token) -> frozenset[str]:
    """A name as the source may have it: as a word, as a term, an abbreviation also without its plural s."""
    forms = {folded(name.text), name.term}
    if name.text.endswith("s") and sum(c.isupper() for c in name.text) >= 2:
        forms.add(folded(name.text[:-1]))
    return frozenset(forms)


def _quotation_receipt(text: str, sources: Sequence[Source]) -> SentenceReceipt:
    spans = [(source, find_verbatim(text, source.text)) for source in sources]
    holding = [(source, span) for source, span in spans if span is not None]
    if not holding:
        return SentenceReceipt(text, (), Verdict.UNSUPPORTED, missing_facts=(text,))
    source, span = holding[0]
    support = _support(source, span.start, span.end, 1.0)
    return SentenceReceipt(text, (), Verdict.SUPPORTED, support, citations_needed=len(holding))


def _support(source: Source, start: int, end: int, score: float) -> Support:
    return Support(source.passage.ref, source.passage.content_hash, start, end, score)


def receipt(
    sentences: Sequence[SentenceReceipt],
    *,
    citations_made: int,
    citations_valid: int,
    quotations_made: int = 0,
    quotations_matched: int = 0,
    verbatim_run: int = 0,
    copied_8grams: float = 0.0,
) -> Grounding:
    """The article's receipt. A share of nothing is 1.

    `citations_made`: all citations of the drafts; `citations_valid`: those of passages that were given. Recall and
    precision are ALCE's (Gao et al. 2023, "Enabling Large Language Models to Generate Text with Citations"): supported
    sentences over all sentences, contributing citations over all citations shown.
    """
    shown = sum(len(s.citations) for s in sentences)
    cited = [s for s in sentences if s.citations]
    totals = GroundingTotals(
        sentences=len(sentences),
        citation_validity=_share(citations_valid, citations_made),
        citation_recall=_share(sum(s.verdict is Verdict.SUPPORTED for s in sentences), len(sentences)),
        citation_precision=_share(sum(min(s.citations_needed, len(s.citations)) for s in sentences), shown),
        quote_match=_share(quotations_matched, quotations_made),
        fact_match=_share(sum(not s.missing_facts for s in cited), len(cited)),
        longest_verbatim_run=verbatim_run,
        copied_8grams=round(copied_8grams, 4),
    )
    if not shown:
        level = GroundingLevel.NONE
    else:
        level = GroundingLevel.FULL if totals.citation_recall >= FULL_FROM else GroundingLevel.PARTIAL
    return Grounding(level, totals, tuple(sentences))


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 1.0
