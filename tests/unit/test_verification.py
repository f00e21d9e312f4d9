"""`verify` and `verify_text`: the grounding check for programs."""

from __future__ import annotations

from typing import Literal

import pytest

from contentgen_core.model.grounding import GroundingLevel, Verdict
from contentgen_grounded import InvalidInput, Language, Settings, SourceText, in_memory, verify, verify_text

NOTES = [
    SourceText("n1", "Tea", "Green tea is steeped at 80 °C. Black tea is steeped at 95 °C.", "https://tea.example/"),
    SourceText("n2", "Tea water", "Water for green tea stays below 85 °C. Soft water suits tea best."),
]
TEXT = "Soft water suits tea best. Green tea is steeped at 60 °C."


def test_a_text_is_checked_without_asyncio() -> None:
    found = verify(TEXT, NOTES)
    assert [s.verdict is Verdict.SUPPORTED for s in found.grounding.sentences] == [True, False]
    assert found.grounding.level is GroundingLevel.PARTIAL
    assert found.language is Language.EN
    assert {number: passage.document.title for number, passage in found.cited.items()} == {1: "Tea water"}


@pytest.mark.parametrize("embeddings", ["hashed", "auto"])
@pytest.mark.parametrize("lie", ["Green tea causes cancer.", "Green tea is forbidden.", "Black tea explodes."])
def test_what_no_source_says_of_a_known_subject_is_not_supported(
    lie: str, embeddings: Literal["hashed", "auto"]
) -> None:
    found = verify(f"{lie} Soft water suits tea best.", NOTES, settings=Settings(embeddings=embeddings))
    assert [s.verdict is Verdict.SUPPORTED for s in found.grounding.sentences] == [False, True]
    assert found.grounding.sentences[0].missing_facts


async def test_a_text_is_checked_in_an_open_knowledge_base_that_stays_as_it_is() -> None:
    async with in_memory() as services:
        found = await verify_text(services, "Black tea is steeped at 95 °C.", iter(NOTES), language=Language.EN)
        assert found.grounding.level is GroundingLevel.FULL
        assert found.cited[1].document.url == "https://tea.example/"
        with pytest.raises(InvalidInput, match="sources"):
            await verify_text(services, TEXT, [])
        with pytest.raises(InvalidInput, match="text"):
            await verify_text(services, " ", NOTES)
