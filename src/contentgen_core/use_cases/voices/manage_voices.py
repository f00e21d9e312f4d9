"""Voices: create, read, change, delete."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from contentgen_core.errors import FieldError, InvalidInput, QuotaExceeded
from contentgen_core.model.changes import UNSET, UnsetType
from contentgen_core.model.ids import VoiceId
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.voice import (
    MAX_ALL_SAMPLES,
    MAX_GUIDE,
    MAX_NAME,
    MAX_SAMPLE,
    MAX_SAMPLES,
    MAX_TERM,
    MAX_TERMS,
    MAX_VOICES,
    MIN_SAMPLE_WORDS,
    Features,
    Voice,
)
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.policies.text.names import name_fault
from contentgen_core.policies.text.storable import NUL, NUL_FAULT
from contentgen_core.policies.voice.measure import measure
from contentgen_core.ports.documents import LanguageDetector
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.repositories.voices import Voices
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.use_case import use_case

TELLS_LANGUAGE = 200
"""Characters from which a sample tells its language."""
ALIKE = (frozenset({Language.NO, Language.DA}), frozenset({Language.RU, Language.UK}))
"""Languages that a detector takes for each other in short texts."""


@frozen
class NewVoice:
    caller: Caller
    name: str
    language: Language
    guide: str = ""
    samples: tuple[str, ...] = ()
    use: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    is_default: bool = False


@frozen
class ChangedVoice:
    """UNSET fields are not changed. `samples`: in place of the former ones, which are not kept; () forgets what was
    measured."""

    caller: Caller
    voice_id: VoiceId
    name: str | UnsetType = UNSET
    guide: str | UnsetType = UNSET
    samples: tuple[str, ...] | UnsetType = UNSET
    use: tuple[str, ...] | UnsetType = UNSET
    avoid: tuple[str, ...] | UnsetType = UNSET
    is_default: bool | UnsetType = UNSET


@use_case
class ManageVoices:
    """Samples are measured and not kept."""

    unit_of_work: UnitOfWork
    analysis: TextAnalysis
    detector: LanguageDetector
    clock: Clock
    ids: Ids

    async def list(self, caller: Caller) -> list[Voice]:
        async with self.unit_of_work() as tx:
            return await tx[Voices].list(caller.tenant_id)

    async def get(self, caller: Caller, voice_id: VoiceId) -> Voice:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            return await tx[Voices].get(caller.tenant_id, voice_id)

    async def create(self, command: NewVoice) -> Voice:
        """A default voice takes the place of the former default of its language. Raises InvalidInput, NotPermitted,
        QuotaExceeded."""
        caller, now = command.caller, self.clock.now()
        require_role(caller, Role.ADMIN)
        _check_bounds(command.samples)
        voice = Voice(
            id=VoiceId(self.ids.new()),
            tenant_id=caller.tenant_id,
            name=command.name.strip(),
            language=command.language,
            created_at=now,
            updated_at=now,
            guide=command.guide.strip(),
            use=_terms(command.use),
            avoid=_terms(command.avoid),
            is_default=command.is_default,
        )
        voice = await self._check_voice(voice, command.samples)
        async with self.unit_of_work() as tx:
            await tx[Tenants].lock(caller.tenant_id)  # so that concurrent requests cannot exceed the bound
            used = len(await tx[Voices].list(caller.tenant_id))
            if used >= MAX_VOICES:
                message = f"A tenant has at most {MAX_VOICES} voices. Delete one that is not needed."
                raise QuotaExceeded(message, limit=MAX_VOICES, used=used, resets_at=None)
            await _clear_default(tx, voice)
            await tx[Voices].add(voice)
        return voice

    async def change(self, command: ChangedVoice) -> Voice:
        """Change a voice. Articles keep the voice as it was when they were requested. Raises InvalidInput,
        NotPermitted, NotFound, ConcurrentChange."""
        caller = command.caller
        require_role(caller, Role.ADMIN)
        samples = None if command.samples is UNSET else command.samples
        _check_bounds(samples or ())
        present = await self.get(caller, command.voice_id)
        changed = evolve(
            present,
            name=present.name if command.name is UNSET else command.name.strip(),
            guide=present.guide if command.guide is UNSET else command.guide.strip(),
            use=present.use if command.use is UNSET else _terms(command.use),
            avoid=present.avoid if command.avoid is UNSET else _terms(command.avoid),
            is_default=present.is_default if command.is_default is UNSET else command.is_default,
            updated_at=self.clock.now(),
        )
        changed = await self._check_voice(changed, samples)
        async with self.unit_of_work() as tx:
            await tx[Tenants].lock(caller.tenant_id)
            await _clear_default(tx, changed)
            return await tx[Voices].save(changed)

    async def delete(self, caller: Caller, voice_id: VoiceId) -> None:
        """Articles keep it. Raises NotPermitted, NotFound."""
        require_role(caller, Role.ADMIN)
        async with self.unit_of_work() as tx:
            await tx[Voices].delete(caller.tenant_id, voice_id)

    async def _check_voice(self, voice: Voice, samples: tuple[str, ...] | None) -> Voice:
        """Return the voice with the features of its samples; None leaves those it has. Raises InvalidInput with all
        faults."""
        faults = [*_faults(voice)]
        if samples is not None:
            features, found = await asyncio.to_thread(self._measure, samples, voice.language)
            voice = evolve(voice, features=features)
            faults += found
        if not faults and not (voice.guide or voice.use or voice.avoid or voice.features):
            faults.append(FieldError("samples", "give samples, a guide, or terms to use or avoid"))
        if faults:
            raise InvalidInput(*faults)
        return voice

    def _measure(self, samples: Sequence[str], language: Language) -> tuple[Features | None, tuple[FieldError, ...]]:
        """Return the features of the samples, and their faults."""
        found = ((i, self._sample_fault(sample, language)) for i, sample in enumerate(samples))
        faults = tuple(FieldError(f"samples[{i}]", fault) for i, fault in found if fault)
        if faults or not samples:
            return None, faults
        features = measure(samples, language, self.analysis)
        if features is None or features.words < MIN_SAMPLE_WORDS:
            words = 0 if features is None else features.words
            fault = f"{words} words together; at least {MIN_SAMPLE_WORDS} tell a voice"
            return None, (FieldError("samples", fault),)
        return features, ()

    def _sample_fault(self, sample: str, language: Language) -> str | None:
        if not sample.strip():
            return "is empty"
        if NUL in sample:
            return NUL_FAULT
        if len(sample) < TELLS_LANGUAGE:
            return None
        found = self.detector.detect(sample)
        if found is language or frozenset({found, language}) in ALIKE:
            return None
        return f"seems to be in the language {found}; the voice is for {language}"


def _check_bounds(samples: Sequence[str]) -> None:
    """Ahead of all that reads them. Raises InvalidInput."""
    faults = [
        FieldError(f"samples[{i}]", f"at most {MAX_SAMPLE} characters")
        for i, sample in enumerate(samples[:MAX_SAMPLES])
        if len(sample) > MAX_SAMPLE
    ]
    if len(samples) > MAX_SAMPLES:
        faults.append(FieldError("samples", f"at most {MAX_SAMPLES}"))
    elif sum(map(len, samples)) > MAX_ALL_SAMPLES:
        faults.append(FieldError("samples", f"at most {MAX_ALL_SAMPLES} characters together"))
    if faults:
        raise InvalidInput(*faults)


def _faults(voice: Voice) -> Iterator[FieldError]:
    if fault := name_fault(voice.name, MAX_NAME):
        yield FieldError("name", fault)
    if len(voice.guide) > MAX_GUIDE:
        yield FieldError("guide", f"at most {MAX_GUIDE} characters")
    if NUL in voice.guide:
        yield FieldError("guide", NUL_FAULT)
    for field, terms in (("use", voice.use), ("avoid", voice.avoid)):
        if len(terms) > MAX_TERMS:
            yield FieldError(field, f"at most {MAX_TERMS} terms")
        elif any(not term or len(term) > MAX_TERM or NUL in term for term in terms):
            yield FieldError(field, f"each term has between 1 and {MAX_TERM} characters, none of them NUL")
    avoided = {term.casefold() for term in voice.avoid}
    if both := [term for term in voice.use if term.casefold() in avoided]:
        yield FieldError("use", f"“{both[0]}” is also to be avoided")


def _terms(terms: Sequence[str]) -> tuple[str, ...]:
    """Return the terms, each once, in their order, with single spaces."""
    return tuple({(plain := " ".join(term.split())).casefold(): plain for term in reversed(terms)}.values())[::-1]


async def _clear_default(tx: Transaction, voice: Voice) -> None:
    """Take the default of the language from another voice if this one is to be it."""
    former = await tx[Voices].default(voice.tenant_id, voice.language) if voice.is_default else None
    if former is not None and former.id != voice.id:
        await tx[Voices].save(evolve(former, is_default=False))
