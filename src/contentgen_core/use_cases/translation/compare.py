"""An article's original and translations, and one of them beside the other."""

from __future__ import annotations

import asyncio
from typing import Final

from attrs import frozen

from contentgen_core.errors import NotFound
from contentgen_core.model.article import Article
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import Caller
from contentgen_core.model.text import TextAnalysis
from contentgen_core.policies.articles.side_by_side import Beside, side_by_side
from contentgen_core.policies.articles.written_text import WrittenText, read_text
from contentgen_core.ports.rendering import ArticleRenderer
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case

MAX_TRANSLATIONS: Final = 50
"""Of one answer, the newest."""


@frozen
class Translated:
    """An article's relation to its translations. `original`: the article it is a translation of; None where it is none,
    or its original is gone. `translations`: those of the article itself, the newest first."""

    original: Article | None
    translations: tuple[Article, ...]


@use_case
class CompareTranslations:
    unit_of_work: UnitOfWork
    renderer: ArticleRenderer
    analysis: TextAnalysis

    async def of_article(self, caller: Caller, article_id: ArticleId) -> Translated:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            article = await tx[Articles].listed(caller.tenant_id, article_id)
            translations = await tx[Articles].translations_of(caller.tenant_id, article_id, MAX_TRANSLATIONS)
            original = None
            if article.translation_of is not None:
                known = await tx[Articles].statuses(caller.tenant_id, [article.translation_of])
                original = await tx[Articles].get(caller.tenant_id, article.translation_of) if known else None
        return Translated(original, tuple(translations))

    async def __call__(
        self, caller: Caller, original_id: ArticleId, translation_id: ArticleId
    ) -> tuple[Article, tuple[Beside, ...]]:
        """A translation, and its parts beside those of its original. Raises NotFound, also where it is a translation of
        another article."""
        async with self.unit_of_work() as tx:
            original = await tx[Articles].get(caller.tenant_id, original_id)
            translation = await tx[Articles].get(caller.tenant_id, translation_id)
        if translation.translation_of != original.id:
            raise NotFound("translation", translation_id)
        return translation, await asyncio.to_thread(lambda: side_by_side(self._read(original), self._read(translation)))

    def _read(self, article: Article) -> WrittenText:
        return read_text(self.renderer.text_blocks(article.content), {}, article.brief.language, self.analysis)
