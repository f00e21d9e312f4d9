"""The stand-in for a model, and what is counted of its errors."""

from __future__ import annotations

from attrs import evolve
from benchmarks.quality.article_sets import Topic
from benchmarks.quality.model_path import CitedSentence, Outcome, table
from benchmarks.quality.stand_in import KINDS, PLANTED, REPETITIONS, StandIn, Written

from contentgen_adapters.llm.structured import StructuredWriter
from contentgen_core.model.article import Brief
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.ports.content_model import NicheBrief, PlanRequest, Refusal, SectionRequest
from contentgen_core.testing.builders import kb_document, passage, ranked_passage
from contentgen_core.use_cases.articles.section_requests import section_requests

TOPIC = "The canal of Brill"
FOREIGN = {TOPIC: ["Alpacas of Bolivia produce remarkably comfortable textiles for export."]}
TEXT = (
    "The canal of Brill was built in 18{n}1 by many workers after a long dispute. It shows how towns near the coast "
    "were supplied with drinking water. In 18{n}2, the northern branch was opened by Queen Agatha of Marl. The locks "
    "of the first branch are still used by several companies. Ships with timber pass the eastern gates of Brill often."
)
SOURCES = tuple(
    ranked_passage(passage(kb_document(title=f"Canal {n}", language=Language.EN), TEXT.format(n=n))) for n in range(8)
)


async def drafted(model: StandIn) -> list[SectionRequest]:
    writer = StructuredWriter(model)
    brief = Brief(TOPIC, Language.EN, length=ArticleLength.STANDARD)
    plan = (await writer.plan(PlanRequest(brief, NicheBrief("Canals"), SOURCES))).value
    requests = section_requests(brief, plan, {it.ref: it.passage for it in SOURCES})
    for request in requests:
        await writer.write_section(request)
    return requests


async def test_the_stand_in_plants_errors_of_every_kind_and_knows_them() -> None:
    model = StandIn(FOREIGN)
    await drafted(model)
    written = model.written[TOPIC].values()
    assert {it.kind for it in written} >= {"", "other subject", "invention", *REPETITIONS}
    assert len({it.kind for it in written} & set(PLANTED)) >= 5
    for it in written:
        given = " ".join(source.passage.text for source in SOURCES)
        assert it.of in given or it.kind in REPETITIONS
        assert it.text not in given or not it.kind, "an error stands in no source"


async def test_the_same_prompt_gets_the_same_answer() -> None:
    one, other = StandIn(FOREIGN), StandIn(FOREIGN)
    await drafted(one)
    await drafted(other)
    assert one.written == other.written


async def test_of_what_is_refused_some_is_left_out_and_some_said_again() -> None:
    model = StandIn(FOREIGN)
    writer = StructuredWriter(model)
    for request in await drafted(model):
        first = await writer.write_section(request)
        refused = tuple(Refusal(sentence, "not so") for sentence in first.sentences)
        again = await writer.write_section(evolve(request, refused=refused))
        assert set(again.sentences) != set(first.sentences)
        assert len(again.sentences) < len(first.sentences)


def test_what_reached_the_text_is_counted_by_kind() -> None:
    topic = Topic("1", TOPIC, "en", ("a", "b"))
    planted = {it: Written(it, "S1", it) for it in PLANTED}
    planted |= {"true": Written("true", "S1"), "again": Written("again", "S1", REPETITIONS[0], "true")}
    sentences = [
        CitedSentence("true", ("a",)),
        CitedSentence("again", ("b",)),
        CitedSentence("other subject", ("a",)),
        CitedSentence("own words", ("a", "x")),
    ]
    outcome = Outcome(topic, sentences, planted)
    assert {kind: outcome.reached(kind) for kind in ("", "other subject", "figure", REPETITIONS[0])} == {
        "": (1, 1),
        "other subject": (1, 1),
        "figure": (0, 1),
        REPETITIONS[0]: (1, 1),
    }
    assert outcome.on_subject == 0.5
    assert outcome.wrong == 0.25
    without = evolve(outcome, sentences=sentences[1:])
    assert without.reached(REPETITIONS[0]) == (0, 1), "nothing is repeated any more"
    shown = table({"a set": {"one": [outcome], "other": [without]}})
    assert [row[1] for row in shown.rows][: len(KINDS)] == [f"planted, {kind}: in the text" for kind in KINDS]
    assert {len(row) for row in shown.rows} == {len(shown.columns)}
