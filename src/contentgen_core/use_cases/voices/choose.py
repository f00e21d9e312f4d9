"""The voice of an article: the one it names, else the default of its language."""

from __future__ import annotations

from contentgen_core.errors import InvalidInput
from contentgen_core.model.ids import TenantId, VoiceId
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.voice import ChosenVoice
from contentgen_core.ports.repositories.voices import Voices
from contentgen_core.ports.unit_of_work import Transaction


async def chosen_voice(
    tx: Transaction, tenant_id: TenantId, voice_id: VoiceId | None, language: Language
) -> ChosenVoice | None:
    """Return the named voice; None where none is named and the language has no default. Raises NotFound, and
    InvalidInput for a voice of another language."""
    if voice_id is None:
        default = await tx[Voices].default(tenant_id, language)
        return None if default is None else default.chosen
    voice = await tx[Voices].get(tenant_id, voice_id)
    if voice.language is not language:
        raise InvalidInput.of(
            "voiceId", f"this voice is for the language {voice.language}, the article is in {language}"
        )
    return voice.chosen
