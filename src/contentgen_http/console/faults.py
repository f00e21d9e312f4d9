"""What is wrong with a field of a form, in the language of a page. Rules say it in English; what has no translation
stays as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Final

from contentgen_core.errors import InvalidInput
from contentgen_http.console.texts import PACKAGE
from contentgen_http.texts import DEFAULT, Texts

FILE: Final = "faults.json"
"""From each sentence in English to that in the language of its folder. `{n}` and `{m}` stand for numbers, `{text}` for
anything."""
_HOLES: Final = {r"\{n\}": r"(?P<n>-?\d[\d,]*)", r"\{m\}": r"(?P<m>-?\d[\d,]*)", r"\{text\}": r"(?P<text>.+)"}


def said_fault(message: str, texts: Texts) -> str:
    """A fault of a field as a page in this language says it. `message`: as its rule says it."""
    for pattern, said in _patterns(texts.language):
        if found := pattern.fullmatch(message):
            values = found.groupdict()
            return said.format(**{name: _shown(name, value, texts) for name, value in values.items()})
    return message


def said_faults(error: InvalidInput, texts: Texts) -> list[str]:
    """All that is wrong; the error's own sentence where it names no field."""
    return [said_fault(fault.message, texts) for fault in error.errors] or [error.detail]


def said_detail(error: InvalidInput, texts: Texts) -> str:
    """The sentence of an error that names fields: its own, or each field with what is wrong with it."""
    if error.detail != str(InvalidInput(*error.errors)):
        return error.detail
    return "; ".join(f"{fault.field}: {said_fault(fault.message, texts)}" for fault in error.errors)


def _shown(name: str, value: str, texts: Texts) -> str:
    return value if name == "text" else texts.number(int(value.replace(",", "")))


@cache
def _patterns(language: str) -> Sequence[tuple[re.Pattern[str], str]]:
    if language == DEFAULT:
        return ()
    sentences: dict[str, str] = json.loads(
        resources.files(PACKAGE).joinpath("locales", language, FILE).read_text("utf-8")
    )
    return [(_pattern(english), said) for english, said in sentences.items()]


def _pattern(sentence: str) -> re.Pattern[str]:
    pattern = re.escape(sentence)
    for hole, values in _HOLES.items():
        pattern = pattern.replace(hole, values)
    return re.compile(pattern, re.DOTALL)
