"""The job ENRICH_TOPIC: search → fetch → process → index → enrich → ready → completed.

Every state is stored before its work begins, and every page when it has been read, so that an attempt after a crash
resumes there. Importing a page twice, or updating the index twice, changes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

from attrs import evolve

from contentgen_core.concurrency import run_concurrently
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.enrichment import ENDED, Enrichment, EnrichmentPage, EnrichmentStatus, PageState
from contentgen_core.model.grounding import Verdict
from contentgen_core.model.ids import DocumentId, EnrichmentId, TenantId
from contentgen_core.model.job import Job
from contentgen_core.model.knowledge import KbDocument, KbScope, KbView, Origin, Passage
from contentgen_core.model.tenant import Quota
from contentgen_core.model.text import TextAnalysis
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.page_errors import PageUnreadable
from contentgen_core.policies.coverage.assessment import NEEDS
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.policies.text.near_duplicates import Novelty
from contentgen_core.ports.content_model import ContentModel
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.page_reader import PageReader
from contentgen_core.ports.repositories.enrichments import Enrichments
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.ports.web_search import ConfiguredWebSearches, WebQuery
from contentgen_core.use_cases.context import context_of_agent
from contentgen_core.use_cases.enrichment.start import search_for
from contentgen_core.use_cases.jobs import AttemptRunner, JobFailed, subject_of
from contentgen_core.use_cases.knowledge.import_sources import ImportSources
from contentgen_core.use_cases.knowledge.index_upkeep import ApplyIndexChanges
from contentgen_core.use_cases.knowledge.retrieve import Retrieve
from contentgen_core.use_cases.use_case import use_case

PAGES: Final = 10
PAGES_AT_ONCE: Final = 5
# As many as retrieval has candidates: all passages of the new pages that are on the topic.
CANDIDATES: Final = 60
MIN_INSIGHTS: Final = NEEDS[ArticleLength.SHORT].passages
"""Insights from which a short article can be written."""

_S = EnrichmentStatus


@use_case
class RunEnrichment:
    runner: AttemptRunner
    searches: ConfiguredWebSearches
    reader: PageReader
    import_sources: ImportSources
    apply_changes: ApplyIndexChanges
    retrieve: Retrieve
    model: ContentModel
    analysis: TextAnalysis

    async def __call__(self, job: Job) -> None:
        """Bring the enrichment of a claimed job to `completed` or `failed`, or the job back into the queue."""
        await self.runner.run(job, self._work, self._fail)

    async def _work(self, job: Job) -> None:
        steps: dict[EnrichmentStatus, Callable[[Job, Enrichment], Awaitable[Enrichment]]] = {
            _S.PENDING: self._queue,
            _S.QUEUED: self._begin,
            _S.SEARCHING: self._search,
            _S.FETCHING: self._fetch,
            _S.PROCESSING: self._process,
            _S.INDEXING: self._index,
            _S.ENRICHING: self._enrich,
            _S.READY: self._complete,
        }
        async with self.runner.fenced(job) as tx:
            enrichment = await self._enrichment(tx, job)
        while enrichment.status not in ENDED:
            enrichment = await steps[enrichment.status](job, enrichment)

    async def _queue(self, job: Job, enrichment: Enrichment) -> Enrichment:
        return await self._move(job, enrichment, _S.QUEUED, "A worker has taken it up.")

    async def _begin(self, job: Job, enrichment: Enrichment) -> Enrichment:
        return await self._move(job, enrichment, _S.SEARCHING, "Searching the web.")

    async def _search(self, job: Job, enrichment: Enrichment) -> Enrichment:
        async with self.runner.unit_of_work() as tx:
            plan = (await tx[Tenants].get(job.tenant_id)).plan
            context = await context_of_agent(tx, job.tenant_id, enrichment.agent_key)
        query = WebQuery(enrichment.topic, enrichment.agent_key.country, context.default_language, PAGES)
        findings = await search_for(self.searches, plan, context).search(query)
        pages = [
            EnrichmentPage(position, result.url, result.title or result.url)
            for position, result in enumerate(findings.results[:PAGES])
        ]
        if not pages:
            raise JobFailed(f"The search ({findings.provider}) found no page on this topic.")
        found = evolve(
            enrichment,
            provider=findings.provider,
            statements=tuple((statement.text, statement.urls) for statement in findings.statements),
        )
        now = self.runner.clock.now()
        async with self.runner.fenced(job) as tx:
            await tx[Enrichments].save_pages(enrichment.id, pages)
            return await tx[Enrichments].save(found.moved_to(_S.FETCHING, now, f"Reading {len(pages)} pages."))

    async def _fetch(self, job: Job, enrichment: Enrichment) -> Enrichment:
        """Read the pages that have not been read, a few at a time; each is stored as soon as it was read."""
        async with self.runner.unit_of_work() as tx:
            pages = await tx[Enrichments].pages(enrichment.id)
        slots = asyncio.Semaphore(PAGES_AT_ONCE)

        async def read(page: EnrichmentPage) -> EnrichmentPage:
            async with slots:
                page = await self._read(page, enrichment.tenant_id)
            async with self.runner.fenced(job) as tx:
                await tx[Enrichments].save_pages(enrichment.id, [page])
            return page

        missing = [page for page in pages if page.state is PageState.FOUND]
        done = [page for page in pages if page.state is not PageState.FOUND]
        done += await run_concurrently(read(page) for page in missing)
        readable = sum(page.state is PageState.READ for page in done)
        if not readable:
            reason = next((page.reason for page in done if page.reason), "no reason given")
            raise JobFailed(f"None of the {len(done)} pages found could be read. The first: {reason}")
        return await self._move(job, enrichment, _S.PROCESSING, f"Taking the text of {readable} pages apart.")

    async def _read(self, page: EnrichmentPage, tenant_id: TenantId) -> EnrichmentPage:
        try:
            read = await self.reader.read(page.url, tenant_id)
        except PageUnreadable as error:
            return evolve(page, state=PageState.UNREADABLE, reason=error.detail)
        return evolve(
            page,
            url=read.url,
            title=read.title or page.title,
            state=PageState.READ,
            text=read.text,
            published=read.published,
            fetched_at=read.fetched_at,
            author=read.author,
        )

    async def _process(self, job: Job, enrichment: Enrichment) -> Enrichment:
        """Add the pages as documents of the tenant, without what the knowledge base or another page says already."""
        pages = await self._pages_read(enrichment)
        known = await self.retrieve(_view(enrichment), enrichment.topic, CANDIDATES)
        sources = [_source(page) for page in pages]
        urls = {source.source_key for source in sources}
        others = [r.passage for r in known.ranked if r.passage.document.source_key not in urls]
        scope = _scope(enrichment)
        await self.import_sources(scope, sources, Origin.WEB, keep=Novelty(others))
        async with self.runner.unit_of_work() as tx:
            documents = await tx[Knowledge].known(scope, sorted(urls))
        if not documents:
            raise JobFailed(f"The {len(pages)} pages say nothing that the knowledge base does not say already.")
        ids = tuple(documents[url].id for url in sorted(documents))
        enrichment = evolve(enrichment, documents=ids)
        return await self._move(job, enrichment, _S.INDEXING, f"Making {len(ids)} sources searchable.")

    async def _index(self, job: Job, enrichment: Enrichment) -> Enrichment:
        await self.apply_changes.bring_up_to_date(list(enrichment.documents))
        return await self._move(job, enrichment, _S.ENRICHING, "Distilling insights.")

    async def _enrich(self, job: Job, enrichment: Enrichment) -> Enrichment:
        """Count the passages on the topic, page by page, together with the statements that the model distils from
        them: all of them, which decide whether there is enough to write from, and those that are new."""
        insights = await self._on_topic(enrichment)
        by_document: dict[DocumentId, list[Passage]] = {}
        for passage in insights:
            by_document.setdefault(passage.document.id, []).append(passage)
        counted = new = 0
        for number, passages in enumerate(by_document.values(), start=1):
            found = [*passages, *await self._distil(enrichment, passages)]
            counted += len(found)
            new += sum(_is_new(passage.document, enrichment) for passage in found)
            async with self.runner.fenced(job) as tx:
                moved = enrichment.enriching(number / len(by_document), new)
                enrichment = await tx[Enrichments].save(evolve(moved, message=f"{new} new insights so far."))
        if counted < MIN_INSIGHTS:
            raise JobFailed(
                f"Only {counted} insights on this topic were found, and {MIN_INSIGHTS} are needed to write. They stay "
                "in the knowledge base. Try a broader topic."
            )
        return await self._move(job, enrichment, _S.READY, f"{counted} insights: there is enough to write from.")

    async def _complete(self, job: Job, enrichment: Enrichment) -> Enrichment:
        now, sources = self.runner.clock.now(), len(enrichment.documents)
        message = f"Completed: {enrichment.insights_added} new insights from {sources} sources."
        if not enrichment.insights_added:
            message = (
                f"Completed: 0 new insights. The knowledge base holds what the {sources} sources say already, and this "
                "enrichment is not counted."
            )
        async with self.runner.fenced(job) as tx:
            if not enrichment.insights_added:
                await _give_back(tx, enrichment)
            completed = await tx[Enrichments].save(enrichment.moved_to(_S.COMPLETED, now, message))
            await tx[Enrichments].clear_pages(enrichment.id)
            await tx[Jobs].finish(job)
        return completed

    async def _on_topic(self, enrichment: Enrichment) -> list[Passage]:
        """The passages of the new documents that are on the topic, best first."""
        found = await self.retrieve(_view(enrichment), enrichment.topic, CANDIDATES)
        return [r.passage for r in found.ranked if r.passage.document.id in enrichment.documents]

    async def _distil(self, enrichment: Enrichment, passages: Sequence[Passage]) -> Sequence[Passage]:
        """Store what a model says about a page as insights of origin `ai`, each checked against the page. Returns
        them, also where they were stored before."""
        document = passages[0].document
        key = f"insights:{document.source_key}"
        async with self.runner.unit_of_work() as tx:
            if known := await tx[Knowledge].known(_scope(enrichment), [key]):
                return await tx[Knowledge].passages_of([known[key].id])
        statements = [
            DraftSentence(text, tuple(p.ref for p in passages))
            for text, urls in enrichment.statements
            if document.url in urls
        ]
        statements += (await self.model.distil(enrichment.topic, passages, document.language)).value
        supported = await asyncio.to_thread(self._keep_supported, statements, passages, document.language)
        if not supported:
            return ()
        insights = SourceText(
            key,
            document.title,
            "\n\n".join(supported),
            url=document.url,
            language=document.language,
            published=document.published,
            fetched_at=document.fetched_at,
            author=document.author,
        )
        await self.import_sources(_scope(enrichment), [insights], Origin.AI)
        async with self.runner.unit_of_work() as tx:
            stored = [document.id for document in (await tx[Knowledge].known(_scope(enrichment), [key])).values()]
            distilled = await tx[Knowledge].passages_of(stored)
        await self.apply_changes.bring_up_to_date(stored)
        return distilled

    def _keep_supported(
        self, statements: Iterable[DraftSentence], passages: Sequence[Passage], language: Language
    ) -> list[str]:
        verifier = Verifier({passage.ref: passage for passage in passages}, self.analysis)
        supported = [
            s.text for s in dict.fromkeys(statements) if verifier.check(s, language).verdict is Verdict.SUPPORTED
        ]
        return list(dict.fromkeys(supported))

    async def _pages_read(self, enrichment: Enrichment) -> list[EnrichmentPage]:
        async with self.runner.unit_of_work() as tx:
            pages = await tx[Enrichments].pages(enrichment.id)
        read = (page for page in pages if page.state is PageState.READ)
        return list({page.url: page for page in read}.values())  # two results may redirect to the same page

    async def _move(self, job: Job, enrichment: Enrichment, status: EnrichmentStatus, message: str) -> Enrichment:
        async with self.runner.fenced(job) as tx:
            return await tx[Enrichments].save(enrichment.moved_to(status, self.runner.clock.now(), message))

    async def _fail(self, tx: Transaction, job: Job, reason: str) -> None:
        enrichment = await self._enrichment(tx, job)
        await _give_back(tx, enrichment)
        await tx[Enrichments].save(enrichment.failed(self.runner.clock.now(), reason))
        await tx[Enrichments].clear_pages(enrichment.id)

    async def _enrichment(self, tx: Transaction, job: Job) -> Enrichment:
        return await subject_of(job, tx[Enrichments].get(job.tenant_id, EnrichmentId(job.subject_id)))


async def _give_back(tx: Transaction, enrichment: Enrichment) -> None:
    if enrichment.quota_window is not None:
        await tx[Quotas].refund(enrichment.tenant_id, Quota.ENRICHMENTS, enrichment.quota_window)


def _is_new(document: KbDocument, enrichment: Enrichment) -> bool:
    """Whether the document came with this enrichment, in any of its attempts."""
    return document.created_at >= (enrichment.started_at or enrichment.created_at)


def _scope(enrichment: Enrichment) -> KbScope:
    key = enrichment.agent_key
    return KbScope(key.niche_key, enrichment.tenant_id, key.country)


def _view(enrichment: Enrichment) -> KbView:
    key = enrichment.agent_key
    return KbView(key.niche_key, enrichment.tenant_id, frozenset({key.country}))


def _source(page: EnrichmentPage) -> SourceText:
    return SourceText(
        page.url,
        page.title,
        page.text,
        url=page.url,
        published=page.published,
        fetched_at=page.fetched_at,
        author=page.author,
    )
