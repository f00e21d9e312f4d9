"""Translations and their parts: stored completely, seen by their tenant alone."""

from __future__ import annotations

from datetime import date

import pytest
from attrs import evolve

from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.article import Seo, Usage
from contentgen_core.model.ids import ArticleId, DocumentId, JobId, TranslationId, UserId
from contentgen_core.model.translation import Original, TranslatedPart, Translation, TranslationStatus
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.translations import Translations
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from tests.contract.store.given import alien_ids, given, given_tenant, given_tenants

PART = TranslatedPart(0, ("Une pompe ⟦1⟧.", ""), ("", "the translation is empty"), 1, Usage("m", 10, 5))


async def _stored(unit_of_work: UnitOfWork, *, of_article: bool = False, **changes: object) -> Translation:
    tenant = await given_tenant(unit_of_work)
    if of_article:
        article = builders.article(tenant_id=tenant.id)
        await given(unit_of_work, article)
        changes["made_article_id"] = article.id
    translation = builders.translation(tenant_id=tenant.id, **changes)
    async with unit_of_work() as tx:
        await tx[Translations].add(translation)
    return translation


class TranslationsContract:
    async def test_a_translation_is_given_back_as_it_was_added(self, unit_of_work: UnitOfWork) -> None:
        translation = await _stored(
            unit_of_work,
            of_article=True,
            created_by=UserId("u"),
            source=Language.ZH,
            article_id=ArticleId("a"),
            document_id=DocumentId("d"),
            original=Original("热泵 [1]", "热", "", Seo("m", None)),
            title="Une pompe à chaleur",
            result="مضخة",
            error="ünfinished",
            usage=Usage("m", 3, 4),
            completed_at=MOMENT,
            quota_window=date(2026, 3, 1),
            job_id=JobId("j"),
        )
        async with unit_of_work() as tx:
            assert await tx[Translations].get(translation.tenant_id, translation.id) == translation
            assert translation.made_article_id is not None
            assert await tx[Translations].making(translation.tenant_id, translation.made_article_id) == translation

    async def test_a_saved_translation_has_the_next_revision_and_an_older_one_is_refused(
        self, unit_of_work: UnitOfWork
    ) -> None:
        translation = await _stored(unit_of_work)
        ended = translation.moved_to(TranslationStatus.COMPLETED, MOMENT)
        async with unit_of_work() as tx:
            saved = await tx[Translations].save(ended)
        assert saved == evolve(ended, revision=translation.revision + 1)
        async with unit_of_work() as tx:
            assert await tx[Translations].get(translation.tenant_id, translation.id) == saved
        with pytest.raises(ConcurrentChange):
            async with unit_of_work() as tx:
                await tx[Translations].save(translation)

    async def test_parts_are_kept_by_position_and_replaced_one_by_one(self, unit_of_work: UnitOfWork) -> None:
        mine, other = await _stored(unit_of_work), await _stored(unit_of_work)
        mended = evolve(PART, texts=("Une pompe ⟦1⟧.", "Deux"), faults=("", ""), tries=2)
        async with unit_of_work() as tx:
            await tx[Translations].save_part(mine.id, evolve(PART, position=1))
            await tx[Translations].save_part(mine.id, PART)
        async with unit_of_work() as tx:
            await tx[Translations].save_part(mine.id, mended)
        async with unit_of_work() as tx:
            parts = await tx[Translations].parts(mine.id)
            assert list(parts.items()) == [(0, mended), (1, evolve(PART, position=1))]
            assert await tx[Translations].parts(other.id) == {}
            await tx[Translations].clear_parts(mine.id)
        async with unit_of_work() as tx:
            assert await tx[Translations].parts(mine.id) == {}

    async def test_a_translation_goes_with_the_article_that_it_makes(self, unit_of_work: UnitOfWork) -> None:
        translation = await _stored(unit_of_work, of_article=True)
        assert translation.made_article_id is not None
        async with unit_of_work() as tx:
            await tx[Translations].save_part(translation.id, PART)
            await tx[Articles].delete(translation.tenant_id, translation.made_article_id)
        async with unit_of_work() as tx:
            with pytest.raises(NotFound):
                await tx[Translations].get(translation.tenant_id, translation.id)
            assert await tx[Translations].parts(translation.id) == {}

    async def test_an_article_keeps_what_it_is_a_translation_of(self, unit_of_work: UnitOfWork) -> None:
        tenant = await given_tenant(unit_of_work)
        original = builders.article(tenant_id=tenant.id)
        translated = builders.article(tenant_id=tenant.id, translation_of=original.id)
        await given(unit_of_work, original, translated)
        async with unit_of_work() as tx:
            await tx[Articles].delete(tenant.id, original.id)
        async with unit_of_work() as tx:
            assert await tx[Articles].get(tenant.id, translated.id) == translated

    @alien_ids
    async def test_the_translations_of_an_article_are_found(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant, other = await given_tenants(unit_of_work)
        original = builders.article(tenant_id=tenant.id)
        first, second = (builders.article(tenant_id=tenant.id, translation_of=original.id) for _ in range(2))
        await given(unit_of_work, original, first, second)
        async with unit_of_work() as tx:
            found = await tx[Articles].translations_of(tenant.id, original.id, 9)
            assert [article.id for article in found] == [second.id, first.id]
            assert [article.brief for article in found] == [second.brief, first.brief]
            assert [a.id for a in await tx[Articles].translations_of(tenant.id, original.id, 1)] == [second.id]
            for owner, id in ((other.id, original.id), (tenant.id, first.id), (tenant.id, ArticleId(alien))):
                assert await tx[Articles].translations_of(owner, id, 9) == []

    async def test_another_tenants_translation_is_not_found(self, unit_of_work: UnitOfWork) -> None:
        translation, other = await _stored(unit_of_work, of_article=True), await given_tenant(unit_of_work)
        assert translation.made_article_id is not None
        async with unit_of_work() as tx:
            with pytest.raises(NotFound):
                await tx[Translations].get(other.id, translation.id)
            assert await tx[Translations].making(other.id, translation.made_article_id) is None
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Translations].save(evolve(translation, tenant_id=other.id))

    @alien_ids
    async def test_an_id_that_names_no_translation_is_not_found(self, unit_of_work: UnitOfWork, alien: str) -> None:
        tenant = await given_tenant(unit_of_work)
        async with unit_of_work() as tx:
            with pytest.raises(NotFound):
                await tx[Translations].get(tenant.id, TranslationId(alien))
            assert await tx[Translations].making(tenant.id, ArticleId(alien)) is None
            assert await tx[Translations].parts(TranslationId(alien)) == {}

    async def test_a_translation_of_an_unknown_tenant_or_article_is_refused(self, unit_of_work: UnitOfWork) -> None:
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Translations].add(builders.translation())
        tenant = await given_tenant(unit_of_work)
        made = ArticleId(builders.new_id())
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Translations].add(builders.translation(tenant_id=tenant.id, made_article_id=made))
