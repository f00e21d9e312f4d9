"""Looking up what a reviewer added to a plan: sections, questions and key points without sources."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence, Set
from typing import Final

from attrs import evolve, field, frozen

from contentgen_core.concurrency import run_concurrently
from contentgen_core.errors import InvalidInput
from contentgen_core.model.article import Brief
from contentgen_core.model.article_plan import MAX_SOURCES, ArticlePlan, SourceRef
from contentgen_core.model.knowledge import KbView, RankedPassage
from contentgen_core.policies.coverage.of_article import sources_on_topic
from contentgen_core.use_cases.articles.languages import WritingLanguages
from contentgen_core.use_cases.articles.private_docs import retrieve_sources
from contentgen_core.use_cases.articles.without_effect import IgnoredFields, WithoutEffect
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
from contentgen_core.use_cases.use_case import use_case

MAX_LOOKED_UP: Final = 60
"""Additions of one plan that are looked up; a plan has more only if it is all additions."""
FOUND_EACH: Final = 4
AT_ONCE: Final = 4
NOT_HELD: Final = "the knowledge base has nothing on this"
NOT_LOOKED_UP: Final = f"not looked up: more than {MAX_LOOKED_UP} additions"


@frozen
class PlanGap:
    """An addition that the knowledge base does not cover. `path`: in the plan, as in errors (`sections[2]`)."""

    path: str
    text: str
    reason: str


@frozen
class LookedUpPlan:
    """`found`: passages that the plan cites now and did not before. `without_effect`: what was edited in vain."""

    plan: ArticlePlan
    found: Mapping[SourceRef, RankedPassage]
    gaps: tuple[PlanGap, ...]
    without_effect: WithoutEffect | None = None

    def citing(self, there: Set[SourceRef]) -> ArticlePlan:
        """Return the plan without the found passages that have been deleted since. `there`: the passages that exist
        now."""
        gone = self.found.keys() - there
        return (
            _replace_refs(self.plan, lambda _, own: tuple(ref for ref in own if ref not in gone)) if gone else self.plan
        )


@use_case
class LookUpPlan:
    retrieve: Retrieve
    languages: WritingLanguages
    ignored_fields: IgnoredFields = field(factory=IgnoredFields)

    async def __call__(
        self, brief: Brief, edited: ArticlePlan, planned: ArticlePlan | None, view: KbView
    ) -> LookedUpPlan:
        """The plan with sources for what has none. Sections keep their order, their words and the sources they have.

        `planned`: the plan before it was edited, whose key points are not looked up again. `view`: of the niche."""
        asked = _additions(edited, planned)
        slots = asyncio.Semaphore(AT_ONCE)

        async def look_up(text: str) -> tuple[RankedPassage, ...]:
            async with slots:
                found, coverage = await retrieve_sources(self.retrieve, view, evolve(brief, topic=text), FOUND_EACH)
            try:
                return self.languages.usable(sources_on_topic(found, coverage), brief.language)
            except InvalidInput:  # there is something, in a language that cannot be written from
                return ()

        paths = list(asked)[:MAX_LOOKED_UP]
        found = dict(zip(paths, await run_concurrently(look_up(asked[path]) for path in paths), strict=True))
        gaps = tuple(
            PlanGap(path, text, NOT_HELD if path in found else NOT_LOOKED_UP)
            for path, text in asked.items()
            if not found.get(path)
        )
        passages = {ranked.ref: ranked for each in found.values() for ranked in each}
        return LookedUpPlan(_add_sources(edited, found), passages, gaps, self.ignored_fields.of_edit(edited, planned))


def _additions(edited: ArticlePlan, planned: ArticlePlan | None) -> dict[str, str]:
    """Return the texts to look up, by path: new sections and questions without sources, and new key points in sections
    that have some."""
    before = planned or ArticlePlan("")
    points = {point for section in before.sections for point in section.key_points}
    outlined = {section.heading for section in before.sections if not section.source_ids}
    unanswered = {entry.question for entry in before.faq if not entry.source_ids}
    asked: dict[str, str] = {}
    for n, section in enumerate(edited.sections):
        if section.source_ids:
            new = ((k, point) for k, point in enumerate(section.key_points) if point.strip() and point not in points)
            asked |= {f"sections[{n}].keyPoints[{k}]": point for k, point in new}
        elif section.heading not in outlined:
            asked[f"sections[{n}]"] = ". ".join((section.heading, *section.key_points[:3]))
    for n, entry in enumerate(edited.faq):
        if not entry.source_ids and entry.question not in unanswered:
            asked[f"faq[{n}]"] = entry.question
    return asked


def _add_sources(plan: ArticlePlan, found: Mapping[str, Sequence[RankedPassage]]) -> ArticlePlan:
    def refs(path: str, own: Sequence[SourceRef]) -> tuple[SourceRef, ...]:
        below = (each for at, each in found.items() if at == path or at.startswith(f"{path}."))
        more = (ranked.ref for each in below for ranked in each)
        return tuple(dict.fromkeys((*own, *more)))[: max(MAX_SOURCES, len(own))]

    return _replace_refs(plan, refs)


def _replace_refs(plan: ArticlePlan, refs: Callable[[str, Sequence[SourceRef]], tuple[SourceRef, ...]]) -> ArticlePlan:
    """Return the plan with other sources. `refs`: returns those of a part, given its path and present ones."""
    return evolve(
        plan,
        sections=tuple(
            evolve(section, source_ids=refs(f"sections[{n}]", section.source_ids))
            for n, section in enumerate(plan.sections)
        ),
        faq=tuple(evolve(entry, source_ids=refs(f"faq[{n}]", entry.source_ids)) for n, entry in enumerate(plan.faq)),
    )
