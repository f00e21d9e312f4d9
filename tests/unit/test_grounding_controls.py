"""The grounding check against articles that were tampered with, written from the demonstration's sources."""

import asyncio

import pytest
from benchmarks.quality import grounding_controls as controls

from contentgen_core.model.vocabulary import Language

BOTH = [Language.EN, Language.FR]


@pytest.fixture(scope="module")
def written() -> dict[Language, list[controls.Written]]:
    articles = asyncio.run(controls.written())
    return {language: [a for a in articles if a.language is language] for language in BOTH}


Articles = dict[Language, list[controls.Written]]


@pytest.mark.parametrize("language", BOTH)
def test_clean_sentences_are_supported(written: Articles, language: Language) -> None:
    assert controls.share_supported(written[language], controls.clean(written[language])) >= 0.97


@pytest.mark.parametrize("language", BOTH)
def test_sources_of_another_article_support_next_to_nothing(written: Articles, language: Language) -> None:
    assert controls.share_supported(written[language], controls.shuffled(written[language])) <= 0.05


def test_altered_numbers_are_flagged(written: Articles) -> None:
    """Both languages together: the French sources have too few numbers for a share of their own."""
    supported = [
        (controls.share_supported(written[language], altered), len(altered))
        for language in BOTH
        if (altered := controls.altered(written[language]))
    ]
    total = sum(count for _, count in supported)
    assert total >= 100
    assert sum(share * count for share, count in supported) / total <= 0.02


@pytest.mark.parametrize("language", BOTH)
def test_negated_sentences_are_flagged(written: Articles, language: Language) -> None:
    assert controls.share_supported(written[language], controls.negated(written[language])) <= 0.02


@pytest.mark.parametrize("language", BOTH)
def test_invented_sentences_are_flagged(written: Articles, language: Language) -> None:
    assert controls.share_supported(written[language], controls.invented(written[language])) == 0.0
