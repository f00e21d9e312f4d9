"""What was asked for in vain is told, where no model writes, and nothing else is."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.llm.extractive.writer import IGNORED_FIELDS, ExtractiveWriter
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.article_plan import ArticlePlan
from contentgen_core.model.vocabulary import Tone
from contentgen_core.ports.content_model import PlanRequest
from contentgen_core.testing.content_model import NICHE, sample_brief, sample_sources, section_request
from contentgen_core.use_cases.articles.without_effect import USUAL_TONE, IgnoredFields
from tests.support import house
from tests.support.http import open_api
from tests.support.mcp import agent, answer_of

FIELDS = ("tone", "keywords", "angle", "audience")
WORDS = st.text("abc", max_size=2)


@pytest.fixture
def without_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "OPTIONS", evolve(house.OPTIONS, ignored_fields=IGNORED_FIELDS))


async def test_what_the_built_in_writer_heeds() -> None:
    """Its list is true: what is on it changes no plan and no sentence, and keywords, which are not, do."""
    writer, brief, sources = ExtractiveWriter(IcuTextAnalysis()), sample_brief(), sample_sources()
    plan = (await writer.plan(PlanRequest(brief, NICHE, sources))).value

    async def written(brief_changes: dict[str, object], plan_changes: dict[str, object]) -> list[object]:
        changed, shown = evolve(brief, **brief_changes), evolve(plan, **plan_changes)
        requests = [section_request(changed, shown, n, sources) for n in range(len(plan.sections))]
        drafts = [await writer.write_section(request) for request in requests]
        return [(await writer.plan(PlanRequest(changed, NICHE, sources))).value, *drafts]

    usual = await written({}, {})
    for name in IGNORED_FIELDS:
        if name == "tone":
            assert await written({"tone": Tone.PERSUASIVE}, {}) == usual
        else:
            assert await written({}, {name: "Quite another one, for landlords"}) == usual
    assert await written({"keywords": ("noise of a heat pump",)}, {}) != usual


@given(
    st.sets(st.sampled_from(FIELDS)),
    st.sampled_from(Tone),
    st.lists(WORDS),
    st.tuples(WORDS, WORDS),
    st.tuples(WORDS, WORDS),
)
def test_what_is_told_was_given_and_is_not_heeded(
    fields: Collection[str],
    tone: Tone,
    keywords: list[str],
    before: tuple[str, str],
    after: tuple[str, str],
) -> None:
    ignored_fields = IgnoredFields(fields)
    asked = ignored_fields.of_request(tone, keywords)
    edited = ignored_fields.of_edit(ArticlePlan("", *after), ArticlePlan("", *before))
    told = {name for each in (asked, edited) if each for name in each.fields}
    given_fields = {
        "tone": tone is not USUAL_TONE,
        "keywords": bool(keywords),
        "angle": before[0] != after[0],
        "audience": before[1] != after[1],
    }
    assert told == {name for name, is_given in given_fields.items() if is_given and name in fields}
    for each in (asked, edited):
        assert each is None or all(name in each.reason for name in each.fields)


@pytest.mark.usefixtures("without_model")
async def test_every_answer_tells_it() -> None:
    body = {"agentKey": house.AGENT, "topic": house.COVERED, "tone": "casual", "keywords": ["heat pump"]}
    async with open_api() as api:
        planned = (await api.call("POST", "/writer/generate-plan", body)).json()
        assert planned["withoutEffect"]["fields"] == ["tone"]
        assert "tone will change nothing" in planned["withoutEffect"]["reason"]
        edited = planned["plan"] | {"angle": "For landlords"}
        started = await api.call(
            "POST", "/writer/generate-from-plan", {"articleId": planned["articleId"], "plan": edited}
        )
        assert started.json()["withoutEffect"]["fields"] == ["angle"]
        other = {"nicheId": house.NICHE, "topic": "Solar panels", "tone": "casual"}
        generated = await api.call("POST", "/writer/generate", other)
        assert generated.json()["withoutEffect"]["fields"] == ["tone"]
        usual = await api.call("POST", "/writer/generate-plan", body | {"tone": "professional"})
        assert "withoutEffect" not in usual.json()


@pytest.mark.usefixtures("without_model")
async def test_the_tools_of_agents_tell_it() -> None:
    body = {"agentKey": house.AGENT, "topic": house.COVERED, "language": "en", "tone": "casual"}
    async with open_api() as api, agent(api, api.key) as client:
        assert (await answer_of(client, "plan_article", **body))["withoutEffect"]["fields"] == ["tone"]
        assert (await answer_of(client, "write_article", **body))["withoutEffect"]["fields"] == ["tone"]


async def test_a_model_heeds_everything() -> None:
    body = {"agentKey": house.AGENT, "topic": house.COVERED, "tone": "casual"}
    async with open_api() as api:
        assert "withoutEffect" not in (await api.call("POST", "/writer/generate-plan", body)).json()
