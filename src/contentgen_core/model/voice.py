"""Voices: how a tenant's articles are to read, as measured in samples of its texts and as said in words."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import frozen

from contentgen_core.model.ids import TenantId, VoiceId
from contentgen_core.model.vocabulary import Language

MAX_VOICES: Final = 50
"""Of a tenant."""
MAX_NAME: Final = 100
MAX_GUIDE: Final = 4_000
MAX_SAMPLES: Final = 20
MAX_SAMPLE: Final = 50_000
"""Characters of one sample."""
MAX_ALL_SAMPLES: Final = 200_000
"""Characters of all samples together."""
MIN_SAMPLE_WORDS: Final = 50
"""Of all samples together: fewer tell nothing of the habits of a writer."""
MAX_TERMS: Final = 200
MAX_TERM: Final = 100


class Person(StrEnum):
    """Who speaks, or is spoken to."""

    I = "i"  # noqa: E741 - the pronoun
    WE = "we"
    YOU = "you"
    IMPERSONAL = "impersonal"


class Formality(StrEnum):
    """Of address (vous or tu, Sie or du), in English of contractions."""

    FORMAL = "formal"
    INFORMAL = "informal"


class Spelling(StrEnum):
    BRITISH = "british"
    AMERICAN = "american"


@frozen
class Features:
    """Features measured in samples. `sentence_words` and `sentence_spread`: mean and standard deviation of the words of
    a sentence; `paragraph_sentences`: mean sentences of a paragraph; `questions`, `lists`: share of the sentences that
    ask, and that are items of a list; `quotes`: the opening quotation mark used most; `dashes`: share of the sentences
    with a dash; `terms`: the words used most. None: the samples do not tell."""

    words: int
    sentences: int
    sentence_words: float
    sentence_spread: float
    paragraph_sentences: float
    questions: float
    lists: float
    dashes: float
    person: Person | None = None
    formality: Formality | None = None
    spelling: Spelling | None = None
    quotes: str | None = None
    terms: tuple[str, ...] = ()


@frozen
class ChosenVoice:
    """A voice as it was when it was chosen for an article: later changes to the voice, or its deletion, do not affect
    the article."""

    id: VoiceId
    name: str
    guide: str = ""
    use: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    features: Features | None = None


@frozen
class Voice:
    """How articles in a language are to read. `guide`: in words, for a model; `use`, `avoid`: terms; `features`: None
    without samples; `is_default`: whether articles in its language take it where they name none; `revision` grows with
    each stored change."""

    id: VoiceId
    tenant_id: TenantId
    name: str
    language: Language
    created_at: datetime
    updated_at: datetime
    guide: str = ""
    use: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    features: Features | None = None
    is_default: bool = False
    revision: int = 0

    @property
    def chosen(self) -> ChosenVoice:
        """The copy of the voice that an article stores."""
        return ChosenVoice(self.id, self.name, self.guide, self.use, self.avoid, self.features)
