"""Reading a page for a free article, which is written from its text alone."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Final

from attrs import frozen

from contentgen_core.model.ids import DocumentId, TenantId
from contentgen_core.model.knowledge import (
    IndexHit,
    KbDocument,
    KbScope,
    Origin,
    Passage,
    RankedPassage,
    TermStatistics,
)
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import LENGTHS, ArticleLength, Language
from contentgen_core.page_errors import PageFault, PageUnreadable
from contentgen_core.policies.articles.free_articles import MIN_WORDS, topic_of_page
from contentgen_core.policies.retrieval.ranking import Candidate, rank, topic_query
from contentgen_core.policies.text.near_duplicates import Novelty
from contentgen_core.ports.documents import LanguageDetector
from contentgen_core.ports.page_reader import PageReader, WebPage
from contentgen_core.ports.runtime import Ids
from contentgen_core.use_cases.knowledge.chunk_document import ChunkDocument, sha256
from contentgen_core.use_cases.use_case import use_case

NICHE: Final = "free-articles"
LENGTH: Final = ArticleLength.SHORT
MAX_PASSAGES: Final = 300
"""Passages of a long page, from its beginning: more than an article of 600 words needs."""


@frozen
class PageMaterial:
    """The content of a page for writing an article. `url`: the page's own address; `sources`: its passages, the most
    relevant first."""

    url: str
    topic: str
    language: Language
    sources: tuple[RankedPassage, ...]


@use_case
class ReadPage:
    reader: PageReader
    detector: LanguageDetector
    chunk: ChunkDocument
    analysis: TextAnalysis
    ids: Ids

    async def __call__(self, url: str, tenant_id: TenantId) -> PageMaterial:
        """`tenant_id`: the tenant of the article. Raises PageUnreadable, also for a page with too little text."""
        page = await self.reader.read(url, tenant_id)
        return await asyncio.to_thread(self._material, url, page, tenant_id)

    def _material(self, url: str, page: WebPage, tenant_id: TenantId) -> PageMaterial:
        language = self.detector.detect(page.text)
        topic = topic_of_page(page.url, page.title, page.text)
        if topic is None:
            raise PageUnreadable(url, PageFault.EMPTY, "neither its title nor its beginning says what it is about")
        document = KbDocument(
            id=DocumentId(self.ids.new()),
            scope=KbScope(NICHE, tenant_id),
            source_key=page.url,
            title=page.title.strip() or topic,
            language=language,
            origin=Origin.WEB,
            content_hash=sha256(page.text),
            created_at=page.fetched_at,
            url=page.url,
            fetched_at=page.fetched_at,
            published=page.published,
            author=page.author,
        )
        new = Novelty()
        passages = [passage for passage in self.chunk(document, page.text)[:MAX_PASSAGES] if new(passage)]
        words = sum(len(self.analysis.tokens(passage.text, language)) for passage in passages)
        if words < MIN_WORDS:
            raise PageUnreadable(
                url, PageFault.EMPTY, f"it has {words} words of text, too few to write from: at least {MIN_WORDS} are"
            )
        return PageMaterial(page.url, topic, language, self._rank(topic, language, passages))

    def _rank(self, topic: str, language: Language, passages: Sequence[Passage]) -> tuple[RankedPassage, ...]:
        query = topic_query(topic, [language], self.analysis)
        counts = Counter(term for p in passages for term in {*p.terms, *p.head_terms})
        figures = TermStatistics(
            passages=len(passages),
            mean_length=sum(len(p.terms) for p in passages) / len(passages),
            passages_with={term: counts[term] for term in query.terms.get(language, ()) if counts[term]},
        )
        candidates = [Candidate(passage, IndexHit(passage.ref, 0.0, None)) for passage in passages]
        return rank(query, candidates, {language: figures}, 0.0, LENGTHS[LENGTH].passages)
