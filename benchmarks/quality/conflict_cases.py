"""Pairs of sentences with and without a planted conflict, made of the sentences of a collection with a seed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

from attrs import frozen

from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.facts import Figure, figures

SHORTEST, LONGEST = 40, 220
"""Characters of a sentence from which pairs are made."""

Change = Callable[[str, Random], str | None]


@frozen
class Case:
    """Two sentences with the titles of their documents. `kind`: how the second came of the first; `conflict`: whether
    they say different things of the same."""

    kind: str
    conflict: bool
    one: str
    other: str
    title: str
    other_title: str


@frozen
class Words:
    """The words that change a language's sentences.

    `units`: each with another unit to replace it; `years`: before a year; `auxiliaries`: each with its denial; `verbs`:
    each with a synonym; `openings`: that add nothing; `limits`: that narrow the subject of a sentence; `about`: before
    a rounded figure; `cue`: before a name that the sentence is about.
    """

    units: dict[str, tuple[str, float]]
    years: str
    auxiliaries: dict[str, str]
    verbs: dict[str, str]
    openings: tuple[str, ...]
    limits: tuple[str, ...]
    about: str
    cue: str


def _pairs(words: str) -> dict[str, str]:
    return dict(pair.split("/") for pair in words.split(", "))


WORDS: Final = {
    Language.EN: Words(
        {"km": ("miles", 0.6214), "kg": ("pounds", 2.2046), "m": ("feet", 3.2808), "years": ("months", 12.0)},
        r"in|since|by|until",
        _pairs(
            "is/is not, was/was not, are/are not, were/were not, has/has not, can/cannot, will/will not, had/had not"
        ),
        _pairs(
            "received/got, began/started, built/constructed, ended/finished, includes/contains, founded/established, "
            "located/situated, costs/is priced at, employs/has, released/published, began/commenced, won/took, "
            "large/big, approximately/about, people/inhabitants, reached/came to, lasted/took, houses/homes"
        ),
        ("According to the council, ", "As reported by the press, ", "Officially, ", "Today, "),
        ("In Bavaria, ", "For new members, ", "Outside the capital, ", "On weekdays, "),
        "about ",
        r"(?:by|named|is|was|called)",
    ),
    Language.DE: Words(
        {"km": ("Meilen", 0.6214), "Jahre": ("Monate", 12.0)},
        r"im Jahr|im Jahre|seit|bis|im",
        _pairs("ist/ist nicht, war/war nicht, sind/sind nicht, waren/waren nicht, hat/hat nicht, wurde/wurde nicht"),
        _pairs(
            "erbaut/errichtet, gebaut/errichtet, begann/startete, beträgt/liegt bei, enthält/umfasst, "
            "Einwohner/Bewohner, Unternehmen/Firma, erhielt/bekam, endete/schloss, gegründet/geschaffen"
        ),
        ("Laut dem Bericht, ", "Offiziell, ", "Heute, "),
        ("In Bayern, ", "Für neue Mitglieder, ", "Außerhalb der Hauptstadt, "),
        "etwa ",
        r"(?:von|namens|ist|war)",
    ),
    Language.FR: Words(
        {"km": ("milles", 0.6214), "ans": ("mois", 12.0)},
        r"en|depuis|jusqu'en",
        _pairs("est/n'est pas, était/n'était pas, sont/ne sont pas, a/n'a pas, peut/ne peut pas, fut/ne fut pas"),
        _pairs(
            "construit/bâti, commence/débute, termine/achève, contient/comprend, habitants/résidents, fondé/créé, "
            "entreprise/société, situé/placé, atteint/totalise, reçoit/obtient"
        ),
        ("Selon la mairie, ", "Officiellement, ", "Aujourd'hui, "),
        ("En Bavière, ", "Pour les nouveaux membres, ", "Hors de la capitale, "),
        "environ ",
        r"(?:par|nommé|est|était)",
    ),
    Language.ES: Words(
        {"km": ("millas", 0.6214), "años": ("meses", 12.0)},
        r"en|desde|hasta",
        _pairs("es/no es, era/no era, son/no son, fue/no fue, tiene/no tiene, puede/no puede, está/no está"),
        _pairs(
            "construido/edificado, comienza/empieza, termina/finaliza, contiene/incluye, fundado/creado, "
            "empresa/compañía, situado/ubicado, alcanza/llega a, recibe/obtiene, fundada/creada"
        ),
        ("Según el ayuntamiento, ", "Oficialmente, ", "Hoy, "),
        ("En Baviera, ", "Para los nuevos miembros, ", "Fuera de la capital, "),
        "unos ",
        r"(?:por|llamado|es|era)",
    ),
}
_YEAR: Final = re.compile(r"\b(1[5-9]\d\d|20[0-2]\d)\b")
_SCALED: Final = re.compile(r"\d.*(?:illi|thousand|tausend|mille|mil|hundert|Mio|bn)", re.IGNORECASE)
_MONTHS: Final = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|févr|avr|juin|juil|août|déc|ene|abr|ago|dic|"
    r"märz|mayo)[a-zéûíä]*"
)
_DATED: Final = re.compile(
    rf"^(?:st|nd|rd|th|er|e|\.)?(?: de| of)? {_MONTHS}\b|\b{_MONTHS} (?:the )?$|^:|:$|"
    r"^(?:st|nd|rd|th|er|e|º|ª)\b|^\. [a-zA-Z]",
    re.IGNORECASE,
)
_BOUND: Final = re.compile(
    r"\b(?:more than|over|under|at least|less than|up to|above|below|mehr als|über|unter|mindestens|bis zu|weniger als|"
    r"plus de|moins de|au moins|más de|menos de|al menos) \W?$",
    re.IGNORECASE,
)
_CODE: Final = re.compile(r"[A-ZÀ-Ý]\w*[ -]$|\w-$|\b(?:season|episode|round|rounds|um|vers|circa|c\.) $")
_NAME: Final = r"((?:[A-ZÀ-Ý][a-zà-ÿ]{2,} )?[A-ZÀ-Ý][a-zà-ÿ]{2,})"


class Maker:
    """Makes pairs of the sentences of one language. `names`: of the collection, to replace others."""

    def __init__(self, language: Language, names: Sequence[str]) -> None:
        self.language, self.words, self.names = language, WORDS[language], names

    @property
    def conflicts(self) -> dict[str, Change]:
        return {
            "figure": self.other_figure,
            "date": self.other_year,
            "unit": self.other_unit,
            "negation": self.denied,
            "name": self.other_name,
        }

    @property
    def near_misses(self) -> dict[str, Change]:
        return {
            "reworded": self.reworded,
            "unit converted": self.converted,
            "rounded": self.rounded,
            "written otherwise": self.written_otherwise,
            "other year and figure": self.of_another_year,
            "other subject and figure": self.of_another_subject,
            "narrower and other figure": self.narrower,
        }

    def other_figure(self, text: str, random: Random) -> str | None:
        figure = self._figure(text, random)
        if figure is None:
            return None
        return _exchanged(text, figure, _written(_value(figure) * random.choice((0.5, 0.8, 1.3, 2, 3))))

    def other_year(self, text: str, random: Random) -> str | None:
        """Change the year of a single date that does not come first: a date that comes first says when, and not
        what.
        """
        found = list(_YEAR.finditer(text))
        if len(found) != 1 or found[0].start() < len(text) / 3 or self._figures(text):
            return None
        year = str(int(found[0][0]) + random.choice((-12, -7, -3, 2, 4, 9)))
        return text[: found[0].start()] + year + text[found[0].end() :]

    def other_unit(self, text: str, random: Random) -> str | None:
        for unit, (other, _) in sorted(self.words.units.items(), key=lambda _: random.random()):
            changed = re.sub(rf"(?<=\d)([ -]){unit}\b", rf"\1{other}", text, count=1)
            if changed != text and len(self._figures(text)) == 1:
                return changed
        return None

    def denied(self, text: str, random: Random) -> str | None:
        for plain, denial in sorted(self.words.auxiliaries.items(), key=lambda _: random.random()):
            if len(re.findall(rf"\b{plain}\b", text)) == 1 and not re.search(rf"\b{denial}\b", text):
                return re.sub(rf"\b{plain}\b", denial, text)
        return None

    def other_name(self, text: str, random: Random) -> str | None:
        found = re.search(rf"\b{self.words.cue} {_NAME}(?=[.,;]| [a-zà-ÿ])", text)
        if not found or found.start() < len(text) / 4:
            return None
        like = [name for name in self.names if name.count(" ") == found[1].count(" ") and name not in text]
        return text[: found.start(1)] + random.choice(like) + text[found.end(1) :] if like else None

    def reworded(self, text: str, random: Random) -> str | None:
        changed = self._said_otherwise(text, random)
        return changed if changed != text else None

    def converted(self, text: str, random: Random) -> str | None:
        figure = self._figure(text, random)
        for unit, (other, factor) in self.words.units.items():
            written = figure and re.search(rf"{re.escape(figure.text.split()[0])}([ -]){unit}\b", text)
            if figure and written:
                return text.replace(written[0], f"{_written(_value(figure) * factor)}{written[1]}{other}")
        return None

    def rounded(self, text: str, random: Random) -> str | None:
        figure = self._figure(text, random)
        if not figure or len(figure.text.split()[0].strip("0.,")) < 3:
            return None
        rounded = float(f"{_value(figure):.2g}")
        return _exchanged(text, figure, self.words.about + _written(rounded))

    def written_otherwise(self, text: str, random: Random) -> str | None:
        figure = self._figure(text, random)
        if not figure or _value(figure) < 1_000 or _value(figure) % 1:
            return None
        plain, spaced = f"{_value(figure):.0f}", f"{_value(figure):,.0f}".replace(",", "\u00a0")
        return _exchanged(text, figure, random.choice((plain, spaced)))

    def of_another_year(self, text: str, random: Random) -> str | None:
        found = list(re.finditer(rf"(?<= )(?<![A-Z]\w )(?:{_YEAR.pattern})(?=[ ,.;)]| [a-z])", text))
        dated = len(found) == 1 and re.search(rf"\b(?:{self.words.years}) $", text[: found[0].start()], re.IGNORECASE)
        changed = self.other_figure(text, random) if dated else None
        if changed is None:
            return None
        year = str(int(found[0][0]) + random.choice((-3, -1, 1, 2, 5)))
        return re.sub(rf"\b{found[0][0]}\b", year, changed)

    def of_another_subject(self, text: str, random: Random) -> str | None:
        found = re.search(rf"(?<=[a-zà-ÿ] ){_NAME}", text)
        changed = self.other_figure(text, random)
        if not found or changed is None or found[1] not in changed:
            return None
        other = random.choice([name for name in self.names if name not in text])
        return changed.replace(found[1], other)

    def narrower(self, text: str, random: Random) -> str | None:
        changed = self.other_figure(text, random)
        return changed and random.choice(self.words.limits) + _lower_first(changed)

    def case(self, kind: str, title: str, text: str, random: Random, *, conflict: bool) -> Case | None:
        """Make a case; None if the sentence has nothing of the kind. Half of the second sentences are reworded as
        well.
        """
        change = (self.conflicts if conflict else self.near_misses)[kind]
        changed = change(text, random)
        if changed is None or changed == text:
            return None
        other = self._said_otherwise(changed, random) if random.random() < 0.5 else changed
        return Case(kind, conflict, text, other, title, title)

    def _said_otherwise(self, text: str, random: Random) -> str:
        for verb, other in sorted(self.words.verbs.items(), key=lambda _: random.random()):
            if (changed := re.sub(rf"\b{verb}\b", other, text, count=1)) != text:
                text = changed
                break
        if random.random() < 0.5:
            text = random.choice(self.words.openings) + _lower_first(text)
        if leading := re.match(r"((?:In|Im|En|Seit|Since|Depuis|Desde) (?:\w+ )?\d{4}), (.+?)([.!])$", text):
            text = f"{leading[2][:1].upper()}{leading[2][1:]} {_lower_first(leading[1])}{leading[3]}"
        return text

    def _figures(self, text: str) -> list[Figure]:
        """Return the figures that measure or count, exactly and without a scale in words."""
        found = (f for f in figures(text, self.language) if f.values and f.text[0] != "-")
        return [f for f in found if not _YEAR.fullmatch(f.text) and self._measures(text, f)]

    def _measures(self, text: str, figure: Figure) -> bool:
        at = text.find(figure.text)
        before, after = text[max(0, at - 25) : at], text[at + len(figure.text) : at + len(figure.text) + 12]
        if any(char.isdigit() for char in before[-2:] + after[:2]) or _SCALED.search(figure.text):
            return False
        return not (_BOUND.search(before) or _DATED.match(after) or _DATED.search(before) or _CODE.search(before))

    def _figure(self, text: str, random: Random) -> Figure | None:
        found = [f for f in self._figures(text) if text.count(f.text) == 1 and _value(f) > 0]
        return random.choice(found) if found else None


def _value(figure: Figure) -> float:
    return float(max(figure.values, key=float))


def _written(value: float) -> str:
    if value >= 10 or value == int(value):
        return f"{value:.0f}" if value >= 1 else "1"
    return f"{value:.1f}"


def _exchanged(text: str, figure: Figure, new: str) -> str | None:
    number = re.match(r"[\d.,\u00a0\u202f ]*\d", figure.text)
    if number is None:
        return None
    return text.replace(figure.text, new + figure.text[number.end() :])


def _lower_first(text: str) -> str:
    """Return the sentence with a lower-case first letter, unless the first word is a name."""
    first = text.split(" ", 1)[0]
    small = first in {"The", "A", "In", "It", "Its", "Le", "La", "Les", "El", "Los", "Las", "Die", "Der", "Das", "En"}
    return text[:1].lower() + text[1:] if small else text


def names_in(sentences: Sequence[str]) -> list[str]:
    """Names inside sentences, each once."""
    found: Iterator[re.Match[str]] = (m for text in sentences for m in re.finditer(rf"(?<=[a-zà-ÿ] ){_NAME}", text))
    return sorted({match[1] for match in found})
