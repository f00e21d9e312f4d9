"""Writes the parts of a plan from the sentences of their sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from contentgen_adapters.llm.extractive.layout import Layout, Role
from contentgen_adapters.llm.extractive.runs import QuotationMarker
from contentgen_adapters.llm.extractive.selection import paragraphs, repeats, select, sort_in_reading_order
from contentgen_adapters.llm.extractive.sentences import Sentence, SentenceReader
from contentgen_adapters.llm.phrases import phrases
from contentgen_core.model.drafting import DraftParagraph, DraftSentence
from contentgen_core.policies.voice.terms import TermFinder
from contentgen_core.ports.content_model import SectionRequest

ANSWER_WORDS: Final = 60
_HEADING_WEIGHT: Final = 2.0


class Composer:
    """Writes one part of a plan. Deterministic."""

    def __init__(self, request: SectionRequest, reader: SentenceReader) -> None:
        self._request = request
        self._reader = reader.within(request.context)
        self._words = phrases(request.brief.language)
        self._layout = Layout(request.plan, request.brief.topic, request.brief.language, self._reader)
        self._marker = QuotationMarker(self._reader)
        self._refused = {refusal.sentence.text for refusal in request.refused}
        voice, language = request.brief.voice, request.brief.language
        self._avoided = TermFinder(reader.analysis, language, voice.avoid if voice else ())

    def words(self) -> int:
        """Return how many words it writes, without those of the notice that replaces a text for which there are no
        sources.
        """
        written = [s for p in self.paragraphs() for s in p.sentences if s.sources]
        return sum(len(self._reader.analysis.tokens(s.text, self._request.brief.language)) for s in written)

    def paragraphs(self) -> tuple[DraftParagraph, ...]:
        if self._request.is_faq:
            return self._answers()
        if self._request.position >= len(self._request.plan.sections):
            return self._theme(self._available())
        available = self._available()
        if not available:
            return (self._notice(),)
        match self._layout.role(self._request.position):
            case Role.INTRODUCTION:
                return self._drafts([self._introduction(available)])
            case Role.TAKEAWAYS:
                return self._drafts([self._choose(available)], bullets=True)
            case Role.THEME:
                return self._theme(available)

    def _available(self) -> list[Sentence]:
        """Return the sentences assigned to the part. An edited plan may assign it none; then all sentences of its
        passages, since a repeated sentence is better than an empty section.
        """
        sources = self._request.sources
        own = [s for p in sources for s in self._layout.share(self._request.position, p)]
        return self._not_repeated(own) or self._not_repeated([s for p in sources for s in self._reader.usable(p)])

    def _not_repeated(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        unique = {s.text: s for s in reversed(sentences)}
        new = [s for s in sentences if unique[s.text] is s and s.text not in self._refused]
        return [s for s in new if not self._avoided.found(s.text)]

    def _introduction(self, available: Sequence[Sentence]) -> list[Sentence]:
        """The sentence that introduces the topic best, then others in the order of the sources."""
        first = max(available, key=self._layout.introduces)
        left = [s for s in available if s is not first]
        chosen = select(left, self._weights(available), self._request.section.target_words - first.words)
        return [first, *self._order([s for s in chosen if not repeats(s, [first])])]

    def _theme(self, available: Sequence[Sentence]) -> tuple[DraftParagraph, ...]:
        if not available:
            return (self._notice(),)
        return self._drafts(paragraphs(self._order(self._choose(available))))

    def _drafts(self, written: Sequence[Sequence[Sentence]], *, bullets: bool = False) -> tuple[DraftParagraph, ...]:
        kept = [self._only_understandable(sentences, bullets=bullets) for sentences in written]
        return tuple(DraftParagraph(_draft_sentences(p), bullets=bullets) for p in self._marker.quoted(kept) if p)

    def _only_understandable(self, sentences: Sequence[Sentence], *, bullets: bool) -> list[Sentence]:
        """Keep the sentences whose references are resolved by the sentences before them."""
        kept: list[Sentence] = []
        for sentence in sentences:
            before = [] if bullets else kept
            understood = self._reader.is_in_context([*before, sentence], self._request.section.heading)
            if understood and sentence.follows(before):
                kept.append(sentence)
        return kept

    def _choose(self, available: Sequence[Sentence]) -> list[Sentence]:
        return select(available, self._weights(available), self._request.section.target_words)

    def _order(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        return sort_in_reading_order(sentences, self._request.section.source_ids)

    def _weights(self, available: Sequence[Sentence]) -> dict[str, float]:
        """Return the weights of terms for the selection: those of the heading, the topic, key points and keywords."""
        section, brief = self._request.section, self._request.brief
        weights: dict[str, float] = {}
        for language in {s.passage.document.language for s in available}:
            for text, weight in (
                (section.heading, _HEADING_WEIGHT),
                (brief.topic, 1.0),
                (" . ".join(section.key_points), 0.5),
                (" . ".join(brief.keywords), 0.5),
            ):
                for term in set(self._reader.analysis.terms(text, language)):
                    weights[term] = max(weights.get(term, 0.0), weight)
        return weights

    def _answers(self) -> tuple[DraftParagraph, ...]:
        """Return one paragraph per question, in order."""
        return tuple(self._answer(i, question) for i, question in enumerate(self._request.section.key_points))

    def _answer(self, number: int, question: str) -> DraftParagraph:
        entries = [e for e in self._request.plan.faq if e.question == question]
        refs = set(entries[0].source_ids) if entries else set(self._request.section.source_ids)
        sources = [p for p in self._request.sources if p.ref in refs]
        part = self._layout.faq_part(self._request.plan.faq.index(entries[0]) if entries else number)
        own = self._not_repeated([s for p in sources for s in self._layout.share(part, p)])
        available = own or self._not_repeated([s for p in sources for s in self._reader.usable(p)])
        if not available:
            return self._notice()
        [draft] = self._drafts([self._order(select(available, self._weights(available), ANSWER_WORDS))])
        return draft

    def _notice(self) -> DraftParagraph:
        """The text of a part without sources: a statement of that, and the outline's note on the part."""
        note = self._request.section.goal
        text = self._words.no_source if self._request.plan.cited else self._words.unsourced
        if note in self._words.outline_notes:
            text = f"{text} {note}" if self._request.position == 0 else note
        spans = self._reader.analysis.sentences(text, self._request.brief.language)
        return DraftParagraph(tuple(DraftSentence(span.of(text)) for span in spans))


def _draft_sentences(sentences: Sequence[Sentence]) -> tuple[DraftSentence, ...]:
    return tuple(DraftSentence(s.text, (s.passage.ref,), s.quotation, s.continues) for s in sentences)
