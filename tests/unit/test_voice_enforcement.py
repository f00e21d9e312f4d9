"""Terms that a voice avoids are in no drafted sentence, whoever writes."""

from __future__ import annotations

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.llm.extractive.writer import ExtractiveWriter
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.article import Brief, Usage
from contentgen_core.model.article_plan import ArticlePlan, PlanSection, PlanSeo
from contentgen_core.model.drafting import DraftParagraph, DraftSentence, SectionDraft
from contentgen_core.model.ids import VoiceId
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.voice import ChosenVoice
from contentgen_core.policies.voice.terms import TermFinder
from contentgen_core.ports.content_model import SectionRequest
from contentgen_core.testing import builders
from contentgen_core.use_cases.generation.support import supported_draft
from tests.support.scripted_model import ScriptedModel

ANALYSIS = IcuTextAnalysis()
SENTENCES = (
    "A heat pump moves warmth into the house.",
    "Owners leverage the warmth of the ground.",
    "The pump of a house needs one visit a year.",
    "Leveraging old radiators costs little.",
)
PASSAGE = builders.passage(text=" ".join(SENTENCES))
VOICE = ChosenVoice(VoiceId("v"), "House", avoid=("leverage",))
SECTION = PlanSection("Heat", source_ids=(PASSAGE.ref,))
PLAN = ArticlePlan("Heat pumps", sections=(SECTION,), faq=(), seo=PlanSeo("Heat pumps", ""), audience="owners")


class Writer(ScriptedModel):
    """Writes these sentences, and others when it is asked again."""

    def __init__(self, first: list[str], second: list[str] | None) -> None:
        super().__init__()
        self.first, self.second = first, second
        self.requests: list[SectionRequest] = []

    async def write_section(self, request: SectionRequest) -> SectionDraft:
        self.requests.append(request)
        texts = self.first if len(self.requests) == 1 else self.second
        if texts is None:
            raise ProviderFailed("scripted", "is away", retryable=True)
        sentences = tuple(DraftSentence(text, tuple(p.ref for p in request.sources)) for text in texts)
        return SectionDraft("Heat", (DraftParagraph(sentences),), Usage("scripted"))


def request(*, sourced: bool = True, voice: ChosenVoice | None = VOICE) -> SectionRequest:
    brief = Brief("Heat pumps", Language.EN, voice=voice)
    return SectionRequest(brief, PLAN, SECTION, 0, (PASSAGE,) if sourced else ())


async def written(writer: Writer, asked: SectionRequest) -> list[str]:
    return [s.text for s in (await supported_draft(writer, asked, ANALYSIS)).draft.sentences]


async def test_a_sentence_with_an_avoided_term_is_asked_for_again_with_the_reason() -> None:
    writer = Writer(list(SENTENCES[:2]), [SENTENCES[0]])
    assert await written(writer, request()) == [SENTENCES[0]]
    assert [refusal.sentence.text for refusal in writer.requests[1].refused] == [SENTENCES[1]]
    assert "the voice never uses" in writer.requests[1].refused[0].reason


async def test_a_sentence_that_keeps_an_avoided_term_is_left_out() -> None:
    assert await written(Writer(list(SENTENCES), list(SENTENCES)), request()) == [SENTENCES[0], SENTENCES[2]]


async def test_the_first_draft_without_them_stands_where_the_second_call_fails() -> None:
    assert await written(Writer(list(SENTENCES), None), request()) == [SENTENCES[0], SENTENCES[2]]


async def test_without_sources_they_are_left_out_too() -> None:
    assert await written(Writer(["We leverage it.", "It is warm."], None), request(sourced=False)) == ["It is warm."]


async def test_without_a_voice_nothing_is_asked_again() -> None:
    writer = Writer(list(SENTENCES), None)
    assert await written(writer, request(voice=None)) == list(SENTENCES)
    assert len(writer.requests) == 1


@given(st.lists(st.sampled_from(SENTENCES), max_size=6), st.none() | st.lists(st.sampled_from(SENTENCES), max_size=6))
async def test_no_draft_has_an_avoided_term(first: list[str], second: list[str] | None) -> None:
    avoid = ("leverage", "visit")
    asked = evolve(request(), brief=Brief("Heat pumps", Language.EN, voice=evolve(VOICE, avoid=avoid)))
    finder = TermFinder(ANALYSIS, Language.EN, avoid)
    assert not any(finder.found(text) for text in await written(Writer(first, second), asked))


async def test_the_writer_without_a_model_takes_other_sentences() -> None:
    section = await ExtractiveWriter(ANALYSIS).write_section(request())
    assert section.sentences
    finder = TermFinder(ANALYSIS, Language.EN, VOICE.avoid)
    assert not any(finder.found(s.text) for s in section.sentences)
    assert len(section.sentences) < len((await ExtractiveWriter(ANALYSIS).write_section(request(voice=None))).sentences)
