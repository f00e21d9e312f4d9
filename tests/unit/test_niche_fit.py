"""Whether a topic belongs to a niche: by meaning where it is known, whatever surrounds the topic."""

from __future__ import annotations

import math
import string
from collections.abc import AsyncIterator

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.llm.extractive.writer import ExtractiveWriter
from contentgen_adapters.llm.phrases import phrases
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.tenant import PlanName
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.nearness import SPELLING_WEIGHT
from contentgen_core.policies.topics.niche_fit import (
    FITS_SOURCES_FROM,
    MOST,
    Background,
    Features,
    background_of,
    described_by,
    features_of,
    fit_of,
    judged_form,
    probability_of,
    without_noise,
)
from contentgen_core.policies.topics.subjects import NAMED_IN, SUBJECTS
from contentgen_core.ports.content_model import TopicJudgement
from contentgen_core.ports.documents import SourceText
from contentgen_core.use_cases.articles.judge_topic import LEAST_DOCUMENTS
from contentgen_core.use_cases.articles.topics import ValidateTopic
from contentgen_core.use_cases.context import context_of_agent
from contentgen_core.use_cases.enrichment.start import EnrichCommand, Rejected, Started
from tests.support.house import AGENT, NICHE, SOURCES, House, findable, open_house
from tests.support.understanding_embedder import UnderstandingEmbedder

THERMOPOMPE = "thermopompe silencieuse"
FOOTBALL = "Energy of the midfield heat up the derby"
LETTERS = "aeghlmoprstuzéèüßñçиждαωÀÖ"
NOISE = st.text(string.digits + string.punctuation + string.whitespace + "…–«»¿！０", max_size=6)
TOPICS = st.text(LETTERS + " -0'", min_size=1, max_size=30).filter(lambda text: any(c.isalpha() for c in text))
WHOLE = st.floats(-1, 1)


@given(TOPICS, NOISE, NOISE, st.booleans())
def test_what_surrounds_a_topic_changes_nothing(topic: str, before: str, after: str, upper: bool) -> None:
    spaced = (topic.upper() if upper else topic).replace(" ", "  ")
    assert judged_form(spaced + after) == judged_form(topic)
    assert judged_form("".join(c for c in before if not c.isalnum()) + topic) == judged_form(topic)


@pytest.mark.parametrize(
    ("topic", "left"),
    [
        ("Pompe à chaleur bruyante 0", "Pompe à chaleur bruyante"),
        ("«3D printing!»", "3D printing"),
        ("गर्मी 2024", "गर्मी"),
        ("…2024", "…2024"),
    ],
)
def test_a_topic_is_judged_from_its_first_to_its_last_letter(topic: str, left: str) -> None:
    assert without_noise(topic) == left


@given(WHOLE, WHOLE, WHOLE, WHOLE)
def test_what_is_nearer_or_more_alike_never_fits_worse(one: float, other: float, likeness: float, more: float) -> None:
    near, far = max(one, other) * MOST, min(one, other) * MOST
    alike, unlike = max(likeness, more), min(likeness, more)
    worst, best = Features(far, unlike), Features(near, alike)
    assert 0 <= probability_of(worst) <= probability_of(Features(near, unlike)) <= probability_of(best) <= 1
    assert probability_of(worst) <= probability_of(Features(far, alike)) <= probability_of(best)
    less, closer = Features(near, alike, far), Features(near, alike, near)
    assert probability_of(Features(far, unlike, far)) <= probability_of(less) <= probability_of(closer)


UNIT = st.lists(WHOLE.filter(lambda x: abs(x) > 0.01), min_size=4, max_size=4).map(
    lambda values: [value / math.hypot(*values) for value in values]
)


def background(*subjects: tuple[float, ...], general: tuple[int, ...] = ()) -> Background:
    """Of subjects with one name each."""
    return background_of([[subject] for subject in subjects], [n in general for n in range(len(subjects))])


@given(UNIT, st.lists(UNIT, min_size=1, max_size=4), st.lists(UNIT, min_size=2, max_size=6))
def test_the_features_are_bounded_and_the_order_of_texts_is_none_of_them(
    topic: list[float], niche: list[list[float]], subjects: list[list[float]]
) -> None:
    among = background(*map(tuple, subjects))
    features = features_of(topic, niche, among)
    assert abs(features.lead) <= MOST
    assert abs(features.likeness) <= 1 + 1e-9
    assert features_of(topic, niche[::-1], among) == features


def test_a_model_that_calls_all_equally_near_tells_of_no_likeness() -> None:
    assert features_of((1.0, 0.0), [(0.6, 0.8)], background(*[(0.6, 0.8)] * 3)) == Features(0.0, 0.0)


EAST, NORTH, WEST, SOUTH = (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)
NORTH_EAST = (math.sqrt(0.5), math.sqrt(0.5))


def test_a_subject_that_is_nearer_than_the_niche_takes_the_topic() -> None:
    """Unless every field has to do with that subject, or the niche is about it itself."""
    others = (EAST, NORTH, WEST, SOUTH)
    taken = features_of(NORTH_EAST, [EAST], background(NORTH_EAST, *others)).lead
    assert taken < features_of(NORTH_EAST, [EAST], background(NORTH_EAST, *others, general=(0,))).lead
    assert taken < features_of(NORTH_EAST, [NORTH_EAST], background(NORTH_EAST, *others)).lead
    assert taken < features_of(EAST, [EAST], background(NORTH_EAST, *others)).lead


def test_of_the_sources_the_nearest_counts_beside_the_subject_that_claims_the_topic() -> None:
    """A topic of words of the niche that is near none of its documents is refused, one near one of them accepted."""
    others = background(NORTH_EAST, EAST, NORTH, WEST, SOUTH)
    near, far = features_of(EAST, [EAST], others, [WEST, EAST]), features_of(EAST, [EAST], others, [WEST, SOUTH])
    assert features_of(EAST, [EAST], others).source_lead is None
    assert near.source_lead == features_of(EAST, [EAST], others, [EAST]).source_lead
    assert near.source_lead is not None
    assert far.source_lead is not None
    assert near.source_lead > 0 > far.source_lead
    assert (near.lead, near.likeness) == (far.lead, far.likeness)
    assert probability_of(far) < FITS_SOURCES_FROM <= probability_of(near)


def test_the_nearest_text_of_the_niche_is_named() -> None:
    niche = {"boats": (0.6, 0.8), "sails": (0.8, 0.6)}
    fit = fit_of((1.0, 0.0), niche, background((0.0, 1.0), (0.1, 0.99)))
    assert fit.nearest == "sails"
    assert described_by("Boats", " ", ("sails", "Boats")) == ("Boats", "sails")


# ------------------------------------------------------------------------------------------------- the use case

NEAR_TO = ("Home energy", "heat pump", "insulation", "solar panels", "ventilation", "electric vehicle")


def embedder_of(weight: float = 1.0) -> UnderstandingEmbedder:
    return UnderstandingEmbedder({(THERMOPOMPE, text): 0.9 for text in NEAR_TO}, weight)


@pytest.fixture
async def embedder() -> UnderstandingEmbedder:
    return embedder_of()


@pytest.fixture
async def house(embedder: UnderstandingEmbedder) -> AsyncIterator[House]:
    async with open_house(embedder=embedder) as opened:
        yield opened


def without_model(house: House) -> ValidateTopic:
    """As it is where no language model is set up."""
    validate = house.services.writing.validate_topic
    return evolve(validate, judge=evolve(validate.judge, model=ExtractiveWriter(IcuTextAnalysis())))


async def judged(house: House, topic: str) -> TopicJudgement:
    return await without_model(house)(house.caller, AGENT, topic)


async def test_a_topic_in_other_words_belongs_and_one_that_shares_words_need_not(house: House) -> None:
    own, foreign = await judged(house, "Thermopompe silencieuse"), await judged(house, FOOTBALL)
    assert own.valid
    assert own.confidence > 0.5
    assert not foreign.valid
    assert foreign.confidence > 0.5


@pytest.mark.parametrize("noise", ["0", " 0", " 2024", "!!", "  ", "…", " - 12"])
@pytest.mark.parametrize("topic", ["Thermopompe silencieuse", FOOTBALL, "Heat pump efficiency in winter"])
async def test_noise_at_the_end_changes_no_judgement(house: House, topic: str, noise: str) -> None:
    assert await judged(house, topic + noise) == await judged(house, topic)
    assert (await judged(house, topic.upper())).valid is (await judged(house, topic)).valid


async def test_a_topic_is_embedded_once_and_the_niche_once_for_all_topics(
    house: House, embedder: UnderstandingEmbedder
) -> None:
    await judged(house, "Thermopompe silencieuse")
    embedder.asked.clear()
    await judged(house, "Thermopompe silencieuse")
    await judged(house, "THERMOPOMPE SILENCIEUSE 0")
    assert embedder.asked == [THERMOPOMPE, THERMOPOMPE]


@pytest.mark.parametrize("weight", [SPELLING_WEIGHT, 1.0])
async def test_without_meaning_words_decide(weight: float) -> None:
    embedder = embedder_of(weight)
    async with open_house(embedder=embedder) as house:
        embedder.fails = True
        assert (await judged(house, "Insulation and solar panels")).valid
        assert (await judged(house, "Insulation and solar panels 0")).valid
        assert not (await judged(house, "Thermopompe silencieuse")).valid


@pytest.fixture
async def by_name() -> AsyncIterator[House]:
    """Where the topic is near the niche's name, and near none of its keywords."""
    async with open_house(embedder=UnderstandingEmbedder({(THERMOPOMPE, "Home energy"): 0.9})) as opened:
        yield opened


async def with_documents(house: House, count: int) -> None:
    """On something else."""
    sources = [SourceText(f"roof{n}", f"Roof {n}", f"Slates of roof {n} last.") for n in range(count - len(SOURCES))]
    await house.services.knowledge.import_sources(KbScope(NICHE, house.caller.tenant_id), sources)
    await findable(house.services)


@pytest.mark.parametrize(("documents", "valid"), [(LEAST_DOCUMENTS - 1, True), (LEAST_DOCUMENTS, False)])
async def test_a_first_note_does_not_narrow_a_niche(by_name: House, documents: int, valid: bool) -> None:
    """Only from some documents on is a topic refused that is near none of them."""
    await with_documents(by_name, documents)
    assert (await judged(by_name, THERMOPOMPE)).valid is valid


async def test_what_a_keyword_names_is_as_near_as_a_document_on_it(by_name: House) -> None:
    """The way that a refusal names."""
    await with_documents(by_name, LEAST_DOCUMENTS)
    async with by_name.services.ports.unit_of_work() as tx:
        context = await context_of_agent(tx, by_name.caller.tenant_id, AgentKey.parse(AGENT))
    judge, niche = without_model(by_name).judge, context.niche_brief
    named = evolve(niche, keywords=(*niche.keywords, THERMOPOMPE))
    assert not (await judge(context, niche, THERMOPOMPE)).valid
    assert (await judge(context, named, THERMOPOMPE)).valid


async def test_a_refusal_says_how_to_go_on(house: House) -> None:
    assert "add it to the niche's keywords, or add a document" in (await judged(house, FOOTBALL)).reason
    analysis = IcuTextAnalysis()
    for language in set(Language) - {Language.TH}:  # Thai sentences end with a space
        assert len(analysis.sentences(phrases(language).judge_none, language)) == 2, language


async def test_an_enrichment_judges_as_the_validation_does(house: House) -> None:
    enrich = house.services.knowledge.enrich
    enrich = evolve(enrich, judge=without_model(house).judge)
    caller = house.on_plan(PlanName.BUSINESS)
    assert isinstance(await enrich(EnrichCommand(caller, AGENT, "Thermopompe silencieuse")), Started)
    assert isinstance(await enrich(EnrichCommand(caller, AGENT, FOOTBALL)), Rejected)


def test_each_subject_has_a_name_of_its_own_in_each_language() -> None:
    assert all(len(subject.names) == len(NAMED_IN) for subject in SUBJECTS)
    for names in zip(*(subject.names for subject in SUBJECTS), strict=True):
        assert len(set(names)) == len(SUBJECTS) >= 150
    assert {subject.general for subject in SUBJECTS} == {True, False}
