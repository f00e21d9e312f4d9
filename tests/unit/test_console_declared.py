"""What targets and kinds of sources declare, and what rules say of a field, in the languages of the console."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.publishing.catalog import built_in
from contentgen_adapters.sources.catalog import _PLAIN, PROVIDERS
from contentgen_core.errors import InvalidInput
from contentgen_core.model.article_plan import ArticlePlan, FaqEntry, PlanSection, SourceRef, validate_edited_plan
from contentgen_http.console.declared import declared, language_of_declared, translations
from contentgen_http.console.faults import said_fault, said_faults
from contentgen_http.console.texts import texts_in
from contentgen_http.texts import DEFAULT, LANGUAGES

OTHERS: Final = [language for language in LANGUAGES if language != DEFAULT]


def all_declared() -> Iterator[str]:
    kinds = [*_PLAIN, *(provider.info for provider in PROVIDERS)]
    for kind in kinds:
        yield from (kind.name, kind.place, *kind.unverified)
    groups = [kind.fields for kind in kinds]
    for provider in built_in():
        yield from (provider.info.constraints.body_format, *provider.info.constraints.cannot)
        groups += [provider.info.credential_fields, provider.info.setting_fields]
    for field in (field for group in groups for field in group):
        yield from (field.label, *((field.help,) if field.help else ()), *(choice.label for choice in field.choices))


@pytest.mark.parametrize("language", OTHERS)
def test_all_that_is_declared_is_translated_and_nothing_else(language: str) -> None:
    assert set(all_declared()) == set(translations(language))
    assert all(text.strip() for text in translations(language).values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_another_package_declares_stays_and_is_marked_as_english(language: str) -> None:
    texts = texts_in(language)
    assert declared("Colour of the bike shed", texts) == "Colour of the bike shed"
    assert language_of_declared("Colour of the bike shed", texts) == "en"
    assert language_of_declared("Signing secret", texts) == language


def test_each_fault_of_a_plan_is_said_in_the_language_of_the_page() -> None:
    section = PlanSection("", key_points=("",) * 13, source_ids=(SourceRef("nope", 1),), target_words=1)
    long = PlanSection("h" * 201, target_words=2_001)
    plan = ArticlePlan("", sections=(section, *[long] * 20), faq=(FaqEntry("?"),) * 11)
    with pytest.raises(InvalidInput) as raised:
        validate_edited_plan(plan, (), 1_500)
    error = raised.value
    english, french = (said_faults(error, texts_in(language)) for language in ("en", "fr"))
    assert english == [fault.message for fault in error.errors]
    assert len(set(english)) == 8
    for fault, said in zip(english, french, strict=True):
        assert said != fault
    assert "2 000" in said_fault("between 20 and 2,000", texts_in("fr")).replace("\u202f", " ").replace("\u00a0", " ")


@given(st.text(max_size=60), st.sampled_from(list(LANGUAGES)))
def test_any_fault_is_said_somehow(message: str, language: str) -> None:
    said = said_fault(message, texts_in(language))
    assert said if message else said == message
