"""Sentences that say what an earlier section of the article said, or an earlier sentence of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from difflib import SequenceMatcher
from typing import Final

from attrs import evolve, field, frozen

from contentgen_core.model.drafting import DraftParagraph, DraftSentence, SectionDraft
from contentgen_core.model.grounding import SentenceReceipt
from contentgen_core.model.text import TextAnalysis, Token
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.grounding.polarity import count_negations
from contentgen_core.policies.grounding.subject_words import BACKWARD
from contentgen_core.policies.text.facts import figures, fold_name, names, spelled_figures
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
EXCHANGED_FROM: Final = 0.5
"""Share of the smaller sentence's terms from which a word of one that stands where the other has another makes two
statements of them."""
FEWEST_LETTERS: Final = 3
"""Of a stop word that counts as such a word ("after", "more")."""


@frozen
class _Said:
    """A sentence. `order`: its terms and longer stop words, as they come; `names`: those of its terms that are names or
    codes; `backward`: whether it may take up what the one before it spoke of."""

    terms: frozenset[str]
    order: tuple[str, ...]
    figures: frozenset[frozenset[str]]
    names: frozenset[str]
    negations: int
    backward: bool
    receipt: SentenceReceipt | None
    vector: Sequence[float] | None = field(repr=False)

    def repeats(self, other: _Said, *, closing: bool) -> bool:
        """Whether this says what the other says: by words or by meaning, and with the same figures. `closing`: by words
        alone."""
        if self.figures != other.figures or min(len(self.terms), len(other.terms)) < FEWEST_TERMS:
            return False
        shared = self._shared_terms(other)
        if closing:
            return shared >= SAME_WORDS
        if self._rests_with(other):
            return shared >= SAME_SPAN or self._cosine(other) >= NEAR_MEANING
        return shared >= SAME_WORDS or self._cosine(other) >= SAME_MEANING

    def restates(self, other: _Said, *, closing: bool) -> bool:
        """Whether this says what the other, of the same section, says. Sentences of a section are on one matter and
        alike, so this asks more: no name more, as many negations, and no word in the place of another. Where words are
        moved, or a sentence may take up the one before it, both have to rest on the same words of a passage."""
        if self.figures != other.figures or self.negations != other.negations or not self.names <= other.terms:
            return False
        if min(len(self.terms), len(other.terms)) < FEWEST_TERMS:
            return False
        together = self._rests_with(other)
        if (self.backward or other.backward) and not together:
            return False
        shared = self._shared_terms(other)
        if shared < SAME_WORDS and (closing or self._cosine(other) < SAME_MEANING):
            return False
        if shared < EXCHANGED_FROM:
            return True
        return not _exchanges(self.order, other.order) and (together or not _moves(self.order, other.order))

    def _shared_terms(self, other: _Said) -> float:
        """Return the share of common terms in the smaller set of terms."""
        return len(self.terms & other.terms) / min(len(self.terms), len(other.terms))

    def _cosine(self, other: _Said) -> float:
        return cosine(self.vector, other.vector) if self.vector is not None and other.vector is not None else 0.0

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
    """The drafts of an article's sections without the sentences that say what an earlier section said, or an earlier
    sentence of their own. A section keeps a sentence. Of the last of several sections, which gathers what to remember,
    only what is almost the same words is dropped.

    `drafts`: of the sections, by position, without the questions, whose answers may say again what sections say.
    `receipts`: by sentence, as checked. `vectors`: of sentences, of unit length, where known."""
    earlier: list[_Said] = []
    kept: dict[int, SectionDraft] = {}
    for position in sorted(drafts):
        draft = drafts[position]
        said = {sentence: _analyse(sentence, receipts, vectors, language, analysis) for sentence in draft.sentences}
        closing = len(drafts) > 1 and position == max(drafts)
        again = {s for s in draft.sentences if any(said[s].repeats(other, closing=closing) for other in earlier)}
        if len(again) == len(said):
            again -= set(draft.sentences[:1])
        kept[position] = _each_once(_drop(draft, again), said, closing=closing)
        earlier += [said[sentence] for sentence in kept[position].sentences]
    return kept


def _analyse(
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
        tuple(token.term for token in tokens if not token.stop or len(token.text) >= FEWEST_LETTERS),
        frozenset(figure.values for figure in found),
        frozenset(name.term for name in names(sentence.text, tokens, language)),
        count_negations(tokens, language),
        _looks_back(tokens, language),
        receipts.get(sentence),
        vectors.get(sentence.text),
    )


def _looks_back(tokens: Sequence[Token], language: Language) -> bool:
    first = fold_name(tokens[0].text) if tokens else ""
    # An article that only Portuguese has for what is known.
    return first in BACKWARD and (first != "a" or language is Language.PT)


def _drop(draft: SectionDraft, dropped: Set[DraftSentence]) -> SectionDraft:
    if not dropped:
        return draft
    paragraphs = (
        evolve(paragraph, sentences=tuple(_each_kept(paragraph.sentences, dropped))) for paragraph in draft.paragraphs
    )
    return evolve(draft, paragraphs=tuple(paragraph for paragraph in paragraphs if paragraph.sentences))


def _each_once(draft: SectionDraft, said: Mapping[DraftSentence, _Said], *, closing: bool) -> SectionDraft:
    """The draft without the sentences that say what one before them said. Quotations stay, and what belongs together:
    a sentence that continues another, and one that is continued."""
    before: list[_Said] = []
    paragraphs: list[DraftParagraph] = []
    for paragraph in draft.paragraphs:
        kept: list[DraftSentence] = []
        for i, sentence in enumerate(paragraph.sentences):
            bound = sentence.quotation or any(it.continues for it in paragraph.sentences[i : i + 2])
            if bound or not any(said[sentence].restates(other, closing=closing) for other in before):
                kept.append(sentence)
                before.append(said[sentence])
        paragraphs.append(evolve(paragraph, sentences=tuple(kept)))
    return evolve(draft, paragraphs=tuple(it for it in paragraphs if it.sentences))


def _exchanges(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether one of two sentences has terms where the other has as many others, or where one has some of its own."""
    common = {*ours} & {*theirs}
    steps = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    replaced = ((ours[a:b], theirs[c:d]) for kind, a, b, c, d in steps if kind == "replace")
    return any(len(one) == len(other) or not common.issuperset((*one, *other)) for one, other in replaced)


def _moves(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether terms that two sentences have in common stand in another order."""
    blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) < (Counter(ours) & Counter(theirs)).total()


def _each_kept(sentences: Sequence[DraftSentence], dropped: Set[DraftSentence]) -> Iterator[DraftSentence]:
    """Yield the sentences that are not dropped and do not continue a dropped one."""
    before_is_kept = False
    for sentence in sentences:
        before_is_kept = sentence not in dropped and (before_is_kept or not sentence.continues)
        if before_is_kept:
            yield sentence
