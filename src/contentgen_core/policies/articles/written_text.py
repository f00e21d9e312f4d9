"""The sentences of a text that a person wrote or changed, with what they cite."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import evolve, field, frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.drafting import DraftParagraph, DraftSentence
from contentgen_core.model.grounding import Grounding, SentenceReceipt, Verdict
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import Span, TextAnalysis, TextBlock
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.grounding_receipt import ShownText
from contentgen_core.policies.grounding.context import Context
from contentgen_core.policies.text.typography import TYPOGRAPHY

# Looked for from where white space begins, which may be long, and not again from each place in it.
_CITATIONS: Final = re.compile(r"(?<![\s\u00a0\u202f])(?:[\s\u00a0\u202f]*\[\d{1,3}\])+")
_QUOTES: Final = frozenset("“”„«»「」『』‘’‚\"'")
_FINAL: Final = re.compile(r"[\s\u00a0\u202f]?[.!?…。！？।؟]+[\"”»’)\]]*(?=\s)")
_NUMBER: Final = re.compile(r"\d+")
_OPENING: Final = frozenset('“”„«»「"')
_CLOSING: Final = frozenset('“”„«»」"')


@frozen
class WrittenSentence:
    """A sentence of a text. `citations`: the numbers shown; `marked`: whether the text marks it as unsourced."""

    draft: DraftSentence
    citations: tuple[int, ...]
    marked: bool

    @property
    def key(self) -> tuple[str, tuple[int, ...]]:
        """A key that is equal for sentences of the same words and citations, whatever their quotation marks and
        markup."""
        return bare(self.draft.text), self.citations


@frozen
class WrittenText:
    """`blocks`: in order, each a heading without sentences or the sentences of a paragraph or item."""

    blocks: tuple[tuple[str, tuple[WrittenSentence, ...]], ...]
    sentences: tuple[WrittenSentence, ...] = field(init=False)

    @sentences.default
    def _all_sentences(self) -> tuple[WrittenSentence, ...]:
        return tuple(sentence for _, sentences in self.blocks for sentence in sentences)

    @property
    def title(self) -> str:
        """The first heading; "" where the text has none."""
        return next((heading for heading, _ in self.blocks if heading), "")

    def paragraphs(self) -> Iterator[tuple[str, DraftParagraph]]:
        """Yield each paragraph with the heading above it."""
        above = ""
        for heading, sentences in self.blocks:
            above = heading or above
            if sentences:
                yield above, DraftParagraph(tuple(sentence.draft for sentence in sentences))

    def known(self, former: Grounding) -> dict[DraftSentence, SentenceReceipt]:
        """Return the receipts of the sentences that stand in a former text as well."""
        before = {(bare(found.text), found.citations): found for found in former.sentences}
        return {sentence.draft: before[sentence.key] for sentence in self.sentences if sentence.key in before}

    def within(
        self, context: Context, receipts: Mapping[DraftSentence, SentenceReceipt]
    ) -> dict[DraftSentence, SentenceReceipt]:
        """The receipts with the verdicts of sentences that stand out of their context in this text."""
        # What stood out of context before may have been given one.
        judged = {
            sentence: evolve(found, verdict=Verdict.SUPPORTED) if found.verdict is Verdict.OUT_OF_CONTEXT else found
            for sentence, found in receipts.items()
        }
        checked = {sentence.citing_only(context.subjects.passages): found for sentence, found in judged.items()}
        for heading, paragraph in self.paragraphs():
            for sentence in context.out_of_context(paragraph, heading, checked):
                judged[sentence] = evolve(judged[sentence], verdict=Verdict.OUT_OF_CONTEXT)
        return judged

    def citing(self, found: Mapping[str, SentenceReceipt]) -> tuple[WrittenText, dict[int, SourceRef]]:
        """Return the text with each supported sentence citing the passage that supports it, and the passages by
        citation number, in the order of the text. `found`: the receipts by the words of their sentences."""
        numbers: dict[SourceRef, int] = {}

        def cited(sentence: WrittenSentence) -> WrittenSentence:
            receipt = found.get(sentence.draft.text)
            if receipt is None or receipt.verdict is not Verdict.SUPPORTED or receipt.support is None:
                return WrittenSentence(DraftSentence(sentence.draft.text), (), marked=False)
            ref = receipt.support.source
            number = numbers.setdefault(ref, len(numbers) + 1)
            return WrittenSentence(DraftSentence(sentence.draft.text, (ref,)), (number,), marked=False)

        text = WrittenText(tuple((heading, tuple(map(cited, sentences))) for heading, sentences in self.blocks))
        return text, {number: ref for ref, number in numbers.items()}

    def grounding(
        self,
        receipts: Mapping[DraftSentence, SentenceReceipt],
        passages: Mapping[SourceRef, Passage],
        analysis: TextAnalysis,
        language: Language,
    ) -> Grounding:
        """Build the receipt of the text. `receipts`: of every sentence, as drafted. `passages`: those that it may
        cite."""
        shown = {ref for sentence in self.sentences for ref in sentence.draft.sources if ref in passages}
        text = ShownText(
            [(heading, [sentence.draft for sentence in sentences]) for heading, sentences in self.blocks],
            passages,
            shown,
        )
        found = [
            evolve(
                receipts[sentence.draft],
                citations=tuple(
                    number
                    for number, ref in zip(sentence.citations, sentence.draft.sources, strict=True)
                    if ref in passages
                ),
                marked=sentence.marked,
            )
            for sentence in self.sentences
        ]
        return text.grounding(found, analysis, language)


def read_text(
    blocks: Iterable[TextBlock], sources: Mapping[int, SourceRef], language: Language, analysis: TextAnalysis
) -> WrittenText:
    """The text's sentences. The notice of an article without sources is none.

    `sources`: by the number of their citations; a citation of another number leads nowhere."""
    notice = TYPOGRAPHY[language].notice
    read: list[tuple[str, tuple[WrittenSentence, ...]]] = []
    for block in blocks:
        if block.level:
            read.append((block.text, ()))
        elif block.text.strip() != notice:
            read.append(("", tuple(_sentences(block.text, sources, language, analysis))))
    return WrittenText(tuple(read))


def _sentences(
    text: str, sources: Mapping[int, SourceRef], language: Language, analysis: TextAnalysis
) -> Iterator[WrittenSentence]:
    plain, numbers, marks, ends = _without_signs(text, language)
    spans = [
        part
        for span in analysis.sentences(plain, language)
        for part in _split(plain, span, ends)
        if any(c.isalnum() for c in part.of(plain))
    ]
    of_each: dict[int, list[int]] = {}
    for at, number in numbers:
        of_each.setdefault(_at(spans, at), []).append(number)
    marked = {_at(spans, at) for at in marks}
    for i, span in enumerate(spans):
        cited = tuple(dict.fromkeys(of_each.get(i, ())))
        refs = tuple(sources.get(number, SourceRef(DocumentId(f"[{number}]"), 0)) for number in cited)
        quoted = _unquote(span.of(plain))
        shown = span.of(plain) if quoted is None else quoted
        draft = DraftSentence(shown, refs, quotation=quoted is not None)
        yield WrittenSentence(draft, cited, i in marked)


def _unquote(text: str) -> str | None:
    """Return the words of a sentence that is one quotation, with its final mark; None for another."""
    quoted = text.rstrip(".!?…")
    if len(quoted) < 2 or quoted[0] not in _OPENING or quoted[-1] not in _CLOSING:
        return None
    words = quoted[1:-1].strip()
    return f"{words}{text[len(quoted) :]}" if words else None


def _split(text: str, span: Span, ends: Sequence[int]) -> Iterator[Span]:
    """A sentence, split where one ends for sure: few sentences begin with a figure, and those after a citation do.

    `ends`: where sentences end for sure, in their order."""
    start = span.start
    within = ends[bisect_right(ends, span.start) : bisect_left(ends, span.end)]
    for end in (*within, span.end):
        part = text[start:end]
        yield Span(start + len(part) - len(part.lstrip()), start + len(part.rstrip()))
        start = end


def _without_signs(text: str, language: Language) -> tuple[str, list[tuple[int, int]], list[int], list[int]]:
    """The text without its citations and marks of missing sources; the citations, and the marks, with where they stood;
    and where a sentence with one of them ended."""
    mark = re.compile(rf"(?<![\s\u00a0])[\s\u00a0]*\({re.escape(TYPOGRAPHY[language].unsourced)}\)")
    plain, at = "", 0
    numbers: list[tuple[int, int]] = []
    marks: list[int] = []
    ends: list[int] = []
    for match in sorted([*_CITATIONS.finditer(text), *mark.finditer(text)], key=lambda found: found.start()):
        plain += text[at : match.start()]
        at = match.end()
        if "[" in match[0]:
            numbers += [(len(plain), int(number)) for number in _NUMBER.findall(match[0])]
        else:
            marks.append(len(plain))
        if final := _FINAL.match(text, at):
            ends.append(len(plain) + len(final[0]))
    return plain + text[at:], numbers, marks, ends


def _at(spans: Sequence[Span], position: int) -> int:
    """Return the index of the sentence that a citation belongs to: the last one that begins before it."""
    return max(0, bisect_left(spans, position, key=lambda span: span.start) - 1)


def bare(text: str) -> str:
    """The words of a sentence, the same whatever its quotation marks and white space."""
    return "".join(c for c in text if not c.isspace() and c not in _QUOTES)
