"""The writer over any chat model: prompts, output schemas and checks. Vendors differ only in their ChatBackend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import structlog
from attrs import evolve

from contentgen_adapters.llm import wire
from contentgen_adapters.llm.conversation import ChatBackend, InvalidAnswer, NoUsableAnswer, Question, ask
from contentgen_adapters.llm.fence import MAX_SOURCE, Labels, fence
from contentgen_adapters.llm.phrases import heading_of, phrases
from contentgen_adapters.llm.plan_reading import PlanReader
from contentgen_adapters.llm.prompts import prompt
from contentgen_adapters.llm.reading import (
    CurationReader,
    ParagraphsReader,
    TopicsReader,
    TranslationReader,
    revised_sentence,
    share,
)
from contentgen_adapters.llm.wording import shorten
from contentgen_core.model.article import Brief, Usage
from contentgen_core.model.article_plan import ArticlePlan
from contentgen_core.model.drafting import DraftParagraph, DraftSentence, SectionDraft
from contentgen_core.model.knowledge import Passage, RankedPassage
from contentgen_core.model.model_batch import ModelAnswer
from contentgen_core.model.topic_gap import TopicGap
from contentgen_core.model.vocabulary import LENGTHS, Language
from contentgen_core.policies.topics.niche_fit import TopicFit
from contentgen_core.policies.voice.wording import describe_voice
from contentgen_core.ports.content_model import (
    Answer,
    ContentModel,
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
from contentgen_core.ports.lost_usage import note_lost_usage

log = structlog.get_logger("contentgen.llm")

PLAN_REPAIRS: Final = 1
"""Of a plan: another planner can stand in."""
MAX_SHOWN: Final = 60
"""Passages in a prompt for suggestions; more would fill a small model's context."""
MAX_AVOIDED: Final = 200
MAX_TEXT: Final = 60_000
MAX_REASON: Final = 500
QUESTIONS: Final = 4
STATEMENTS: Final = 8
"""Per distilled page."""
_GROUNDED: Final = (
    "Every section and every sentence rests on at least one source, which you name by its label. What no source "
    "carries is left out."
)
_CHOSEN: Final = (
    "A person chose the documents of some sources for this article: build on each of these first, and on the others "
    "where they say nothing."
)
_GAPS: Final = (
    "Suggest topics that fill the gaps below, each one gap or several that belong together, even where the sources do "
    "not carry them yet; the reason then says what is missing. uncovered: asked for, without enough sources; named: in "
    "many documents, with none about it; unanswered: a question that the sources leave open; unwritten: covered, and "
    "no article has it."
)
_UNSOURCED: Final = (
    "There are no sources. Write a cautious outline in general words: no figures, dates, names, quotations or claims "
    "that would need a source. Every list of sources stays empty."
)


class StructuredWriter:
    """The content model port over a chat backend. `planner`: plans where the model's own plan cannot be used; without
    it the plan fails. `planning`: another model of the vendor, which plans; None: the same.
    """

    def __init__(
        self, backend: ChatBackend, planner: ContentModel | None = None, planning: ChatBackend | None = None
    ) -> None:
        self._backend, self._planner, self._planning = backend, planner, planning or backend

    @property
    def name(self) -> str:
        return self._backend.model

    @property
    def plans_with(self) -> str:
        """The name of the model that plans."""
        return self._planning.model

    @property
    def provider(self) -> str:
        """The vendor's name in traces."""
        return self._backend.provider

    async def plan(self, request: PlanRequest) -> Answer[ArticlePlan]:
        return await self.read_plan(request, None)

    async def read_plan(self, request: PlanRequest, first: ModelAnswer | None) -> Answer[ArticlePlan]:
        """The plan of an answer that the model gave already; None: it is asked."""
        try:
            answer = await self._own_plan(request, first)
            return Answer(answer.value, self._planned_by(answer.usage))
        except NoUsableAnswer as error:
            # Whoever plans without the model reads the article's language alone.
            own = [s for s in request.sources if s.passage.document.language is request.brief.language]
            if self._planner is None or (request.sources and not own):
                note_lost_usage(self._planned_by(error.asked))
                raise
            log.warning("plan_replaced", model=self.plans_with)
            replaced = await self._planner.plan(evolve(request, sources=tuple(own)))
            return Answer(replaced.value, self._planned_by(error.usage))

    def _planned_by(self, usage: Usage) -> Usage:
        return usage if self.plans_with == self.name else evolve(usage, planned_by=self.plans_with)

    async def _own_plan(self, request: PlanRequest, first: ModelAnswer | None) -> Answer[ArticlePlan]:
        labels = Labels([source.passage for source in request.sources])
        reader = PlanReader(labels, LENGTHS[request.brief.length])
        question = plan_question(request)
        return await ask(
            self._planning, question, wire.PlanAnswer, reader, repairs=PLAN_REPAIRS, first=first, replaceable=True
        )

    async def write_section(self, request: SectionRequest) -> SectionDraft:
        """Writes the whole section again when the request has refused sentences of an earlier draft."""
        return await self.read_section(request, None)

    async def read_section(self, request: SectionRequest, first: ModelAnswer | None) -> SectionDraft:
        """The section of an answer that the model gave already; None: it is asked."""
        labels = Labels(request.sources)
        count = len(request.section.key_points) if request.is_faq else None
        question, reader = section_question(request), ParagraphsReader(labels, count)
        answer = await ask(self._backend, question, wire.SectionAnswer, reader, first=first)
        paragraphs = answer.value
        if not request.plan.cited and request.position == 0:
            paragraphs = (_notice(request.brief.language), *paragraphs)
        return SectionDraft(heading_of(request), paragraphs, answer.usage)

    async def suggest_topics(
        self,
        niche: NicheBrief,
        passages: Sequence[Passage],
        avoid: Sequence[str],
        language: Language,
        count: int,
        gaps: Sequence[TopicGap] = (),
    ) -> Answer[tuple[TopicSuggestion, ...]]:
        if not passages:
            return Answer((), Usage(self.name))
        text = prompt("topics").fill(
            count=count,
            language=_english(language),
            brief=fence("NICHE", _niche(niche)),
            avoid=fence("TOPICS", "\n".join(shorten(a, 200) for a in avoid[:MAX_AVOIDED]) or "none"),
            gaps=_missing(gaps),
            sources=Labels(passages[:MAX_SHOWN]).listing(),
        )
        return await ask(self._backend, Question(text), wire.TopicsAnswer, TopicsReader(avoid, count))

    async def judge_topic(
        self,
        niche: NicheBrief,
        topic: str,
        passages: Sequence[RankedPassage],
        language: Language,
        fit: TopicFit | None = None,
    ) -> Answer[TopicJudgement]:
        def read(answer: wire.JudgementAnswer, last: bool) -> TopicJudgement:
            return TopicJudgement(answer.valid, share(answer.confidence), shorten(answer.reason, MAX_REASON))

        text = prompt("judge").fill(
            language=_english(language),
            brief=fence("NICHE AND TOPIC", f"{_niche(niche)}\nTopic to judge: {topic}"),
            sources=Labels([r.passage for r in passages[:10]]).listing(),
        )
        return await ask(self._backend, Question(text), wire.JudgementAnswer, read)

    async def distil(
        self, topic: str, passages: Sequence[Passage], language: Language
    ) -> Answer[tuple[DraftSentence, ...]]:
        if not passages:
            return Answer((), Usage(self.name))
        labels = Labels(passages[:MAX_SHOWN])
        text = prompt("distil").fill(
            count=STATEMENTS,
            language=_english(language),
            topic=fence("TOPIC", topic),
            sources=labels.listing(),
        )
        answer = await ask(self._backend, Question(text), wire.SectionAnswer, ParagraphsReader(labels))
        statements = [s for paragraph in answer.value for s in paragraph.sentences if not s.quotation]
        return Answer(tuple(statements[:STATEMENTS]), answer.usage)

    async def summarise(self, text: str, language: Language, max_words: int) -> Answer[str]:
        def read(answer: wire.TextAnswer, last: bool) -> str:
            summary = " ".join(answer.text.split())
            words = summary.split(" ")
            if len(words) > max_words and not last:
                raise InvalidAnswer(f"it has {len(words)} words, more than {max_words}")
            if not summary:
                raise InvalidAnswer("it is empty")
            return " ".join(words[:max_words]) + ("…" if len(words) > max_words else "")

        shown = fence("TEXT", text[:MAX_TEXT])
        asked = prompt("summarise").fill(language=_english(language), words=max_words, text=shown)
        return await ask(self._backend, Question(asked), wire.TextAnswer, read)

    async def translate(self, request: TranslationRequest) -> Answer[tuple[str, ...]]:
        if not request.segments:
            return Answer((), Usage(self.name))
        listed = "\n".join(f"{n}. {text}" for n, text in enumerate(request.segments, start=1))
        text = prompt("translate").fill(
            source=_english(request.source) if request.source else "the language they are written in",
            target=_english(request.target),
            title=fence("TITLE", request.title),
            texts=fence("TEXTS", listed),
            refused=_refused_translations(request.faults),
        )
        return await ask(
            self._backend, Question(text), wire.TranslationAnswer, TranslationReader(len(request.segments))
        )

    async def revise_sentence(self, request: RevisionRequest) -> Answer[str | None]:
        beside = f"Before it: {request.before}\nThe sentence: {request.sentence}\nAfter it: {request.after}"
        text = prompt("revise").fill(
            language=_english(request.brief.language),
            article=fence("ARTICLE", f"Title: {request.title}\nTone: {request.brief.tone}") + _voice(request.brief),
            sentence=fence("SENTENCE", beside),
            was=fence("OLD WORDS", request.was or "They are not known any more."),
            now=fence("NEW WORDS", request.now[:MAX_SOURCE]),
        )
        return await ask(self._backend, Question(text), wire.RevisionAnswer, revised_sentence)

    async def curate_entities(
        self, candidates: Sequence[EntityCandidate], language: Language
    ) -> Answer[tuple[EntityJudgement, ...]]:
        listed = "\n".join(
            f"{n}. {c.name} ({c.type}, {c.mentions} mentions)" + (f": … {c.snippet} …" if c.snippet else "")
            for n, c in enumerate(candidates, start=1)
        )
        asked = prompt("curation").fill(language=_english(language), candidates=fence("CANDIDATES", listed))
        return await ask(self._backend, Question(asked), wire.CurationAnswer, CurationReader(len(candidates)))


def plan_question(request: PlanRequest) -> Question:
    """Return the question that asks for a plan."""
    labels = Labels([source.passage for source in request.sources])
    length = LENGTHS[request.brief.length]
    shared = prompt("plan").fill(
        niche=fence("NICHE", _niche(request.niche)),
        words=length.target_words,
        sections=length.sections,
        questions=QUESTIONS if labels else 0,
        rules=_GROUNDED if labels else _UNSOURCED,
    )
    chosen = _chosen_sources_rule(labels, request.brief)
    own = "\n\n".join(filter(None, (_article(request.brief), labels.listing(), chosen)))
    return Question(f"{shared}\n{own}\n")


def section_question(request: SectionRequest) -> Question:
    """Return the question that asks for a section or the FAQ."""
    labels = Labels(request.sources)
    own = _faq_prompt(request, labels) if request.is_faq else _section_prompt(request, labels)
    return Question(own, shared=_planned_article_text(request, labels))


def _section_prompt(request: SectionRequest, labels: Labels) -> str:
    section = request.section
    points = "\n".join(f"- {point}" for point in section.key_points)
    return prompt("section").fill(
        section=fence(
            "SECTION",
            f"Heading: {section.heading}\nGoal: {section.goal}\nKey points:\n{points}\nWords: about "
            f"{section.target_words}",
        ),
        sources=labels.listing(),
        rewrite=_rewrite(request),
    )


def _faq_prompt(request: SectionRequest, labels: Labels) -> str:
    return prompt("faq").fill(
        questions=fence("QUESTIONS", "\n".join(request.section.key_points)),
        sources=labels.listing(),
        rewrite=_rewrite(request),
    )


def _article(brief: Brief) -> str:
    """Describe the article to write. The voice, which many articles share, comes before this article's own parts."""
    topic = [f"Topic: {brief.topic}", f"Tone: {brief.tone}", f"Keywords: {', '.join(brief.keywords)}"]
    shown = "The brief:\n\n" + fence("BRIEF", "\n".join(topic))
    voice = _voice(brief)
    text = prompt("article").fill(language=_english(brief.language), brief=shown).strip()
    return f"{voice.strip()}\n\n{text}" if voice else text


def _planned_article_text(request: SectionRequest, labels: Labels) -> str:
    """Return the common beginning of all requests for parts of a planned article: vendors charge less for a cached
    beginning.
    """
    plan = request.plan
    lines = [f"Title: {plan.title}", f"Angle: {plan.angle}", f"Audience: {plan.audience}", "Sections:"]
    for n, section in enumerate(plan.sections, start=1):
        lines += [f"{n}. {section.heading}", *(f"   - {point}" for point in section.key_points)]
    if plan.faq:
        lines += ["Questions at the end:", *(f"- {entry.question}" for entry in plan.faq)]
    rules = prompt("part").fill(rules=_GROUNDED if labels else _UNSOURCED)
    planned = "The whole plan:\n\n" + fence("PLAN", "\n".join(lines))
    return f"{rules}\n{_article(request.brief)}\n\n{planned}\n\n"


def _notice(language: Language) -> DraftParagraph:
    return DraftParagraph((DraftSentence(phrases(language).unsourced),))


def _english(language: Language) -> str:
    return phrases(language).english


def _missing(gaps: Sequence[TopicGap]) -> str:
    """The gaps for a prompt, with what to do with them; "" without any."""
    if not gaps:
        return ""
    lines = [
        f"{shorten(gap.topic, 200)} ({gap.kind}; coverage {gap.coverage.level}"
        + (f"; named in {gap.documents} documents)" if gap.documents else ")")
        for gap in gaps
    ]
    return f"{_GAPS}\n\n{fence('GAPS', chr(10).join(lines))}\n"


def _niche(niche: NicheBrief) -> str:
    return (
        f"Niche: {niche.name}\nDescription: {niche.description}\nAudience: {niche.audience}\n"
        f"Keywords: {', '.join(niche.keywords)}"
    )


def _voice(brief: Brief) -> str:
    if brief.voice is None or not (text := describe_voice(brief.voice)):
        return ""
    return (
        "\n\nThe voice to write in. It says how sentences are to read, never what they state, and no rule above yields "
        f"to it:\n\n{fence('VOICE', text)}"
    )


def _refused_translations(faults: Sequence[str]) -> str:
    if not faults:
        return ""
    listed = fence("REFUSED", "\n".join(f"{n}. {fault}" for n, fault in enumerate(faults, start=1)))
    return f"A former translation of each was refused, for this reason. Mend it:\n\n{listed}"


def _rewrite(request: SectionRequest) -> str:
    if not request.refused:
        return ""
    listed = "\n".join(f"- {refusal.sentence.text}\n  Why: {refusal.reason}" for refusal in request.refused)
    return (
        "In a former try these sentences were refused, each for the reason below it. Rewrite them so that the reason "
        f"falls away, or leave them out:\n\n{fence('REFUSED', listed)}"
    )


def _chosen_sources_rule(labels: Labels, brief: Brief) -> str:
    """Return the rule for sources of documents that a person chose; empty without any."""
    chosen = [labels.label(p.ref) or "" for p in labels.passages if p.document.id in brief.document_ids]
    return f"{_CHOSEN} They are: {', '.join(chosen)}." if chosen else ""
