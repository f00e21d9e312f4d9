"""The contract of `ContentModel`. Inherit `ContentModelContract` in a test module and give it the fixture `model`."""

from __future__ import annotations

import re
from typing import Final

import pytest

from contentgen_core.errors import NotConfigured
from contentgen_core.model.article import Brief
from contentgen_core.model.article_plan import ArticlePlan, PlanSection, SourceRef, validate_edited_plan
from contentgen_core.model.coverage import ArticleCoverage, CoverageLevel
from contentgen_core.model.drafting import DraftSentence, SectionDraft
from contentgen_core.model.entity import EntityType
from contentgen_core.model.knowledge import Passage, RankedPassage
from contentgen_core.model.topic_gap import GapKind, TopicGap
from contentgen_core.model.vocabulary import LENGTHS, ArticleLength, Language
from contentgen_core.ports.content_model import (
    ContentModel,
    EntityCandidate,
    NicheBrief,
    PlanRequest,
    Refusal,
    RevisionRequest,
    SectionRequest,
    TranslationRequest,
)
from contentgen_core.testing.builders import kb_document, passage, ranked_passage
from contentgen_core.testing.content_samples import SAMPLES

NICHE: Final = NicheBrief("Home energy", "Heating and insulating houses", "Home owners", ("heat pump", "insulation"))
_NOT_IN_A_SENTENCE: Final = re.compile(r"^\s*#|\[\^?(?:S?\d+|[\w-]+#\d+)\]|https?://|\n")


def sample_sources(language: Language = Language.EN) -> tuple[RankedPassage, ...]:
    """Three documents of three passages each, on heat pumps and related subjects."""
    sources: list[Passage] = []
    for title, parts in SAMPLES[language].items():
        document = kb_document(title=title, language=language)
        for index, (heading, text) in enumerate(parts):
            sources.append(passage(document, text, chunk_index=index, heading=heading, terms=()))
    return tuple(ranked_passage(p, combined_score=1 - i / 20) for i, p in enumerate(sources))


def sample_brief(length: ArticleLength = ArticleLength.SHORT, language: Language = Language.EN) -> Brief:
    topic = {
        Language.EN: "Choosing a heat pump for an old house",
        Language.FR: "Choisir une pompe à chaleur pour une maison ancienne",
    }
    return Brief(topic.get(language, topic[Language.EN]), language, length=length)


def section_request(
    brief: Brief, plan: ArticlePlan, position: int, sources: tuple[RankedPassage, ...], **changes: object
) -> SectionRequest:
    """The request for a section of a plan, or for its FAQ at the position after the last."""
    by_ref = {source.ref: source.passage for source in sources}
    is_faq = position == len(plan.sections)
    if is_faq:
        refs = tuple(dict.fromkeys(ref for entry in plan.faq for ref in entry.source_ids))
        section = PlanSection("FAQ", key_points=tuple(entry.question for entry in plan.faq), source_ids=refs)
    else:
        section = plan.sections[position]
    cited = tuple(by_ref[ref] for ref in section.source_ids)
    return SectionRequest(brief, plan, section, position, cited, is_faq, **changes)  # type: ignore[arg-type]


async def drafts_of(
    model: ContentModel, brief: Brief, plan: ArticlePlan, sources: tuple[RankedPassage, ...]
) -> list[tuple[SectionRequest, SectionDraft]]:
    requests = [section_request(brief, plan, i, sources) for i in range(len(plan.sections) + bool(plan.faq))]
    return [(request, await model.write_section(request)) for request in requests]


class ContentModelContract:
    @pytest.mark.parametrize("length", ArticleLength)
    @pytest.mark.parametrize("language", [Language.EN, Language.FR])
    async def test_a_plan_is_one_that_a_reviewer_may_send_back(
        self, model: ContentModel, length: ArticleLength, language: Language
    ) -> None:
        sources = sample_sources(language)
        answer = await model.plan(PlanRequest(sample_brief(length, language), NICHE, sources))
        validate_edited_plan(answer.value, {source.ref for source in sources}, LENGTHS[length].max_words)
        assert answer.usage.model == model.name

    async def test_a_plan_rests_on_the_sources_given(self, model: ContentModel) -> None:
        sources = sample_sources()
        plan = (await model.plan(PlanRequest(sample_brief(), NICHE, sources))).value
        assert plan.cited
        assert plan.cited <= {source.ref for source in sources}
        assert all(section.source_ids for section in plan.sections)
        assert all(entry.source_ids for entry in plan.faq)

    async def test_headings_differ_from_one_another(self, model: ContentModel) -> None:
        plan = (await model.plan(PlanRequest(sample_brief(ArticleLength.LONG), NICHE, sample_sources()))).value
        headings = [section.heading.casefold() for section in plan.sections]
        assert len(set(headings)) == len(headings)

    async def test_a_section_cites_its_own_sources_only(self, model: ContentModel) -> None:
        brief, sources = sample_brief(), sample_sources()
        plan = (await model.plan(PlanRequest(brief, NICHE, sources))).value
        for request, draft in await drafts_of(model, brief, plan, sources):
            given = {source.ref for source in request.sources}
            cited = {ref for sentence in draft.sentences for ref in sentence.sources}
            assert draft.sentences, request.section.heading
            assert cited, request.section.heading
            assert cited <= given
            assert draft.heading == request.section.heading or request.is_faq
            assert draft.usage.model == model.name

    async def test_sentences_are_plain_text_that_code_renders(self, model: ContentModel) -> None:
        brief, sources = sample_brief(), sample_sources()
        plan = (await model.plan(PlanRequest(brief, NICHE, sources))).value
        for _, draft in await drafts_of(model, brief, plan, sources):
            for sentence in draft.sentences:
                assert sentence.text.strip()
                assert not _NOT_IN_A_SENTENCE.search(sentence.text), sentence.text

    async def test_the_faq_has_one_paragraph_for_each_question(self, model: ContentModel) -> None:
        brief, sources = sample_brief(), sample_sources()
        plan = (await model.plan(PlanRequest(brief, NICHE, sources))).value
        assert plan.faq
        draft = await model.write_section(section_request(brief, plan, len(plan.sections), sources))
        assert len(draft.paragraphs) == len(plan.faq)

    async def test_without_sources_nothing_is_cited(self, model: ContentModel) -> None:
        brief = sample_brief()
        plan = (await model.plan(PlanRequest(brief, NICHE, ()))).value
        validate_edited_plan(plan, frozenset[SourceRef](), LENGTHS[brief.length].max_words)
        assert not plan.cited
        for _, draft in await drafts_of(model, brief, plan, ()):
            assert draft.sentences
            assert not any(sentence.sources for sentence in draft.sentences)

    async def test_a_section_can_be_written_anew_without_what_found_no_support(self, model: ContentModel) -> None:
        brief, sources = sample_brief(), sample_sources()
        plan = (await model.plan(PlanRequest(brief, NICHE, sources))).value
        first = await model.write_section(section_request(brief, plan, 0, sources))
        refused = DraftSentence("Heat pumps were invented on the moon.", first.sentences[0].sources)
        again = await model.write_section(
            section_request(brief, plan, 0, sources, refused=(Refusal(refused, "no source says it"),))
        )
        assert again.sentences
        assert refused.text not in {sentence.text for sentence in again.sentences}

    async def test_suggestions_avoid_what_exists(self, model: ContentModel) -> None:
        passages = [source.passage for source in sample_sources()]
        first = (await model.suggest_topics(NICHE, passages, (), Language.EN, 3)).value
        assert 1 <= len(first) <= 3
        avoided = [first[0].topic]
        second = (await model.suggest_topics(NICHE, passages, avoided, Language.EN, 3)).value
        assert avoided[0].casefold() not in {suggestion.topic.casefold() for suggestion in second}
        assert all(s.topic.strip() and s.reason.strip() and 0 <= s.score <= 1 for s in (*first, *second))
        assert [s.score for s in first] == sorted((s.score for s in first), reverse=True)

    async def test_gaps_are_material_for_suggestions(self, model: ContentModel) -> None:
        passages = [source.passage for source in sample_sources()]
        low = ArticleCoverage(CoverageLevel.LOW, 40.0)
        gaps = [TopicGap(f"Heat pump grants, part {n}", kind, low, 3) for n, kind in enumerate(GapKind)]
        found = (await model.suggest_topics(NICHE, passages, (), Language.EN, 2, gaps)).value
        assert 1 <= len(found) <= 2
        assert all(s.topic.strip() and s.reason.strip() and 0 <= s.score <= 1 for s in found)

    async def test_nothing_is_suggested_from_an_empty_knowledge_base(self, model: ContentModel) -> None:
        assert (await model.suggest_topics(NICHE, (), (), Language.EN, 3)).value == ()

    async def test_a_judgement_has_a_confidence_and_a_reason(self, model: ContentModel) -> None:
        judged = (await model.judge_topic(NICHE, sample_brief().topic, sample_sources()[:3], Language.EN)).value
        assert 0 <= judged.confidence <= 1
        assert judged.reason

    async def test_what_is_distilled_names_its_passages(self, model: ContentModel) -> None:
        passages = [source.passage for source in sample_sources()[:3]]
        statements = (await model.distil(sample_brief().topic, passages, Language.EN)).value
        given = {passage.ref for passage in passages}
        assert all(statement.text.strip() and statement.sources for statement in statements)
        assert all(set(statement.sources) <= given for statement in statements)
        assert (await model.distil(sample_brief().topic, (), Language.EN)).value == ()

    async def test_a_summary_keeps_within_its_words(self, model: ContentModel) -> None:
        text = " ".join(source.passage.text for source in sample_sources())
        summary = (await model.summarise(text, Language.EN, 30)).value
        assert 1 <= len(summary.split()) <= 30

    async def test_a_curation_names_each_candidate_once_at_most(self, model: ContentModel) -> None:
        names = ("heat pump", "heat pumps", "Ofgem", "thing", "GDPR")
        candidates = [EntityCandidate(name, EntityType.CONCEPT, 3, f"… {name} …") for name in names]
        judgements = (await model.curate_entities(candidates, Language.EN)).value
        members = [index for judgement in judgements for index in judgement.members]
        assert len(members) == len(set(members))
        assert set(members) <= set(range(len(candidates)))
        assert all(judgement.members for judgement in judgements)

    async def test_a_sentence_is_revised_left_out_or_given_up(self, model: ContentModel) -> None:
        was, now = "A heat pump costs 9,000 pounds.", "A heat pump costs 8,000 pounds."
        request = RevisionRequest(sample_brief(), "Heat pumps", was, "It heats the house.", "", was, now)
        revised = (await model.revise_sentence(request)).value
        assert revised is None or (revised == " ".join(revised.split()) and not _NOT_IN_A_SENTENCE.search(revised))

    async def test_a_translation_keeps_the_structure_or_says_what_to_set(self, model: ContentModel) -> None:
        texts = ("Heat pumps", "A heat pump moves heat⟦1⟧. It ⟦2⟧rarely⟦3⟧ costs more than 20 euros a month.")
        setting = ""
        translated: tuple[str, ...] = ()
        try:
            assert (await model.translate(TranslationRequest((), Language.EN, Language.FR))).value == ()
            translated = (await model.translate(TranslationRequest(texts, Language.EN, Language.FR, "Pumps"))).value
        except NotConfigured as error:
            setting = error.setting
        assert setting.startswith("CONTENTGEN_") or (len(translated) == 2 and all(translated))
        assert setting or sorted(re.findall(r"⟦\d⟧", translated[1])) == ["⟦1⟧", "⟦2⟧", "⟦3⟧"]

    async def test_an_adapter_that_cannot_translate_says_so_before_there_is_a_text(self, model: ContentModel) -> None:
        outcomes: list[str] = []
        for texts in ((), ("Heat pumps",)):
            try:
                answer = await model.translate(TranslationRequest(texts, None, Language.FR))
                outcomes.append("translates" if len(answer.value) == len(texts) else "loses texts")
            except NotConfigured as error:
                outcomes.append(error.setting)
        assert outcomes[0] == outcomes[1] != "loses texts"
