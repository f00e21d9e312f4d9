"""What is wrong with a field of a form, and what became of something, in the language of a page. Rules, targets and
sources say it in English; what has no translation stays as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from typing import Final

from contentgen_core.errors import InvalidInput
from contentgen_http.console.texts import PACKAGE
from contentgen_http.texts import DEFAULT, Texts

FILE: Final = "faults.json"
OUTCOMES: Final = "outcomes.json"
"""Of each: from a sentence in English to that in the language of its folder. `{n}` and `{m}` stand for numbers,
`{text}` and `{rest}` for anything."""
MOST_NAMES: Final = 8
"""Before a sentence, each with a colon: of a target, of a file."""
MOST_CHARACTERS: Final = 1_000
"""Of what is translated; a sentence may hold others, of which a longer one could hold too many."""
_NUMBER: Final = r"-?\d[\d,]*(?:\.\d+)?"
_HOLES: Final = {
    r"\{n\}": rf"(?P<n>{_NUMBER})",
    r"\{m\}": rf"(?P<m>{_NUMBER})",
    r"\{text\}": r"(?P<text>.+?)",
    r"\{rest\}": r"(?P<rest>.+)",
}


def said_fault(message: str, texts: Texts) -> str:
    """A fault of a field as a page in this language says it. `message`: as its rule says it."""
    return _translated(message, FILE, texts, lambda text: text) or message


def said_outcome(message: str, texts: Texts) -> str:
    """What became of something, such as a post at a target, as a page in this language says it: what a target or a
    source answered stays as it is, and so does its name before it."""
    if len(message) > MOST_CHARACTERS:
        return message
    before, rest = "", message
    for _ in range(MOST_NAMES + 1):
        if (said := _said_sentence(rest, texts)) is not None:
            return before + said
        name, colon, rest = rest.partition(": ")
        if not colon:
            break
        before += name + colon
    return message


def _said_sentence(sentence: str, texts: Texts) -> str | None:
    """The same of one sentence, which may have a full stop that it has not in the table; None where it is not there."""

    def said(text: str) -> str | None:
        return _translated(text, OUTCOMES, texts, lambda inner: said_outcome(inner, texts))

    whole = said(sentence)
    if whole is not None or not sentence.endswith("."):
        return whole
    unstopped = said(sentence[:-1])
    return None if unstopped is None else f"{unstopped}."


def language_of_outcome(message: str, texts: Texts) -> str:
    """The language in which `said_outcome` says it."""
    return texts.language if said_outcome(message, texts) != message else DEFAULT


def _translated(message: str, file: str, texts: Texts, inner: Callable[[str], str]) -> str | None:
    """`inner`: says the texts that a sentence holds."""
    for pattern, said in _patterns(texts.language, file):
        if found := pattern.fullmatch(message):
            values = found.groupdict()
            return said.format(**{name: _shown(name, value, texts, inner) for name, value in values.items()})
    return None


def said_faults(error: InvalidInput, texts: Texts) -> list[str]:
    """All that is wrong; the error's own sentence where it names no field."""
    return [said_fault(fault.message, texts) for fault in error.errors] or [error.detail]


def said_detail(error: InvalidInput, texts: Texts) -> str:
    """The sentence of an error that names fields: its own, or each field with what is wrong with it."""
    if error.detail != str(InvalidInput(*error.errors)):
        return error.detail
    return "; ".join(f"{fault.field}: {said_fault(fault.message, texts)}" for fault in error.errors)


def _shown(name: str, value: str, texts: Texts, inner: Callable[[str], str]) -> str:
    return inner(value) if name in ("text", "rest") else texts.number(float(value.replace(",", "")))


@cache
def _patterns(language: str, file: str) -> Sequence[tuple[re.Pattern[str], str]]:
    if language == DEFAULT:
        return ()
    sentences: dict[str, str] = json.loads(
        resources.files(PACKAGE).joinpath("locales", language, file).read_text("utf-8")
    )
    return [(_pattern(english), said) for english, said in sentences.items()]


def _pattern(sentence: str) -> re.Pattern[str]:
    pattern = re.escape(sentence)
    for hole, values in _HOLES.items():
        pattern = pattern.replace(hole, values)
    return re.compile(pattern, re.DOTALL)
