"""Translations and their checkpoints."""

from __future__ import annotations

from attrs import evolve

from contentgen_adapters.memory.session import Session
from contentgen_core.errors import ConcurrentChange, NotFound
from contentgen_core.model.ids import ArticleId, TenantId, TranslationId
from contentgen_core.model.translation import TranslatedPart, Translation


class MemoryTranslations:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, translation: Translation) -> None:
        await self._session.writing()
        if self._session.tenants.get(translation.tenant_id) is None:
            raise NotFound("tenant", translation.tenant_id)
        made = translation.made_article_id
        if made is not None and self._session.articles.get(made) is None:
            raise NotFound("article", made)
        self._session.translations.put(translation.id, translation)

    async def get(self, tenant_id: TenantId, translation_id: TranslationId) -> Translation:
        translation = self._session.translations.get(translation_id)
        if translation is None or translation.tenant_id != tenant_id:
            raise NotFound("translation", translation_id)
        return translation

    async def making(self, tenant_id: TenantId, article_id: ArticleId) -> Translation | None:
        rows = self._session.translations.rows()
        return next((t for t in rows if (t.tenant_id, t.made_article_id) == (tenant_id, article_id)), None)

    async def save(self, translation: Translation) -> Translation:
        await self._session.writing()
        stored = await self.get(translation.tenant_id, translation.id)
        if stored.revision != translation.revision:
            raise ConcurrentChange("The translation was changed meanwhile. Read it again and repeat your change.")
        saved = evolve(translation, revision=translation.revision + 1)
        self._session.translations.put(saved.id, saved)
        return saved

    async def save_part(self, translation_id: TranslationId, part: TranslatedPart) -> None:
        await self._session.writing()
        known = self._session.translation_parts.get(translation_id) or {}
        self._session.translation_parts.put(translation_id, {**known, part.position: part})

    async def parts(self, translation_id: TranslationId) -> dict[int, TranslatedPart]:
        parts = self._session.translation_parts.get(translation_id) or {}
        return {position: parts[position] for position in sorted(parts)}

    async def clear_parts(self, translation_id: TranslationId) -> None:
        await self._session.writing()
        self._session.translation_parts.drop(translation_id)
