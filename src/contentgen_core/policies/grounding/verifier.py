"""The grounding check: whether the cited passages support an article's sentences. Deterministic, without a model. A
sentence is supported when its words are found close together in a cited passage, every hard fact in it (figures with
their units, dates, names, codes, quoted words) is found there as well, nothing turns it into its opposite, and no
content word is in none of the cited passages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from attrs import evolve, frozen

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
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.across_languages import compare, doubtful_names, possible_names
from contentgen_core.policies.grounding.claim import Claim
from contentgen_core.policies.grounding.evidence import ParsedPassage, ParsedPassages, Window
from contentgen_core.policies.grounding.exchanged_words import exchanges
from contentgen_core.policies.grounding.finding import REFUSED, Finding
from contentgen_core.policies.grounding.missing_facts import missing_facts
from contentgen_core.policies.grounding.nearness import Compared, Nearness, is_compared
from contentgen_core.policies.grounding.support_score import (
    Features,
    features,
    is_opposed,
    opposes_itself,
    score,
)
from contentgen_core.policies.grounding.unsaid_words import words_beside
from contentgen_core.policies.retrieval.paraphrases import PARAPHRASES

__all__ = ["NOTHING_CHECKED", "Receipts", "Verifier", "check_sentence", "receipt"]

Receipts = Mapping[DraftSentence, SentenceReceipt]
"""What the check found, by the sentence as it was checked: citing only passages that the check was given."""
NOTHING_CHECKED: Final[Receipts] = MappingProxyType({})

# The share of the closeness by which windows are chosen that neighbouring words staying neighbours makes.
ORDER_SHARE: Final = 0.15
# A combination of passages must beat the best single one by this much to be needed.
COMBINATION_GAIN: Final = 0.02
# Recall from which an article counts as fully grounded.
FULL_FROM: Final = 0.95


@frozen
class Explanation:
    """The parts of a verdict. `missing` facts and being `opposed` refuse a sentence whatever its score."""

    features: Features
    missing: tuple[str, ...]
    opposed: bool


class Verifier:
    """Checks sentences against passages. A verdict depends on the sentence, its passages and the language alone.
    Threads may share it. `passages`: those that sentences may cite, by reference. `parsed`: a cache of parsed passages
    shared with other verifiers; None: a cache of its own."""

    def __init__(
        self, passages: Mapping[SourceRef, Passage], analysis: TextAnalysis, parsed: ParsedPassages | None = None
    ) -> None:
        self._passages, self._analysis = passages, analysis
        self._parsed = parsed or ParsedPassages(analysis)

    def check(self, sentence: DraftSentence, language: Language, nearness: Nearness | None = None) -> SentenceReceipt:
        """Return the sentence's receipt, still without the numbers of its citations. Citations of unknown passages are
        ignored; the totals count them as invalid. `nearness`: counts where the sentence has a vector there; None: words
        and facts alone."""
        sources = self._sources_of(sentence, language)
        if not sources:
            verdict = Verdict.UNSUPPORTED if self._passages else Verdict.UNSOURCED
            return SentenceReceipt(sentence.text, (), verdict)
        if sentence.quotation:
            return _quotation_receipt(sentence.text, sources)
        return self._receipt(sentence, language, nearness)

    def check_each(
        self,
        sentences: Iterable[DraftSentence],
        language: Language,
        known: Receipts = NOTHING_CHECKED,
    ) -> dict[DraftSentence, SentenceReceipt]:
        """Return a receipt for each different sentence, in order, by words and facts. `known`: receipts of earlier
        checks in this language; those sentences are not checked again."""
        each = dict.fromkeys(sentence.citing_only(self._passages) for sentence in sentences)
        return {sentence: known.get(sentence) or self.check(sentence, language) for sentence in each}

    def check_again(self, receipts: Receipts, language: Language, nearness: Nearness) -> Receipts:
        """Return new receipts for the sentences that have a vector, by words, facts and nearness."""
        compared = [sentence for sentence, found in receipts.items() if is_compared(sentence, found)]
        return {sentence: self.check(sentence, language, nearness) for sentence in compared}

    def open_windows(self, sentence: DraftSentence, language: Language) -> tuple[Window, ...]:
        """Return the best window of each passage that the sentence cites. Empty where rules alone decide: for a
        quotation, for a sentence that a passage holds word for word, and where no known passage is cited."""
        sources = self._sources_of(sentence, language)
        if sentence.quotation or any(source.wording.find(sentence.text) is not None for source in sources):
            return ()
        return self._windows(Claim.read(sentence.text, sources, self._analysis, language), sources)

    def languages(self, sentences: Iterable[DraftSentence]) -> frozenset[Language]:
        """Return the languages of the passages that the sentences cite."""
        refs = {ref for sentence in sentences for ref in sentence.sources if ref in self._passages}
        return frozenset(self._passages[ref].document.language for ref in refs)

    def compared(
        self, sentences: Iterable[DraftSentence], language: Language, known: Collection[Language]
    ) -> dict[Language, Compared]:
        """Return the texts whose vectors the check needs, by the language of the cited passages. `known`: the languages
        for which vectors can be had."""
        claims: dict[Language, list[str]] = {}
        evidence: dict[Language, list[str]] = {}
        words: list[str] = []
        for sentence in sentences:
            sources = self._sources_of(sentence, language)
            own = [source for source in sources if source.passage.document.language is language]
            for source in own:
                claims.setdefault(language, []).append(sentence.text)
                evidence.setdefault(language, []).extend(source.compared)
            claim = Claim.read(sentence.text, own, self._analysis, language)
            for found in exchanges(claim.tokens, own):
                words += (found.word, *found.replaced)
            if claim.unsaid:
                words += (*claim.unsaid, *words_beside(claim.tokens, own))
            for source in self._foreign_sources(sentence, language, known):
                other = source.passage.document.language
                names = doubtful_names(Claim.read(sentence.text, [source], self._analysis, language), source)
                claims.setdefault(other, []).extend((sentence.text, *names))
                evidence.setdefault(other, []).extend((*source.compared, *(possible_names(source) if names else ())))
        return {
            other: Compared(
                _distinct(claims[other]), _distinct(evidence[other]), _distinct(words) if other is language else ()
            )
            for other in claims
        }

    def everyday_words(self, language: Language) -> tuple[str, ...]:
        """Return words of everyday sentences about different things; their nearness is the one of unrelated words."""
        texts = (text for pair in PARAPHRASES[language] for text in pair)
        return _distinct(t.text for text in texts for t in self._analysis.tokens(text, language) if not t.stop)

    def _receipt(self, sentence: DraftSentence, language: Language, nearness: Nearness | None) -> SentenceReceipt:
        foreign = self._foreign_sources(sentence, language, () if nearness is None else nearness.foreign)
        apart = {source.passage.ref for source in foreign}
        own = [source for source in self._sources_of(sentence, language) if source.passage.ref not in apart]
        found = [self._in_own_language(sentence.text, own, language, nearness)] if own else []
        if nearness is not None:
            found += [self._across(sentence.text, source, language, nearness) for source in foreign]
        if len(found) == 1:
            return found[0]
        best = max(found, key=_degree)
        return evolve(
            best,
            citations_needed=sum(each.citations_needed for each in found),
            nearness=max((each.nearness for each in found if each.nearness is not None), default=None),
        )

    def _in_own_language(
        self, text: str, sources: Sequence[ParsedPassage], language: Language, nearness: Nearness | None
    ) -> SentenceReceipt:
        if nearness is None and len(sources) == 1 and (whole := self._verbatim_window(text, sources[0])):
            return _receipt_of(text, Finding(1.0, (whole,), ()), whole, None, 1)
        claim = Claim.read(text, sources, self._analysis, language, nearness)
        alone = self._findings_by_source(claim, sources)
        finding = self._find(claim, sources, alone)
        chosen = finding.windows
        best = chosen[0] if len(chosen) == 1 else max(chosen, key=lambda w: self._weigh(claim, (w,)))
        near = max((near for source in claim.near.values() for near in source), default=None)
        return _receipt_of(text, finding, best, near, self._count_needed(claim, sources, alone, finding))

    def _verbatim_window(self, text: str, source: ParsedPassage) -> Window | None:
        """Return the source's sentence that equals the text word for word from beginning to end; weighing would find
        the same, since nothing is missing there. None where there is no such sentence, or it contradicts itself."""
        span = source.wording.find(text)
        at = None if span is None else source.sentence_with(span)
        if at is None:
            return None
        sentence = source.sentences[at]
        if self._analysis.tokens(text, source.language) != sentence.tokens:
            return None
        opposed = opposes_itself(sentence.polarity, [t.term for t in sentence.tokens if not t.stop])
        return None if opposed else self._parsed.windows(source)[at]

    def _across(self, text: str, source: ParsedPassage, language: Language, nearness: Nearness) -> SentenceReceipt:
        other = source.passage.document.language
        claim = Claim.read(text, [source], self._analysis, language)
        finding, near = compare(claim, source, self._parsed.windows(source), nearness.foreign[other])
        found = _receipt_of(text, finding, finding.windows[0], near, int(finding.holds))
        return evolve(found, passage_language=other)

    def explain(self, sentence: DraftSentence, language: Language, nearness: Nearness | None = None) -> Explanation:
        """Return the parts of the verdict on a sentence, which has to cite at least one known passage."""
        sources = self._sources_of(sentence, language)
        claim = Claim.read(sentence.text, sources, self._analysis, language, nearness)
        windows = self._find(claim, sources, self._findings_by_source(claim, sources)).windows
        missing = missing_facts(claim, windows)
        found = features(claim, windows, missing=bool(missing))
        return Explanation(found, missing, is_opposed(claim, windows))

    def _sources_of(self, sentence: DraftSentence, language: Language) -> list[ParsedPassage]:
        return [self._source(ref, language) for ref in sentence.citing_only(self._passages).sources]

    def _foreign_sources(
        self, sentence: DraftSentence, language: Language, known: Collection[Language]
    ) -> list[ParsedPassage]:
        """Return the cited passages in another language that is known, parsed in theirs."""
        refs = sentence.citing_only(self._passages).sources
        languages = {ref: self._passages[ref].document.language for ref in refs}
        return [
            self._source(ref, other) for ref, other in languages.items() if other is not language and other in known
        ]

    def _source(self, ref: SourceRef, language: Language) -> ParsedPassage:
        return self._parsed.of(self._passages[ref], language)

    def _findings_by_source(self, claim: Claim, sources: Sequence[ParsedPassage]) -> list[Finding]:
        """Return the finding of each source by itself."""
        return [self._judge(claim, self._windows(claim, [source])) for source in sources]

    def _find(self, claim: Claim, sources: Sequence[ParsedPassage], alone: Sequence[Finding]) -> Finding:
        """Return the finding of the best single source, or of all together where they support clearly better. `alone`:
        the findings by source."""
        best = max(alone, key=lambda f: (f.holds, f.score))
        if len(sources) == 1 or (best.holds and best.score + COMBINATION_GAIN > 1.0):
            return best
        together = self._judge(claim, self._windows(claim, sources))
        better = together.score >= best.score + COMBINATION_GAIN
        return together if together.holds >= best.holds and (better or not best.holds) else best

    def _count_needed(
        self, claim: Claim, sources: Sequence[ParsedPassage], alone: Sequence[Finding], finding: Finding
    ) -> int:
        """Count the citations that contribute. ALCE's precision counts one that supports alone, or without which the
        others do not support; as this verifier has degrees, one without which they support clearly less counts as
        well."""
        if not finding.holds:
            return 0
        needed = 0
        for i, single in enumerate(alone):
            if single.holds or len(alone) == 1:
                needed += 1
                continue
            rest = self._find(claim, [*sources[:i], *sources[i + 1 :]], [*alone[:i], *alone[i + 1 :]])
            if not rest.holds or rest.score <= finding.score - COMBINATION_GAIN:
                needed += 1
        return needed

    def _windows(self, claim: Claim, sources: Sequence[ParsedPassage]) -> tuple[Window, ...]:
        """Choose one window a source, each adding most to those before it."""
        chosen: tuple[Window, ...] = ()
        for source in sources:
            options = self._parsed.windows(source)
            if claim.verbatim[source.passage.ref] is not None:
                options = tuple(w for w in options if claim.is_verbatim_in(w)) or options
            chosen += (self._best_window(claim, chosen, options),)
        return chosen

    def _best_window(self, claim: Claim, chosen: tuple[Window, ...], options: Sequence[Window]) -> Window:
        """Return the window that weighs most together with those chosen; among equal ones the shortest, then the first.
        `options`: in that order."""
        best, most = options[0], -1.0
        for window in options:
            weight = round(self._weigh(claim, (*chosen, window)), 3)
            if weight > most:
                best, most = window, weight
            if weight >= 1.0:  # no later one weighs more
                break
        return best

    def _weigh(self, claim: Claim, windows: Sequence[Window]) -> float:
        """Return the share of the claim's terms in the windows, mixed with the share of neighbouring pairs kept, in
        0..1."""
        if not claim.weights:
            return float(any(claim.is_verbatim_in(w) for w in windows))
        close = claim.share(claim.within(w) for w in windows)
        if not claim.pairs:
            return close
        kept = len(set().union(*(claim.pairs & w.pairs for w in windows))) / len(claim.pairs)
        return (1 - ORDER_SHARE) * close + ORDER_SHARE * kept

    def _judge(self, claim: Claim, windows: tuple[Window, ...]) -> Finding:
        verbatim = any(claim.is_verbatim_in(w) for w in windows)
        missing = () if verbatim else missing_facts(claim, windows)
        unsaid = () if verbatim else claim.unsaid
        if verbatim:
            found = 1.0
        elif claim.weights:
            found = score(features(claim, windows, missing=bool(missing)))
        else:
            found = 0.0
        if unsaid:  # less than enough, and in the order of what is found: another check may know the words
            found *= REFUSED
        # Even word for word: the source may deny what a part of its sentence says.
        if missing or is_opposed(claim, windows):
            found = min(found, REFUSED)
        return Finding(round(found, 4), windows, tuple(dict.fromkeys((*missing, *unsaid))))


def check_sentence(
    sentence: DraftSentence, passages: Mapping[SourceRef, Passage], analysis: TextAnalysis, language: Language
) -> SentenceReceipt:
    """Return the receipt of one sentence (one check of a Verifier)."""
    return Verifier(passages, analysis).check(sentence, language)


def _quotation_receipt(text: str, sources: Sequence[ParsedPassage]) -> SentenceReceipt:
    spans = [(source, source.wording.find(text)) for source in sources]
    holding = [(source, span) for source, span in spans if span is not None]
    if not holding:
        return SentenceReceipt(text, (), Verdict.UNSUPPORTED, missing_facts=(text,))
    source, span = holding[0]
    support = _support(source, span.start, span.end, 1.0)
    return SentenceReceipt(text, (), Verdict.SUPPORTED, support, citations_needed=len(holding))


def _receipt_of(text: str, finding: Finding, best: Window, near: float | None, needed: int) -> SentenceReceipt:
    return SentenceReceipt(
        text=text,
        citations=(),
        verdict=Verdict.SUPPORTED if finding.holds else Verdict.UNSUPPORTED,
        support=_support(best.source, best.start, best.end, finding.score) if finding.score else None,
        missing_facts=finding.missing,
        citations_needed=needed,
        nearness=near,
    )


def _degree(found: SentenceReceipt) -> tuple[bool, float]:
    return found.verdict is Verdict.SUPPORTED, found.support.score if found.support else 0.0


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def _support(source: ParsedPassage, start: int, end: int, score: float) -> Support:
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
    in_another_language: bool = False,
) -> Grounding:
    """The article's receipt. A share of nothing is 1.

    `citations_made`: all citations of the drafts; `citations_valid`: those of passages that were given;
    `in_another_language`: whether the text is in another language than it claims, and so not fully grounded. Recall and
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
        misread = any(s.verdict is Verdict.OUT_OF_CONTEXT for s in sentences)
        full = totals.citation_recall >= FULL_FROM and not misread and not in_another_language
        level = GroundingLevel.FULL if full else GroundingLevel.PARTIAL
    return Grounding(level, totals, tuple(sentences))


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 1.0
