"""/console/settings/voices: how the articles of the team are to read."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import ContentgenError
from contentgen_core.model.changes import UNSET
from contentgen_core.model.ids import VoiceId
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.voice import MAX_SAMPLES
from contentgen_core.use_cases.voices.manage_voices import ChangedVoice, NewVoice
from contentgen_http.api.requests import path_id
from contentgen_http.console.pages.settings.settings_page import NONE_TYPED, SettingsPage
from contentgen_http.console.rendering import to
from contentgen_http.console.sent_once import sent_once
from contentgen_http.console.visit import Form, Visit

VOICES: Final = "/console/settings/voices"


class VoicePages(SettingsPage):
    @get("/settings/voices")
    async def voices(self, request: Visit) -> Response[str]:
        return await self._list(request)

    @post("/settings/voices", status_code=200)
    @sent_once
    async def create(self, request: Visit) -> Response[Any]:
        form = await self.form(request)
        language = form.text("language")
        new = NewVoice(
            request.user.caller,
            form.text("name"),
            Language(language) if language in set(Language) else Language.EN,
            form.text("guide"),
            _samples(form),
            _terms(form.text("use")),
            _terms(form.text("avoid")),
            "default" in form,
        )
        try:
            voice = await self.services.writing.voices.create(new)
        except ContentgenError as error:
            return await self._list(request, error, form)
        return to(f"{VOICES}/{voice.id}", "note-settings-saved")

    @get("/settings/voices/{id:str}")
    async def voice(self, request: Visit, id: FromPath[str]) -> Response[str]:
        return await self._voice(request, id)

    @post("/settings/voices/{id:str}", status_code=200)
    async def change(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        form = await self.form(request)
        command = ChangedVoice(
            request.user.caller,
            _id(id),
            name=form.text("name"),
            guide=form.text("guide"),
            samples=_samples(form) or (() if "forget" in form else UNSET),
            use=_terms(form.text("use")),
            avoid=_terms(form.text("avoid")),
            is_default="default" in form,
        )
        try:
            await self.services.writing.voices.change(command)
        except ContentgenError as error:
            return await self._voice(request, id, error, form)
        return to(f"{VOICES}/{id}", "note-settings-saved")

    @post("/settings/voices/{id:str}/try", status_code=200)
    async def compare(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        """How a pasted text deviates from the voice. Nothing is kept."""
        form = await self.form(request)
        text = form.text("text")
        try:
            found = await self.services.writing.compare_with_voice(request.user.caller, _id(id), text)
        except ContentgenError as error:
            return await self._voice(request, id, error, tried=text)
        return await self._voice(request, id, tried=text, deviations=found)

    @get("/settings/voices/{id:str}/delete")
    async def ask_to_delete(self, request: Visit, id: FromPath[str]) -> Response[str]:
        voice = await self.services.writing.voices.get(request.user.caller, _id(id))
        back = f"{VOICES}/{voice.id}"
        hint = "settings-voice-delete-hint"
        return self.ask(request, "settings-voice-delete-ask", "settings-delete", back, hint=hint, name=voice.name)

    @post("/settings/voices/{id:str}/delete", status_code=200)
    async def delete(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        await self.form(request)
        await self.services.writing.voices.delete(request.user.caller, _id(id))
        return to(VOICES, "note-deleted")

    async def _list(
        self, request: Visit, error: ContentgenError | None = None, typed: Form = NONE_TYPED
    ) -> Response[str]:
        voices = await self.services.writing.voices.list(request.user.caller)
        return self.settings(request, "voices", error=error, typed=typed, voices=voices, languages_of=list(Language))

    async def _voice(
        self,
        request: Visit,
        id: str,
        error: ContentgenError | None = None,
        typed: Form = NONE_TYPED,
        *,
        tried: str = "",
        deviations: tuple[str, ...] | None = None,
    ) -> Response[str]:
        voice = await self.services.writing.voices.get(request.user.caller, _id(id))
        return self.settings(
            request, "voice", error=error, typed=typed, voice=voice, tried=tried, deviations=deviations
        )


def _id(text: str) -> VoiceId:
    return VoiceId(path_id("voice", text))


def _samples(form: Form) -> tuple[str, ...]:
    """One more than may be, so that too many are refused."""
    return tuple(sample for sample in form.texts("sample") if sample)[: MAX_SAMPLES + 1]


def _terms(text: str) -> tuple[str, ...]:
    """One a line."""
    return tuple(line.strip() for line in text.split("\n") if line.strip())
