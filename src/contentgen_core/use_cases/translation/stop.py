"""Stopping a translation when a person edits the article that it makes."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from attrs import evolve

from contentgen_core.model.article import Article
from contentgen_core.model.translation import TranslationStatus
from contentgen_core.ports.repositories.translations import Translations
from contentgen_core.ports.unit_of_work import Transaction

STOPPED: Final = "Somebody changed the article while it was being translated, which stopped the translation."


async def stop_translation(tx: Transaction, article: Article, now: datetime) -> None:
    """End the translation that makes this article, if one is under way. Its credits stay spent, as for a cancelled
    generation. The job is the article's, and is cancelled with it."""
    if article.translation_of is None:
        return
    translation = await tx[Translations].making(article.tenant_id, article.id)
    if translation is not None and translation.status is TranslationStatus.TRANSLATING:
        await tx[Translations].save(evolve(translation.failed(now, STOPPED), stopped=True))
        await tx[Translations].clear_parts(translation.id)
