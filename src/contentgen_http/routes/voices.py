"""Voices."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.params import FromPath

from contentgen_core import errors
from contentgen_core.model.ids import VoiceId
from contentgen_http.api.operation import KIB, operation
from contentgen_http.api.requests import TenantRequest, path_id, read_body
from contentgen_http.services import Services
from contentgen_http.wire import voices
from contentgen_http.wire.base import Done

TAG: Final = "Voices"
MAX_BODY: Final = 1_024 * KIB
"""200,000 characters of four bytes, and the rest."""


def _id(text: str) -> VoiceId:
    return VoiceId(path_id("voice", text))


class VoiceRoutes(Controller):
    services: Services

    @operation("GET", "/voices", tag=TAG, answer=voices.VoiceList)
    async def list_voices(self, request: TenantRequest) -> voices.VoiceList:
        """List voices.

        How your articles are to read.
        """
        found = await self.services.writing.voices.list(request.user)
        return voices.VoiceList(voices=[voices.Voice.of(voice) for voice in found])

    @operation(
        "POST",
        "/voices",
        tag=TAG,
        body=voices.NewVoice,
        answer=voices.Voice,
        raises=(errors.NotPermitted, errors.QuotaExceeded),
        example={
            "name": "House style",
            "language": "en",
            "guide": "Plain words, no hype.",
            "use": ["heat pump"],
            "avoid": ["leverage"],
        },
        max_body=MAX_BODY,
    )
    async def create_voice(self, request: TenantRequest) -> voices.Voice:
        """Create a voice.

        From samples, which are measured and not kept, a guide in words, and terms to use and to avoid. For admins and
        owners.
        """
        body = await read_body(request, voices.NewVoice)
        return voices.Voice.of(await self.services.writing.voices.create(body.to_command(request.user)))

    @operation("GET", "/voices/{id:str}", tag=TAG, answer=voices.Voice, raises=(errors.NotFound,))
    async def get_voice(self, request: TenantRequest, id: FromPath[str]) -> voices.Voice:
        """Read a voice.

        With what was measured in its samples.
        """
        return voices.Voice.of(await self.services.writing.voices.get(request.user, _id(id)))

    @operation(
        "PATCH",
        "/voices/{id:str}",
        tag=TAG,
        body=voices.VoicePatch,
        answer=voices.Voice,
        raises=(errors.NotPermitted, errors.NotFound, errors.ConcurrentChange),
        example={"avoid": ["leverage", "synergy"]},
        max_body=MAX_BODY,
    )
    async def edit_voice(self, request: TenantRequest, id: FromPath[str]) -> voices.Voice:
        """Change a voice.

        Articles that were asked for keep it as it was. For admins and owners.
        """
        body = await read_body(request, voices.VoicePatch)
        changed = await self.services.writing.voices.change(body.to_command(request.user, _id(id)))
        return voices.Voice.of(changed)

    @operation("DELETE", "/voices/{id:str}", tag=TAG, answer=Done, raises=(errors.NotPermitted, errors.NotFound))
    async def delete_voice(self, request: TenantRequest, id: FromPath[str]) -> Done:
        """Delete a voice.

        Its articles keep it. For admins and owners.
        """
        await self.services.writing.voices.delete(request.user, _id(id))
        return Done()
