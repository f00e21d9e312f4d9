"""Cases that are made from a knowledge base: topics, questions, statements, and what is altered in them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_adapters.text.chunking import MarkdownChunker
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.evaluation.alterations import (
    NEGATIONS,
    months_altered,
    negate,
    numbers_altered,
    remove_asides,
    replace_name,
)
from contentgen_core.policies.evaluation.chance import choose
from contentgen_core.policies.evaluation.inventions import PREDICATES, inventions
from contentgen_core.policies.evaluation.questions import Asked, questions
from contentgen_core.policies.evaluation.statements import Kind, statements
from contentgen_core.policies.evaluation.topics import topics
from contentgen_core.testing import builders
from contentgen_core.use_cases.knowledge.chunk_document import ChunkDocument
from contentgen_http.demo.tenant import samples

ANALYSIS = IcuTextAnalysis()
CHUNK = ChunkDocument(MarkdownChunker(ANALYSIS), ANALYSIS)


def document(title: str, text: str, language: Language = Language.EN) -> tuple[Passage, ...]:
    return tuple(CHUNK(builders.kb_document(title=title, language=language, source_key=title or text[:20]), text))


@pytest.fixture(scope="module")
def energy() -> list[tuple[Passage, ...]]:
    return [document(source.title, source.text) for source in samples("home-energy")]


def test_a_number_in_digits_or_words_is_altered_once_each_time() -> None:
    text = "In 1999 the three pumps weighed 82 kg."
    assert list(numbers_altered(text, Language.EN)) == [
        "In 2999 the three pumps weighed 82 kg.",
        "In 1999 the four pumps weighed 82 kg.",
        "In 1999 the three pumps weighed 92 kg.",
    ]
    assert list(numbers_altered("zwölf von zweien", Language.DE)) == ["zwei von zweien", "zwölf von drei"]
    assert list(numbers_altered("three of 9", None)) == ["three of 1"]


@given(st.text(max_size=60), st.sampled_from(Language))
def test_whatever_is_altered_differs_and_nothing_fails(text: str, language: Language) -> None:
    made = [*numbers_altered(text, language), *months_altered(text, language), negate(text, language)]
    assert text not in made
    remove_asides(text)


def test_only_a_month_beside_a_number_is_altered() -> None:
    assert list(months_altered("It may begin on 3 May 2020.", Language.EN)) == ["It may begin on 3 June 2020."]
    assert list(months_altered("Am 24. Dezember", Language.DE)) == ["Am 24. Januar"]
    assert not list(months_altered("3 May", Language.JA))


@pytest.mark.parametrize(
    ("language", "true", "false"),
    [
        (Language.EN, "The pump is quiet.", "The pump is not quiet."),
        (Language.FR, "La pompe est calme.", "La pompe ne est pas calme."),
        (Language.DE, "Die Pumpe ist leise.", "Die Pumpe ist nicht leise."),
        (Language.ES, "La bomba es silenciosa.", "La bomba no es silenciosa."),
        (Language.IT, "La pompa è silenziosa.", "La pompa non è silenziosa."),
        (Language.PT, "A bomba é silenciosa.", "A bomba não é silenciosa."),
        (Language.NL, "De pomp is stil.", "De pomp is niet stil."),
    ],
)
def test_a_verb_is_negated_unless_it_is(language: Language, true: str, false: str) -> None:
    assert negate(true, language) == false
    assert language in NEGATIONS
    if language is not Language.FR:
        assert negate(false, language) is None
    assert negate("ポンプは静かです。", Language.JA) is None


@pytest.mark.parametrize(
    ("language", "true", "false"),
    [
        (Language.EN, "A heat pump can defrost its unit.", "A heat pump can explode at night."),
        (Language.FR, "Les pompes sont calmes.", "Les pompes sont une cause de cancer."),
        (Language.DE, "Die Pumpe ist leise.", "Die Pumpe ist ein Geschenk der Götter."),
        (Language.ES, "Las bombas son silenciosas.", "Las bombas son una causa de cáncer."),
        (Language.IT, "La pompa è silenziosa.", "La pompa è una causa di cancro."),
        (Language.PT, "A bomba é silenciosa.", "A bomba é uma causa de câncer."),
        (Language.NL, "De pomp is stil.", "De pomp is een geschenk van de goden."),
    ],
)
def test_a_subject_keeps_its_verb_and_is_said_something_new(language: Language, true: str, false: str) -> None:
    assert language in PREDICATES
    made = list(inventions(true, language, ANALYSIS))
    assert false in made
    assert len(set(made)) == 3


@pytest.mark.parametrize("text", ["It is quiet.", "They rest.", f"{'Of old stone ' * 4}it is.", ""])
def test_without_a_subject_near_a_verb_nothing_is_invented(text: str) -> None:
    assert list(inventions(text, Language.EN, ANALYSIS)) == []
    assert list(inventions("Une pompe ne peut geler.", Language.FR, ANALYSIS)) == []
    assert list(inventions("ポンプは静かです。", Language.JA, ANALYSIS)) == []


def test_a_name_is_exchanged_for_one_that_is_not_known() -> None:
    assert replace_name("Ada met Bob.", ["Ada", "Bob"], ["Eve", "Mia"], "Mia left") == "Ada met Eve."
    assert replace_name("Ada met Bob.", ["Bob"], ["Mia"], "Mia left") is None
    assert replace_name("They met.", [], ["Mia"], "") is None


@given(st.lists(st.text(max_size=5), unique=True, max_size=30), st.integers(0, 5), st.integers())
def test_a_sample_does_not_depend_on_the_order_and_hardly_on_what_is_added(
    items: list[str], count: int, seed: int
) -> None:
    found = choose(items, count, seed, str)
    assert found == choose(items[::-1], count, seed, str)
    more = choose([*items, "something else"], count, seed, str)
    assert len(set(found) - set(more)) <= 1


def test_topics_are_titles_with_all_documents_that_hold_much_of_them(energy: list[tuple[Passage, ...]]) -> None:
    found = topics(energy, 100, 7, ANALYSIS)
    assert len(found) >= 15
    titles = {passages[0].document.title: passages[0].document.id for passages in energy}
    for topic in found:
        assert titles[topic.text] in topic.own
        assert topic.own <= topic.on < set(titles.values())
    heat = next(topic for topic in found if topic.text.startswith("Choosing a heat pump"))
    assert any(titles[title] in heat.on - heat.own for title in titles if "heat pump" in title.casefold())
    assert topics(energy, 5, 7, ANALYSIS) == found[:5]
    assert topics(energy, 100, 8, ANALYSIS) != found


def test_headings_and_names_of_programs_are_no_topics() -> None:
    headings = [document("The general background", f"Of matter {n} much is known.") for n in range(8)]
    files = [document("Microsoft Word - draft3.doc", "It rains in the north all year."), document("", "No title here.")]
    assert topics([*headings, *files], 100, 7, ANALYSIS) == []
    assert topics([], 100, 7, ANALYSIS) == []


def test_questions_are_of_each_kind_and_their_sentences_are_taken_out(energy: list[tuple[Passage, ...]]) -> None:
    made = questions(energy, 10, 7, ANALYSIS)
    assert {kind: sum(q.asked is kind for q in made.asked) for kind in Asked} == dict.fromkeys(Asked, 10)
    assert len(made.passages) == 10
    whole = {passage.ref: passage for passages in energy for passage in passages}
    asked = [q.text for q in made.asked if q.asked is Asked.SENTENCE]
    for ref, passage in made.passages.items():
        assert sum(text in " ".join(whole[ref].text.split()) for text in asked) >= 1
        assert not any(text in " ".join(passage.text.split()) for text in asked)
        assert passage.terms == ANALYSIS.terms(passage.text, Language.EN)
    assert len({q.documents for q in made.asked if q.asked is Asked.SENTENCE}) == 10
    titles = {passages[0].document.title for passages in energy}
    assert not titles & {q.text for q in made.asked}
    assert len({(q.asked, q.key) for q in made.asked}) == len(made.asked)
    assert questions(energy, 10, 7, ANALYSIS) == made


def test_statements_are_true_or_false_by_one_change(energy: list[tuple[Passage, ...]]) -> None:
    found = statements(energy, 50, 7, ANALYSIS)
    counts = {kind: sum(s.kind is kind for s in found) for kind in Kind}
    assert counts[Kind.TRUE] == 50
    assert counts[Kind.NUMBER] == counts[Kind.NEGATION] == counts[Kind.PREDICATE] == counts[Kind.OTHER] == 9
    for statement in found:
        held = " ".join(statement.passage.text.split())
        match statement.kind:
            case Kind.TRUE:
                assert statement.of in held
            case Kind.OTHER:
                assert statement.text not in held
            case _:
                assert statement.of in held
                assert statement.text not in held
    assert statements(energy, 50, 7, ANALYSIS) == found


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            Language.JA,
            "熱ポンプは外の空気から熱を集めて家の中に運びます。重さは八十二キロで、四本の足の上に立っています。",
        ),
        (Language.TH, "ปั๊มความร้อนนำความร้อนจากอากาศภายนอกเข้ามาในบ้าน และมีน้ำหนัก 82 กิโลกรัม!"),
        (Language.AR, "المضخة الحرارية تنقل الحرارة من الهواء الخارجي إلى داخل البيت وتزن 82 كيلوغراما."),
    ],
)
def test_languages_without_stems_or_spaces_have_statements(language: Language, text: str) -> None:
    made = statements(
        [document("熱", text, language), document("x", f"{text[:-1]} 9{text[-1]}", language)], 5, 7, ANALYSIS
    )
    assert any(s.kind is Kind.TRUE for s in made)


@pytest.mark.parametrize("passages", [[], [()], [document("Heat", "Short.")]])
def test_next_to_nothing_makes_no_cases(passages: Sequence[Sequence[Passage]]) -> None:
    assert statements(passages, 5, 7, ANALYSIS) == []
    assert questions(passages, 5, 7, ANALYSIS).asked == ()
    assert not re.search(r"\w", "".join(topic.text for topic in topics(passages, 5, 7, ANALYSIS)))
