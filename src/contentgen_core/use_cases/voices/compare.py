"""Comparing a text with a voice."""

from __future__ import annotations

import asyncio

from contentgen_core.errors import InvalidInput
from contentgen_core.model.ids import VoiceId
from contentgen_core.model.tenant import Caller
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.voice import MAX_SAMPLE, Voice
from contentgen_core.policies.text.storable import NUL, NUL_FAULT
from contentgen_core.policies.voice.deviations import deviations
from contentgen_core.policies.voice.passages import blocks
from contentgen_core.ports.repositories.voices import Voices
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case


@use_case
class CompareWithVoice:
    unit_of_work: UnitOfWork
    analysis: TextAnalysis

    async def __call__(self, caller: Caller, voice_id: VoiceId, text: str) -> tuple[str, ...]:
        """Describe how a text of at most MAX_SAMPLE characters deviates from a voice. Nothing is stored. Raises
        InvalidInput, NotFound."""
        if not text.strip() or len(text) > MAX_SAMPLE:
            raise InvalidInput.of("text", f"between 1 and {MAX_SAMPLE} characters")
        if NUL in text:
            raise InvalidInput.of("text", NUL_FAULT)
        async with self.unit_of_work() as tx:
            voice = await tx[Voices].get(caller.tenant_id, voice_id)
        return await asyncio.to_thread(self._compare, voice, text)

    def _compare(self, voice: Voice, text: str) -> tuple[str, ...]:
        found = blocks(text, voice.language, self.analysis)
        headings = [" ".join(block.sentences) for block in found if block.heading]
        paragraphs = [block.sentences for block in found if not block.heading]
        return deviations(voice.chosen, voice.language, self.analysis, headings, paragraphs)
