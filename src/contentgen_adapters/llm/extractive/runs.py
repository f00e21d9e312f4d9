"""Limits verbatim runs: where consecutive sentences of a passage would copy more than LONGEST_RUN words in a row, one
of them is marked as a quotation. Their order stays: a sentence may need what stands before it."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, field, frozen

from contentgen_adapters.llm.extractive.sentences import Sentence, SentenceReader
from contentgen_core.model.knowledge import Passage
from contentgen_core.policies.articles.shown_sentence import LONGEST_RUN

_REMEMBERED = 6
"""Sentences that a run can reach back over."""


@frozen
class Extent:
    """The words of a sentence within its passage: [start, end)."""

    start: int
    end: int


@frozen
class QuotationMarker:
    """Marks quotations in a part's paragraphs. Deterministic."""

    reader: SentenceReader
    _extents: dict[tuple[str, int, int], Extent | None] = field(factory=dict, eq=False, repr=False)

    def quoted(self, paragraphs: Sequence[Sequence[Sentence]]) -> list[list[Sentence]]:
        """Return the same sentences in their order, marked so that no verbatim run outside quotations has more than
        LONGEST_RUN words.
        """
        done: list[list[Sentence]] = []
        before: list[Sentence] = []  # unquoted sentences so far: a run can continue over the end of a paragraph
        for paragraph in paragraphs:
            marked = list(paragraph)
            while (at := self._first_offending(before, marked)) is not None:
                marked[at] = evolve(marked[at], quotation=True)
            done.append(marked)
            before = (before + [s for s in marked if not s.quotation])[-_REMEMBERED:]
        return done

    def _first_offending(self, before: list[Sentence], paragraph: list[Sentence]) -> int | None:
        """The index of the first sentence with which a run exceeds LONGEST_RUN. A sentence that exceeds it by itself
        does not count: SentenceReader has marked it already."""
        run, last = 0, None
        for sentence in before:
            run, last = self._run(run, last, sentence)[1], sentence
        for i, sentence in enumerate(paragraph):
            if sentence.quotation:
                continue
            longest, run = self._run(run, last, sentence)
            if last is not None and longest > LONGEST_RUN and longest > sentence.words:
                return i
            last = sentence
        return None

    def _run(self, run: int, last: Sentence | None, sentence: Sentence) -> tuple[int, int]:
        """The longest run that includes the beginning of this sentence, and the run at its end, after a run of `run`
        words before it."""
        if last is None:
            return sentence.words, sentence.words
        continued = self._words_continued(last, sentence)
        if continued >= sentence.words:
            return run + sentence.words, run + sentence.words
        own = sentence.words + self._words_preceding(last, sentence)
        return max(run + continued, own), own

    def _words_continued(self, last: Sentence, sentence: Sentence) -> int:
        """Count the words of the sentence that directly follow the last one in the last one's passage."""
        extent = self._extent(last)
        if extent is None:
            return 0
        return _common(self._passage(last.passage)[extent.end :], self._tokens(sentence))

    def _words_preceding(self, last: Sentence, sentence: Sentence) -> int:
        """Count the final words of the last sentence that directly precede this one in this one's passage."""
        extent = self._extent(sentence)
        if extent is None:
            return 0
        return _common(self._passage(sentence.passage)[: extent.start][::-1], self._tokens(last)[::-1])

    def _extent(self, sentence: Sentence) -> Extent | None:
        if sentence.key not in self._extents:
            self._extents[sentence.key] = _position_of(self._tokens(sentence), self._passage(sentence.passage))
        return self._extents[sentence.key]

    def _passage(self, passage: Passage) -> tuple[str, ...]:
        return self.reader.folded_words(passage.text, passage.document.language)

    def _tokens(self, sentence: Sentence) -> tuple[str, ...]:
        return self.reader.folded_words(sentence.text, sentence.passage.document.language)


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _position_of(words: tuple[str, ...], among: tuple[str, ...]) -> Extent | None:
    starts = (i for i in range(len(among) - len(words) + 1) if among[i : i + len(words)] == words)
    start = next(starts, None)
    return None if start is None else Extent(start, start + len(words))
