"""Niches on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import niche as model
from contentgen_core.model.tenant import Caller, PlanName
from contentgen_core.model.vocabulary import Language, Tone
from contentgen_core.policies.tenancy.access import has_premium_search
from contentgen_core.use_cases.niches import texts
from contentgen_core.use_cases.niches.edit import NicheChanges
from contentgen_core.use_cases.niches.manage_niches import Activated, ActivateNicheCommand, CreateNicheCommand
from contentgen_http.wire.base import NOT_BLANK, Answer, AnswerOf, Body, PlanTone, absent_as_none, kept

MAX_CODES = 300


class Activation(AnswerOf[model.Activation], kw_only=True):
    """How you use a niche."""

    tones: Annotated[list[Tone], Meta(description="The tones; the first is the default.")]
    languages: Annotated[list[Language], Meta(description="The languages; the first is the default.")]
    countries: Annotated[list[str], Meta(description="ISO 3166-1 alpha-2 codes; one agent each.", examples=[["GB"]])]
    target_audience: Annotated[str | UnsetType, Meta(description="Whom the articles are for.")] = UNSET


class Niche(Answer, kw_only=True):
    """A subject to write about."""

    id: Annotated[str, Meta(description="Opaque identifier.")]
    niche_key: Annotated[str, Meta(description="Its key; accepted wherever its id is.", examples=["home-energy"])]
    name: Annotated[str, Meta(description="Its name.", examples=["Home energy"])]
    description: Annotated[str | UnsetType, Meta(description="What it is about.")] = UNSET
    icon: Annotated[str | UnsetType, Meta(description="An emoji or an address.", examples=["🏡"])] = UNSET
    custom: Annotated[bool, Meta(description="true: your own; false: preconfigured.")]
    activated: Annotated[bool, Meta(description="Whether you use it.")]
    activation: Annotated[Activation | UnsetType, Meta(description="How you use it; only when activated.")] = UNSET
    websearch_premium: Annotated[
        bool, Meta(description="Whether its enrichments may use the premium web search: false on plans without it.")
    ]
    created_at: Annotated[datetime, Meta(description="When it was created (UTC).")]

    @classmethod
    def of(cls, niche: model.Niche, plan: PlanName) -> Niche:
        return cls.copy_from(
            niche,
            activated=niche.activation is not None,
            websearch_premium=has_premium_search(plan) and niche.websearch_premium,
        )


class NicheBreakdown(Answer, kw_only=True):
    """The niches by kind."""

    preconfigured: Annotated[int, Meta(description="Everybody's.")]
    custom: Annotated[int, Meta(description="Your own.")]
    activated: Annotated[int, Meta(description="Those of either kind that you use.")]


class NicheList(Answer, kw_only=True):
    """Every niche you can see."""

    niches: Annotated[list[Niche], Meta(description="The niches, by name.")]
    total: Annotated[int, Meta(description="How many.")]
    breakdown: Annotated[NicheBreakdown, Meta(description="How many of which kind.")]

    @classmethod
    def of(cls, niches: list[model.Niche], plan: PlanName) -> NicheList:
        custom = sum(niche.custom for niche in niches)
        return cls(
            niches=[Niche.of(niche, plan) for niche in niches],
            total=len(niches),
            breakdown=NicheBreakdown(
                preconfigured=len(niches) - custom,
                custom=custom,
                activated=sum(niche.activation is not None for niche in niches),
            ),
        )


class NicheChoice(Answer, kw_only=True):
    """A niche, as a list to choose from shows it."""

    id: Annotated[str, Meta(description="Opaque identifier.")]
    niche_key: Annotated[str, Meta(description="Its key.", examples=["home-energy"])]
    name: Annotated[str, Meta(description="Its name.", examples=["Home energy"])]
    icon: Annotated[str | UnsetType, Meta(description="An emoji or an address.", examples=["🏡"])] = UNSET
    custom: Annotated[bool, Meta(description="true: your own; false: preconfigured.")]
    activated: Annotated[bool, Meta(description="Whether you use it.")]


class NicheChoices(AnswerOf[Sequence[model.Niche]], kw_only=True):
    """The niches to choose from."""

    niches: Annotated[list[NicheChoice], Meta(description="Every niche you can see, by name.")]

    @classmethod
    def of(cls, niches: Sequence[model.Niche]) -> NicheChoices:
        return cls(niches=[NicheChoice.copy_from(niche, activated=niche.activation is not None) for niche in niches])


class ActivatedNiches(Answer, kw_only=True):
    """The niches that you use."""

    niches: Annotated[list[Niche], Meta(description="The niches, by name.")]

    @classmethod
    def of(cls, niches: Sequence[model.Niche], plan: PlanName) -> ActivatedNiches:
        return cls(niches=[Niche.of(niche, plan) for niche in niches])


class NewNiche(Body, kw_only=True):
    """A niche of your own."""

    name: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=texts.MAX_NAME,
            pattern=NOT_BLANK,
            description="Its name.",
            examples=["Urban beekeeping"],
        ),
    ]
    description: Annotated[
        Annotated[str, Meta(max_length=texts.MAX_DESCRIPTION)] | UnsetType,
        Meta(description="What it is about.", examples=["Bees in the city"]),
    ] = UNSET
    icon: Annotated[
        Annotated[str, Meta(max_length=texts.MAX_ICON)] | UnsetType,
        Meta(description="An emoji or an address.", examples=["🐝"]),
    ] = UNSET

    def to_command(self, caller: Caller) -> CreateNicheCommand:
        return CreateNicheCommand(caller, self.name, absent_as_none(self.description), absent_as_none(self.icon))


class NichePatch(Body, kw_only=True):
    """What to change; what is absent stays."""

    name: Annotated[
        Annotated[str, Meta(min_length=1, max_length=texts.MAX_NAME, pattern=NOT_BLANK)] | UnsetType,
        Meta(description="A new name; the key stays.", examples=["Rooftop beekeeping"]),
    ] = UNSET
    description: Annotated[
        Annotated[str, Meta(max_length=texts.MAX_DESCRIPTION)] | UnsetType | None,
        Meta(description="What it is about; null clears it."),
    ] = UNSET
    icon: Annotated[
        Annotated[str, Meta(max_length=texts.MAX_ICON)] | UnsetType | None,
        Meta(description="An emoji or an address; null clears it."),
    ] = UNSET

    def to_changes(self) -> NicheChanges:
        return NicheChanges(kept(self.name), kept(self.description), kept(self.icon))


class NicheWish(Body, kw_only=True):
    """A niche that everybody should have."""

    name: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=texts.MAX_NAME,
            pattern=NOT_BLANK,
            description="What to call it.",
            examples=["Veterinary medicine"],
        ),
    ]
    description: Annotated[
        Annotated[str, Meta(max_length=texts.MAX_DESCRIPTION)] | UnsetType,
        Meta(description="What it should be about.", examples=["Keeping small animals healthy"]),
    ] = UNSET


class NicheRequested(Answer, kw_only=True):
    """The request is recorded."""

    success: Annotated[bool, Meta(description="Always true: what fails answers with an Error.")] = True
    id: Annotated[str, Meta(description="Id of the request; asking again by the same name answers the same.")]


class ActivationRequest(Body, kw_only=True):
    """How you want to use the niche."""

    tones: Annotated[
        list[PlanTone],
        Meta(min_length=1, max_length=MAX_CODES, description="The tones.", examples=[["professional"]]),
    ]
    languages: Annotated[
        list[Language], Meta(min_length=1, max_length=MAX_CODES, description="The languages.", examples=[["en"]])
    ]
    countries: Annotated[
        list[Annotated[str, Meta(pattern="^[A-Z]{2}$")]],
        Meta(
            min_length=1,
            max_length=MAX_CODES,
            description="ISO 3166-1 alpha-2 codes; each becomes an agent.",
            examples=[["GB", "IE"]],
        ),
    ]
    target_audience: Annotated[
        Annotated[str, Meta(max_length=model.MAX_AUDIENCE)] | UnsetType,
        Meta(description="Whom the articles are for.", examples=["Home owners"]),
    ] = UNSET

    def to_command(self, caller: Caller, niche_id: str) -> ActivateNicheCommand:
        return ActivateNicheCommand(
            caller=caller,
            niche_id=niche_id,
            tones=tuple(self.tones),
            languages=tuple(self.languages),
            countries=tuple(self.countries),
            target_audience=absent_as_none(self.target_audience),
        )


class NicheActivated(AnswerOf[Activated], kw_only=True):
    """The niche is in use."""

    success: Annotated[bool, Meta(description="Always true: what fails answers with an Error.")] = True
    message: Annotated[str, Meta(description="What was done, for a person.")]
    niche_key: Annotated[str, Meta(description="The niche.", examples=["home-energy"])]
    agent_id: Annotated[str, Meta(description="The agent of the first country listed.")]
    countries: Annotated[list[str], Meta(description="All countries it is active in.", examples=[["GB", "IE"]])]

    @classmethod
    def of(cls, activated: Activated) -> NicheActivated:
        countries = list(activated.activation.countries)
        return cls(
            message=f"{activated.niche.name} is active in {', '.join(countries)}.",
            niche_key=activated.niche.niche_key,
            agent_id=activated.agent_id,
            countries=countries,
        )
