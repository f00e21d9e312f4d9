"""The texts of the console, which stand in its `locales/`."""

from __future__ import annotations

from typing import Final

from contentgen_http.texts import Texts, texts_of_package

PACKAGE: Final = "contentgen_http.console"


def texts_in(language: str) -> Texts:
    """`language`: one of LANGUAGES."""
    return texts_of_package(language, PACKAGE)
