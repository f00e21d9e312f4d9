"""Voices, each seen by its tenant alone, with one default a language."""

from __future__ import annotations

from datetime import timedelta

import pytest
from attrs import evolve

from contentgen_core.errors import AlreadyExists, ConcurrentChange, NotFound
from contentgen_core.model.ids import VoiceId
from contentgen_core.model.vocabulary import Language
from contentgen_core.model.voice import Features, Formality, Person, Spelling, Voice
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.voices import Voices
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant

FEATURES = Features(
    words=90,
    sentences=6,
    sentence_words=15.0,
    sentence_spread=4.2,
    paragraph_sentences=3.0,
    questions=0.17,
    lists=0.0,
    dashes=0.33,
    person=Person.WE,
    formality=Formality.FORMAL,
    spelling=Spelling.BRITISH,
    quotes="“",
    terms=("heat", "pump"),
)


async def _voice(unit_of_work: UnitOfWork, **changes: object) -> Voice:
    if "tenant_id" not in changes:
        changes["tenant_id"] = (await given_tenant(unit_of_work)).id
    voice = builders.voice(**changes)
    async with unit_of_work() as tx:
        await tx[Voices].add(voice)
    return voice


class VoicesContract:
    async def test_a_voice_is_given_back_as_it_was_added(self, unit_of_work: UnitOfWork) -> None:
        terms = {"use": ("heat pump",), "avoid": ("leverage",)}
        voice = await _voice(unit_of_work, guide="Plain wörds.", features=FEATURES, is_default=True, **terms)
        async with unit_of_work() as tx:
            assert await tx[Voices].get(voice.tenant_id, voice.id) == voice
            assert await tx[Voices].default(voice.tenant_id, Language.EN) == voice
            assert await tx[Voices].default(voice.tenant_id, Language.FR) is None

    async def test_voices_are_listed_in_the_order_of_their_creation(self, unit_of_work: UnitOfWork) -> None:
        late = await _voice(unit_of_work, created_at=MOMENT + timedelta(seconds=1))
        early = await _voice(unit_of_work, tenant_id=late.tenant_id)
        await _voice(unit_of_work)
        async with unit_of_work() as tx:
            assert await tx[Voices].list(late.tenant_id) == [early, late]

    async def test_a_language_has_one_default_voice(self, unit_of_work: UnitOfWork) -> None:
        first = await _voice(unit_of_work, is_default=True)
        other = await _voice(unit_of_work, tenant_id=first.tenant_id)
        await _voice(unit_of_work, tenant_id=first.tenant_id, is_default=True, language=Language.FR)
        await _voice(unit_of_work, is_default=True)
        with pytest.raises(AlreadyExists):
            await _voice(unit_of_work, tenant_id=first.tenant_id, is_default=True)
        with pytest.raises(AlreadyExists):
            async with unit_of_work() as tx:
                await tx[Voices].save(evolve(other, is_default=True))
        async with unit_of_work() as tx:
            await tx[Voices].save(evolve(first, is_default=False))
            saved = await tx[Voices].save(evolve(other, is_default=True))
            assert await tx[Voices].default(first.tenant_id, Language.EN) == saved

    async def test_a_changed_voice_has_the_next_revision(self, unit_of_work: UnitOfWork) -> None:
        voice = await _voice(unit_of_work)
        async with unit_of_work() as tx:
            saved = await tx[Voices].save(evolve(voice, name="Other"))
        assert saved == evolve(voice, name="Other", revision=voice.revision + 1)
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[Voices].save(voice)

    async def test_a_deleted_voice_is_gone(self, unit_of_work: UnitOfWork) -> None:
        voice = await _voice(unit_of_work)
        async with unit_of_work() as tx:
            await tx[Voices].delete(voice.tenant_id, voice.id)
        async with unit_of_work() as tx:
            assert await tx[Voices].list(voice.tenant_id) == []
            with pytest.raises(NotFound):
                await tx[Voices].delete(voice.tenant_id, voice.id)

    async def test_another_tenants_voice_is_not_found(self, unit_of_work: UnitOfWork) -> None:
        voice, other = await _voice(unit_of_work, is_default=True), await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            assert await tx[Voices].default(other.id, Language.EN) is None
            for refused in (tx[Voices].get, tx[Voices].delete):
                with pytest.raises(NotFound):
                    await refused(other.id, voice.id)

    async def test_a_voice_needs_a_tenant(self, unit_of_work: UnitOfWork) -> None:
        with pytest.raises(NotFound):
            await _voice(unit_of_work, tenant_id="unknown")

    @alien_ids
    async def test_what_names_no_voice_is_not_found(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant = await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            with pytest.raises(NotFound):
                await tx[Voices].get(tenant.id, VoiceId(alien))

    async def test_an_article_keeps_the_voice_it_was_written_in(self, unit_of_work: UnitOfWork) -> None:
        voice = await _voice(unit_of_work, features=FEATURES, avoid=("leverage",))
        made = builders.article(tenant_id=voice.tenant_id, voice_deviations=("term “ü” is not used",))
        article = evolve(made, brief=evolve(made.brief, voice=voice.chosen))
        await given(unit_of_work, article)
        async with unit_of_work() as tx:
            await tx[Voices].delete(voice.tenant_id, voice.id)
        async with unit_of_work() as tx:
            stored = await tx[Articles].get(article.tenant_id, article.id)
        assert (stored.brief.voice, stored.voice_deviations) == (voice.chosen, ("term “ü” is not used",))
