"""Changing sentences of a translation as its original changed; nothing else of it changes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from attrs import evolve

from contentgen_core.model.article import Article, ArticleSource, ArticleStatus
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.article_update import ArticleUpdate, OriginalSentence
from contentgen_core.model.freshness import StaleSentence
from contentgen_core.model.text import TextAnalysis
from contentgen_core.policies.articles.following import place_of
from contentgen_core.policies.articles.patching import Patch, patched
from contentgen_core.policies.articles.written_text import WrittenText, bare, read_text
from contentgen_core.policies.text import markdown
from contentgen_core.ports.rendering import ArticleRenderer
from contentgen_core.ports.runtime import Clock
from contentgen_core.use_cases.articles.check_text import CheckText
from contentgen_core.use_cases.articles.patch import ArticleChanged, Chosen, NothingToPatch, patch_summary
from contentgen_core.use_cases.use_case import use_case


@use_case
class ApplyTranslation:
    check_text: CheckText
    analysis: TextAnalysis
    renderer: ArticleRenderer
    clock: Clock

    async def __call__(self, article: Article, update: ArticleUpdate, chosen: Chosen) -> Article:
        """The translation with these sentences changed, to be stored. Never within a transaction: one that a person
        edited has a receipt, whose changed sentences are checked. Raises NothingToPatch, ArticleChanged,
        NotConfigured."""
        if article.status is ArticleStatus.GENERATING:
            raise NothingToPatch("The article is being translated.")
        text = await asyncio.to_thread(self.text_of, article)
        patches = _patches(article, update, chosen, text)
        content = await asyncio.to_thread(_content, article, patches)
        cited = {int(number) for number in markdown.CITATION.findall(content)}
        sources = _merge_sources(article, update, chosen)
        changed = evolve(
            patch_summary(article, chosen), content=content, sources=tuple(s for s in sources if s.number in cited)
        )
        if article.grounding is not None:
            exchanged = {bare(stale.text) for stale, _ in chosen}
            kept = tuple(s for s in article.grounding.sentences if bare(s.text) not in exchanged)
            checked = await self.check_text(changed, content, evolve(article.grounding, sentences=kept))
            changed = evolve(changed, grounding=checked.grounding, voice_deviations=checked.voice_deviations)
        plain = await asyncio.to_thread(self.renderer.plain_text, content)
        words = len(self.analysis.tokens(plain, article.brief.language))
        return evolve(changed, word_count=words, updated_at=self.clock.now())

    def text_of(self, article: Article) -> WrittenText:
        """Return the sentences of a translation."""
        sources = {s.number: SourceRef(s.parent_id, s.chunk_index) for s in article.sources}
        return read_text(self.renderer.text_blocks(article.content), sources, article.brief.language, self.analysis)


def _patches(article: Article, update: ArticleUpdate, chosen: Chosen, text: WrittenText) -> list[Patch]:
    """Return the patches from the last to the first, so that of a sentence that stands twice the first stays the first.
    Raises ArticleChanged."""
    numbers = {SourceRef(s.parent_id, s.chunk_index): s.number for s in _merge_sources(article, update, chosen)}
    patches: list[tuple[int, Patch]] = []
    for stale, new in chosen:
        occurrence = place_of(stale.text, stale.position, text)
        if occurrence is None:
            raise ArticleChanged("The translation was edited since.")
        original = _original(update, stale)
        patch = Patch(
            stale.text,
            new,
            numbers.get(stale.source, stale.number) if stale.source else stale.number,
            verbatim=original is not None and original.verbatim,
            quotation=original is not None and original.quotation,
            occurrence=occurrence,
        )
        patches.append((stale.position, patch))
    return [patch for _, patch in sorted(patches, key=lambda one: -one[0])]


def _content(article: Article, patches: Sequence[Patch]) -> str:
    content = article.content
    for patch in patches:
        found = patched(content, patch, article.brief.language)
        if found is None:
            raise ArticleChanged("The translation does not have the sentence as plain text.")
        content = found
    return content


def _merge_sources(article: Article, update: ArticleUpdate, chosen: Chosen) -> list[ArticleSource]:
    """Return the translation's sources with the passages that support these sentences now, under numbers of its own."""
    found = {SourceRef(s.parent_id, s.chunk_index): s for s in article.sources}
    for stale, new in chosen:
        original = _original(update, stale)
        if not new or original is None or original.source is None or stale.source is None:
            continue
        former = found.get(stale.source)
        number = former.number if former else max((s.number for s in found.values()), default=0) + 1
        found[stale.source] = evolve(original.source, number=number)
    return list(found.values())


def _original(update: ArticleUpdate, stale: StaleSentence) -> OriginalSentence | None:
    return None if update.original is None else update.original.followed_by(stale)
