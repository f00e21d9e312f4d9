"""Countries and their names, which come with the package."""

from __future__ import annotations

import pycountry
import pytest

from contentgen_adapters.entities.types import type_of
from contentgen_adapters.shared.countries import country_codes, country_names, usual_name
from contentgen_core.model.entity import EntityType
from contentgen_core.model.vocabulary import Language
from tests import country_names as generator


def test_the_file_is_what_its_generator_makes() -> None:
    assert generator.FILE.read_text("utf-8") == generator.content()


def test_all_countries_of_the_standard_are_known() -> None:
    assert country_codes() == {country.alpha_2 for country in pycountry.countries}
    assert len(country_codes()) == 249


@pytest.mark.parametrize("language", Language)
def test_each_language_has_its_names_and_the_english_ones(language: Language) -> None:
    names = country_names(language)
    assert names >= country_names(Language.EN) >= {"Germany", "Federal Republic of Germany", "Viet Nam", "Vietnam"}
    assert (len(names) - len(country_names(Language.EN)) > 250) is (language is not Language.EN)


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("Bundesrepublik Deutschland", Language.DE),
        ("birmanie", Language.FR),
        ("Norge", Language.NO),
        ("德国", Language.ZH),
        ("Німеччина", Language.UK),
        ("Germany", Language.JA),
    ],
)
def test_a_country_is_a_place(name: str, language: Language) -> None:
    assert type_of(name, language) is EntityType.PLACE
    assert type_of(name, Language.EN) is (EntityType.PLACE if name == "Germany" else EntityType.CONCEPT)


def test_a_country_has_the_name_that_it_is_usually_called_by() -> None:
    assert [usual_name(code) for code in ("DE", "VN", "ZZ")] == ["Germany", "Vietnam", None]
