"""Translations and their checkpoints."""

from __future__ import annotations

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.records import RECORD, RecordTable
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.model.ids import ArticleId, TenantId, TranslationId
from contentgen_core.model.translation import TranslatedPart, Translation
from contentgen_core.ports.repositories.translations import Translations


@repository(Translations)
class PostgresTranslations:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = RecordTable(session, "translations", Translation, "translation")

    async def add(self, translation: Translation) -> None:
        columns = {"made_article_id": translation.made_article_id, "created_at": translation.created_at}
        await self._records.add(translation, columns)

    async def get(self, tenant_id: TenantId, translation_id: TranslationId) -> Translation:
        return await self._records.get(tenant_id, translation_id)

    async def making(self, tenant_id: TenantId, article_id: ArticleId) -> Translation | None:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM translations WHERE made_article_id = %s AND tenant_id = %s",  # noqa: S608 - a constant
            (findable(article_id), findable(tenant_id)),
        )
        return self._records.read(rows[0]) if rows else None

    async def save(self, translation: Translation) -> Translation:
        return await self._records.save(translation)

    async def save_part(self, translation_id: TranslationId, part: TranslatedPart) -> None:
        await self._session.change(
            "INSERT INTO translation_parts (translation_id, position, part) VALUES (%s, %s, %s)"
            " ON CONFLICT (translation_id, position) DO UPDATE SET part = excluded.part",
            (translation_id, part.position, dumps(part, TranslatedPart)),
        )

    async def parts(self, translation_id: TranslationId) -> dict[int, TranslatedPart]:
        rows = await self._session.read(
            "SELECT position, part::text FROM translation_parts WHERE translation_id = %s ORDER BY position",
            (findable(translation_id),),
        )
        return {position: loads(part, TranslatedPart) for position, part in rows}

    async def clear_parts(self, translation_id: TranslationId) -> None:
        await self._session.change(
            "DELETE FROM translation_parts WHERE translation_id = %s", (findable(translation_id),)
        )
