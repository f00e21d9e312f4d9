import re
from collections.abc import Sequence

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.article import Usage
from contentgen_core.model.article_plan import ArticlePlan, FaqEntry, PlanSection, PlanSeo, SourceRef
from contentgen_core.model.drafting import DraftParagraph, DraftSentence, SectionDraft
from contentgen_core.model.grounding import GroundingLevel, Verdict
from contentgen_core.model.ids import TenantId
from contentgen_core.model.knowledge import PRIVATE, KbScope, Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.assembly import ComposedArticle, compose
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.policies.text.markdown import CITATION
from contentgen_core.policies.text.typography import TYPOGRAPHY
from contentgen_core.testing.builders import article_plan, brief, kb_document, passage

ANALYSIS = IcuTextAnalysis()
READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
FR = Language.FR

HEAT = passage(
    kb_document(title="Heat"), "A heat pump moves heat into the house. It needs 1 kWh of power for 3 kWh of heat."
)
NOISE = passage(
    kb_document(title="Noise"), "The fan makes most of the noise. Is a quiet fan worth its price?", chunk_index=4
)
PASSAGES = {p.ref: p for p in (HEAT, NOISE)}
MOVES = DraftSentence("A heat pump moves heat into the house.", (HEAT.ref,))
FAN = DraftSentence("The fan makes most of the noise.", (NOISE.ref,))


def section(*sentences: DraftSentence, heading: str = "Section", bullets: bool = False) -> SectionDraft:
    return SectionDraft(heading, (DraftParagraph(sentences, bullets),), Usage("sample"))


def plan_of(drafted: Sequence[SectionDraft], **changes: object) -> ArticlePlan:
    headings = tuple(PlanSection(s.heading) for s in drafted)
    return article_plan(**{"sections": headings, "faq": (), "seo": PlanSeo()} | changes)


def composed(
    *sections: SectionDraft,
    faq: SectionDraft | None = None,
    passages: dict[SourceRef, Passage] | None = None,
    plan: ArticlePlan | None = None,
    **asked: object,
) -> ComposedArticle:
    available, asked_for = PASSAGES if passages is None else passages, brief(**asked)
    sentences = [sentence for draft in (*sections, *((faq,) if faq else ())) for sentence in draft.sentences]
    receipts = Verifier(available, ANALYSIS).check_each(sentences, asked_for.language)
    return compose(plan or plan_of(sections), sections, faq, available, asked_for, ANALYSIS, receipts)


def numbers_in(content: str) -> list[int]:
    return [int(n) for n in CITATION.findall(content)]


def test_sources_keep_the_words_that_the_text_rests_on_and_whose_they_are() -> None:
    cellars = kb_document(title="Own", scope=KbScope(PRIVATE, TenantId("t")), author="Ada Ohm")
    own = passage(cellars, "The pump stands in the cellar.")
    cellar = DraftSentence("The pump stands in the cellar.", (own.ref,))
    result = composed(section(MOVES, cellar), passages={HEAT.ref: HEAT, own.ref: own})
    assert [(s.quotes, s.private, s.author) for s in result.sources] == [
        (("A heat pump moves heat into the house.",), False, None),
        (("The pump stands in the cellar.",), True, "Ada Ohm"),
    ]


def test_citations_stand_before_the_final_punctuation_and_are_numbered_by_first_appearance() -> None:
    result = composed(section(FAN, MOVES), section(FAN, heading="Again"))
    assert result.content == (
        "## Section\n\nThe fan makes most of the noise [1]. A heat pump moves heat into the house [2].\n\n"
        "## Again\n\nThe fan makes most of the noise [1]."
    )
    assert [(s.number, s.title, s.chunk_index) for s in result.sources] == [(1, "Noise", 4), (2, "Heat", 0)]
    assert result.sources[0].url == NOISE.document.url
    assert result.grounding.level is GroundingLevel.FULL
    assert [r.citations for r in result.grounding.sentences] == [(1,), (2,), (1,)]


def test_bullets_and_several_citations_of_one_sentence() -> None:
    both = DraftSentence("A heat pump moves heat into the house!", (HEAT.ref, NOISE.ref, HEAT.ref))
    assert (
        "\n\n- A heat pump moves heat into the house [1][2]!\n- The fan"
        in composed(section(both, FAN, bullets=True)).content
    )


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        (Language.EN, "“The fan makes most of the noise” [1]."),
        (FR, "«\u202fThe fan makes most of the noise\u202f» [1]."),
    ],
)
def test_a_quotation_gets_the_marks_of_its_language(language: Language, shown: str) -> None:
    quoted = DraftSentence('"The fan makes most of the noise."', (NOISE.ref,), quotation=True)
    result = composed(section(quoted), language=language)
    assert shown in result.content
    assert result.grounding.totals.quote_match == 1.0


@pytest.mark.parametrize(("stated", "shown"), [
    ('They blamed the other side, saying "the left is capable of anything."',
     "“They blamed the other side, saying ‘the left is capable of anything’” [1]."),
    ('They blamed "the left" for it.', "“They blamed ‘the left’ for it” [1]."),
    ("It was late (after noon).", "“It was late (after noon)” [1]."),
])  # fmt: skip
def test_a_quotation_keeps_the_marks_that_are_in_it(stated: str, shown: str) -> None:
    source = passage(kb_document(), stated)
    quoted = DraftSentence(stated, (source.ref,), quotation=True)
    result = composed(section(quoted), passages={source.ref: source})
    assert shown in result.content
    assert result.grounding.totals.quote_match == 1.0


def test_a_quotation_and_a_heading_end_a_run_of_copied_words() -> None:
    source = passage(kb_document(title="Rows"), "Alpha beta gamma delta epsilon. Zeta eta theta iota kappa.")
    first, second = (DraftSentence(text, (source.ref,)) for text in source.text.split(". "))
    quoted = DraftSentence(NOISE.text.split(". ")[0] + ".", (NOISE.ref,), quotation=True)
    held = {source.ref: source, NOISE.ref: NOISE}
    together = composed(section(first, second), passages=held).grounding.totals.longest_verbatim_run
    between = composed(section(first, quoted, second), passages=held).grounding.totals.longest_verbatim_run
    below = composed(section(first), section(second), passages=held).grounding.totals.longest_verbatim_run
    assert (together, between, below) == (10, 5, 5)


def test_a_wrong_quotation_lowers_the_quote_match_and_is_not_cited() -> None:
    wrong = DraftSentence("The fan makes half of the noise.", (NOISE.ref,), quotation=True)
    result = composed(section(wrong, MOVES))
    assert result.grounding.totals.quote_match == 0.0
    assert numbers_in(result.content) == [1]


def test_french_spaces_before_punctuation_are_kept() -> None:
    asked = DraftSentence("Is a quiet fan worth its price\u00a0?", (NOISE.ref,))
    assert "worth its price [1]\u00a0?" in composed(section(asked), language=FR).content


def test_a_sentence_without_support_is_marked() -> None:
    invented = DraftSentence("The fan costs 9,000 euros.", (NOISE.ref,))
    result = composed(section(MOVES, invented))
    assert "The fan costs 9,000 euros (*unsourced*)." in result.content
    receipt = result.grounding.sentences[1]
    assert (receipt.marked, receipt.citations, receipt.verdict) == (True, (), Verdict.UNSUPPORTED)
    assert result.grounding.level is GroundingLevel.PARTIAL
    assert result.grounding.totals.citation_recall == 0.5


@pytest.mark.parametrize("language", Language)
def test_an_article_without_sources_says_so(language: Language) -> None:
    result = composed(section(DraftSentence("Anything at all.")), passages={}, language=language)
    assert result.content.startswith("*" + TYPOGRAPHY[language].notice[:20])
    assert result.grounding.level is GroundingLevel.NONE
    assert result.sources == ()
    assert [r.verdict for r in result.grounding.sentences] == [Verdict.UNSOURCED]
    assert f"*{TYPOGRAPHY[language].unsourced}*" not in result.content


def test_scripts_without_spaces_get_none() -> None:
    source = passage(kb_document(language=Language.ZH), "热泵将热量带入室内。安装成本约为3万元。")
    said = DraftSentence("安装成本约为3万元。", (source.ref,))
    quoted = DraftSentence("热泵将热量带入室内", (source.ref,), quotation=True)
    wrong = DraftSentence("安装成本约为4万元。", (source.ref,))
    result = composed(section(said, quoted, wrong), passages={source.ref: source}, language=Language.ZH)
    assert result.content.endswith("安装成本约为3万元[1]。“热泵将热量带入室内”[1]。安装成本约为4万元(*无来源*)。")
    assert result.excerpt == "安装成本约为3万元。热泵将热量带入室内安装成本约为4万元。"


def test_an_unknown_source_is_never_rendered_and_costs_validity() -> None:
    stray = DraftSentence(FAN.text, (NOISE.ref, SourceRef("nobody", 1)))
    result = composed(section(stray))
    assert numbers_in(result.content) == [1]
    assert result.grounding.totals.citation_validity == 0.5


HOSTILE = [
    "# Not a heading",
    "[3] is not a citation",
    "see [here](https://evil.com) now",
    "![x](https://evil.com/a.png) tracking",
    "<script>alert(1)</script> hello",
    "<img src=x onerror=alert(1)> hello",
    "&lt;b&gt; is an entity",
    "**bold** and _stress_ and `code` and ~~gone~~",
    "- not a list",
    "1. not a list either",
    "> not a quotation",
    "```\nnot code\n```",
    "line\n\n# with breaks",
    "[ref]: https://evil.com",
    "backslash \\[3\\] games",
    "\\# another",
    "<https://evil.com> auto link",
    "https://evil.com bare link",
    "www.evil.com and me@evil.com",
    "--- rule",
    "=== rule",
    "+ plus",
    "$x$ | a | b |",
]


def shown(content: str) -> list[tuple[str, str]]:
    """What a reader sees: (kind of block, its text), with every kind of markup that must not appear as its own kind."""
    blocks, kind = [], ""
    for token in READER.parse(content):
        if token.type == "inline":
            children = token.children or ()
            harmless = ("text", "text_special", "em_open", "em_close")
            blocks += [(child.type, child.content) for child in children if child.type not in harmless]
            blocks.append((kind, "".join(c.content for c in children if c.type.startswith("text"))))
        elif token.type.endswith("_open") or token.nesting == 0:
            kind = token.type
            if kind in ("fence", "code_block", "html_block", "hr"):
                blocks.append((kind, token.content))
    return blocks


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("bullets", [False, True])
def test_what_a_sentence_contains_stays_text(text: str, bullets: bool) -> None:
    result = composed(section(FAN, heading="First"), section(DraftSentence(text), heading=text, bullets=bullets))
    plain = " ".join(text.split())
    blocks = shown(result.content)
    assert ("heading_open", plain) in blocks
    assert blocks[-1][0] == "paragraph_open"
    assert blocks[-1][1].replace(" (unsourced)", "") == plain
    assert {kind for kind, _ in blocks} == {"heading_open", "paragraph_open"}
    assert numbers_in(result.content) == [1]


def test_addresses_are_written_so_that_no_renderer_links_them() -> None:
    content = composed(section(DraftSentence("See https://evil.com, www.evil.com or me@evil.com."))).content
    assert "https\\://evil.com, www\\.evil.com or me\\@evil.com" in content


def test_headings_come_from_the_plan_and_empty_sections_have_none() -> None:
    plan = plan_of([section(FAN)], sections=(PlanSection("As planned #1 #"), PlanSection("Empty")))
    result = composed(section(FAN, heading="As drafted"), section(DraftSentence(" … ")), plan=plan)
    assert result.content.startswith("## As planned #1 \\#\n\n")
    assert "Empty" not in result.content
    assert "\n# " not in f"\n{result.content}"


QUESTIONS = (FaqEntry("Is it loud?", (NOISE.ref,)), FaqEntry("What does it do?", (HEAT.ref,)))


def test_the_faq_is_questions_with_their_answers() -> None:
    answers = SectionDraft("Questions", (DraftParagraph((FAN,)), DraftParagraph((MOVES,))), Usage("sample"))
    result = composed(section(MOVES), faq=answers, plan=plan_of([section(MOVES)], faq=QUESTIONS))
    assert result.content.endswith(
        "## Questions\n\n### Is it loud?\n\nThe fan makes most of the noise [2].\n\n"
        "### What does it do?\n\nA heat pump moves heat into the house [1]."
    )


def test_a_question_whose_answer_was_cut_disappears_and_the_others_keep_theirs() -> None:
    answers = SectionDraft("Questions", (DraftParagraph((MOVES,)),), Usage("sample"))
    result = composed(section(MOVES), faq=answers, plan=plan_of([section(MOVES)], faq=QUESTIONS))
    assert "Is it loud?" not in result.content
    assert result.content.endswith("### What does it do?\n\nA heat pump moves heat into the house [1].")


def test_a_diagram_shows_what_cited_sentences_state_and_its_labels_cannot_break_it() -> None:
    texts = [
        "Flow temperature depends on the size of radiators.",
        "Flow temperature affects R290 `x` & #1 %% \\ air.",
        "Large radiators reduce the flow temperature.",
        "Nobody knows whether a large fan reduces noise.",
        "Zinc prevents rust.",
    ]
    held = passage(kb_document(title="Held"), " ".join(texts))
    written = [DraftSentence(text, (held.ref,)) for text in texts[:-1]] + [DraftSentence(texts[-1])]
    parts = section(*written, heading="First"), section(*written[:1], heading="Second")
    result = composed(*parts, passages={held.ref: held}, include_mermaid=True)
    fence = re.search(r"\n\n```mermaid\nflowchart LR\n(.*?)\n```\n\n## Second", result.content, re.DOTALL)
    assert fence is not None
    lines = fence[1].splitlines()
    label = r'"[^"\[\]{}|<>&%`\\]*"'
    assert all(re.fullmatch(rf" {{4}}n\d+(?:\[{label}\]| -->\|{label}\| n\d+)", line) for line in lines)
    shown = [re.sub(r"#(\d+);", lambda m: chr(int(m[1])), line).strip() for line in lines]
    assert shown == [
        'n0["Flow temperature"]',
        'n1["the size of radiators"]',
        'n2["R290 `x` & #1 %% \\ air"]',
        'n3["Large radiators"]',
        'n0 -->|"depends on"| n1',
        'n0 -->|"affects"| n2',
        'n3 -->|"reduce"| n0',
    ]
    assert "```" not in composed(section(*written), passages={held.ref: held}).content


def test_without_relations_there_is_no_diagram() -> None:
    assert "```" not in composed(section(MOVES, FAN), include_mermaid=True).content


def test_excerpt_seo_and_word_count() -> None:
    plan = plan_of([section(MOVES, FAN)], title="T" * 70, seo=PlanSeo("", "", ()))
    result = composed(section(MOVES, FAN, heading="Two words"), plan=plan)
    assert result.excerpt == "A heat pump moves heat into the house. The fan makes most of the noise."
    assert result.seo.meta_title == "T" * 59 + "…"
    assert result.seo.meta_description == result.excerpt
    assert result.word_count == 8 + 7 + 1  # the plan's heading is shown, the draft's is not
    assert result.grounding.totals.longest_verbatim_run >= 7


def test_copied_runs_of_eight_words_are_counted_outside_quotations_and_headings() -> None:
    long = "A heat pump moves heat into the house. It needs 1 kWh of power for 3 kWh of heat."
    copied = DraftSentence(long, (HEAT.ref,))
    share = composed(section(copied)).grounding.totals.copied_8grams
    assert share == 1.0
    own = DraftSentence("Nobody has asked the neighbours what they think about all of this.", (NOISE.ref,))
    mixed = composed(section(copied, own)).grounding.totals.copied_8grams
    assert mixed is not None
    assert 0.3 < mixed < 0.7
    quoted = evolve(copied, quotation=True)
    assert composed(section(quoted), plan=plan_of([section(quoted, heading=long)])).grounding.totals.copied_8grams == 0
    assert composed(section(DraftSentence(long))).grounding.totals.copied_8grams == 0  # of a passage it does not cite


WORDS = st.sampled_from(
    ["heat", "pump", "house", "fan", "[1]", "[2](x)", "*", "_a_", "#", "1.", "“quiet”", "3 kWh", "<b>", "?", "…", "é"]
)
TEXTS = (
    st.lists(WORDS, min_size=1, max_size=8).map(" ".join)
    | st.sampled_from([MOVES.text, FAN.text])
    | st.text(max_size=30)
)


@st.composite
def sentences(draw: st.DrawFn) -> DraftSentence:
    known = st.sampled_from([HEAT.ref, NOISE.ref, SourceRef("nobody", 0)])
    return DraftSentence(draw(TEXTS), tuple(draw(st.lists(known, max_size=3))), draw(st.booleans()))


@st.composite
def drafts(draw: st.DrawFn) -> SectionDraft:
    paragraphs = draw(
        st.lists(st.builds(DraftParagraph, st.lists(sentences(), max_size=4).map(tuple), st.booleans()), max_size=3)
    )
    return SectionDraft(draw(TEXTS), tuple(paragraphs), Usage("sample"))


@settings(deadline=None)
@given(st.lists(drafts(), max_size=3), st.none() | drafts(), st.booleans(), st.sampled_from(Language))
def test_citations_sources_and_receipts_always_agree(
    sections: list[SectionDraft], faq: SectionDraft | None, mermaid: bool, language: Language
) -> None:
    plan = plan_of(sections, faq=QUESTIONS)
    result = composed(*sections, faq=faq, plan=plan, include_mermaid=mermaid, language=language)
    cited = numbers_in(result.content)
    assert set(cited) == {s.number for s in result.sources}
    assert list(dict.fromkeys(cited)) == [s.number for s in result.sources]
    assert cited == [n for r in result.grounding.sentences for n in r.citations]
    assert result.grounding.totals.sentences == len(result.grounding.sentences)
    assert (result.grounding.level is GroundingLevel.NONE) == (not cited)
    assert all(r.marked == (r.verdict is not Verdict.SUPPORTED) for r in result.grounding.sentences) or not cited
    assert len(result.excerpt) <= 300
    assert len(result.seo.meta_title or "") <= 60
    assert len(result.seo.meta_description or "") <= 155
