"""Plans an extractive article: an introduction, themes, takeaways and questions, each with its passages."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from attrs import evolve, frozen

from contentgen_adapters.llm.extractive.composing import Composer
from contentgen_adapters.llm.extractive.headings import asked_in, self_contained_heading, truecase
from contentgen_adapters.llm.extractive.layout import Layout, Role
from contentgen_adapters.llm.extractive.sentences import SentenceReader
from contentgen_adapters.llm.extractive.themes import MIN_THEME_WORDS, Material, Theme, material, themes
from contentgen_adapters.llm.phrases import Phrases, fold, phrases
from contentgen_adapters.llm.wording import capitalise, shares, shorten
from contentgen_core.model.article_plan import (
    MAX_KEY_POINTS,
    MAX_TEXT,
    MAX_TITLE,
    MIN_SECTION_WORDS,
    ArticlePlan,
    FaqEntry,
    PlanSection,
    PlanSeo,
    SourceRef,
)
from contentgen_core.model.knowledge import Passage, RankedPassage
from contentgen_core.model.vocabulary import LENGTHS, ArticleLength, Language
from contentgen_core.policies.grounding.context import Part
from contentgen_core.ports.content_model import NicheBrief, PlanRequest, SectionRequest

QUESTIONS: Final = {
    ArticleLength.SHORT: 2,
    ArticleLength.STANDARD: 3,
    ArticleLength.LONG: 4,
    ArticleLength.VERY_LONG: 5,
}
FRAME_SHARE: Final = 0.10
"""Share of the words for the introduction, and again for the takeaways."""
WORDS_PER_SENTENCE: Final = 18
SURPLUS: Final = 1.15
"""Words in the sources per word of the article."""
LEAST_RELEVANT: Final = 0.25
"""Of the most relevant source's relevance."""
MOST_OPENING: Final = 3
"""Passages that an introduction draws on."""
NAMED: Final = 0.6
"""Share of the topic's terms in a sentence that names it, where any has so many."""
META_TITLE: Final = 60
META_DESCRIPTION: Final = 155


@frozen
class Planner:
    """Plans one article. Deterministic: the same request gives the same plan."""

    request: PlanRequest
    reader: SentenceReader

    @property
    def language(self) -> Language:
        return self.request.brief.language

    @property
    def words(self) -> Phrases:
        return phrases(self.language)

    @property
    def _target(self) -> int:
        return LENGTHS[self.request.brief.length].target_words

    def plan(self) -> ArticlePlan:
        sources = self._usable_sources()
        if not sources:
            return unsourced_plan(self.request)
        sources = self._most_relevant(sources)
        given = self._with_chosen_first(self._material(sources), self._chosen_by_person(sources))
        found = self._themes(given, sources)
        plan = ArticlePlan(
            title=self._title(sources),
            angle=self._angle(sources),
            audience=audience(self.request.niche, self.words),
            sections=self._sections(given, found),
            faq=self._faq(given, found),
        )
        plan = self._without_empty_parts(plan, sources)
        return evolve(plan, sections=self._with_words(plan), seo=self._seo(plan, sources))

    def _usable_sources(self) -> tuple[RankedPassage, ...]:
        """The sources with usable sentences; only those in the article's language if there are any, since this writer
        cannot translate."""
        sources = tuple(s for s in self.request.sources if self.reader.usable(s.passage))
        own = tuple(s for s in sources if s.passage.document.language is self.language)
        return own or sources

    def _most_relevant(self, sources: Sequence[RankedPassage]) -> tuple[RankedPassage, ...]:
        """Return the sources of some relevance beside the best one, at most as many as the length requires, the most
        relevant ones: a knowledge base on one field has many passages that are near to any topic of it. Those of
        chosen documents come first, in the given order, whatever their relevance.
        """
        relevance, chosen = self._material(sources).relevance, self._chosen_by_person(sources)
        least, needed = LEAST_RELEVANT * max(relevance.values()), SURPLUS * self._target
        kept: list[RankedPassage] = []
        words = 0
        others = sorted((s for s in sources if s.ref not in chosen), key=lambda s: -relevance[s.ref])
        for source in (*(s for s in sources if s.ref in chosen), *others):
            if (source.ref not in chosen and relevance[source.ref] < least) or words >= needed:
                break
            kept.append(source)
            words += self.reader.words(source.passage)
        return tuple(kept)

    def _chosen_by_person(self, sources: Sequence[RankedPassage]) -> frozenset[SourceRef]:
        """The passages of documents that a person chose for this article."""
        return frozenset(s.ref for s in sources if s.ref.document_id in self.request.brief.document_ids)

    def _with_chosen_first(self, given: Material, chosen: Collection[SourceRef]) -> Material:
        """The material with each passage of chosen documents more relevant than any other."""
        most = max(given.relevance.values())
        return evolve(given, relevance={ref: r + most * (ref in chosen) for ref, r in given.relevance.items()})

    def _material(self, sources: Sequence[RankedPassage]) -> Material:
        # Only the niche's name is common to all sources; its keywords are subjects that distinguish them.
        return material(
            sources, self.request.brief.topic, self.request.niche.name, self.reader.analysis, self.request.vectors
        )

    def _themes(self, given: Material, sources: Sequence[RankedPassage]) -> list[Theme]:
        """Return the themes of the article. Where its topic compares things, each of them gets a theme, in the topic's
        order, before themes of passages that concern none or several of them.
        """
        parts: dict[int, list[tuple[Part, Passage]]] = {}
        for passage in given.passages:
            if (part := self.reader.part_of(passage)) is not None:
                parts.setdefault(part.place, []).append((part, passage))
        if not parts:
            return self._themes_of(given, self._theme_count(sources))
        rest = [source for source in sources if self.reader.part_of(source.passage) is None]
        of_parts = [self._theme_of_part(parts[place]) for place in sorted(parts)]
        if not rest:
            return of_parts
        others = self._with_chosen_first(self._material(rest), self._chosen_by_person(rest))
        return [*of_parts, *self._themes_of(others, max(1, self._theme_count(sources) - len(of_parts)))]

    def _themes_of(self, given: Material, count: int) -> list[Theme]:
        return themes(given, count, self.request.brief.topic, self._target, self.reader, self.words)

    def _theme_of_part(self, members: Sequence[tuple[Part, Passage]]) -> Theme:
        """Return the theme of one compared thing: under its document's title, or its name where it has several."""
        headings = {part.heading for part, _ in members}
        heading = members[0][0].heading if len(headings) == 1 else capitalise(members[0][0].name)
        documents = list(dict.fromkeys(passage.document.id for _, passage in members))
        passages = sorted((p for _, p in members), key=lambda p: (documents.index(p.document.id), p.chunk_index))
        return Theme(shorten(heading, MAX_TITLE), tuple(passages))

    def _theme_count(self, sources: Sequence[RankedPassage]) -> int:
        """The number of themes for the length (the introduction counts as one), limited by the text available."""
        wanted = LENGTHS[self.request.brief.length].sections - 1
        words = sum(self.reader.words(source.passage) for source in sources)
        return max(1, min(wanted, words // MIN_THEME_WORDS))

    def _sections(self, given: Material, found: Sequence[Theme]) -> tuple[PlanSection, ...]:
        wanted = max(3, round(self._target * FRAME_SHARE / WORDS_PER_SENTENCE))
        opening = self._opening(given, wanted)
        intro = PlanSection(self.words.introduction, self.words.intro_goal, (), tuple(p.ref for p in opening))
        by_relevance = [sorted(t.passages[1:], key=lambda p: -given.relevance[p.ref]) for t in found]
        closing = _round_robin(
            [[*rest, t.passages[0]] for t, rest in zip(found, by_relevance, strict=True)], wanted + 1
        )
        points = tuple(theme.heading for theme in found)[:MAX_KEY_POINTS]
        end = PlanSection(self.words.takeaways, self.words.takeaways_goal, points, tuple(p.ref for p in closing))
        return (intro, *(self._theme(theme) for theme in found), end)

    def _opening(self, given: Material, most: int) -> list[Passage]:
        """Return the passages with the sentences that introduce the topic best: those that name it, or the largest part
        of it, best first; if no sentence does, the most relevant passage.
        """
        layout = Layout(ArticlePlan(""), self.request.brief.topic, self.language, self.reader)
        alone = {p.ref: [s for s in self.reader.usable(p) if not s.continues] for p in given.passages}
        least = min(NAMED, max(layout.names_topic(s) for sentences in alone.values() for s in sentences))
        scored: list[tuple[float, Passage]] = []
        for passage in given.passages:
            naming = [s for s in alone[passage.ref] if layout.names_topic(s) >= least > 0]
            if naming:
                scored.append((max(map(layout.introduces, naming)) + given.relevance[passage.ref], passage))
        opening = [passage for _, passage in sorted(scored, key=lambda pair: -pair[0])]
        return (opening or given.best_first()[:1])[: min(most, MOST_OPENING)]

    def _theme(self, theme: Theme) -> PlanSection:
        headings = [self_contained_heading(p, self.words) for p in theme.passages]
        points = dict.fromkeys(h for h in headings if h and fold(h) != fold(theme.heading))
        goal = shorten(self.words.theme_goal.format(heading=theme.heading), MAX_TEXT)
        return PlanSection(theme.heading, goal, tuple(points)[:MAX_KEY_POINTS], tuple(p.ref for p in theme.passages))

    def _faq(self, given: Material, found: Sequence[Theme]) -> tuple[FaqEntry, ...]:
        """Return the questions that the sources themselves ask and answer, by relevance; empty if they ask nothing."""
        headings = {_bare(theme.heading) for theme in found} | {_bare(self.request.brief.topic)}
        wanted = QUESTIONS[self.request.brief.length]
        entries: list[FaqEntry] = []
        for passage in given.best_first():
            asked = asked_in(passage, self.words)
            if asked and _bare(asked) not in headings and len(entries) < wanted:
                headings.add(_bare(asked))
                entries.append(FaqEntry(shorten(asked, MAX_TITLE), (passage.ref,)))
        return tuple(entries)

    def _without_empty_parts(self, plan: ArticlePlan, sources: Sequence[RankedPassage]) -> ArticlePlan:
        """Drops parts that would get no sentence. Their passages' sentences go to the themes instead."""
        layout = Layout(plan, self.request.brief.topic, self.language, self.reader)
        filled = {part for s in sources for part in layout.parts_of(s.passage)}
        themes_hold = sum(layout.role(i) is Role.THEME for i in filled if i < len(plan.sections))
        sections = [
            section
            for i, section in enumerate(plan.sections)
            if i in filled and (layout.role(i) is not Role.TAKEAWAYS or themes_hold)
        ]
        faq = [entry for i, entry in enumerate(plan.faq) if layout.faq_part(i) in filled]
        return evolve(plan, sections=tuple(sections), faq=tuple(faq))

    def _with_words(self, plan: ArticlePlan) -> tuple[PlanSection, ...]:
        """Set target words: a tenth each for introduction and takeaways, the rest in proportion to the words available
        for each theme, but at most what the section's sources yield in a trial.
        """
        framed = [s.goal in (self.words.intro_goal, self.words.takeaways_goal) for s in plan.sections]
        each = round(self._target * FRAME_SHARE)
        weights = [self._available_words(s) for s, frame in zip(plan.sections, framed, strict=True) if not frame]
        rest = iter(shares(weights, self._target - each * sum(framed)))
        words = [max(MIN_SECTION_WORDS, each) if frame else next(rest) for frame in framed]
        asked = evolve(
            plan, sections=tuple(evolve(s, target_words=n) for s, n in zip(plan.sections, words, strict=True))
        )
        return tuple(evolve(s, target_words=self._supported_words(asked, i)) for i, s in enumerate(asked.sections))

    def _supported_words(self, plan: ArticlePlan, position: int) -> int:
        passages = {s.ref: s.passage for s in self.request.sources}
        section = plan.sections[position]
        sources = tuple(passages[ref] for ref in section.source_ids)
        context = self.reader.context
        request = SectionRequest(self.request.brief, plan, section, position, sources, context=context)
        return max(MIN_SECTION_WORDS, min(section.target_words, Composer(request, self.reader).words()))

    def _available_words(self, section: PlanSection) -> int:
        passages = {s.ref: s.passage for s in self.request.sources}
        return sum(self.reader.words(passages[ref]) for ref in section.source_ids)

    def _title(self, sources: Sequence[RankedPassage]) -> str:
        texts = [f"{s.passage.document.title}. {s.passage.text}" for s in sources]
        return shorten(truecase(self.request.brief.topic, texts), MAX_TITLE)

    def _angle(self, sources: Sequence[RankedPassage]) -> str:
        count = len({s.passage.document.id for s in sources})
        return shorten(self.words.angle.format(count=count, niche=self.request.niche.name), MAX_TEXT)

    def _seo(self, plan: ArticlePlan, sources: Sequence[RankedPassage]) -> PlanSeo:
        layout = Layout(plan, self.request.brief.topic, self.language, self.reader)
        lead = [s for source in sources for s in layout.share(0, source.passage)]
        best = max(lead, key=layout.introduces).text if lead else plan.title
        description = shorten(best, META_DESCRIPTION)
        headings = [s.heading for i, s in enumerate(plan.sections) if layout.role(i) is Role.THEME]
        keywords = dict.fromkeys((*self.request.brief.keywords, *headings))
        return PlanSeo(shorten(plan.title, META_TITLE), description, tuple(keywords)[:10])


def unsourced_plan(request: PlanRequest) -> ArticlePlan:
    """An outline for a topic without sources, which states that nothing supports it."""
    words = phrases(request.brief.language)
    title = shorten(capitalise(" ".join(request.brief.topic.split())), MAX_TITLE)
    notes = zip(words.outline, words.outline_notes, strict=True)
    sections = tuple(PlanSection(heading, note, target_words=2 * MIN_SECTION_WORDS) for heading, note in notes)
    seo = PlanSeo(shorten(title, META_TITLE), shorten(words.unsourced, META_DESCRIPTION))
    return ArticlePlan(title, words.unsourced, audience(request.niche, words), sections, (), seo)


def audience(niche: NicheBrief, words: Phrases) -> str:
    """The niche's audience, or a phrase with its name."""
    return shorten(niche.audience or words.audience.format(niche=niche.name), MAX_TEXT)


def _bare(heading: str) -> str:
    """A heading to compare, with or without its question mark."""
    return fold(heading).rstrip("?？؟ \u00a0\u202f")


def _round_robin(groups: Sequence[Sequence[Passage]], count: int) -> list[Passage]:
    """Return the first `count` passages, taken from the groups in turn."""
    taken: list[Passage] = []
    queues = [list(group) for group in groups]
    while len(taken) < count and any(queues):
        for queue in queues:
            if queue and len(taken) < count:
                taken.append(queue.pop(0))
    return taken
