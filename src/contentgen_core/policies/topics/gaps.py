"""Select the gaps worth suggesting, and order them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from attrs import frozen

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.entity import KbEntity
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.topic_gap import GapKind, TopicGap
from contentgen_core.model.vocabulary import Language

MIN_DOCUMENTS: Final = 3
"""The least number of documents that name an entity which is missed in them."""
MIN_TOPIC: Final = 10
"""The fewest characters that the check of a topic takes."""
LONGEST_QUESTION: Final = 200
MIN_QUESTION_TERMS: Final = 3
"""A question of fewer words of weight is none without its context ("But why?")."""
_ASKING: Final = ("?", "？", "؟")
_URGENT: Final = (GapKind.UNCOVERED, GapKind.NAMED, GapKind.UNANSWERED)


@frozen
class OpenQuestion:
    """A question in a passage, which the text after it does not answer."""

    text: str
    ref: SourceRef
    language: Language


def open_questions(passages: Iterable[Passage], analysis: TextAnalysis) -> Iterator[OpenQuestion]:
    """Questions that end their passage or are followed by another one: a text that goes on answers them."""
    for passage in passages:
        language = passage.document.language
        sentences = [" ".join(span.of(passage.text).split()) for span in analysis.sentences(passage.text, language)]
        for sentence, after in zip(sentences, [*sentences[1:], "?"], strict=True):
            if not sentence.endswith(_ASKING) or not after.endswith(_ASKING):
                continue
            if not MIN_TOPIC <= len(sentence) <= LONGEST_QUESTION:
                continue
            if len(set(analysis.terms(sentence, language))) >= MIN_QUESTION_TERMS:
                yield OpenQuestion(sentence, passage.ref, language)


def entity_topic(entity: KbEntity, niche_name: str) -> str:
    """The entity as a topic; one with a short name is followed by the niche's."""
    return entity.name if len(entity.name) >= MIN_TOPIC else f"{entity.name} ({niche_name})"


class Heads:
    """The titles and headings of passages: what the documents are about by themselves."""

    def __init__(self, analysis: TextAnalysis) -> None:
        self._analysis = analysis
        self._terms: dict[tuple[str, Language], frozenset[str]] = {}

    def add(self, passages: Iterable[Passage]) -> None:
        """Add title and heading of each passage."""
        for passage in passages:
            document = passage.document
            for text in (document.title, passage.heading, f"{document.title} {passage.heading}"):
                key = (text, document.language)
                if key not in self._terms:
                    self._terms[key] = frozenset(self._analysis.terms(text, document.language))

    def name(self, text: str, language: Language) -> bool:
        """Whether a title or heading has all words of a text."""
        words = frozenset(self._analysis.terms(text, language))
        return bool(words) and any(words <= head for head in self._terms.values())


def select_gaps(gaps: Sequence[TopicGap], count: int) -> tuple[TopicGap, ...]:
    """Return at most `count` gaps: of those that ask for sources the first of each kind, then the second; covered,
    unwritten topics after them."""
    of_kind = {kind: [gap for gap in gaps if gap.kind is kind] for kind in GapKind}
    longest = max(map(len, of_kind.values()), default=0)
    turns = [of_kind[kind][n] for n in range(longest) for kind in _URGENT if n < len(of_kind[kind])]
    return tuple([*turns, *of_kind[GapKind.UNWRITTEN]][:count])
