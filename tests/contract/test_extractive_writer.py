"""What is particular to the writer without a model: whole sentences of the sources, each once, each cited exactly."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_adapters.llm.extractive import ExtractiveWriter
from contentgen_adapters.llm.extractive.headings import truecase
from contentgen_adapters.llm.extractive.runs import QuotationMarker
from contentgen_adapters.llm.extractive.sentences import Sentence, SentenceReader, blocks
from contentgen_adapters.llm.phrases import phrases
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.errors import NotConfigured
from contentgen_core.model.article_plan import PlanSection, validate_edited_plan
from contentgen_core.model.drafting import SectionDraft
from contentgen_core.model.grounding import Verdict
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.model.vocabulary import LENGTHS, ArticleLength, Language
from contentgen_core.policies.articles.shown_sentence import LONGEST_RUN
from contentgen_core.policies.grounding.verifier import check_sentence
from contentgen_core.policies.text.verbatim import Letters, longest_verbatim_run
from contentgen_core.policies.topics.niche_fit import TopicFit
from contentgen_core.ports.content_model import NicheBrief, PlanRequest, Refusal, TranslationRequest
from contentgen_core.testing.builders import brief, kb_document, passage, ranked_passage
from contentgen_core.testing.content_model import (
    NICHE,
    drafts_of,
    sample_brief,
    sample_sources,
    section_request,
)

ANALYSIS = IcuTextAnalysis()
WRITER = ExtractiveWriter(ANALYSIS)
BOTH = [Language.EN, Language.FR]


def usable(text: str, language: Language = Language.EN) -> list[str]:
    read = SentenceReader(ANALYSIS).usable(passage(kb_document(language=language), text, terms=()))
    return [sentence.text for sentence in read]


async def written(language: Language = Language.EN, length: ArticleLength = ArticleLength.SHORT) -> list[SectionDraft]:
    asked, sources = sample_brief(length, language), sample_sources(language)
    plan = (await WRITER.plan(PlanRequest(asked, NICHE, sources))).value
    return [draft for _, draft in await drafts_of(WRITER, asked, plan, sources)]


@pytest.mark.parametrize("language", BOTH)
@pytest.mark.parametrize("length", ArticleLength)
async def test_every_sentence_stands_in_the_passage_it_cites(language: Language, length: ArticleLength) -> None:
    asked, sources = sample_brief(length, language), sample_sources(language)
    texts = {source.ref: source.passage.text for source in sources}
    plan = (await WRITER.plan(PlanRequest(asked, NICHE, sources))).value
    for _, draft in await drafts_of(WRITER, asked, plan, sources):
        for sentence in draft.sentences:
            (ref,) = sentence.sources
            assert sentence.text in texts[ref]


@pytest.mark.parametrize("language", BOTH)
async def test_every_sentence_is_supported_in_the_eyes_of_the_grounding_check(language: Language) -> None:
    asked, sources = sample_brief(language=language), sample_sources(language)
    passages = {source.ref: source.passage for source in sources}
    plan = (await WRITER.plan(PlanRequest(asked, NICHE, sources))).value
    for _, draft in await drafts_of(WRITER, asked, plan, sources):
        for sentence in draft.sentences:
            assert check_sentence(sentence, passages, ANALYSIS, language).verdict is Verdict.SUPPORTED


@pytest.mark.parametrize("language", BOTH)
@pytest.mark.parametrize("length", ArticleLength)
async def test_no_sentence_is_said_twice(language: Language, length: ArticleLength) -> None:
    counts = Counter(s.text for draft in await written(language, length) for s in draft.sentences)
    assert max(counts.values()) == 1


@pytest.mark.parametrize("language", BOTH)
@pytest.mark.parametrize("length", ArticleLength)
async def test_nothing_but_quotations_copies_more_than_a_few_words_in_a_row(
    language: Language, length: ArticleLength
) -> None:
    passages = [source.passage for source in sample_sources(language)]
    for draft in await written(language, length):
        own = "\n".join(s.text for s in draft.sentences if not s.quotation)
        assert longest_verbatim_run([own], passages, Letters(ANALYSIS, language)) <= LONGEST_RUN


WORDS = st.text("abcdefghij", min_size=3, max_size=6).filter(lambda word: len(set(word)) > 2)
STATEMENTS = st.lists(
    st.lists(WORDS, min_size=6, max_size=20, unique=True).map(lambda w: " ".join(w).capitalize() + "."),
    min_size=1, max_size=9, unique=True,
)  # fmt: skip


@given(STATEMENTS, st.integers(1, 9))
def test_consecutive_sentences_stay_in_order_and_long_runs_become_quotations(statements: list[str], cut: int) -> None:
    source = passage(text=" ".join(statements), terms=())
    reader = SentenceReader(ANALYSIS)
    read = [
        Sentence(source, i, text, frozenset(), len(ANALYSIS.tokens(text, Language.EN)))
        for i, text in enumerate(statements)
    ]
    paragraphs = [p for p in (read[:cut], read[cut:]) if p]
    marked = QuotationMarker(reader).quoted(paragraphs)
    assert [[s.text for s in p] for p in marked] == [[s.text for s in p] for p in paragraphs]
    own = "\n".join(s.text for p in marked for s in p if not s.quotation)
    assert longest_verbatim_run([own], [source], Letters(ANALYSIS, Language.EN)) <= LONGEST_RUN


def test_a_run_is_broken_by_as_few_quotations_as_needed() -> None:
    texts = [f"The {name} pump {verb} warm water to every single room of the old house." for name, verb in
             (("red", "brings"), ("blue", "sends"), ("green", "carries"), ("white", "moves"))]  # fmt: skip
    source = passage(text=" ".join(texts), terms=())
    [marked] = QuotationMarker(SentenceReader(ANALYSIS)).quoted([SentenceReader(ANALYSIS).usable(source)])
    assert [s.quotation for s in marked] == [False, True, False, True]


async def test_the_article_draws_on_several_documents() -> None:
    documents = {ref.document_id for draft in await written() for s in draft.sentences for ref in s.sources}
    assert len(documents) == 3


@pytest.mark.parametrize("language", BOTH)
async def test_the_introduction_opens_and_the_takeaways_close(language: Language) -> None:
    drafts = await written(language)
    words = phrases(language)
    assert drafts[0].heading == words.introduction
    [end] = [draft for draft in drafts[-2:] if draft.heading == words.takeaways]
    assert all(paragraph.bullets for paragraph in end.paragraphs)


async def test_the_same_request_gives_the_same_article() -> None:
    asked, sources = sample_brief(), sample_sources()
    first, second = [(await WRITER.plan(PlanRequest(asked, NICHE, sources))).value for _ in range(2)]
    assert first == second
    request = section_request(asked, first, 1, sources)
    assert await WRITER.write_section(request) == await WRITER.write_section(request)


@pytest.mark.parametrize("length", ArticleLength)
async def test_targets_are_what_the_sources_carry_and_no_more_than_the_length(length: ArticleLength) -> None:
    asked, sources = sample_brief(length), sample_sources()
    plan = (await WRITER.plan(PlanRequest(asked, NICHE, sources))).value
    assert plan.target_words <= LENGTHS[length].target_words
    for request, draft in (await drafts_of(WRITER, asked, plan, sources))[: len(plan.sections)]:
        words = sum(len(ANALYSIS.tokens(s.text, Language.EN)) for s in draft.sentences)
        assert words == pytest.approx(request.section.target_words, rel=0.15, abs=20)


async def test_questions_are_those_that_the_sources_ask() -> None:
    plan = (await WRITER.plan(PlanRequest(sample_brief(), NICHE, sample_sources()))).value
    assert [entry.question for entry in plan.faq] == ["How often should a heat pump be inspected?"]
    silent = tuple(s for s in sample_sources() if not s.passage.heading.endswith("?"))
    assert (await WRITER.plan(PlanRequest(sample_brief(), NICHE, silent))).value.faq == ()


async def test_a_text_without_headings_gets_those_of_what_it_names() -> None:
    texts = [
        "The river leaves Lake Constance at Stein am Rhein and falls at Schaffhausen. Below Lake Constance the water "
        "is green and cold, and many towns on Lake Constance drink it every single day of the year. Fishermen of Lake "
        "Constance sell whitefish on the quay from spring until late in autumn.",
        "Barges carry coal to the Ruhr and grain from the Port of Rotterdam. The Port of Rotterdam handles most of the "
        "goods, and pilots of the Port of Rotterdam board every large ship that comes in. Trains leave the Port of "
        "Rotterdam for Germany twenty times on each working day.",
    ]
    documents = [kb_document(title="") for _ in texts]
    sources = tuple(
        ranked_passage(passage(d, t, terms=()), combined_score=0.9) for d, t in zip(documents, texts, strict=True)
    )
    plan = (await WRITER.plan(PlanRequest(evolve(sample_brief(), topic="The Rhine"), NICHE, sources))).value
    headings = {section.heading for section in plan.sections}
    assert headings >= {"Lake Constance", "Port of Rotterdam"}


async def test_a_title_takes_its_casing_from_the_sources() -> None:
    texts = ["La norme RGPD protège. Le RGPD vaut pour l'iPhone. Une règle du RGPD."]
    assert truecase("le rgpd et l'iphone", texts).startswith("Le RGPD et")
    assert truecase("  une   règle. ", texts) == "Une règle"


async def test_a_single_sentence_still_makes_an_article() -> None:
    source = ranked_passage(passage(text="A heat pump moves heat from outside into the house.", terms=()))
    plan = (await WRITER.plan(PlanRequest(sample_brief(), NICHE, (source,)))).value
    validate_edited_plan(plan, {source.ref}, 600)
    ((_, draft),) = await drafts_of(WRITER, sample_brief(), plan, (source,))
    assert [s.text for s in draft.sentences] == ["A heat pump moves heat from outside into the house."]


async def test_sources_in_the_articles_language_come_first() -> None:
    sources = (*sample_sources(Language.FR), *sample_sources(Language.EN))
    plan = (await WRITER.plan(PlanRequest(sample_brief(), NICHE, sources))).value
    languages = {s.ref: s.passage.document.language for s in sources}
    assert {languages[ref] for ref in plan.cited} == {Language.EN}


async def test_sources_in_another_language_alone_are_used_as_they_are() -> None:
    plan = (await WRITER.plan(PlanRequest(sample_brief(language=Language.DE), NICHE, sample_sources()))).value
    assert plan.cited
    assert plan.sections[0].heading == phrases(Language.DE).introduction


async def test_a_reviewer_may_move_passages_and_rename_sections() -> None:
    asked, sources = sample_brief(), sample_sources()
    refs = tuple(source.ref for source in sources)
    plan = (await WRITER.plan(PlanRequest(asked, NICHE, sources))).value
    mine = (
        PlanSection("Noise of the outdoor unit", source_ids=refs),
        PlanSection("Cost of running it", source_ids=refs),
        PlanSection("Nothing for this", source_ids=()),
    )
    drafts = await drafts_of(WRITER, asked, evolve(plan, sections=mine, faq=()), sources)
    noise, cost, nothing = (draft for _, draft in drafts)
    assert any("bedroom windows" in s.text for s in noise.sentences)
    assert any("running cost" in s.text for s in cost.sentences)
    assert not {s.text for s in noise.sentences} & {s.text for s in cost.sentences}
    assert not any(s.sources for s in nothing.sentences)


async def test_a_refused_sentence_is_left_out() -> None:
    asked, sources = sample_brief(), sample_sources()
    plan = (await WRITER.plan(PlanRequest(asked, NICHE, sources))).value
    first = await WRITER.write_section(section_request(asked, plan, 1, sources))
    refused = first.sentences[0]
    again = await WRITER.write_section(
        section_request(asked, plan, 1, sources, refused=(Refusal(refused, "no source says it"),))
    )
    assert refused.text not in {s.text for s in again.sentences}


@pytest.mark.parametrize(
    "text",
    [
        "Is a heat pump the right choice for an old house?",
        "This makes the heat pump far more efficient in winter.",
        "However, the price of electricity matters a great deal here.",
        "Call pump.start(); then read the value {temperature} from it.",
        "Click here to read more about heat pumps for old houses.",
        "Too short.",
        "the sentence that begins in the middle of another one.",
        "A heat pump that has (an open bracket in this sentence.",
        "A sentence that ends with a colon and a list follows:",
        "See the page https://example.com for all of the details.",
    ],
)
def test_what_cannot_stand_alone_is_not_taken(text: str) -> None:
    good = "A heat pump moves heat from outside into the house."
    assert usable(f"{good}\n\n{text}") == [good]


def test_a_long_sentence_is_a_quotation_unless_a_bracket_breaks_it() -> None:
    long = (
        "A heat pump " + "that moves a lot of heat into the house " * 3 + "is a machine for every season of the year."
    )
    aside = (
        "The pump in the cellar of the old house near the river (which is the one we mean here and no other at all) "
    )
    aside += "moves heat into the rooms above it all year round."
    reader = SentenceReader(ANALYSIS)
    (quoted,) = reader.usable(passage(text=long, terms=()))
    (shortened,) = reader.usable(passage(text=aside, terms=()))
    assert quoted.quotation
    assert quoted.words > LONGEST_RUN
    assert not shortened.quotation
    assert "(" not in shortened.text


def test_a_bracket_with_figures_is_never_dropped() -> None:
    text = "The pump in the cellar of the old house near the river (and with 3 kW of power in it, no more than that) "
    text += "moves heat into the rooms above it all year round."
    (sentence,) = SentenceReader(ANALYSIS).usable(passage(text=text, terms=()))
    assert sentence.quotation
    assert "3 kW" in sentence.text


def test_independent_clauses_become_sentences() -> None:
    text = (
        "Solid walls lose a great deal of heat in every winter of the year; loft insulation lowers the heat loss of "
        "the whole house at little cost; good windows keep the remaining rooms warm."
    )
    assert usable(text)[1] == "Loft insulation lowers the heat loss of the whole house at little cost."


def test_markup_is_left_behind() -> None:
    text = (
        "# Title\n\nA **heat pump** is a [machine](https://x.example) [12].\n\n```\ncode()\n```\n\n- One *item*\n- Two"
    )
    assert blocks(text) == ["A heat pump is a machine.", "One item", "Two"]


async def test_translating_names_what_to_set() -> None:
    with pytest.raises(NotConfigured) as caught:
        await WRITER.translate(TranslationRequest((), Language.EN, Language.FR))
    assert caught.value.setting == "CONTENTGEN_OPENAI_API_KEY (or CONTENTGEN_OPENAI_BASE_URL)"


@pytest.mark.parametrize("language", Language)
async def test_without_sources_every_language_says_so(language: Language) -> None:
    asked = brief(topic="A topic of ours", language=language)
    plan = (await WRITER.plan(PlanRequest(asked, NICHE, ()))).value
    validate_edited_plan(plan, (), LENGTHS[asked.length].max_words)
    drafts = await drafts_of(WRITER, asked, plan, ())
    said = "".join(s.text for _, draft in drafts for s in draft.sentences)
    assert re.sub(r"\s", "", phrases(language).unsourced) in re.sub(r"\s", "", said)
    assert not any(s.sources for _, draft in drafts for s in draft.sentences)


@pytest.mark.parametrize("language", BOTH)
async def test_a_part_without_sources_says_nothing_of_the_rest_of_the_article(language: Language) -> None:
    asked, sources = sample_brief(ArticleLength.SHORT, language), sample_sources(language)
    plan = (await WRITER.plan(PlanRequest(asked, NICHE, sources))).value
    plan = evolve(plan, sections=(*plan.sections, PlanSection("Alpine gardens", "", target_words=120)))
    drafts = await drafts_of(WRITER, asked, plan, sources)
    (bare,) = [draft for _, draft in drafts if draft.heading == "Alpine gardens"]
    assert [s.text for s in bare.sentences] == [phrases(language).no_source]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            Language.JA,
            "ヒートポンプは、外の空気から熱を集めて家の中に運ぶ機械である。断熱材は冬の熱損失を大きく減らす。",
        ),
        (Language.ZH, "热泵是一种把室外空气中的热量搬到室内的设备。良好的保温材料可以大幅减少冬季的热量损失。"),
        (Language.RU, "Тепловой насос переносит тепло наружного воздуха внутрь дома. Хорошая изоляция снижает потери."),
        (
            Language.AR,
            "المضخة الحرارية جهاز ينقل الحرارة من الهواء الخارجي إلى داخل المنزل. العزل الجيد يقلل فقدان الحرارة.",
        ),
    ],
)
async def test_other_scripts_are_written_too(language: Language, text: str) -> None:
    source = ranked_passage(passage(kb_document(language=language), text, terms=()))
    asked = brief(topic=text[:12], language=language)
    plan = (await WRITER.plan(PlanRequest(asked, NICHE, (source,)))).value
    drafts = await drafts_of(WRITER, asked, plan, (source,))
    assert {ref for _, d in drafts for s in d.sentences for ref in s.sources} == {source.ref}


async def test_a_topic_of_the_niche_is_valid_and_a_foreign_one_is_not() -> None:
    sources = sample_sources()
    own = (await WRITER.judge_topic(NICHE, "Heat pumps in winter", sources[:3], Language.EN)).value
    foreign = (await WRITER.judge_topic(NICHE, "Chocolate cake recipes for birthdays", (), Language.EN)).value
    assert own.valid
    assert not foreign.valid
    assert min(own.confidence, foreign.confidence) > 0.5


async def test_a_topic_that_only_the_knowledge_base_knows_is_valid() -> None:
    niche = NicheBrief("Buildings")
    judged = (await WRITER.judge_topic(niche, "Moisture in solid walls", sample_sources(), Language.EN)).value
    assert judged.valid
    assert "Moisture" in judged.reason


async def test_a_reason_by_meaning_names_words_that_are_the_niches_and_else_what_is_near() -> None:
    niche = NicheBrief("Home energy", keywords=("solar power",))
    fit = TopicFit(0.9, "solar power")
    for topic, reason in (("Powerwall prices", "Close in meaning to the niche: solar power."),
                          ("Solar roofs", "Terms shared with the niche: Solar.")):  # fmt: skip
        judged = (await WRITER.judge_topic(niche, topic, (), Language.EN, fit)).value
        assert (judged.valid, judged.confidence, judged.reason) == (True, 0.9, reason)
    refused = (await WRITER.judge_topic(niche, "Solar roofs", (), Language.EN, TopicFit(0.1, "solar power"))).value
    assert (refused.valid, refused.confidence) == (False, 0.9)


PASSAGES = st.lists(st.text(max_size=300), min_size=1, max_size=4)


@settings(max_examples=40, deadline=None)
@given(texts=PASSAGES, topic=st.text(min_size=1, max_size=80), language=st.sampled_from(Language))
async def test_any_sources_give_a_valid_plan_and_exact_citations(
    texts: list[str], topic: str, language: Language
) -> None:
    document = kb_document(language=language)
    cut = [passage(document, text, chunk_index=i, heading=text[:20], terms=()) for i, text in enumerate(texts)]
    sources: tuple[RankedPassage, ...] = tuple(ranked_passage(p) for p in cut)
    asked = brief(topic=topic, language=language)
    plan = (await WRITER.plan(PlanRequest(asked, NICHE, sources))).value
    if plan.title.strip():
        validate_edited_plan(plan, {s.ref for s in sources}, LENGTHS[asked.length].max_words)
    for request, draft in await drafts_of(WRITER, asked, plan, sources):
        assert draft.sentences
        for sentence in draft.sentences:
            assert set(sentence.sources) <= set(request.section.source_ids)
