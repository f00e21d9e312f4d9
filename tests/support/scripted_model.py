"""A content model that does what a test tells it, and counts what it was asked."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence

from contentgen_core.model.article import Usage
from contentgen_core.model.article_plan import ArticlePlan, FaqEntry, PlanSection, PlanSeo
from contentgen_core.model.drafting import DraftParagraph, DraftSentence, SectionDraft
from contentgen_core.model.knowledge import Passage, RankedPassage
from contentgen_core.model.topic_gap import TopicGap
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.niche_fit import TopicFit
from contentgen_core.ports.content_model import (
    Answer,
    EntityCandidate,
    EntityJudgement,
    NicheBrief,
    PlanRequest,
    RevisionRequest,
    SectionRequest,
    TopicJudgement,
    TopicSuggestion,
    TranslationRequest,
)

USAGE = Usage("scripted", 10, 5)


def first_sentence(passage: Passage) -> str:
    return passage.text.split(". ")[0].rstrip(".") + "."


class ScriptedModel:
    """Plans one section a source (three at most) and writes the first sentence of each. `before` runs ahead of every
    call with (method, position) and may raise; `wait` is awaited by every call; `delay` is how long one takes.
    `judgements` is what it makes of the `candidates` for entities it was last shown. `translation` is what it makes of
    each text: capitals, unless a test says otherwise; `translations` is what it was asked. `revision`, `revisions`:
    the same of sentences whose sources changed, for which it has none unless a test says otherwise. `usage`: of each
    call."""

    name = "scripted"

    def __init__(self, *, delay: float = 0.0, invented: Sequence[str] = (), stubborn: bool = False) -> None:
        self.calls: Counter[str] = Counter()
        self.delay = delay
        self.usage = USAGE
        self.invented = tuple(invented)
        self.stubborn = stubborn
        self.judgements: tuple[EntityJudgement, ...] = ()
        self.candidates: tuple[EntityCandidate, ...] = ()
        self.translations: list[TranslationRequest] = []
        self.translation: Callable[[str, TranslationRequest], str] = lambda text, request: text.upper()
        self.revisions: list[RevisionRequest] = []
        self.revision: Callable[[RevisionRequest], str | None] = lambda request: None
        self.before: Callable[[str, int], None] = lambda method, position: None
        self.wait: Callable[[], Awaitable[object]] | None = None

    async def _called(self, method: str, position: int = -1) -> None:
        self.calls[method if position < 0 else f"{method}:{position}"] += 1
        self.before(method, position)
        if self.wait is not None:
            await self.wait()
        if self.delay:
            await asyncio.sleep(self.delay)

    async def plan(self, request: PlanRequest) -> Answer[ArticlePlan]:
        await self._called("plan")
        sections = tuple(
            PlanSection(f"Part {n}", "Tell it", (), (source.ref,), 100)
            for n, source in enumerate(request.sources[:3], start=1)
        ) or (PlanSection("Outline"),)
        faq = (FaqEntry("Why?", (request.sources[0].ref,)),) if request.sources else ()
        return Answer(ArticlePlan(f"On {request.brief.topic}", sections=sections, faq=faq, seo=PlanSeo()), self.usage)

    async def write_section(self, request: SectionRequest) -> SectionDraft:
        await self._called("rewrite" if request.refused else "write", request.position)
        sentences = [DraftSentence(first_sentence(p), (p.ref,)) for p in request.sources]
        if not request.sources:
            sentences = [DraftSentence("This part is an outline.")]
        elif self.invented and (self.stubborn or not request.refused):
            sentences += [DraftSentence(text, (request.sources[0].ref,)) for text in self.invented]
        return SectionDraft(request.section.heading, (DraftParagraph(tuple(sentences)),), self.usage)

    async def suggest_topics(
        self,
        niche: NicheBrief,
        passages: Sequence[Passage],
        avoid: Sequence[str],
        language: Language,
        count: int,
        gaps: Sequence[TopicGap] = (),
    ) -> Answer[tuple[TopicSuggestion, ...]]:
        await self._called("suggest_topics")
        titles = dict.fromkeys(p.document.title for p in passages)
        topics = [gap.topic for gap in gaps] or [title for title in titles if title not in avoid][:count]
        return Answer(tuple(TopicSuggestion(topic, "In the KB", 0.5) for topic in topics), self.usage)

    async def judge_topic(
        self,
        niche: NicheBrief,
        topic: str,
        passages: Sequence[RankedPassage],
        language: Language,
        fit: TopicFit | None = None,
    ) -> Answer[TopicJudgement]:
        await self._called("judge_topic")
        valid = bool(passages) or any(word.casefold() in topic.casefold() for word in (niche.name, *niche.keywords))
        return Answer(
            TopicJudgement(valid, 0.9 if valid else 0.1, "By its sources and the niche's keywords"), self.usage
        )

    async def distil(
        self, topic: str, passages: Sequence[Passage], language: Language
    ) -> Answer[tuple[DraftSentence, ...]]:
        await self._called("distil")
        held = tuple(DraftSentence(first_sentence(p), (p.ref,)) for p in passages[:1])
        return Answer(held + tuple(DraftSentence(text, (passages[0].ref,)) for text in self.invented), self.usage)

    async def summarise(self, text: str, language: Language, max_words: int) -> Answer[str]:
        return Answer(" ".join(text.split()[:max_words]), self.usage)

    async def translate(self, request: TranslationRequest) -> Answer[tuple[str, ...]]:
        if not request.segments:
            return Answer((), self.usage)
        await self._called("translate")
        self.translations.append(request)
        return Answer(tuple(self.translation(text, request) for text in request.segments), self.usage)

    async def revise_sentence(self, request: RevisionRequest) -> Answer[str | None]:
        await self._called("revise_sentence")
        self.revisions.append(request)
        return Answer(self.revision(request), self.usage)

    async def curate_entities(
        self, candidates: Sequence[EntityCandidate], language: Language
    ) -> Answer[tuple[EntityJudgement, ...]]:
        await self._called("curate_entities")
        self.candidates = tuple(candidates)
        return Answer(self.judgements, self.usage)
