"""POST /grounding/verify: a text from elsewhere against sources, documents or a knowledge base."""

from __future__ import annotations

from typing import Any

import pytest

from contentgen_core.use_cases.articles import verify_text
from tests.support.http import NICHE, Api, open_api, problem_of

SHEET = "The heat pump Aero weighs 82 kg. It stands on four feet. The guarantee lasts 7 years."
OTHER = "The boiler Terra weighs 140 kg. Its guarantee lasts 2 years."
TEXT = "# Aero [1]\n\nThe heat pump Aero weighs 82 kg [7]. The guarantee lasts 9 years.\n\nThe moon is made of cheese."
SOURCES = [{"title": "Terra", "text": OTHER}, {"title": "Aero", "text": SHEET, "url": "https://aero.example/"}]


async def verified(api: Api, **body: Any) -> dict[str, Any]:
    answer = await api.call("POST", "/grounding/verify", body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_each_sentence_says_which_source_supports_it_or_what_they_lack() -> None:
    async with open_api() as api:
        found = await verified(api, text=TEXT, sources=SOURCES)
        assert [s["verdict"] == "supported" for s in found["sentences"]] == [True, False, False]
        first, second, _ = found["sentences"]
        assert first["citations"] == [1]
        assert second["citations"] == []
        assert second["missingFacts"]
        [cited] = found["sources"]
        assert (cited["number"], cited["parentId"], cited["url"]) == (1, "source-2", "https://aero.example/")
        support = first["support"]
        assert "82 kg" in cited["text"][support["start"] : support["end"]]
        assert (found["level"], found["language"], found["verifier"]) == ("partial", "en", "lexical")
        assert found["totals"]["citationRecall"] == pytest.approx(1 / 3, abs=1e-4)
        assert await api.house.articles_used() == 0


async def test_a_text_in_another_language_than_it_claims_is_not_full() -> None:
    text = "Die Pumpe wiegt nur 82 kg und steht auf vier Füßen, die man mit der Hand in der Höhe verstellen kann."
    async with open_api() as api:
        for language, level in (("de", "full"), ("en", "partial")):
            found = await verified(api, text=text, sources=[{"title": "Pumpe", "text": text}], language=language)
            assert (found["sentences"][0]["verdict"], found["level"]) == ("supported", level)


async def test_two_sources_together_are_no_evidence_for_a_sentence() -> None:
    async with open_api() as api:
        found = await verified(api, text="The heat pump Aero weighs 140 kg.", sources=SOURCES)
        assert (found["level"], found["sources"]) == ("none", [])


@pytest.mark.parametrize(
    ("lie", "missing"),
    [
        ("The heat pump Aero causes cancer.", "cancer"),
        ("The heat pump Aero stands on four explosives.", "explosives"),
        ("The guarantee of the heat pump Aero is forbidden.", "forbidden"),
    ],
)
async def test_what_no_source_says_of_a_known_subject_is_named(lie: str, missing: str) -> None:
    async with open_api() as api:
        found = await verified(api, text=f"{lie} The heat pump Aero weighs 82 kg.", sources=SOURCES)
        assert [s["verdict"] for s in found["sentences"]] == ["unsupported", "supported"]
        assert missing in found["sentences"][0]["missingFacts"]


async def test_a_text_is_checked_against_a_niche_or_documents() -> None:
    async with open_api() as api:
        text = "Defrosting costs some efficiency. A south roof yields 900 kWh over a year."
        found = await verified(api, text=text, nicheKey=NICHE)
        assert [s["verdict"] == "supported" for s in found["sentences"]] == [True, False]
        assert found["sources"][0]["title"] == "Heat pumps in winter"
        uploaded = await api.call("POST", "/documents/upload", files={"file": ("sheet.md", SHEET.encode())})
        await api.house.work()
        await api.house.services.knowledge.apply_index_changes.drain("test")
        document = uploaded.json()["id"]
        found = await verified(api, text=TEXT, documentIds=[document])
        assert [s["verdict"] == "supported" for s in found["sentences"]] == [True, False, False]
        assert found["sources"][0]["parentId"] == document


async def test_a_long_text_takes_a_bounded_number_of_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify_text, "MAX_SEARCHES", 2)
    text = (
        "Defrosting costs some efficiency. The moon is made of cheese. A south roof yields most over a year. Yes it is."
    )
    async with open_api() as api:
        found = await verified(api, text=text, nicheKey=NICHE, language="en")
        assert [s["verdict"] == "supported" for s in found["sentences"]] == [True, False, True, False]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"text": TEXT}, "sources"),
        ({"text": TEXT, "sources": SOURCES, "nicheKey": NICHE}, "sources"),
        ({"text": " ", "sources": SOURCES}, "text"),
        ({"text": "## ---", "sources": SOURCES}, "text"),
        ({"text": TEXT, "sources": [{"text": "# "}]}, "sources"),
        ({"text": TEXT, "sources": [{"text": "a" * 300_000}] * 2}, "sources"),
        ({"text": TEXT, "sources": [{"text": "a\x00b"}]}, "sources[0].text"),
        ({"text": TEXT, "sources": [{"text": "a", "title": "t" * 400}]}, "sources[0].title"),
        ({"text": "a" * 100_001, "sources": SOURCES}, "text"),
        ({"text": TEXT, "documentIds": []}, "documentIds"),
    ],
)
async def test_what_cannot_be_checked_is_told_by_field(body: dict[str, Any], field: str) -> None:
    async with open_api() as api:
        problem = problem_of(await api.call("POST", "/grounding/verify", body))
        assert problem["code"] == "invalid_input"
        assert field in [fault["field"] for fault in problem["errors"]]


async def test_what_the_caller_does_not_have_is_not_found() -> None:
    async with open_api() as api:
        for body in ({"nicheKey": "nowhere"}, {"documentIds": ["nothing"]}):
            answer = await api.call("POST", "/grounding/verify", {"text": TEXT, **body})
            assert (answer.status_code, problem_of(answer)["code"]) == (404, "not_found")


async def test_a_fact_of_another_product_is_out_of_context() -> None:
    async with open_api() as api:
        sheets = [
            {"title": "Borea 7", "text": "The Borea 7 is quiet and competes with the Kestrel K2."},
            {"title": "Kestrel K2", "text": "Unlike the Borea 7, the unit is heavy. The warranty covers 84 months."},
        ]
        found = await verified(api, text="# Borea 7\n\nThe warranty covers 84 months.", sources=sheets)
        assert [s["verdict"] for s in found["sentences"]] == ["outOfContext"]
        assert found["level"] != "full"
        named = await verified(api, text="# Kestrel K2\n\nThe warranty covers 84 months.", sources=sheets)
        assert [s["verdict"] for s in named["sentences"]] == ["supported"]
