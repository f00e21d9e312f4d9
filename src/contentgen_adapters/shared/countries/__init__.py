"""Countries of ISO 3166-1 and their names in our languages, as the project iso-codes has them.

`names.json` has them; `python -m tests.country_names` makes it from the package pycountry, which only tests need."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Final

import msgspec

from contentgen_core.model.vocabulary import Language


class _English(msgspec.Struct):
    name: str
    common: str | None = None
    official: str | None = None


class _Names(msgspec.Struct):
    english: dict[str, _English]
    """By code of two letters."""
    translated: dict[Language, msgspec.Raw]
    """Lists of names, which are only read for a language that is asked for."""


FILE: Final = "names.json"


def country_codes() -> frozenset[str]:
    """Return the codes of two letters of all countries."""
    return frozenset(_names().english)


def usual_name(code: str) -> str | None:
    """Return the English name that a country is usually called by, None for an unknown code."""
    known = _names().english.get(code)
    return (known.common or known.name) if known else None


def country_names(language: Language) -> frozenset[str]:
    """Return the short, common and official names of all countries in English and in a language."""
    names = _names()
    english = (name for entry in names.english.values() for name in (entry.name, entry.common, entry.official) if name)
    translated = names.translated.get(language)
    return frozenset((*english, *(msgspec.json.decode(translated, type=list[str]) if translated else ())))


@cache
def _names() -> _Names:
    return msgspec.json.decode(resources.files(__package__).joinpath(FILE).read_bytes(), type=_Names)
