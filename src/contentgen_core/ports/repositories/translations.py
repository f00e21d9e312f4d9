"""Translations, and the checkpoints of those under way."""

from __future__ import annotations

from typing import Protocol

from contentgen_core.model.ids import ArticleId, TenantId, TranslationId
from contentgen_core.model.translation import TranslatedPart, Translation


class Translations(Protocol):
    """A translation of an article is deleted with the article that it makes."""

    async def add(self, translation: Translation) -> None:
        """Raises NotFound for an unknown tenant or article."""
        ...

    async def get(self, tenant_id: TenantId, translation_id: TranslationId) -> Translation:
        """Raises NotFound."""
        ...

    async def making(self, tenant_id: TenantId, article_id: ArticleId) -> Translation | None:
        """The translation that makes this article."""
        ...

    async def save(self, translation: Translation) -> Translation:
        """Store a changed translation that was read at `translation.revision`; returns it with the next revision.
        Raises ConcurrentChange, NotFound."""
        ...

    async def save_part(self, translation_id: TranslationId, part: TranslatedPart) -> None:
        """Store a part, replacing a former one at its position."""
        ...

    async def parts(self, translation_id: TranslationId) -> dict[int, TranslatedPart]:
        """The parts by position."""
        ...

    async def clear_parts(self, translation_id: TranslationId) -> None:
        """Delete the parts, which are only kept to resume after a crash."""
        ...
