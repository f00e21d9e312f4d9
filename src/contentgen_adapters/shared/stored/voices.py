"""Voices of tenants."""

from __future__ import annotations

from typing import Final

from contentgen_adapters.shared.aggregates import Aggregate, StoredWhole, Unique, stored, taken
from contentgen_core.model.ids import TenantId, VoiceId
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.voice import MAX_VOICES, Voice
from contentgen_core.ports.repositories.voices import Voices

VOICES: Final = Aggregate(
    Voice,
    table="voices",
    resource="voice",
    columns=lambda voice: {
        "language": voice.language.value,
        "is_default": voice.is_default,
        "created_at": voice.created_at,
    },
    unique=(
        Unique(
            "voices_default",
            ("language",),
            taken("There is a default voice of this language already."),
            among={"is_default": (True,)},
        ),
    ),
)


@stored(Voices, VOICES)
class StoredVoices(StoredWhole[Voice, VoiceId]):
    async def default(self, tenant_id: TenantId, language: Language) -> Voice | None:
        return await self.records.find(tenant_id, language=language.value, is_default=True)

    async def list(self, tenant_id: TenantId) -> list[Voice]:
        return await self.records.ordered(tenant_id, by=("created_at", "id"), limit=MAX_VOICES)
