"""The shared enumerations of the service (specification, "Shared enumerations")."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen


class Language(StrEnum):
    FR = "fr"
    EN = "en"
    ES = "es"
    DE = "de"
    IT = "it"
    PT = "pt"
    NL = "nl"
    PL = "pl"
    SV = "sv"
    NO = "no"
    DA = "da"
    FI = "fi"
    CS = "cs"
    HU = "hu"
    RO = "ro"
    EL = "el"
    TR = "tr"
    UK = "uk"
    ZH = "zh"
    JA = "ja"
    KO = "ko"
    TH = "th"
    VI = "vi"
    ID = "id"
    HI = "hi"
    AR = "ar"
    RU = "ru"
    HE = "he"


class Tone(StrEnum):
    """Direct generation accepts DIRECT_TONES, plans and niche activation accept PLAN_TONES."""

    PROFESSIONAL = "professional"
    CASUAL = "casual"
    EXPERT = "expert"
    INFORMATIVE = "informative"
    PERSUASIVE = "persuasive"
    EDUCATIONAL = "educational"
    CREATIVE = "creative"
    TECHNICAL = "technical"
    FRIENDLY = "friendly"
    JOURNALISTIC = "journalistic"


class Processing(StrEnum):
    """The time within which a model answers. standard: at once; batch: within a day, at a lower price."""

    STANDARD = "standard"
    BATCH = "batch"


DIRECT_TONES: Final = frozenset({Tone.PROFESSIONAL, Tone.CASUAL, Tone.EDUCATIONAL, Tone.JOURNALISTIC})
PLAN_TONES: Final = frozenset(Tone) - {Tone.JOURNALISTIC}


class ArticleLength(StrEnum):
    SHORT = "short"
    STANDARD = "standard"
    LONG = "long"
    VERY_LONG = "very_long"


@frozen
class LengthBounds:
    """The bounds of an article's words, its number of sections, and the number of passages it is written from."""

    min_words: int
    max_words: int
    sections: int
    passages: int

    @property
    def target_words(self) -> int:
        return (self.min_words + self.max_words) // 2


LENGTHS: Final[dict[ArticleLength, LengthBounds]] = {
    ArticleLength.SHORT: LengthBounds(300, 600, 3, 12),
    ArticleLength.STANDARD: LengthBounds(600, 1200, 5, 20),
    ArticleLength.LONG: LengthBounds(1200, 2200, 7, 32),
    ArticleLength.VERY_LONG: LengthBounds(2200, 4000, 10, 48),
}


class PrivateDocsMode(StrEnum):
    DISABLED = "disabled"
    MANUAL = "manual"
    AUTO = "auto"
