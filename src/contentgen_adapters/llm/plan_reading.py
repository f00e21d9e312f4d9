"""Convert models' plans to the core's, and refuse answers that are not plans of such an article."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import frozen

from contentgen_adapters.llm import wire
from contentgen_adapters.llm.conversation import InvalidAnswer
from contentgen_adapters.llm.fence import Labels
from contentgen_adapters.llm.reading import HEADING_MARKS, line, unknown_labels
from contentgen_adapters.llm.wording import shares, shorten
from contentgen_core.model.article_plan import (
    MAX_FAQ,
    MAX_KEY_POINTS,
    MAX_SECTIONS,
    MAX_TEXT,
    MAX_TITLE,
    ArticlePlan,
    FaqEntry,
    PlanSection,
    PlanSeo,
)
from contentgen_core.model.vocabulary import LengthBounds

META_TITLE: Final = 60
META_DESCRIPTION: Final = 155
MAX_FAULTS: Final = 8
"""Told of one answer."""


@frozen
class PlanReader:
    """Read a plan. A last answer may lose sections and questions that break a rule, if enough sections are left.

    `labels`: of the sources; if there are any, every section and question must cite one. `length`: of the article.
    """

    labels: Labels
    length: LengthBounds

    def __call__(self, answer: wire.PlanAnswer, last: bool) -> ArticlePlan:
        faults = self._faults(answer)
        if faults and not last:
            raise InvalidAnswer("; ".join(faults[:MAX_FAULTS]))
        sections = self._usable(answer.sections)[: self._most]
        if len(sections) < self._least or not answer.title.strip():
            raise InvalidAnswer("; ".join(faults[:MAX_FAULTS]) or "it has too few sections")
        targets = shares([max(1, s.target_words) for s in sections], self.length.target_words)
        return ArticlePlan(
            title=line(answer.title, MAX_TITLE),
            angle=line(answer.angle, MAX_TEXT),
            audience=line(answer.audience, MAX_TEXT),
            sections=tuple(self._section(s, target) for s, target in zip(sections, targets, strict=True)),
            faq=self._questions(answer.faq),
            seo=PlanSeo(
                line(answer.seo.meta_title, META_TITLE),
                line(answer.seo.meta_description, META_DESCRIPTION),
                tuple(line(k, MAX_TITLE) for k in answer.seo.keywords if k.strip())[:MAX_KEY_POINTS],
            ),
        )

    @property
    def _least(self) -> int:
        """Sections: half of those that the length has, or of the sources where there are fewer."""
        wanted = min(self.length.sections, len(self.labels.passages)) if self.labels else self.length.sections
        return max(1, wanted // 2)

    @property
    def _most(self) -> int:
        return min(MAX_SECTIONS, 2 * self.length.sections)

    def _faults(self, answer: wire.PlanAnswer) -> list[str]:
        faults = [] if answer.title.strip() else ["the title is empty"]
        if not self._least <= len(answer.sections) <= self._most:
            faults.append(f"there must be {self._least} to {self._most} sections, not {len(answer.sections)}")
        for i, section in enumerate(answer.sections[: self._most], start=1):
            faults += unknown_labels(self.labels, section.sources, f"section {i}")
            closes = i == len(answer.sections)
            faults += (f"section {i} {it}" for it in self._faults_of(section, answer.sections[: i - 1], closes))
        for i, question in enumerate(answer.faq[:MAX_FAQ], start=1):
            faults += unknown_labels(self.labels, question.sources, f"question {i}")
        return faults

    def _faults_of(self, section: wire.SectionPlan, earlier: Sequence[wire.SectionPlan], closes: bool) -> Iterator[str]:
        """Yield the rules that a section breaks. `closes`: whether it is the last section, which sums up earlier
        ones.
        """
        if not _plain(section.heading):
            yield "has no heading"
        elif any(_plain(section.heading) == _plain(other.heading) for other in earlier):
            yield f"has the heading of an earlier one, {shorten(section.heading, 60)!r}"
        points = {_plain(point) for point in section.key_points} - {""}
        if not points:
            yield "has no key points"
        elif not closes and points <= {_plain(point) for other in earlier for point in other.key_points}:
            yield "has the key points of earlier ones and none of its own"
        if not self._has_source(section.sources):
            yield "names no source that was given"

    def _usable(self, sections: Sequence[wire.SectionPlan]) -> list[wire.SectionPlan]:
        """The sections with a heading of their own, key points and sources."""
        kept: dict[str, wire.SectionPlan] = {}
        for section in sections:
            heading = _plain(section.heading)
            if heading and any(map(_plain, section.key_points)) and self._has_source(section.sources):
                kept.setdefault(heading, section)
        return list(kept.values())

    def _questions(self, questions: Sequence[wire.Question]) -> tuple[FaqEntry, ...]:
        if not self.labels:
            return ()
        asked: dict[str, FaqEntry] = {}
        for question in questions:
            if _plain(question.question) and self._has_source(question.sources):
                entry = FaqEntry(line(question.question, MAX_TITLE), self.labels.refs(question.sources))
                asked.setdefault(_plain(question.question), entry)
        return tuple(asked.values())[:MAX_FAQ]

    def _has_source(self, labels: Sequence[str]) -> bool:
        return not self.labels or bool(self.labels.refs(labels))

    def _section(self, section: wire.SectionPlan, target: int) -> PlanSection:
        points = tuple(line(p, MAX_TEXT) for p in section.key_points if p.strip())[:MAX_KEY_POINTS]
        heading = line(HEADING_MARKS.sub("", section.heading), MAX_TITLE)
        return PlanSection(heading, line(section.goal, MAX_TEXT), points, self.labels.refs(section.sources), target)


def _plain(text: str) -> str:
    """Return the text in lower case and with words only, to compare."""
    return " ".join(re.findall(r"\w+", text.casefold()))
