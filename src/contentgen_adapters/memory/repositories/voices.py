"""Voices."""

from __future__ import annotations

from contentgen_adapters.memory.records import Records, existing
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.errors import AlreadyExists
from contentgen_core.model.ids import TenantId, VoiceId
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.voice import MAX_VOICES, Voice
from contentgen_core.ports.repositories.voices import Voices


@repository(Voices)
class MemoryVoices:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, session.voices, "voice")

    async def add(self, voice: Voice) -> None:
        await self._session.writing()
        existing(self._session.tenants, voice.tenant_id, "tenant")
        await self._check_default(voice)
        self._session.voices.put(voice.id, voice)

    async def get(self, tenant_id: TenantId, voice_id: VoiceId) -> Voice:
        return await self._records.get(tenant_id, voice_id)

    async def default(self, tenant_id: TenantId, language: Language) -> Voice | None:
        defaults = (voice for voice in self._records.of(tenant_id) if voice.is_default)
        return next((voice for voice in defaults if voice.language is language), None)

    async def list(self, tenant_id: TenantId) -> list[Voice]:
        return sorted(self._records.of(tenant_id), key=lambda voice: (voice.created_at, voice.id))[:MAX_VOICES]

    async def save(self, voice: Voice) -> Voice:
        await self._session.writing()
        await self._check_default(voice)
        return await self._records.save(voice)

    async def delete(self, tenant_id: TenantId, voice_id: VoiceId) -> None:
        await self._session.writing()
        self._session.voices.drop((await self.get(tenant_id, voice_id)).id)

    async def _check_default(self, voice: Voice) -> None:
        present = await self.default(voice.tenant_id, voice.language) if voice.is_default else None
        if present is not None and present.id != voice.id:
            raise AlreadyExists("There is a default voice of this language already.")
