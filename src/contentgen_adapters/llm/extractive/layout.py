"""Assigns sentences to the parts of a plan. Sections are written concurrently: each must derive its sentences from the
plan alone, and no two may use the same one."""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from attrs import frozen

from contentgen_adapters.llm.extractive.sentences import Sentence, SentenceKey, SentenceReader
from contentgen_adapters.llm.phrases import Phrases, fold, phrases
from contentgen_core.model.article_plan import ArticlePlan, PlanSection, SourceRef
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language

FAQ_SENTENCES: Final = 2
SUBJECT: Final = 40
"""Characters at a sentence's beginning in which what it is about is named."""
_CONTINUED: Final = 0.6
"""What taking a sentence out of its place costs where the next one continues it, which is lost then."""
KEPT_FOR_PART: Final = 2
"""Sentences of a passage on a compared thing that stay in the part on that."""
TIME_WORDS: Final = 3
"""Words at a sentence's beginning in which it tells when something happened."""
_MONTH: Final = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre"
    r"|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|januari|februari|maart|mei|augustus"
    r"|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"
    r"|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre"
    r"|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro)"
)


class Role(Enum):
    """The purpose of a section."""

    INTRODUCTION = 0
    THEME = 1
    TAKEAWAYS = 2


def role_of(section: PlanSection, words: Phrases) -> Role:
    """The role of a section, by its heading or its goal: a reviewer may change either."""
    if fold(section.heading) == fold(words.introduction) or section.goal == words.intro_goal:
        return Role.INTRODUCTION
    if fold(section.heading) == fold(words.takeaways) or section.goal == words.takeaways_goal:
        return Role.TAKEAWAYS
    return Role.THEME


@frozen
class Layout:
    """The assignment of sentences to the parts of a plan: its sections by position, then its questions.

    `topic`, `language`: of the article.
    """

    plan: ArticlePlan
    topic: str
    language: Language
    reader: SentenceReader

    @property
    def words(self) -> Phrases:
        return phrases(self.language)

    def role(self, position: int) -> Role:
        return role_of(self.plan.sections[position], self.words)

    def faq_part(self, question: int) -> int:
        return len(self.plan.sections) + question

    def share(self, part: int, passage: Passage) -> tuple[Sentence, ...]:
        """The sentences of a passage that are assigned to a part. The introduction and the takeaways get one each, a
        question two; a passage that belongs to a theme keeps at least one for it."""
        return tuple(s for s, owner in self._owners(passage) if owner == part)

    def parts_of(self, passage: Passage) -> frozenset[int]:
        """The parts that get at least one sentence of a passage."""
        return frozenset(owner for _, owner in self._owners(passage))

    def _owners(self, passage: Passage) -> list[tuple[Sentence, int]]:
        free = list(self.reader.usable(passage))
        themes = self._parts(Role.THEME, passage.ref)
        compared = self.reader.part_of(passage) is not None
        kept = (KEPT_FOR_PART if compared else 1) if themes else 0
        owners: list[tuple[Sentence, int]] = []

        def claim(part: int, count: int, scores: dict[SentenceKey, float]) -> None:
            continued = {s.key_before for s in free if s.continues}
            alone = [s for s in free if not s.continues]
            if compared and part < len(self.plan.sections):
                # Outside the part on its thing a sentence has to name that.
                heading = self.plan.sections[part].heading
                alone = [s for s in alone if s.key not in continued and self.reader.is_in_context([s], heading)]
            best = sorted(alone, key=lambda s: (_CONTINUED * (s.key in continued) - scores[s.key], s.position))
            for sentence in best[: max(0, min(count, len(free) - kept))]:
                free.remove(sentence)
                owners.append((sentence, part))

        for part in self._parts(Role.INTRODUCTION, passage.ref):
            claim(part, 1, {s.key: self.introduces(s) for s in free})
        for part in self._parts(Role.TAKEAWAYS, passage.ref):
            claim(part, 1, {s.key: self._concludes(s) for s in free})
        asked = [i for i, entry in enumerate(self.plan.faq) if passage.ref in entry.source_ids]
        for i in asked:
            entry = self.plan.faq[i]
            about = self._terms(entry.question, passage)
            claim(self.faq_part(i), FAQ_SENTENCES, {s.key: _overlap(s, about) - 0.1 * s.position for s in free})
        if themes:
            owners.extend((s, self._best_theme(s, themes)) for s in free)
        return owners

    def _parts(self, role: Role, ref: SourceRef) -> list[int]:
        sections = enumerate(self.plan.sections)
        return [i for i, s in sections if ref in s.source_ids and role_of(s, self.words) is role]

    def _best_theme(self, sentence: Sentence, themes: list[int]) -> int:
        if len(themes) == 1:
            return themes[0]
        matches = {i: _overlap(sentence, self._theme_terms(i, sentence.passage)) for i in themes}
        return max(themes, key=lambda i: (matches[i], -i))

    def _theme_terms(self, position: int, passage: Passage) -> frozenset[str]:
        section = self.plan.sections[position]
        return self._terms(" . ".join((section.heading, *section.key_points)), passage)

    def names_topic(self, sentence: Sentence) -> float:
        """The share of the topic's terms that a sentence has, in 0..1."""
        return _overlap(sentence, self._terms(self.topic, sentence.passage))

    def introduces(self, sentence: Sentence) -> float:
        """A score for opening the article: higher for sentences about the topic, highest for a definition of it; lower
        for those that begin with a time."""
        topic = self._terms(self.topic, sentence.passage)
        named_first = self._begins_with(sentence, topic)
        defines = named_first and phrases(sentence.passage.document.language).defines(sentence.text)
        leads = 0.25 * (sentence.position == 0) + 0.25 * (sentence.passage.chunk_index == 0)
        return (
            2.0 * _overlap(sentence, topic)
            + 0.8 * defines
            + 0.3 * named_first
            + leads
            - 0.4 * _begins_with_time(sentence.text)
            - (0.1 if defines else 0.5) * sentence.quotation
        )

    def _concludes(self, sentence: Sentence) -> float:
        """A score for what is worth remembering: on the topic or its passage's heading, with advice or a figure, and
        not a step of a story."""
        advises = phrases(sentence.passage.document.language).advises(sentence.text)
        topic = self._terms(self.topic, sentence.passage)
        about = topic | self._terms(sentence.passage.heading, sentence.passage)
        finds = any(c.isdigit() for c in sentence.text)
        return (
            _overlap(sentence, about)
            + 0.6 * advises
            + 0.2 * finds
            + 0.2 * self._begins_with(sentence, topic)
            - 0.4 * _begins_with_time(sentence.text)
            - 0.02 * abs(sentence.words - 16)
            - 0.5 * sentence.quotation
        )

    def _begins_with(self, sentence: Sentence, terms: frozenset[str]) -> bool:
        tokens = self.reader.analysis.tokens(sentence.text[:SUBJECT], sentence.passage.document.language)
        return any(token.term in terms for token in tokens)

    def _terms(self, text: str, passage: Passage) -> frozenset[str]:
        return frozenset(self.reader.analysis.terms(text, passage.document.language))


def _begins_with_time(text: str) -> bool:
    """Whether a figure or a month stands in a sentence's first words (`On 5 July 2022,`, `In November`), as a step of a
    story has it."""
    words = [word.strip(",.") for word in text.split()[:TIME_WORDS]]
    return any(_MONTH.fullmatch(word) or any(c.isdigit() for c in word) for word in words)


def _overlap(sentence: Sentence, terms: frozenset[str]) -> float:
    return len(sentence.terms & terms) / max(1, len(terms))
