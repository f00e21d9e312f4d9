"""Niches: subjects that tenants write about. Preconfigured ones are for all tenants, custom ones belong to one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from attrs import evolve, field, frozen

from contentgen_core.errors import Conflict, FieldError, InvalidInput
from contentgen_core.model.ids import NicheId, NicheRequestId, TenantId
from contentgen_core.model.vocabulary import PLAN_TONES, Language, Tone

NICHE_KEY: Final = re.compile(r"[a-z0-9-]{1,80}")
MAX_AUDIENCE: Final = 500


@frozen
class Activation:
    """A tenant's use of a niche. Languages and tones are in the order given: the first is the default."""

    tones: tuple[Tone, ...]
    languages: tuple[Language, ...]
    countries: tuple[str, ...]
    target_audience: str | None = None

    def with_added(self, other: Activation) -> Activation:
        """The activation after another one: countries are added; tones, languages and audience are replaced."""
        return evolve(
            self,
            tones=other.tones,
            languages=other.languages,
            countries=tuple(dict.fromkeys((*self.countries, *other.countries))),
            target_audience=other.target_audience or self.target_audience,
        )


@frozen
class Niche:
    """A niche. `tenant_id`: None for a preconfigured one. `activation` and `websearch_premium`: those of the tenant
    that reads it."""

    id: NicheId
    niche_key: str
    name: str
    created_at: datetime
    tenant_id: TenantId | None = None
    description: str | None = None
    icon: str | None = None
    keywords: tuple[str, ...] = ()
    activation: Activation | None = None
    websearch_premium: bool = True

    @property
    def custom(self) -> bool:
        return self.tenant_id is not None


@frozen
class NichePreferences:
    """A tenant's preferences for a niche, kept even while it is not activated.

    `websearch_premium`: whether enrichments may use the premium search, where the plan includes one. `settings`: JSON
    values that a client stores for itself. `ai_mark`: whether articles go out with the mark of a text that a language
    model wrote, where one did."""

    websearch_premium: bool = True
    settings: Mapping[str, object] = field(factory=dict)
    ai_mark: bool = False


@frozen
class NicheUses:
    """A tenant's data in a niche. `documents` and `passages`: the tenant's own ones in the knowledge base."""

    agents: int = 0
    articles: int = 0
    documents: int = 0
    passages: int = 0
    schedules: int = 0

    def __bool__(self) -> bool:
        """Whether anything would be lost. A schedule alone would not: without agents it starts nothing, and without an
        activation it cannot be switched off."""
        return any((self.agents, self.articles, self.documents, self.passages))

    def __str__(self) -> str:
        """`2 agents, 1 article`: the counts above 0."""
        counts = (
            (self.agents, "agent"), (self.articles, "article"), (self.documents, "document"),
            (self.passages, "passage"), (self.schedules, "schedule"),
        )  # fmt: skip
        return ", ".join(f"{n} {noun}{'' if n == 1 else 's'}" for n, noun in counts if n)


@frozen
class NicheRequest:
    """A tenant's request for a new preconfigured niche."""

    id: NicheRequestId
    tenant_id: TenantId
    name: str
    created_at: datetime
    description: str | None = None


def activation(
    tones: tuple[str, ...],
    languages: tuple[str, ...],
    countries: tuple[str, ...],
    target_audience: str | None,
    known_countries: frozenset[str],
) -> Activation:
    """An activation from a request's values. `known_countries`: the ISO 3166-1 alpha-2 codes. Raises InvalidInput."""
    faults: list[FieldError] = []

    def check(field: str, values: tuple[str, ...], known: frozenset[str]) -> None:
        if not values:
            faults.append(FieldError(field, "at least one"))
        faults.extend(
            FieldError(f"{field}[{i}]", f"unknown value {value!r}")
            for i, value in enumerate(values)
            if value not in known
        )

    check("tones", tones, frozenset(PLAN_TONES))
    check("languages", languages, frozenset(Language))
    check("countries", countries, known_countries)
    if target_audience is not None and len(target_audience) > MAX_AUDIENCE:
        faults.append(FieldError("targetAudience", f"at most {MAX_AUDIENCE} characters"))
    if faults:
        raise InvalidInput(*faults)
    return Activation(
        tones=tuple(dict.fromkeys(Tone(t) for t in tones)),
        languages=tuple(dict.fromkeys(Language(code) for code in languages)),
        countries=tuple(dict.fromkeys(countries)),
        target_audience=target_audience,
    )


class NicheInUse(Conflict):
    """A niche with contents cannot be deleted; `uses` lists them."""

    code = "niche_in_use"

    def __init__(self, niche_key: str, uses: NicheUses) -> None:
        super().__init__(f"The niche {niche_key} cannot be deleted while it holds: {uses}.")
        self.uses = uses
