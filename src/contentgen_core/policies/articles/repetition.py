"""Sentences that say what an earlier section of the article said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Final

from attrs import evolve, field, frozen

from contentgen_core.model.drafting import DraftSentence, SectionDraft
from contentgen_core.model.grounding import SentenceReceipt
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.facts import figures, spelled_figures
from contentgen_core.policies.text.nearness import cosine

SAME_WORDS: Final = 0.8
"""Share of the smaller sentence's terms from which two sentences say the same."""
SAME_SPAN: Final = 0.5
"""The same, of two that rest on the same words of a passage."""
SAME_MEANING: Final = 0.96
"""Cosine from which two sentences say the same."""
NEAR_MEANING: Final = 0.92
"""The same, of two that rest on the same words of a passage."""
FEWEST_TERMS: Final = 3


@frozen
class _Said:
    terms: frozenset[str]
    figures: frozenset[frozenset[str]]
    receipt: SentenceReceipt | None
    vector: Sequence[float] | None = field(repr=False)

    def repeats(self, other: _Said, *, closing: bool) -> bool:
        """Whether this says what the other says: by words or by meaning, and with the same figures. `closing`: by words
        alone."""
        if self.figures != other.figures or min(len(self.terms), len(other.terms)) < FEWEST_TERMS:
            return False
        shared = len(self.terms & other.terms) / min(len(self.terms), len(other.terms))
        if closing:
            return shared >= SAME_WORDS
        near = cosine(self.vector, other.vector) if self.vector is not None and other.vector is not None else 0.0
        if self._rests_with(other):
            return shared >= SAME_SPAN or near >= NEAR_MEANING
        return shared >= SAME_WORDS or near >= SAME_MEANING

    def _rests_with(self, other: _Said) -> bool:
        one = self.receipt.support if self.receipt else None
        two = other.receipt.support if other.receipt else None
        if one is None or two is None or one.source != two.source:
            return False
        return one.start < two.end and two.start < one.end


def without_repetitions(
    drafts: Mapping[int, SectionDraft],
    receipts: Mapping[DraftSentence, SentenceReceipt],
    vectors: Mapping[str, Sequence[float]],
    language: Language,
    analysis: TextAnalysis,
) -> dict[int, SectionDraft]:
    """The drafts of an article's sections without the sentences of later sections that say what earlier ones said. A
    section keeps a sentence. Within a section nothing is dropped, and of the last of several sections, which gathers
    what to remember, only what is almost the same words.

    `drafts`: of the sections, by position, without the questions, whose answers may say again what sections say.
    `receipts`: by sentence, as checked. `vectors`: of sentences, of unit length, where known."""
    earlier: list[_Said] = []
    kept: dict[int, SectionDraft] = {}
    for position in sorted(drafts):
        draft = drafts[position]
        said = {sentence: _said(sentence, receipts, vectors, language, analysis) for sentence in draft.sentences}
        closing = len(drafts) > 1 and position == max(drafts)
        again = {s for s in draft.sentences if any(said[s].repeats(other, closing=closing) for other in earlier)}
        if len(again) == len(said):
            again -= set(draft.sentences[:1])
        kept[position] = _without(draft, again)
        earlier += [said[sentence] for sentence in kept[position].sentences]
    return kept


def _said(
    sentence: DraftSentence,
    receipts: Mapping[DraftSentence, SentenceReceipt],
    vectors: Mapping[str, Sequence[float]],
    language: Language,
    analysis: TextAnalysis,
) -> _Said:
    tokens = analysis.tokens(sentence.text, language)
    found = (*figures(sentence.text, language), *spelled_figures(tokens, language))
    return _Said(
        frozenset(token.term for token in tokens if not token.stop),
        frozenset(figure.values for figure in found),
        receipts.get(sentence),
        vectors.get(sentence.text),
    )


def _without(draft: SectionDraft, dropped: Set[DraftSentence]) -> SectionDraft:
    if not dropped:
        return draft
    paragraphs = (
        evolve(paragraph, sentences=tuple(_each_kept(paragraph.sentences, dropped))) for paragraph in draft.paragraphs
    )
    return evolve(draft, paragraphs=tuple(paragraph for paragraph in paragraphs if paragraph.sentences))


def _each_kept(sentences: Sequence[DraftSentence], dropped: Set[DraftSentence]) -> Iterator[DraftSentence]:
    """Those not dropped, and not continuing one that is."""
    before_is_kept = False
    for sentence in sentences:
        before_is_kept = sentence not in dropped and (before_is_kept or not sentence.continues)
        if before_is_kept:
            yield sentence
