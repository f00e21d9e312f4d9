"""GET /articles/{id}/versions: an article's versions, one with its text, and what two differ in."""

from __future__ import annotations

import asyncio
from typing import Final

from attrs import frozen

from contentgen_core.model.article_version import ArticleVersion, VersionText
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import Caller
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.text_changes import TextChange, text_changes
from contentgen_core.policies.articles.written_text import read_text
from contentgen_core.ports.rendering import ArticleRenderer
from contentgen_core.ports.repositories.article_versions import ArticleVersions
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case

MAX_VERSIONS: Final = 100
"""Of one answer."""


@frozen
class ComparedVersions:
    """`changes`: in sentences and headings; `markup`: whether the contents differ where no sentence does."""

    before: tuple[ArticleVersion, VersionText]
    after: tuple[ArticleVersion, VersionText]
    changes: tuple[TextChange, ...]
    markup: bool


@use_case
class ReadVersions:
    unit_of_work: UnitOfWork
    renderer: ArticleRenderer
    analysis: TextAnalysis

    async def page(self, caller: Caller, article_id: ArticleId, before: int | None, limit: int) -> list[ArticleVersion]:
        """Return the versions, newest first, MAX_VERSIONS at most. Raises NotFound."""
        async with self.unit_of_work() as tx:
            found = await tx[ArticleVersions].page(caller.tenant_id, article_id, before, min(limit, MAX_VERSIONS))
            if not found:
                await tx[Articles].listed(caller.tenant_id, article_id)  # a version goes with its article
            return found

    async def one(self, caller: Caller, article_id: ArticleId, number: int) -> tuple[ArticleVersion, VersionText]:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            return await tx[ArticleVersions].get(caller.tenant_id, article_id, number)

    async def compared(self, caller: Caller, article_id: ArticleId, number: int, other: int | None) -> ComparedVersions:
        """Compare the version `number` with `other`; None: with the newest. Raises NotFound."""
        async with self.unit_of_work() as tx:
            language = (await tx[Articles].listed(caller.tenant_id, article_id)).brief.language
            before = await tx[ArticleVersions].get(caller.tenant_id, article_id, number)
            if other is None:
                newest = await tx[ArticleVersions].newest(caller.tenant_id, article_id)
                other = number if newest is None else newest.number
            after = await tx[ArticleVersions].get(caller.tenant_id, article_id, other)

        def changes() -> tuple[TextChange, ...]:
            return text_changes(self._lines(before[1].content, language), self._lines(after[1].content, language))

        found = await asyncio.to_thread(changes)
        return ComparedVersions(before, after, found, not found and before[1].content != after[1].content)

    def _lines(self, content: str, language: Language) -> list[str]:
        """Headings, and sentences with their citations."""
        text = read_text(self.renderer.text_blocks(content), {}, language, self.analysis)
        return [
            line
            for heading, sentences in text.blocks
            for line in (
                *((heading,) if heading else ()),
                *(s.draft.text + "".join(f"[{number}]" for number in s.citations) for s in sentences),
            )
        ]
