"""Sentences are understood in an article of what their passage says them of."""

from __future__ import annotations

import asyncio

import pytest
from attrs import evolve
from benchmarks.quality.data_sheets import FORMS, NAMES, WORDINGS, sheets
from benchmarks.quality.exchanged_facts import judged
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.llm.extractive import ExtractiveWriter
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.article import Brief, Usage
from contentgen_core.model.article_plan import ArticlePlan, PlanSection
from contentgen_core.model.drafting import DraftParagraph, DraftSentence, SectionDraft
from contentgen_core.model.grounding import GroundingLevel, SentenceReceipt, Verdict
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.grounding.context import Context, in_context
from contentgen_core.policies.grounding.subjects import Subjects
from contentgen_core.policies.grounding.verifier import Verifier, receipt
from contentgen_core.ports.content_model import NicheBrief, PlanRequest, SectionRequest
from contentgen_core.testing.builders.knowledge import kb_document, passage, ranked_passage
from contentgen_core.use_cases.articles.section_requests import section_requests
from contentgen_core.use_cases.generation.support import supported_draft

ANALYSIS = IcuTextAnalysis()
BOREA = passage(
    kb_document(title="Borea 7"),
    "The Borea 7 is quiet. Its competitor, the Kestrel K2, costs 9,100 euros. It is guaranteed for 120 months.",
)
KESTREL = passage(
    kb_document(title="Kestrel K2"),
    "Unlike the Borea 7, the unit has a warranty of 84 months. The unit weighs 95 kilograms.",
)
SHEETS = (BOREA, KESTREL)


def context(topic: str, *passages: Passage) -> Context:
    return Context.of(topic, passages or SHEETS)


def verdict(
    topic: str, sentence: str, cited: Passage, heading: str = "", passages: tuple[Passage, ...] = SHEETS
) -> Verdict:
    draft = DraftSentence(sentence, (cited.ref,))
    receipts = Verifier({p.ref: p for p in passages}, ANALYSIS).check_each([draft], Language.EN)
    plan = ArticlePlan(topic, sections=(PlanSection(heading),))
    drafted = SectionDraft(heading, (DraftParagraph((draft,)),), Usage("test"))
    return in_context(Context.of(topic, passages), plan, {0: drafted}, receipts)[draft].verdict


@pytest.mark.parametrize(
    ("topic", "sentence", "cited", "found"),
    [
        ("Borea 7: weight", "The unit weighs 95 kilograms.", KESTREL, Verdict.OUT_OF_CONTEXT),
        ("Kestrel K2: weight", "The unit weighs 95 kilograms.", KESTREL, Verdict.SUPPORTED),
        ("Borea 7: weight", "The Kestrel K2 weighs 95 kilograms.", KESTREL, Verdict.SUPPORTED),
        ("Borea 7: weight", "The Borea 7 weighs 95 kilograms.", KESTREL, Verdict.OUT_OF_CONTEXT),
        ("Borea 7", "Unlike the Borea 7, the unit has a warranty of 84 months.", KESTREL, Verdict.OUT_OF_CONTEXT),
        ("Kestrel K2", "Unlike the Borea 7, the unit has a warranty of 84 months.", KESTREL, Verdict.SUPPORTED),
        ("Borea 7: warranty", "It is guaranteed for 120 months.", BOREA, Verdict.OUT_OF_CONTEXT),
        ("Heat pumps that weigh little", "The unit weighs 95 kilograms.", KESTREL, Verdict.OUT_OF_CONTEXT),
    ],
)
def test_a_fact_stays_with_the_product_that_it_is_of(topic: str, sentence: str, cited: Passage, found: Verdict) -> None:
    assert verdict(topic, sentence, cited) is found


def test_a_heading_says_what_its_section_is_on() -> None:
    sentence = "The unit weighs 95 kilograms."

    assert verdict("Borea 7 or Kestrel K2?", sentence, KESTREL, "Weight") is Verdict.OUT_OF_CONTEXT
    assert verdict("Borea 7 or Kestrel K2?", sentence, KESTREL, "Kestrel K2") is Verdict.SUPPORTED


def test_the_sentence_before_says_what_the_next_is_on() -> None:
    named = DraftSentence("The Kestrel K2 has a warranty of 84 months.", (KESTREL.ref,))
    plain = DraftSentence("The unit weighs 95 kilograms.", (KESTREL.ref,))
    subject = context("Borea 7: weight")

    assert subject.misread(DraftParagraph((named, plain)), "") == []
    assert subject.misread(DraftParagraph((named, plain), bullets=True), "") == [plain]
    assert subject.misread(DraftParagraph((plain, named)), "") == [plain]


def test_columns_of_a_table_say_what_their_cells_are_on() -> None:
    table = passage(
        kb_document(title="Prices"),
        "| | Borea 7 | Kestrel K2 |\n|---|---|---|\n| Warranty | 60 | 84 |\n| Price in euros | 8,200 | 9,100 |",
    )

    assert verdict("Borea 7", "The price in euros is 9,100.", table, "", (table,)) is Verdict.OUT_OF_CONTEXT
    assert verdict("Borea 7", "The price in euros is 8,200.", table, "", (table,)) is Verdict.SUPPORTED


def test_encyclopedias_that_name_each_other_are_told_apart() -> None:
    rhine = passage(kb_document(title="Rhine"), "The Rhine meets the Moselle. In spring the Rhine is high.")
    moselle = passage(
        kb_document(title="Moselle"), "Near Koblenz the Moselle meets the Rhine. The river is 544 km long."
    )
    both = (rhine, moselle)

    assert (
        verdict("How the Rhine shaped Europe", "The river is 544 km long.", moselle, "", both) is Verdict.OUT_OF_CONTEXT
    )
    assert verdict("Along the Moselle", "The river is 544 km long.", moselle, "", both) is Verdict.SUPPORTED


def test_what_has_no_rival_is_in_context() -> None:
    notes = passage(kb_document(title="Noise of heat pumps"), "A buffer of rubber keeps the unit quiet at night.")
    other = passage(kb_document(title="Old houses"), "Thick walls hold the warmth of the day.")

    assert not Subjects("Heating an old house", (notes, other)).several
    assert verdict("Heating an old house", notes.text, notes, "", (notes, other)) is Verdict.SUPPORTED


def test_what_one_title_names_together_competes_for_no_topic() -> None:
    text = "SPF lists the servers of a domain. DKIM signs each message. Without SPF and DKIM a message is rejected."
    sheet = passage(kb_document(title="Protecting a domain with SPF and DKIM"), text)
    topic = "Keeping others from writing in the name of a domain"

    assert Subjects(topic, (sheet,)).several
    for sentence in text.split(". "):
        assert not Context.of(topic, (sheet,)).is_on_a_rival(sentence)
        assert verdict(topic, sentence, sheet, "", (sheet,)) is Verdict.SUPPORTED
    told_of_the_other = "DKIM lists the servers of a domain."
    assert verdict(topic, told_of_the_other, sheet, "", (sheet,)) is not Verdict.SUPPORTED


def test_a_topic_that_names_nothing_has_no_rivals() -> None:
    for said in ("The Borea 7 is quiet.", "The Kestrel K2 costs 9,100 euros."):
        assert not context("What a quiet unit costs").is_on_a_rival(said)
    assert context("What a Borea 7 costs").is_on_a_rival("The Kestrel K2 costs 9,100 euros.")


@given(st.text(max_size=200), st.text(max_size=60), st.text(max_size=60), st.text(max_size=200))
def test_any_text_is_judged(text: str, title: str, topic: str, said: str) -> None:
    passages = (passage(kb_document(title=title), text), BOREA, KESTREL)
    sentence = DraftSentence(said, (passages[0].ref,))

    found = Context.of(topic, passages).misread(DraftParagraph((sentence,)), title)

    assert found in ([], [sentence])


@pytest.mark.parametrize("language", WORDINGS)
@pytest.mark.parametrize(("form", "names"), list(zip(FORMS, NAMES, strict=True)))
def test_no_exchanged_fact_is_accepted(language: Language, form: str, names: tuple[str, ...]) -> None:
    found = judged(language, names, form, bare=form in FORMS[:2])

    assert any(claim.exchanged and words for claim, words, _ in found)
    assert [claim for claim, _, accepted in found if claim.exchanged and accepted] == []
    assert [claim for claim, words, accepted in found if words and not claim.exchanged and not accepted] == []


def test_a_receipt_with_a_sentence_out_of_context_is_never_full() -> None:
    good = SentenceReceipt("Good.", (1,), Verdict.SUPPORTED)
    many = [good] * 99

    assert receipt([*many, good], citations_made=100, citations_valid=100).level is GroundingLevel.FULL
    stray = SentenceReceipt("Stray.", (), Verdict.OUT_OF_CONTEXT)
    assert receipt([*many, stray], citations_made=100, citations_valid=100).level is GroundingLevel.PARTIAL


class Exchanging:
    """A model that tells the weight of the competitor, and once more when asked again."""

    name = "exchanging"

    def __init__(self) -> None:
        self.requests: list[SectionRequest] = []

    async def write_section(self, request: SectionRequest) -> SectionDraft:
        self.requests.append(request)
        good = DraftSentence("The Borea 7 is quiet.", (BOREA.ref,))
        bad = DraftSentence("The unit weighs 95 kilograms.", (KESTREL.ref,))
        return SectionDraft("Weight", (DraftParagraph((good, bad)),), Usage("exchanging"))


def test_a_model_is_asked_again_and_then_cut() -> None:
    plan = ArticlePlan("Borea 7", sections=(PlanSection("Weight", source_ids=(BOREA.ref, KESTREL.ref)),))
    brief = Brief("Borea 7", Language.EN, ArticleLength.SHORT)
    [request] = section_requests(brief, plan, {p.ref: p for p in SHEETS})
    model = Exchanging()

    checked = asyncio.run(supported_draft(model, request, ANALYSIS))  # type: ignore[arg-type]

    [refusal] = model.requests[1].refused
    assert refusal.sentence.text == "The unit weighs 95 kilograms."
    assert refusal.reason.startswith("“Kestrel K2” says it of its own subject")
    assert [sentence.text for sentence in checked.draft.sentences] == ["The Borea 7 is quiet."]


@pytest.mark.parametrize("form", FORMS)
def test_the_writer_without_a_model_leaves_out_competitors(form: str) -> None:
    group = sheets(Language.EN, NAMES[0], form, bare=True)
    passages = [
        ranked_passage(passage(kb_document(title=sheet.title), text, chunk_index=0))
        for sheet in group
        for text in [sheet.text]
    ]
    brief = Brief(WORDINGS[Language.EN].topic.format(name=group[0].name), Language.EN, ArticleLength.STANDARD)
    writer = ExtractiveWriter(ANALYSIS)

    async def written() -> list[str]:
        answer = await writer.plan(PlanRequest(brief, NicheBrief("Heating"), tuple(passages)))
        requests = section_requests(brief, answer.value, {p.ref: p.passage for p in passages})
        drafts = [await writer.write_section(request) for request in requests]
        return [sentence.text for draft in drafts for sentence in draft.sentences]

    texts = asyncio.run(written())

    own = set(group[0].values.values())
    others = {value for sheet in group[1:] for value in sheet.values.values()}
    assert any(value in text for text in texts for value in own)
    assert [text for text in texts if any(value in text for value in others)] == []


def test_a_context_is_not_needed() -> None:
    plan = ArticlePlan("Borea 7", sections=(PlanSection("Weight", source_ids=(KESTREL.ref,)),))
    brief = Brief("Borea 7", Language.EN, ArticleLength.SHORT)
    [request] = section_requests(brief, plan, {p.ref: p for p in SHEETS})

    checked = asyncio.run(supported_draft(Exchanging(), evolve(request, context=None), ANALYSIS))  # type: ignore[arg-type]

    assert "The unit weighs 95 kilograms." in [sentence.text for sentence in checked.draft.sentences]
