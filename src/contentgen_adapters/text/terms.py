"""Reduce the words of a text to terms (stems)."""

from __future__ import annotations

import re
import threading
from typing import Final, NamedTuple

import Stemmer

from contentgen_adapters.shared.text.folding import folding, normal_form
from contentgen_adapters.shared.text.stop_words import stop_words
from contentgen_adapters.text.numbers import canonical, is_number
from contentgen_core.model.vocabulary import Language

MAX_WORD: Final = 100  # longer runs are not words (base64, a hash) and are cut
SIGNS: Final = frozenset("%‰§€$£¥₹₩₽₺₴₪฿")  # symbols that count as words
_RAISED: Final = re.compile("[⁰¹²³⁴-⁹]+")  # a footnote mark, not a number of the text

_SNOWBALL: Final[dict[Language, str]] = {
    Language.FR: "french",
    Language.EN: "english",
    Language.ES: "spanish",
    Language.DE: "german",
    Language.IT: "italian",
    Language.PT: "portuguese",
    Language.NL: "dutch",
    Language.PL: "polish",
    Language.SV: "swedish",
    Language.NO: "norwegian",
    Language.DA: "danish",
    Language.FI: "finnish",
    Language.CS: "czech",
    Language.HU: "hungarian",
    Language.RO: "romanian",
    Language.EL: "greek",
    Language.TR: "turkish",
    Language.ID: "indonesian",
    Language.HI: "hindi",
    Language.AR: "arabic",
    Language.RU: "russian",
}
_ELISION: Final[dict[Language, re.Pattern[str]]] = {
    language: re.compile(rf"({prefixes})['’ʼ‘＇](?=\w)", re.IGNORECASE)
    for language, prefixes in {
        Language.FR: "[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu",
        Language.IT: "[cdlmnstv]|gl|un|all|coll|dall|dell|nell|sull|quell|quest|bell|sant|senz|anch|com|dov",
        Language.PT: "d",
    }.items()
}
# Endings that always have an accent: without it the stemmer's rule for them would not apply.
_RESTORED: Final[dict[Language, tuple[tuple[re.Pattern[str], str], ...]]] = {
    Language.FR: ((re.compile(r"ite(s?)$"), r"ité\1"), (re.compile(r"ee(s?)$"), r"ée\1")),
    Language.ES: ((re.compile(r"([cs])ion$"), r"\1ión"), (re.compile(r"([fgm])ia(s?)$"), r"\1ía\2")),
    Language.PT: (
        (re.compile(r"cao$"), "ção"),
        (re.compile(r"coes$"), "ções"),
        (re.compile(r"([eâ])ncia(s?)$"), r"ência\2"),
    ),
}
_MARKS: Final = {Language.TR: "'", Language.FI: ":"}  # before an ending
_KOREAN_PARTICLES: Final = (
    "에서는 에게서 으로서 으로써 이라고 까지 부터 에서 에게 한테 께서 처럼 보다 으로 이다 입니다 이며 이나 "
    "은 는 이 가 을 를 에 의 로 와 과 도 만"
)
_UKRAINIAN_ENDINGS: Final = (
    "ями ами ові еві єві ого ього ому ьому ими іми їми ах ях ам ям ом ем єм ою ею єю ів їв ій ої ьої их им "
    "а я у ю і ї и е є о"
)
_ENDINGS: Final[dict[Language, tuple[tuple[str, ...], int]]] = {
    # endings, and the fewest characters that remain
    Language.KO: (tuple(_KOREAN_PARTICLES.split()), 2),
    Language.UK: (tuple(_UKRAINIAN_ENDINGS.split()), 3),
}


class Part(NamedTuple):
    """A word at [start, end) of an ICU segment. `stop`: whether it is a stop word."""

    start: int
    end: int
    term: str
    stop: bool

    def moved(self, by: int) -> Part:
        """Return the same part, this many characters further on."""
        return self._replace(start=self.start + by, end=self.end + by)


class TermRules:
    """The rules of one language for words and terms. Thread-safe: each thread has its own stemmer."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._table = folding(language)
        self._stops = frozenset(self._fold(word) for word in stop_words(language))
        self._elision = _ELISION.get(language)
        self._restored = _RESTORED.get(language, ())
        self._mark = _MARKS.get(language)
        self._lowers = normal_form("I", language) == "i"
        self._threads = threading.local()

    def parts(self, segment: str) -> tuple[Part, ...]:
        """Return the words of an ICU segment: none for a separator, two for an elision (`l'énergie`)."""
        if self._lowers and segment.isascii() and segment.isalpha():
            return (self._letters(segment),)
        if not (segment.isalnum() or any(c.isalnum() for c in segment)) or _RAISED.fullmatch(segment):
            return (Part(0, len(segment), segment, False),) if segment in SIGNS else ()
        elided = self._elision.match(segment) if self._elision else None
        if not elided:
            return (self.part(segment, 0),)
        article = Part(0, elided.end(), self._fold(normal_form(elided[1], self._language)), True)
        return article, self.part(segment[elided.end() :], elided.end())

    def part(self, word: str, start: int) -> Part:
        """The part for a word or number (also `1 000`) that begins at `start` of its segment."""
        if is_number(word[:MAX_WORD]):
            return Part(start, start + len(word), canonical(word[:MAX_WORD], self._language), False)
        plain = self._head(normal_form(word[:MAX_WORD], self._language))
        stop = self._fold(plain) in self._stops and not _is_acronym(word)
        term = "".join(self._fold(self._stem(plain)).split()) or "".join(plain.split()) or word[:MAX_WORD]
        return Part(start, start + len(word), term, stop)

    def _letters(self, word: str) -> Part:
        """Return the part for a word of ASCII letters only, as most are: it is not a number, and nothing is cut from
        it. A fast path of `part`.
        """
        plain = word[:MAX_WORD].lower()
        stop = plain in self._stops and not _is_acronym(word)
        return Part(0, len(word), self._fold(self._stem(plain)) or plain, stop)

    def _fold(self, word: str) -> str:
        return word if word.isascii() else word.translate(self._table)

    def _head(self, word: str) -> str:
        """The word without the ending that Turkish and Finnish separate by a mark (`Türkiye'de`, `EU:n`)."""
        return word.partition(self._mark)[0] or word if self._mark else word

    def _stem(self, word: str) -> str:
        for ending, accented in self._restored:
            word = ending.sub(accented, word)
        if self._language in _SNOWBALL:
            stem: str = self._stemmer().stemWord(word)
            return stem
        if self._language in _ENDINGS:
            word = _without_ending(word, *_ENDINGS[self._language])
            return word.rstrip("іьй") or word  # letters between a Ukrainian stem and its ending
        return word

    def _stemmer(self) -> Stemmer.Stemmer:
        stemmer = getattr(self._threads, "stemmer", None)
        if stemmer is None:
            # Cache size 0: our own cache precedes it.
            stemmer = self._threads.stemmer = Stemmer.Stemmer(_SNOWBALL[self._language], 0)
        return stemmer


def _is_acronym(word: str) -> bool:
    """Whether the word is a name of two capitals (`IT`, `US`), which are stop words in lower case."""
    return len(word) == 2 and word.isalpha() and word.isupper()


def _without_ending(word: str, endings: tuple[str, ...], least: int) -> str:
    """The word without the longest of the endings that leaves at least `least` characters."""
    fitting = [e for e in endings if word.endswith(e) and len(word) - len(e) >= least]
    return word[: -len(max(fitting, key=len))] if fitting else word
