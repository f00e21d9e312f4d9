"""Check that a sentence taken from a passage is understood, in the article, to be about the same thing as in the
passage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from attrs import evolve, frozen

from contentgen_core.model.article_plan import ArticlePlan, SourceRef
from contentgen_core.model.drafting import DraftParagraph, DraftSentence, SectionDraft
from contentgen_core.model.grounding import SentenceReceipt, Verdict
from contentgen_core.model.knowledge import Passage
from contentgen_core.policies.grounding.subject_names import Subject
from contentgen_core.policies.grounding.subjects import Statement, Subjects
from contentgen_core.policies.grounding.verifier import Receipts

# A word with a digit counts for so many others when a statement is looked for in its passage.
FIGURE: Final = 4
# Articles whose subjects are kept: a check, its forecasts, the plan and the sections ask for the same ones.
REMEMBERED: Final = 32


@lru_cache(REMEMBERED)
def _subjects(topic: str, passages: tuple[Passage, ...]) -> Subjects:
    return Subjects(topic, passages)


@frozen
class Reading:
    """The things that a reader takes an unnamed sentence of a section to be about. `each`: the section is about several
    things side by side, so that only a sentence about each of them needs no name."""

    about: frozenset[Subject]
    each: bool = False


@frozen
class Part:
    """The part of an article on one of the things that its topic compares. `place`: its index among them; `name`: the
    thing, as the topic writes it; `heading`: a heading that names this thing and none of the others."""

    place: int
    name: str
    heading: str


@frozen
class Context:
    """Checks whether the sentences of one article are understood in context. `subjects`: those of its passages and its
    topic. Threads may share it."""

    topic: str
    subjects: Subjects

    @classmethod
    def of(cls, topic: str, passages: Iterable[Passage]) -> Context:
        """Build the context of an article. `passages`: all that the article may cite."""
        return cls(topic, _subjects(topic, tuple(passages)))

    def part_of(self, ref: SourceRef) -> Part | None:
        """Return the part that a passage belongs to, where the topic compares things and the passage is on one of them;
        else None."""
        about = self.subjects.of_passage(ref)
        sides = [
            (place, name, one)
            for place, (name, one) in enumerate(self._compared_subjects)
            if any(self.subjects.are_related(one, other) for other in about)
        ]
        if len(sides) != 1:
            return None
        [(place, name, side)] = sides
        title = self.subjects.title_of(ref)
        named = self.subjects.of(title)
        alone = named and all(self.subjects.are_related(side, other) for other in named)
        return Part(place, name, title if alone else name)

    @property
    def _compared_subjects(self) -> list[tuple[str, Subject]]:
        return self.subjects.compared(self.topic) if self.subjects.several else []

    def reading(self, heading: str) -> Reading:
        """Return the reading of a section: the competing things that its heading names, else all that the heading and
        the topic name."""
        named, asked = self.subjects.of(heading), self.subjects.of(self.topic)
        if self.subjects.is_competing(named):
            return Reading(named, self.subjects.side_by_side(heading))
        return Reading(named | asked, self.subjects.side_by_side(self.topic))

    def out_of_context(
        self, paragraph: DraftParagraph, heading: str, receipts: Mapping[DraftSentence, SentenceReceipt]
    ) -> list[DraftSentence]:
        """Return the supported sentences of a paragraph that a reader would take to be about another thing than their
        passage is."""

        def statements_of_support(sentence: DraftSentence) -> Sequence[Statement]:
            found = receipts.get(sentence.citing_only(self.subjects.passages))
            if found is None or found.support is None or found.verdict is not Verdict.SUPPORTED:
                return ()
            return self._statements_between(found.support.source, found.support.start, found.support.end)

        return self._misread(paragraph, heading, statements_of_support)

    def misread(self, paragraph: DraftParagraph, heading: str) -> list[DraftSentence]:
        """Return the sentences, taken literally from the passages they cite, that a reader would take to be about
        another thing."""

        def statements_of_sources(sentence: DraftSentence) -> Sequence[Statement]:
            refs = sentence.citing_only(self.subjects.passages).sources
            return [found for ref in refs for found in self.subjects.statements(ref)]

        return self._misread(paragraph, heading, statements_of_sources)

    def is_on_a_rival(self, text: str) -> bool:
        """Whether a sentence is about things that compete with the topic's and does not name the topic's."""
        asked = self.reading("").about
        if not self.subjects.several or not asked:
            return False
        named = [s.about for s in self.subjects.read(text, asked) if s.named]
        return bool(named) and all(self.subjects.are_rivals(asked, about) for about in named)

    def _misread(
        self, paragraph: DraftParagraph, heading: str, stated: Callable[[DraftSentence], Sequence[Statement]]
    ) -> list[DraftSentence]:
        if not self.subjects.several:
            return []
        reading = self.reading(heading)
        read = self._read(paragraph, reading)
        return [sentence for sentence, claims in read if not self._holds(claims, reading, stated(sentence))]

    def _read(self, paragraph: DraftParagraph, reading: Reading) -> list[tuple[DraftSentence, list[Statement]]]:
        """The statements of each sentence; items of a list are read one by one."""
        separator = "\n\n" if paragraph.bullets else "\n"
        texts = [" ".join(sentence.text.split()) for sentence in paragraph.sentences]
        statements = list(self.subjects.read(separator.join(texts), reading.about))
        found, start = [], 0
        for sentence, text in zip(paragraph.sentences, texts, strict=True):
            end = start + len(text)
            found.append((sentence, [s for s in statements if start <= s.start < end]))
            start = end + len(separator)
        return found

    def _statements_between(self, ref: SourceRef, start: int, end: int) -> Sequence[Statement]:
        return [s for s in self.subjects.statements(ref) if s.start < end and start < s.end]

    def _holds(self, claimed: Sequence[Statement], reading: Reading, stated: Sequence[Statement]) -> bool:
        return all(self._is_stated(claim, reading, stated) for claim in claimed if claim.words)

    def _is_stated(self, claim: Statement, reading: Reading, stated: Sequence[Statement]) -> bool:
        """Whether one of the statements most similar to the claim is about the same thing as the claim."""
        shared = [(_shared_weight(claim, statement), statement) for statement in stated]
        most = max((share for share, _ in shared), default=0)
        if not most:
            return True
        return any(self._agree(claim, reading, statement) for share, statement in shared if share == most)

    def _agree(self, claim: Statement, reading: Reading, statement: Statement) -> bool:
        if not statement.about:
            return True
        if not claim.about:
            return not self.subjects.asks_of_a_kind(self.topic, statement.about)
        if not claim.named and reading.each:
            return all(any(self.subjects.are_related(one, other) for other in statement.about) for one in claim.about)
        return not self.subjects.are_rivals(claim.about, statement.about | statement.mentioned)


def in_context(context: Context, plan: ArticlePlan, drafts: Mapping[int, SectionDraft], receipts: Receipts) -> Receipts:
    """Return the receipts, corrected for each sentence that is out of context. `drafts`: by the position of their
    section; the position after the last is the FAQ, with one paragraph a question."""
    changed = dict(receipts)
    for position, draft in drafts.items():
        for i, paragraph in enumerate(draft.paragraphs):
            heading = heading_of(plan, position, i)
            for sentence in context.out_of_context(paragraph, heading, receipts):
                checked = sentence.citing_only(context.subjects.passages)
                changed[checked] = evolve(receipts[checked], verdict=Verdict.OUT_OF_CONTEXT)
    return changed


def heading_of(plan: ArticlePlan, position: int, paragraph: int) -> str:
    """Return the heading above a paragraph: the section's, or the question that it answers."""
    if position < len(plan.sections):
        return plan.sections[position].heading
    return plan.faq[paragraph].question if paragraph < len(plan.faq) else ""


def _shared_weight(claim: Statement, statement: Statement) -> int:
    return _weight(claim.words & statement.words)


def _weight(words: Iterable[str]) -> int:
    return sum(FIGURE if any(c.isdigit() for c in word) else 1 for word in words)
