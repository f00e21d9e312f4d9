"""Reading the sentences of a text that a person wrote or changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.rendering import MarkdownRenderer
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.article import Brief, Usage
from contentgen_core.model.article_plan import ArticlePlan, PlanSection, SourceRef
from contentgen_core.model.drafting import DraftParagraph, DraftSentence, SectionDraft
from contentgen_core.model.grounding import SentenceReceipt, Verdict
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.assembly import compose
from contentgen_core.policies.articles.written_text import WrittenText, read_text
from contentgen_core.testing.builders.knowledge import kb_document, passage

ANALYSIS = IcuTextAnalysis()
ONE, TWO = SourceRef(DocumentId("a"), 0), SourceRef(DocumentId("b"), 3)
SOURCES = {1: ONE, 2: TWO}


def read(markdown: str, language: Language = Language.EN) -> WrittenText:
    return read_text(MarkdownRenderer().text_blocks(markdown), SOURCES, language, ANALYSIS)


def found(markdown: str, language: Language = Language.EN) -> list[tuple[str, tuple[int, ...]]]:
    return [(sentence.draft.text, sentence.citations) for sentence in read(markdown, language).sentences]


@pytest.mark.parametrize(
    ("markdown", "sentences"),
    [
        ("Heat moves [1]. Cold stays [1][2].", [("Heat moves.", (1,)), ("Cold stays.", (1, 2))]),
        ("Heat moves. [1] Cold stays. [2]", [("Heat moves.", (1,)), ("Cold stays.", (2,))]),
        ("Heat **moves**\u00a0[2]!", [("Heat moves!", (2,))]),
        ("- Heat moves [1]\n- Cold stays", [("Heat moves", (1,)), ("Cold stays", ())]),
        ("| Heat | moves |\n|---|---|\n| Cold | stays [1] |", [("Cold | stays", (1,))]),
        ("Heat moves [9].", [("Heat moves.", (9,))]),
        ("## Heat [1]\n\n```\nHeat moves [1].\n```", []),
        ("[1]", []),
    ],
)
def test_citations_belong_to_the_sentence_before_them(
    markdown: str, sentences: list[tuple[str, tuple[int, ...]]]
) -> None:
    assert found(markdown) == sentences


def test_marks_and_the_notice_are_no_text() -> None:
    assert found("*This article was written without sources: check what it says before you use it.*") == []
    [marked] = read("Heat moves (*unsourced*).").sentences
    assert (marked.draft.text, marked.marked) == ("Heat moves.", True)


@pytest.mark.parametrize("language", [Language.FR, Language.EN, Language.DE])
def test_a_quotation_is_read_without_its_marks(language: Language) -> None:
    quoted = {
        Language.FR: "«\u202fIl pleut ici [1]\u202f».",
        Language.EN: "“Il pleut ici” [1].",
        Language.DE: "„Il pleut ici“ [1].",
    }
    [sentence] = read(quoted[language], language).sentences

    assert (sentence.draft.text, sentence.draft.quotation) == ("Il pleut ici.", True)


def test_a_citation_of_no_source_leads_nowhere() -> None:
    [sentence] = read("Heat moves [9].").sentences

    assert sentence.draft.citing_only(SOURCES.values()).sources == ()
    assert read("Heat moves [1].").sentences[0].draft.sources == (ONE,)


@given(st.text(max_size=400), st.sampled_from(list(Language)))
def test_any_text_is_read(text: str, language: Language) -> None:
    written = read(text, language)

    assert all(any(c.isalnum() for c in sentence.draft.text) for sentence in written.sentences)


WORDS = st.lists(st.sampled_from(("heat", "moves", "cold", "stays", "in", "winter", "12", "%")), min_size=2, max_size=9)
SENTENCE = WORDS.map(lambda words: f"{' '.join(words).capitalize()}.")
SOURCED = st.builds(DraftSentence, SENTENCE, st.sampled_from([(ONE,), (TWO,), (ONE, TWO)]), st.booleans())


@given(st.lists(st.lists(SOURCED, min_size=1, max_size=3), min_size=1, max_size=3), st.booleans())
def test_an_article_is_read_back_as_it_was_composed(paragraphs: list[list[DraftSentence]], bullets: bool) -> None:
    passages = {ref: _passage(ref) for ref in SOURCES.values()}
    draft = SectionDraft("Heat", tuple(DraftParagraph(tuple(p), bullets=bullets) for p in paragraphs), Usage("test"))
    brief = Brief("Heat", Language.EN)
    receipts = {s: SentenceReceipt(s.text, (), Verdict.SUPPORTED) for s in draft.sentences}
    plan = ArticlePlan("Heat", sections=(PlanSection("Heat"),))
    composed = compose(plan, [draft], None, passages, brief, ANALYSIS, receipts)
    sources = {s.number: SourceRef(s.parent_id, s.chunk_index) for s in composed.sources}

    text = read_text(MarkdownRenderer().text_blocks(composed.content), sources, Language.EN, ANALYSIS)

    known = text.known(composed.grounding)
    assert [known[s.draft] for s in text.sentences] == list(composed.grounding.sentences)
    assert text.grounding(known, passages, ANALYSIS, Language.EN) == composed.grounding


def _passage(ref: SourceRef) -> Passage:
    return passage(kb_document(id=ref.document_id), "Heat moves.", chunk_index=ref.chunk_index)
