"""Voices."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from typing import Any

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.records import RECORD, Records
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session, require
from contentgen_core.model.ids import TenantId, VoiceId
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.voice import MAX_VOICES, Voice
from contentgen_core.ports.repositories.voices import Voices


@repository(Voices)
class PostgresVoices:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, "voices", Voice, "voice")

    async def add(self, voice: Voice) -> None:
        await self._records.add(voice, {**_columns(voice), "created_at": voice.created_at})

    async def get(self, tenant_id: TenantId, voice_id: VoiceId) -> Voice:
        return await self._records.get(tenant_id, voice_id)

    async def default(self, tenant_id: TenantId, language: Language) -> Voice | None:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM voices WHERE tenant_id = %s AND language = %s AND is_default",
            (findable(tenant_id), language.value),
        )
        return self._records.read(rows[0]) if rows else None

    async def list(self, tenant_id: TenantId) -> list[Voice]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM voices WHERE tenant_id = %s ORDER BY created_at, id LIMIT %s",
            (findable(tenant_id), MAX_VOICES),
        )
        return [self._records.read(row) for row in rows]

    async def save(self, voice: Voice) -> Voice:
        return await self._records.save(voice, _columns(voice))

    async def delete(self, tenant_id: TenantId, voice_id: VoiceId) -> None:
        deleted = await self._session.change(
            "DELETE FROM voices WHERE id = %s AND tenant_id = %s", (findable(voice_id), findable(tenant_id))
        )
        require(deleted, "voice", voice_id)


def _columns(voice: Voice) -> dict[str, Any]:
    return {"language": voice.language.value, "is_default": voice.is_default}
