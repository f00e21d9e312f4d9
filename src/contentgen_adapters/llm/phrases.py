"""Fixed phrases of articles, and word lists that classify sentences, in the 28 languages."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

import cattrs
from attrs import frozen

from contentgen_core.model.topic_gap import GapKind
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.content_model import SectionRequest


@frozen
class Phrases:
    """The phrases of one language, from `phrases.toml`, which explains each field."""

    english: str
    introduction: str
    takeaways: str
    faq: str
    further: str
    intro_goal: str
    takeaways_goal: str
    theme_goal: str
    angle: str
    audience: str
    no_source: str
    outline_only: str
    outline: tuple[str, str, str]
    outline_notes: tuple[str, str, str]
    suggest_reason: str
    gap_reasons: dict[GapKind, str]
    judge_shared: str
    judge_near: str
    judge_meant: str
    judge_none: str
    dangling: tuple[str, ...]
    standing: tuple[str, ...]
    definitions: tuple[str, ...]
    advice: tuple[str, ...]
    generic: frozenset[str]
    asking: tuple[str, ...]
    colon: str = ": "
    question_mark: str = "?"
    spaced: bool = True

    @property
    def unsourced(self) -> str:
        """The notice in an article without any source."""
        gap = "" if self.no_source.endswith("。") else " "
        return f"{self.no_source}{gap}{self.outline_only}"

    def points_back(self, sentence: str) -> bool:
        """Whether a sentence starts with a word that refers to the text before it."""
        return _starts(self.dangling, self.spaced, sentence) and not _starts(self.standing, self.spaced, sentence)

    def defines(self, sentence: str) -> bool:
        return _holds(self.definitions, self.spaced, sentence)

    def advises(self, sentence: str) -> bool:
        return _holds(self.advice, self.spaced, sentence)

    def asks(self, heading: str) -> bool:
        """Whether a heading is a question, with or without question mark."""
        return _starts(self.asking, self.spaced, heading)

    def is_generic(self, heading: str) -> bool:
        """Whether a heading cannot be understood without its document's subject."""
        return fold(heading) in self.generic or _starts(tuple(sorted(self.generic)), self.spaced, heading)

    def as_question(self, heading: str) -> str:
        """The heading with its question mark where it is a question, else nothing."""
        if heading.endswith(("?", "？", "؟", self.question_mark.strip())):
            return heading
        return heading + self.question_mark if heading and self.asks(heading) else ""


def fold(text: str) -> str:
    """Case folded, with straight apostrophes."""
    return text.casefold().replace("’", "'")


def _starts(words: tuple[str, ...], spaced: bool, text: str) -> bool:
    return _pattern(words, spaced).match(fold(text)) is not None


def _holds(words: tuple[str, ...], spaced: bool, text: str) -> bool:
    return _pattern(words, spaced).search(fold(text)) is not None


@cache
def _pattern(words: tuple[str, ...], spaced: bool) -> re.Pattern[str]:
    if not words:
        return re.compile(r"(?!)")
    either = "|".join(re.escape(fold(word)) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{either})(?![\w-])" if spaced else rf"(?:{either})")


@cache
def _load_all() -> dict[Language, Phrases]:
    data = tomllib.loads(files(__package__).joinpath("phrases.toml").read_text(encoding="utf-8"))
    return cattrs.Converter(forbid_extra_keys=True).structure(data, dict[Language, Phrases])


def phrases(language: Language) -> Phrases:
    return _load_all()[language]


def heading_of(request: SectionRequest) -> str:
    """Return the heading of a draft: the plan's, or for questions the standard one of the article's language."""
    return phrases(request.brief.language).faq if request.is_faq else request.section.heading
