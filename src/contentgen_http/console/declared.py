"""What targets and kinds of sources declare of themselves, in the language of a page. They declare it in English, since
other packages may bring some; what has no translation stays as it is, and is marked as English."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final

from contentgen_http.console.texts import PACKAGE
from contentgen_http.texts import DEFAULT, Texts

FILE: Final = "declared.json"
"""From each text in English to that in the language of its folder."""


@cache
def translations(language: str) -> Mapping[str, str]:
    """Those of a language, by the English text; none for English."""
    if language == DEFAULT:
        return {}
    found: dict[str, str] = json.loads(resources.files(PACKAGE).joinpath("locales", language, FILE).read_text("utf-8"))
    return found


def declared(text: str, texts: Texts) -> str:
    """A declared text as a page in this language says it."""
    return translations(texts.language).get(text, text)


def language_of_declared(text: str, texts: Texts) -> str:
    """The language in which `declared` says it."""
    return texts.language if text in translations(texts.language) else DEFAULT
