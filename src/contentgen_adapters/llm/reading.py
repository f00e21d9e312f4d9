"""Converts models' answers to the core's values; refuses invalid answers, and corrects minor faults."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from attrs import frozen

from contentgen_adapters.llm import wire
from contentgen_adapters.llm.conversation import InvalidAnswer
from contentgen_adapters.llm.fence import Labels
from contentgen_adapters.llm.wording import alike, shorten
from contentgen_core.model.article_plan import MAX_TEXT, MAX_TITLE
from contentgen_core.model.drafting import DraftParagraph, DraftSentence
from contentgen_core.model.entity import EntityType
from contentgen_core.ports.content_model import EntityJudgement, TopicSuggestion

MAX_SENTENCE: Final = 1_500
MAX_SENTENCES: Final = 400
HEADING_MARKS: Final = re.compile(r"^\s*#{1,6}\s+")
_BULLET: Final = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_MARK: Final = re.compile(r"\s*(?:\[\^?\d{1,4}\]|\[S\d{1,3}(?:\s*,\s*S\d{1,3})*\]|\(S\d{1,3}(?:\s*,\s*S\d{1,3})*\))")
_URL: Final = re.compile(r"\s*\(?\bhttps?://\S+|\bwww\.\S+")


@frozen
class ParagraphsReader:
    """Read paragraphs.

    `labels`: of the sources. `count`: the exact number of paragraphs, if given; missing ones become empty.
    """

    labels: Labels
    count: int | None = None

    def __call__(self, answer: wire.SectionAnswer, last: bool) -> tuple[DraftParagraph, ...]:
        faults = self._faults(answer)
        if faults and not last:
            raise InvalidAnswer("; ".join(faults[:8]))
        paragraphs = tuple(self._paragraph(p) for p in answer.paragraphs)
        if not any(p.sentences for p in paragraphs):
            raise InvalidAnswer("it holds no sentence")
        if self.count is None:
            return tuple(p for p in paragraphs if p.sentences)
        missing = (DraftParagraph(()),) * (self.count - len(paragraphs))
        return (*paragraphs[: self.count], *missing)

    def _faults(self, answer: wire.SectionAnswer) -> list[str]:
        faults: list[str] = []
        if self.count is not None and len(answer.paragraphs) != self.count:
            faults.append(f"there must be {self.count} paragraphs, one for each question, not {len(answer.paragraphs)}")
        sentences = [s for p in answer.paragraphs for s in p.sentences]
        if len(sentences) > MAX_SENTENCES:
            faults.append(f"there are more than {MAX_SENTENCES} sentences")
        for sentence in sentences[:MAX_SENTENCES]:
            at = f"the sentence {shorten(sentence.text, 60)!r}"
            faults += unknown_labels(self.labels, sentence.sources, at)
            if self.labels and not sentence.sources:
                faults.append(f"{at} names no source")
            if _has_marks(sentence.text):
                faults.append(f"{at} holds a heading, a citation mark or a URL")
        return faults

    def _paragraph(self, paragraph: wire.Paragraph) -> DraftParagraph:
        made = [
            DraftSentence(text, self.labels.refs(s.sources), s.quotation)
            for s in paragraph.sentences[:MAX_SENTENCES]
            if (text := _sentence(s.text))
        ]
        return DraftParagraph(tuple(made), paragraph.bullets)


@frozen
class TopicsReader:
    """Reads suggestions, dropping those similar to a topic in `avoid` or to a better suggestion. `count`: at most."""

    avoid: Sequence[str]
    count: int

    def __call__(self, answer: wire.TopicsAnswer, last: bool) -> tuple[TopicSuggestion, ...]:
        kept: list[TopicSuggestion] = []
        for topic in sorted(answer.topics, key=lambda t: -t.score):
            text = line(topic.topic, MAX_TITLE)
            if text and not any(alike(text, other) for other in (*self.avoid, *(k.topic for k in kept))):
                kept.append(TopicSuggestion(text, line(topic.reason, MAX_TEXT), share(topic.score)))
        if answer.topics and not kept and not last:
            raise InvalidAnswer("every topic is like one that exists already")
        return tuple(kept[: self.count])


def share(value: float) -> float:
    """A model's score within 0..1; models sometimes give percentages."""
    if not value >= 0:
        return 0.0
    return min(1.0, value / 100 if value > 1 else value)


def unknown_labels(labels: Labels, given: Sequence[str], where: str) -> list[str]:
    """The fault, if some of the labels given are of no source. `where`: who names them, in words."""
    unknown = labels.unknown(given)
    return [f"{where} names sources that were not given: {', '.join(u[:20] for u in unknown[:5])}"] if unknown else []


def line(text: str, most: int) -> str:
    """The text on one line, within so many characters."""
    return shorten(" ".join(text.split()), most)


def _has_marks(text: str) -> bool:
    return any(pattern.search(text) for pattern in (HEADING_MARKS, _MARK, _URL))


def _sentence(text: str) -> str:
    for pattern in (HEADING_MARKS, _BULLET, _MARK, _URL):
        text = pattern.sub("", text)
    return shorten(" ".join(text.split()), MAX_SENTENCE)


def revised_sentence(answer: wire.RevisionAnswer, last: bool) -> str:
    """The sentence, "" to leave it out."""
    if answer.leave_out:
        return ""
    if len(answer.text) > MAX_SENTENCE:
        raise InvalidAnswer(f"the sentence is longer than {MAX_SENTENCE} characters")
    if _has_marks(answer.text) and not last:
        raise InvalidAnswer("the sentence holds a heading, a citation mark or a URL")
    text = _sentence(answer.text)
    if not text:
        raise InvalidAnswer("it holds no sentence: set leaveOut where nothing is to be said")
    return text


class CurationReader:
    """Reads curated entities. Unknown or repeated numbers are refused, and dropped in the last answer.

    `candidates`: how many were shown, numbered from 1.
    """

    def __init__(self, candidates: int) -> None:
        self._candidates = candidates

    def __call__(self, answer: wire.CurationAnswer, last: bool) -> tuple[EntityJudgement, ...]:
        numbers = [number for entity in answer.entities for number in entity.members]
        wrong = sorted({n for n in numbers if not 1 <= n <= self._candidates or numbers.count(n) > 1})
        if wrong and not last:
            raise InvalidAnswer(
                f"these numbers are unknown or stand in several lists: {', '.join(map(str, wrong[:20]))}"
            )
        taken: set[int] = set()
        judgements = []
        for entity in answer.entities:
            members = [n for n in dict.fromkeys(entity.members) if 1 <= n <= self._candidates and n not in taken]
            taken.update(members)
            if members:
                judgements.append(EntityJudgement(tuple(n - 1 for n in members), EntityType(entity.type)))
        if not judgements and self._candidates and not last:
            raise InvalidAnswer("it keeps no candidate at all")
        return tuple(judgements)


class TranslationReader:
    """Reads translations. Missing ones are refused, and are empty in the last answer.

    `texts`: how many were sent, numbered from 1.
    """

    def __init__(self, texts: int) -> None:
        self._texts = texts

    def __call__(self, answer: wire.TranslationAnswer, last: bool) -> tuple[str, ...]:
        by_number = {entry.number: entry.text for entry in answer.translations}
        missing = [n for n in range(1, self._texts + 1) if n not in by_number]
        if missing and not last:
            raise InvalidAnswer(f"the translations of these numbers are missing: {', '.join(map(str, missing[:20]))}")
        return tuple(by_number.get(n, "") for n in range(1, self._texts + 1))
