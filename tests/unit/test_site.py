"""How the public pages present themselves: colours that can be read, and the same texts in each language."""

from __future__ import annotations

import re
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.article import PublicCategory
from contentgen_core.model.site import DARK_GROUND, LEAST_CONTRAST, LIGHT_GROUND, Site, contrast
from contentgen_core.model.trend import TrendCategory
from contentgen_grounded.settings import BadSetting
from contentgen_grounded.settings import load as load_settings
from contentgen_http.public.site.style import policy, style
from contentgen_http.texts import LANGUAGES, catalogues

colours = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#ffffff", "#ffffff", 1.0),
        ("#777777", "#ffffff", 4.48),
        ("#0b4f8a", "#fff000", 7),
    ],
)
def test_contrast_is_that_of_the_guidelines(one: str, other: str, expected: float) -> None:
    assert contrast(one, other) == pytest.approx(expected, abs=0.2)


@given(colours, colours)
def test_contrast_is_of_two_colours_in_any_order(one: str, other: str) -> None:
    assert contrast(one, other) == contrast(other, one)
    assert 1 <= contrast(one, other) <= 21


@given(colours, colours)
def test_a_site_has_no_colour_that_cannot_be_read(light: str, dark: str) -> None:
    readable = contrast(light, LIGHT_GROUND) >= LEAST_CONTRAST and contrast(dark, DARK_GROUND) >= LEAST_CONTRAST
    if not readable:
        with pytest.raises(ValueError, match="cannot be read"):
            Site(colour=light, dark_colour=dark)
        return
    site = Site(colour=light, dark_colour=dark)
    assert f"--accent:{light}" in style(site)
    assert "'sha256-" in policy(site)


def test_settings_refuse_what_is_no_colour() -> None:
    with pytest.raises(BadSetting, match="SITE_COLOUR"):
        load_settings({"CONTENTGEN_SITE_COLOUR": "red;}"})


def texts(language: str) -> dict[str, frozenset[str]]:
    found = {}
    for _, source in catalogues(language, "contentgen_http.public.site"):
        for entry in re.split(r"\n(?=\S)", source):
            name, equals, text = entry.partition(" = ")
            if equals:
                found[name] = frozenset(re.findall(r"\{ \$(\w+)", text))
    return found


def test_each_language_has_the_same_texts_and_pages_name_all_of_them() -> None:
    english = texts("en")
    assert {language: texts(language) for language in LANGUAGES} == dict.fromkeys(LANGUAGES, english)
    folder = resources.files("contentgen_http.public.site").joinpath("templates")
    named = {id for file in folder.iterdir() for id in re.findall(r"\bt\('([\w-]+)'\s*[,)]", file.read_text("utf-8"))}
    made = {f"category-{category.value}" for category in PublicCategory}
    made |= {f"kind-{kind.value}" for kind in TrendCategory}
    assert set(english) == named | made
