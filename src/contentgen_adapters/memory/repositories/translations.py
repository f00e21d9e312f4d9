"""Translations and their checkpoints."""

from __future__ import annotations

from contentgen_adapters.memory.common_tables import ARTICLES, TENANTS, TRANSLATION_PARTS, TRANSLATIONS
from contentgen_adapters.memory.records import Records, existing
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.model.ids import ArticleId, TenantId, TranslationId
from contentgen_core.model.translation import TranslatedPart, Translation
from contentgen_core.ports.repositories.translations import Translations


@repository(Translations)
class MemoryTranslations:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, session[TRANSLATIONS], "translation")

    async def add(self, translation: Translation) -> None:
        await self._session.writing()
        existing(self._session[TENANTS], translation.tenant_id, "tenant")
        if translation.made_article_id is not None:
            existing(self._session[ARTICLES], translation.made_article_id, "article")
        self._session[TRANSLATIONS].put(translation.id, translation)

    async def get(self, tenant_id: TenantId, translation_id: TranslationId) -> Translation:
        return await self._records.get(tenant_id, translation_id)

    async def making(self, tenant_id: TenantId, article_id: ArticleId) -> Translation | None:
        return next((t for t in self._records.of(tenant_id) if t.made_article_id == article_id), None)

    async def save(self, translation: Translation) -> Translation:
        return await self._records.save(translation)

    async def save_part(self, translation_id: TranslationId, part: TranslatedPart) -> None:
        await self._session.writing()
        known = self._session[TRANSLATION_PARTS].get(translation_id) or {}
        self._session[TRANSLATION_PARTS].put(translation_id, {**known, part.position: part})

    async def parts(self, translation_id: TranslationId) -> dict[int, TranslatedPart]:
        parts = self._session[TRANSLATION_PARTS].get(translation_id) or {}
        return {position: parts[position] for position in sorted(parts)}

    async def clear_parts(self, translation_id: TranslationId) -> None:
        await self._session.writing()
        self._session[TRANSLATION_PARTS].drop(translation_id)
