"""True sentences made false by one change, and put in another way without one.

What is changed is found by rules of its own, and not by those of the grounding check: a fact that the check does not
see has to be altered as well."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.fact_words import MONTHS, NUMBER_WORDS

# A digit behind a letter belongs to a code, except in scripts that put no space before a number.
_NUMBER: Final = re.compile(r"(?<![A-Za-z\u00c0-\u024f\u0370-\u052f\d_.,-])\d|[^\W\d_]+")
_WORD: Final = re.compile(r"[^\W\d_]+")
_ASIDE: Final = re.compile(r"\s*\([^()]*\)")
_BESIDE: Final = 6
"""Characters beside a month among which a date has a number."""
NEGATIONS: Final = {
    Language.EN: (
        r"\b(is|are|was|were|can|could|should|must|does|do|has|had|will|would)\b(?! not|n[’'])",
        r"\1 not",
    ),
    Language.FR: (r"\b(est|sont|doit|peut|doivent|peuvent)\b(?! (?:pas|plus|jamais))", r"ne \1 pas"),
    Language.DE: (r"\b(ist|sind|war|waren|kann|können|muss|müssen|wird|werden|hat|haben)\b(?! nicht)", r"\1 nicht"),
    Language.ES: (
        r"(?<!\bno )\b(es|son|está|están|puede|pueden|debe|deben|fue|fueron|era|eran|tiene|tienen)\b",
        r"no \1",
    ),
    Language.IT: (
        r"(?<!\bnon )\b(è|sono|può|possono|deve|devono|fu|furono|era|erano|ha|hanno)\b",
        r"non \1",
    ),
    Language.PT: (
        r"(?<!\bnão )\b(é|são|está|estão|pode|podem|deve|devem|foi|foram|era|eram|tem|têm)\b",
        r"não \1",
    ),
    Language.NL: (r"\b(is|was|waren|kan|kunnen|moet|moeten|wordt|worden|heeft|hebben)\b(?! niet)", r"\1 niet"),
}
"""By language a verb that can be negated, and the verb negated. Other languages have none here."""


def numbers_altered(text: str, language: Language | None) -> Iterator[str]:
    """The sentence as often as it has numbers: one of them changed each time. `language`: of number words; None: digits
    alone."""
    words = NUMBER_WORDS.get(language, {}) if language else {}
    forms = {value: word for word, value in reversed(words.items())}
    for match in _NUMBER.finditer(text):
        if match[0].isdecimal():
            yield put_in_place(match, str(int(match[0]) % 9 + 1))
        elif match[0] in words:
            yield put_in_place(match, forms.get(words[match[0]] + 1, forms[min(forms)]))


def months_altered(text: str, language: Language) -> Iterator[str]:
    """Yield the text with each month of a date, which has a number beside it, changed."""
    numbers = MONTHS.get(language, {})
    forms = {number: word for word, number in reversed(numbers.items())}
    for match in _WORD.finditer(text):
        number = numbers.get(match[0].casefold())
        around = text[max(0, match.start() - _BESIDE) : match.start()] + text[match.end() : match.end() + _BESIDE]
        if number is not None and any(c.isdecimal() for c in around):
            other = forms[number % 12 + 1]
            yield put_in_place(match, other.capitalize() if match[0][0].isupper() else other)


def negate(text: str, language: Language) -> str | None:
    """Return the text with its first verb that can be negated, negated; None where there is none."""
    if language not in NEGATIONS:
        return None
    pattern, negation = NEGATIONS[language]
    match = re.search(pattern, text)
    return None if match is None else put_in_place(match, match.expand(negation))


def replace_name(text: str, own: Sequence[str], others: Sequence[str], known: str) -> str | None:
    """Return the text with the last of its `own` words replaced by the last of the `others` that is not `known`; None
    where there is no such word."""
    new = next((word for word in reversed(others) if word not in known), None)
    if new is None or not own:
        return None
    return re.sub(rf"\b{re.escape(own[-1])}\b", lambda _: new, text)


def remove_asides(text: str) -> str:
    """Remove the text in round brackets: the rest states less, and nothing else."""
    return _ASIDE.sub("", text)


def changed(match: re.Match[str] | None, change: Callable[[str], str]) -> str | None:
    """Return the searched text with the match changed by the function; None without a match."""
    return None if match is None else put_in_place(match, change(match[0]))


def put_in_place(match: re.Match[str], other: str) -> str:
    """Return the searched text with the match replaced by another text."""
    return match.string[: match.start()] + other + match.string[match.end() :]
