"""How a tenant uses a niche, on the wire: a free-form object with a few known keys."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType, to_builtins

from contentgen_core.model.niche import MAX_AUDIENCE
from contentgen_core.model.vocabulary import Language, Tone
from contentgen_core.use_cases.niches.settings import SettingsChanges, SettingsOfNiche
from contentgen_http.wire.base import Answer, Body, PlanTone, kept
from contentgen_http.wire.niches import MAX_CODES


class NicheSettings(Answer, kw_only=True):
    """How you use a niche, and beside these keys whatever you keep here."""

    tones: Annotated[list[Tone], Meta(description="The tones; the first is the default.")]
    languages: Annotated[list[Language], Meta(description="The languages; the first is the default.")]
    countries: Annotated[list[str], Meta(description="ISO 3166-1 alpha-2 codes; one agent each.", examples=[["GB"]])]
    target_audience: Annotated[str | UnsetType, Meta(description="Whom the articles are for.")] = UNSET
    ai_mark: Annotated[
        bool | UnsetType,
        Meta(description="Articles go out with a sentence that says that a model wrote them; else absent."),
    ] = UNSET


def shown(settings: SettingsOfNiche) -> dict[str, Any]:
    """The known keys first, then the others."""
    used = settings.activation
    known = NicheSettings.copy_from(used, ai_mark=settings.ai_mark or UNSET)
    return {**to_builtins(known), **settings.others}


class NicheSettingsPatch(Body, kw_only=True, forbid_unknown_fields=False):
    """What to change; what is absent stays. Other keys are kept as they are sent, null takes one away."""

    tones: Annotated[
        Annotated[list[PlanTone], Meta(min_length=1, max_length=MAX_CODES)] | UnsetType,
        Meta(description="The tones, replacing the former ones.", examples=[["casual"]]),
    ] = UNSET
    languages: Annotated[
        Annotated[list[Language], Meta(min_length=1, max_length=MAX_CODES)] | UnsetType,
        Meta(description="The languages, replacing the former ones.", examples=[["en"]]),
    ] = UNSET
    target_audience: Annotated[
        Annotated[str, Meta(max_length=MAX_AUDIENCE)] | UnsetType | None,
        Meta(description="Whom the articles are for; null clears it.", examples=["Home owners"]),
    ] = UNSET
    ai_mark: Annotated[
        bool | UnsetType,
        Meta(description="Whether articles go out with a sentence that a language model wrote them, where one did."),
    ] = UNSET

    def to_changes(self, others: dict[str, Any]) -> SettingsChanges:
        tones, languages = kept(self.tones), kept(self.languages)
        return SettingsChanges(
            tuple(tones) if isinstance(tones, list) else tones,
            tuple(languages) if isinstance(languages, list) else languages,
            kept(self.target_audience),
            kept(self.ai_mark),
            others,
        )
