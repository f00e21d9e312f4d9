"""Trend finders that use the service's own parts: web searches and the knowledge base."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Final

from contentgen_core.errors import NotConfigured, ProviderFailed
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbDocument, KbView, Origin, Passage
from contentgen_core.model.niche import Niche
from contentgen_core.model.trend import MAX_CONTENT, TrendCandidate, TrendCategory, TrendSource
from contentgen_core.model.web_address import is_web_address
from contentgen_core.policies.text.published_dates import parse_published_date
from contentgen_core.policies.text.truncation import truncate_at_word
from contentgen_core.policies.topics.trends import publisher_of
from contentgen_core.ports.documents import LanguageDetector
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.trends import MAX_CANDIDATES, Findings
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.ports.web_search import MAX_RESULTS, ConfiguredWebSearches, WebFindings, WebQuery
from contentgen_core.use_cases.use_case import use_case

MAX_EXCERPT: Final = 400
NEWEST: Final = 200
"""Documents of the knowledge base that are considered."""
BATCH: Final = 50
"""Documents whose passages are loaded at a time."""


@use_case
class SearchedPages:
    """Pages that web searches for the niche's keywords find. `searches_a_time`: how many keywords are searched for; an
    hour later it is the next ones' turn. A page without a readable date is left out, since it may be years old."""

    searches: ConfiguredWebSearches
    detector: LanguageDetector
    clock: Clock
    searches_a_time: int

    async def find(self, niche: Niche, since: datetime) -> Findings:
        search, now = self.searches.standard, self.clock.now()
        if search is None or not self.searches_a_time:
            return Findings()
        pages: list[TrendCandidate] = []
        faults: list[str] = []
        for keyword in _in_rotation(niche.keywords or (niche.name,), self.searches_a_time, now):
            try:
                found = await search.search(WebQuery(keyword, limit=MAX_RESULTS))
            except (ProviderFailed, NotConfigured) as error:
                faults.append(f"web search ({search.provider}): {error.log_text}")
                break  # since it would fail for every keyword
            pages += await asyncio.to_thread(self._pages, found, since, now)
        return Findings(_newest(pages), tuple(faults))

    def _pages(self, found: WebFindings, since: datetime, now: datetime) -> list[TrendCandidate]:
        pages = []
        for result in found.results:
            published, title = parse_published_date(result.published, now), truncate_at_word(result.title, 300)
            if published is None or published < since or not title:
                continue
            excerpt = truncate_at_word(result.snippet, MAX_EXCERPT)
            source = TrendSource(
                result.url, title, publisher_of(result.url), TrendCategory.NEWS, published, now, excerpt
            )  # fmt: skip
            pages.append(TrendCandidate(source, self.detector.detect(f"{title}. {excerpt}")))
        return pages


@use_case
class NewKnowledge:
    """The platform's own new documents of the niche, of any country; never a tenant's."""

    unit_of_work: UnitOfWork
    countries: frozenset[str]
    clock: Clock

    async def find(self, niche: Niche, since: datetime) -> Findings:
        if niche.custom:
            return Findings()
        view, now = KbView(niche.niche_key, None, self.countries), self.clock.now()
        async with self.unit_of_work() as tx:
            newest = await tx[Knowledge].sample(view, NEWEST)
            recent = [first.document.id for first in newest if _publication_time(first.document) >= since]
            pages = []
            for start in range(0, len(recent), BATCH):
                passages = await tx[Knowledge].passages_of(recent[start : start + BATCH])
                pages += [_page(document, now) for document in _documents(passages)]
        return Findings(_newest(page for page in pages if page is not None))


def _documents(passages: Iterable[Passage]) -> Iterable[Sequence[Passage]]:
    """The passages of each document, in order."""
    by_document: dict[DocumentId, list[Passage]] = {}
    for passage in passages:
        by_document.setdefault(passage.document.id, []).append(passage)
    return [sorted(of_one, key=lambda passage: passage.chunk_index) for of_one in by_document.values()]


def _page(passages: Sequence[Passage], now: datetime) -> TrendCandidate | None:
    document = passages[0].document
    title = truncate_at_word(document.title, 300)
    # A text that a model wrote from a source is no further source.
    if document.origin is Origin.AI or document.url is None or not is_web_address(document.url) or not title:
        return None
    source = TrendSource(
        url=document.url,
        title=title,
        publisher=publisher_of(document.url),
        category=TrendCategory.KNOWLEDGE,
        published_at=min(_publication_time(document), now),
        found_at=now,
        excerpt=truncate_at_word(passages[0].text, MAX_EXCERPT),
    )
    text = "\n\n".join(passage.text for passage in passages)
    return TrendCandidate(source, document.language, text[:MAX_CONTENT])


def _publication_time(document: KbDocument) -> datetime:
    """Return the publication date at the start of its day, but never after the document was added."""
    if document.published is None:
        return document.created_at
    return min(datetime.combine(document.published, time(), UTC), document.created_at)


def _in_rotation(keywords: tuple[str, ...], count: int, now: datetime) -> list[str]:
    hour = (now - datetime.fromtimestamp(0, UTC)) // timedelta(hours=1)
    return [keywords[(hour * count + n) % len(keywords)] for n in range(min(count, len(keywords)))]


def _newest(pages: Iterable[TrendCandidate]) -> tuple[TrendCandidate, ...]:
    by_url = {page.source.url: page for page in pages}
    newest = sorted(by_url.values(), key=lambda page: (page.source.published_at, page.source.url), reverse=True)
    return tuple(newest[:MAX_CANDIDATES])
