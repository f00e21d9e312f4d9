"""Niches: subjects a tenant writes about; preconfigured ones exist for everybody, custom ones belong to a tenant."""

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
    """How one tenant uses a niche. Languages and tones keep the order given: the first is the default."""

    tones: tuple[Tone, ...]
    languages: tuple[Language, ...]
    countries: tuple[str, ...]
    target_audience: str | None = None

    def with_added(self, other: Activation) -> Activation:
        """Activating again adds countries; tones, languages and audience become those given last."""
        return evolve(
            self,
            tones=other.tones,
            languages=other.languages,
            countries=tuple(dict.fromkeys((*self.countries, *other.countries))),
            target_audience=other.target_audience or self.target_audience,
        )


@frozen
class Niche:
    """`tenant_id` is None for a preconfigured niche. `activation` and `websearch_premium` are those of the tenant who
    reads it."""

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
    """What a tenant set for a niche beside its activation, and keeps while the niche is not activated.

    `websearch_premium`: whether enrichments may use the premium search, where the plan includes one. `settings`: what a
    client keeps here for itself, as JSON values."""

    websearch_premium: bool = True
    settings: Mapping[str, object] = field(factory=dict)


@frozen
class NicheUses:
    """What a tenant has in a niche. `documents` and `passages` are those of the knowledge base that are its own."""

    agents: int = 0
    articles: int = 0
    documents: int = 0
    passages: int = 0
    schedules: int = 0

    def __bool__(self) -> bool:
        """Whether there is anything to lose. A schedule alone is not: it starts nothing without agents, and nobody
        could switch it off, since a niche without agents is not activated."""
        return any((self.agents, self.articles, self.documents, self.passages))

    def __str__(self) -> str:
        """`2 agents, 1 article`: what there is of it."""
        counts = (
            (self.agents, "agent"), (self.articles, "article"), (self.documents, "document"),
            (self.passages, "passage"), (self.schedules, "schedule"),
        )  # fmt: skip
        return ", ".join(f"{n} {noun}{'' if n == 1 else 's'}" for n, noun in counts if n)


@frozen
class NicheRequest:
    """A tenant's wish for a niche that everybody could use."""

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
    """An activation from a caller's words. `known_countries`: the ISO 3166-1 alpha-2 codes. Raises InvalidInput."""
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
    """A niche that holds something cannot be deleted; `uses` says what."""

    code = "niche_in_use"

    def __init__(self, niche_key: str, uses: NicheUses) -> None:
        super().__init__(f"The niche {niche_key} cannot be deleted while it holds: {uses}.")
        self.uses = uses
