"""GET and PATCH of a tenant's settings of a niche: those of the activation, and values that a client stores for
itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import FieldError, InvalidInput, NicheNotActivated
from contentgen_core.model.changes import UNSET, UnsetType
from contentgen_core.model.niche import Activation, Niche, NichePreferences, activation
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.model.vocabulary import Language, Tone
from contentgen_core.policies.tenancy.access import check_premium_search, require_role
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.use_case import use_case

MAX_SETTINGS: Final = 16 * 1024
MAX_DEPTH: Final = 20

NOT_SETTABLE: Final = {
    "countries": "is changed by activating the niche in a country, and by deleting the agent of one",
    "websearchPremium": "is switched by POST /niches/{id}/websearch-premium",
}
"""Keys that other operations change, with the error to show."""

_VALID_ACTIVATION: Final = Activation((Tone.CASUAL,), (Language.EN,), ("GB",))


@frozen
class SettingsChanges:
    """UNSET fields are not changed. `others`: JSON values by name; None removes one."""

    tones: tuple[str, ...] | UnsetType = UNSET
    languages: tuple[str, ...] | UnsetType = UNSET
    target_audience: str | UnsetType | None = UNSET
    ai_mark: bool | UnsetType = UNSET
    others: Mapping[str, object] = {}


@frozen
class SettingsOfNiche:
    """The activation, and the values that a client stored (`others`). `ai_mark`: see `NichePreferences`."""

    activation: Activation
    others: Mapping[str, object]
    ai_mark: bool = False


@use_case
class NicheSettings:
    unit_of_work: UnitOfWork

    async def read(self, caller: Caller, niche_id: str) -> SettingsOfNiche:
        """Raises NotFound, NicheNotActivated."""
        async with self.unit_of_work() as tx:
            niche, used = await _activated_niche(tx, caller, niche_id)
            kept = await tx[Niches].preferences(caller.tenant_id, niche.niche_key)
        return SettingsOfNiche(used, kept.settings, kept.ai_mark)

    async def change(self, caller: Caller, niche_id: str, changes: SettingsChanges) -> SettingsOfNiche:
        """Raises InvalidInput, NotPermitted, NotFound, NicheNotActivated."""
        _check(changes)
        require_role(caller, Role.EDITOR)
        async with self.unit_of_work() as tx:
            await tx[Tenants].lock(caller.tenant_id)
            niche, used = await _activated_niche(tx, caller, niche_id)
            kept = await tx[Niches].preferences(caller.tenant_id, niche.niche_key)
            changed, others = _apply_changes(used, changes), _merge(kept.settings, changes.others)
            await tx[Niches].set_activation(caller.tenant_id, niche, changed)
            ai_mark = kept.ai_mark if changes.ai_mark is UNSET else changes.ai_mark
            preferences = evolve(kept, settings=others, ai_mark=ai_mark)
            await tx[Niches].set_preferences(caller.tenant_id, niche.niche_key, preferences)
        return SettingsOfNiche(changed, others, ai_mark)

    async def premium_search(self, caller: Caller, niche_id: str, enabled: bool | None = None) -> bool:
        """Switch the use of the premium web search in the niche on or off; `enabled` None: the other way. Returns
        whether it is on. Kept while the niche is not activated. Raises NotPermitted, PlanForbids, NotFound."""
        require_role(caller, Role.EDITOR)
        check_premium_search(caller.plan)
        async with self.unit_of_work() as tx:
            await tx[Tenants].lock(caller.tenant_id)
            niche = await tx[Niches].get(caller.tenant_id, niche_id)
            switched = (not niche.websearch_premium) if enabled is None else enabled
            kept: NichePreferences = await tx[Niches].preferences(caller.tenant_id, niche.niche_key)
            await tx[Niches].set_preferences(
                caller.tenant_id, niche.niche_key, evolve(kept, websearch_premium=switched)
            )
        return switched


async def _activated_niche(tx: Transaction, caller: Caller, niche_id: str) -> tuple[Niche, Activation]:
    niche = await tx[Niches].get(caller.tenant_id, niche_id)
    if niche.activation is None:
        raise NicheNotActivated(niche.niche_key)
    return niche, niche.activation


def _check(changes: SettingsChanges) -> None:
    faults = [FieldError(name, NOT_SETTABLE[name]) for name in changes.others if name in NOT_SETTABLE]
    faults += [FieldError(name, "is nested too deeply") for name, v in changes.others.items() if _too_deep(v)]
    if faults:
        raise InvalidInput(*faults)
    _apply_changes(_VALID_ACTIVATION, changes)


def _apply_changes(present: Activation, changes: SettingsChanges) -> Activation:
    audience = present.target_audience if changes.target_audience is UNSET else changes.target_audience
    return activation(
        present.tones if changes.tones is UNSET else changes.tones,
        present.languages if changes.languages is UNSET else changes.languages,
        present.countries,
        audience,
        frozenset(present.countries),
    )


def _merge(present: Mapping[str, object], changes: Mapping[str, object]) -> dict[str, object]:
    merged = {name: value for name, value in {**present, **changes}.items() if value is not None}
    size = len(json.dumps(merged, ensure_ascii=False, separators=(",", ":")).encode())
    if size > MAX_SETTINGS:
        raise InvalidInput.of("body", f"all settings together would have {size} bytes; at most {MAX_SETTINGS}")
    return merged


def _too_deep(value: object, left: int = MAX_DEPTH) -> bool:
    match value:
        case dict():
            return left == 0 or any(_too_deep(item, left - 1) for item in value.values())
        case list():
            return left == 0 or any(_too_deep(item, left - 1) for item in value)
        case _:
            return False
