"""Voices of tenants."""

from __future__ import annotations

from typing import Protocol

from contentgen_core.model.ids import TenantId, VoiceId
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.voice import Voice


class Voices(Protocol):
    """A tenant sees its own voices only. Of each language, one at most is the default."""

    async def add(self, voice: Voice) -> None:
        """Raises NotFound for an unknown tenant, AlreadyExists for a second default."""
        ...

    async def get(self, tenant_id: TenantId, voice_id: VoiceId) -> Voice:
        """Raises NotFound."""
        ...

    async def default(self, tenant_id: TenantId, language: Language) -> Voice | None: ...

    async def list(self, tenant_id: TenantId) -> list[Voice]:
        """In the order of their creation, at most MAX_VOICES."""
        ...

    async def save(self, voice: Voice) -> Voice:
        """Store a changed voice that was read at `voice.revision`; returns it with the next revision. Raises
        ConcurrentChange, NotFound, AlreadyExists for a second default."""
        ...

    async def delete(self, tenant_id: TenantId, voice_id: VoiceId) -> None:
        """Raises NotFound."""
        ...
