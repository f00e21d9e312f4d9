"""Makes the file of countries' names from the package pycountry: `python -m tests.country_names`."""

from __future__ import annotations

import gettext
import json
from pathlib import Path
from typing import Any, Final

import pycountry

from contentgen_adapters.shared import countries
from contentgen_core.model.vocabulary import Language

FILE: Final = Path(countries.__file__).with_name(countries.FILE)
FIELDS: Final = {"name": "name", "common_name": "common", "official_name": "official"}
LOCALES: Final = {Language.NO: "nb", Language.ZH: "zh_CN"}
"""Of pycountry's translations, where their code differs from ours."""


def content() -> str:
    english = {country.alpha_2: _english(country) for country in pycountry.countries}
    known = {name for entry in english.values() for name in entry.values()}
    translated = {language.value: sorted(_translated(known, language) - known) for language in Language}
    found = {
        "english": dict(sorted(english.items())),
        "translated": {language: names for language, names in sorted(translated.items()) if names},
    }
    return json.dumps(found, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n"


def _english(country: Any) -> dict[str, str]:
    return {field: name for theirs, field in FIELDS.items() if (name := getattr(country, theirs, None))}


def _translated(names: set[str], language: Language) -> set[str]:
    """The names in a language; those without a translation stay English."""
    locale = LOCALES.get(language, language.value)
    found = gettext.translation("iso3166-1", pycountry.LOCALES_DIR, languages=[locale], fallback=True)
    return {found.gettext(name) for name in names}


if __name__ == "__main__":
    FILE.write_text(content(), "utf-8")
