"""Voices on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType, field

from contentgen_core.model import voice as model
from contentgen_core.model.changes import UNSET as KEPT
from contentgen_core.model.ids import VoiceId
from contentgen_core.model.tenant import Caller
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.voice import (
    MAX_GUIDE,
    MAX_NAME,
    MAX_SAMPLE,
    MAX_SAMPLES,
    MAX_TERM,
    MAX_TERMS,
    Formality,
    Person,
    Spelling,
)
from contentgen_core.use_cases.voices.manage_voices import ChangedVoice
from contentgen_core.use_cases.voices.manage_voices import NewVoice as NewVoiceCommand
from contentgen_http.wire.base import NOT_BLANK, Answer, AnswerOf, Body, Id, kept

VoiceField = Annotated[
    Id | UnsetType,
    Meta(description="A voice of the article's language; absent: the default one of that language, if there is one."),
]
Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME, pattern=NOT_BLANK)]
Guide = Annotated[str, Meta(max_length=MAX_GUIDE)]
Samples = Annotated[list[Annotated[str, Meta(max_length=MAX_SAMPLE)]], Meta(max_length=MAX_SAMPLES)]
Terms = Annotated[list[Annotated[str, Meta(min_length=1, max_length=MAX_TERM)]], Meta(max_length=MAX_TERMS)]


def voice_id(sent: str | UnsetType) -> VoiceId | None:
    return None if sent is UNSET else VoiceId(sent)


class VoiceFeatures(AnswerOf[model.Features], kw_only=True):
    """What was measured in the samples. What they do not tell is left out."""

    words: Annotated[int, Meta(description="Words of all samples.", examples=[1200])]
    sentences: Annotated[int, Meta(description="Sentences of all samples.", examples=[80])]
    sentence_words: Annotated[float, Meta(description="Mean words of a sentence.", examples=[15.2])]
    sentence_spread: Annotated[float, Meta(description="Their standard deviation.", examples=[6.1])]
    paragraph_sentences: Annotated[float, Meta(description="Mean sentences of a paragraph.", examples=[3.4])]
    questions: Annotated[float, Meta(description="Share of the sentences that ask, 0 to 1.", examples=[0.05])]
    lists: Annotated[float, Meta(description="Share of the sentences that are items of lists, 0 to 1.")]
    dashes: Annotated[float, Meta(description="Share of the sentences with a dash, 0 to 1.")]
    person: Annotated[Person | UnsetType, Meta(description="Who speaks, or is spoken to.")] = UNSET
    formality: Annotated[
        Formality | UnsetType, Meta(description="How readers are addressed (vous or tu); in English, contractions.")
    ] = UNSET
    spelling: Annotated[Spelling | UnsetType, Meta(description="Of English.")] = UNSET
    quotes: Annotated[str | UnsetType, Meta(description="The opening quotation mark used most.")] = UNSET
    terms: Annotated[tuple[str, ...], Meta(description="The words used most.")]


class Voice(AnswerOf[model.Voice], kw_only=True):
    """How articles in a language are to read."""

    id: Annotated[str, Meta(description="Opaque identifier.")]
    name: Annotated[str, Meta(description="Its name.", examples=["House style"])]
    language: Annotated[Language, Meta(description="The language of its articles.")]
    guide: Annotated[str, Meta(description="What models are told of it.")]
    use: Annotated[tuple[str, ...], Meta(description="Terms to use.", examples=[["heat pump"]])]
    avoid: Annotated[tuple[str, ...], Meta(description="Terms that no sentence has.", examples=[["leverage"]])]
    features: Annotated[VoiceFeatures | UnsetType, Meta(description="What its samples told.")] = UNSET
    is_default: Annotated[bool, Meta(description="Whether articles in its language that name no voice take it.")]
    created_at: Annotated[datetime, Meta(description="When it was created (UTC).")]
    updated_at: Annotated[datetime, Meta(description="When it was last changed (UTC).")]


class VoiceList(Answer, kw_only=True):
    """Your voices."""

    voices: Annotated[list[Voice], Meta(description="The oldest first.")]


class NewVoice(Body, kw_only=True):
    """A voice, by samples, a guide or terms."""

    name: Annotated[Name, Meta(description="Its name.", examples=["House style"])]
    language: Annotated[Language, Meta(description="The language of its samples and articles.", examples=["en"])]
    guide: Annotated[Guide, Meta(description="For models, in words.", examples=["Plain words, no hype."])] = ""
    samples: Annotated[
        Samples, Meta(description="Texts of yours, 50 words or more together. They are measured and not kept.")
    ] = field(default_factory=list)
    use: Annotated[Terms, Meta(description="Terms to use.", examples=[["heat pump"]])] = field(default_factory=list)
    avoid: Annotated[
        Terms, Meta(description="Terms that no sentence may have, in any form.", examples=[["leverage"]])
    ] = field(default_factory=list)
    is_default: Annotated[
        bool, Meta(description="Whether it takes the place of the default voice of its language.")
    ] = False

    def to_command(self, caller: Caller) -> NewVoiceCommand:
        return NewVoiceCommand(
            caller,
            self.name,
            self.language,
            self.guide,
            tuple(self.samples),
            tuple(self.use),
            tuple(self.avoid),
            self.is_default,
        )


class VoicePatch(Body, kw_only=True):
    """What to change; what is absent stays."""

    name: Annotated[Name | UnsetType, Meta(description="A new name.", examples=["House style"])] = UNSET
    guide: Annotated[Guide | UnsetType, Meta(description="For models, in words.")] = UNSET
    samples: Annotated[
        Samples | UnsetType, Meta(description="In place of the former; an empty list forgets what was measured.")
    ] = UNSET
    use: Annotated[Terms | UnsetType, Meta(description="All terms to use.")] = UNSET
    avoid: Annotated[Terms | UnsetType, Meta(description="All terms to avoid.", examples=[["leverage"]])] = UNSET
    is_default: Annotated[
        bool | UnsetType, Meta(description="Whether articles in its language that name no voice take it.")
    ] = UNSET

    def to_command(self, caller: Caller, id: VoiceId) -> ChangedVoice:
        return ChangedVoice(
            caller,
            id,
            kept(self.name),
            kept(self.guide),
            KEPT if self.samples is UNSET else tuple(self.samples),
            KEPT if self.use is UNSET else tuple(self.use),
            KEPT if self.avoid is UNSET else tuple(self.avoid),
            kept(self.is_default),
        )
