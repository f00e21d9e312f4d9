"""One transaction's tables and its turn to write."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

from contentgen_adapters.memory.tables import Store, Table, TableOf
from contentgen_adapters.shared.aggregates import STORED, Aggregate
from contentgen_adapters.shared.revisions import Record
from contentgen_core.model.ids import TenantId

T = TypeVar("T", bound=Record)


class WriteTurn:
    """Writers take turns, like transactions that change the same row in a database; readers never wait."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._holder: asyncio.Task[object] | None = None

    async def take(self) -> None:
        """Raises RuntimeError where waiting would never end: this task's outer transaction has the turn."""
        task = asyncio.current_task()
        if task is not None and self._holder is task:
            raise RuntimeError("A transaction cannot write while another one of the same task has written.")
        await self._lock.acquire()
        self._holder = task

    def end(self) -> None:
        self._holder = None
        self._lock.release()


class Session:
    """Reads see what is committed at that moment and this transaction's own changes (as READ COMMITTED does).

    The first write takes the turn and keeps it to the end, so what a writer then reads stays true until its commit."""

    tenants = TableOf(lambda store: store.tenants)
    users = TableOf(lambda store: store.users)
    api_keys = TableOf(lambda store: store.api_keys)
    keys_by_digest = TableOf(lambda store: store.keys_by_digest)
    invitations = TableOf(lambda store: store.invitations)
    sign_in_links = TableOf(lambda store: store.sign_in_links)
    web_sessions = TableOf(lambda store: store.web_sessions)
    signing_keys = TableOf(lambda store: store.signing_keys)
    installation = TableOf(lambda store: store.installation)
    niches = TableOf(lambda store: store.niches)
    activations = TableOf(lambda store: store.activations)
    niche_preferences = TableOf(lambda store: store.niche_preferences)
    niche_requests = TableOf(lambda store: store.niche_requests)
    agents = TableOf(lambda store: store.agents)
    agent_events = TableOf(lambda store: store.agent_events)
    agent_event_positions = TableOf(lambda store: store.agent_event_positions)
    article_schedules = TableOf(lambda store: store.article_schedules)
    articles = TableOf(lambda store: store.articles)
    generating = TableOf(lambda store: store.generating)
    free_topics = TableOf(lambda store: store.free_topics)
    free_links = TableOf(lambda store: store.free_links)
    free_generations = TableOf(lambda store: store.free_generations)
    free_counts = TableOf(lambda store: store.free_counts)
    topic_words = TableOf(lambda store: store.topic_words)
    fresh_articles = TableOf(lambda store: store.fresh_articles)
    sources = TableOf(lambda store: store.sources)
    drafts = TableOf(lambda store: store.drafts)
    stages = TableOf(lambda store: store.stages)
    writing_months = TableOf(lambda store: store.writing_months)
    budgets = TableOf(lambda store: store.budgets)
    circuits = TableOf(lambda store: store.circuits)
    mail_counts = TableOf(lambda store: store.mail_counts)
    model_spending = TableOf(lambda store: store.model_spending)
    budget_reservations = TableOf(lambda store: store.budget_reservations)
    model_batches = TableOf(lambda store: store.model_batches)
    batched_parts = TableOf(lambda store: store.batched_parts)
    quotas = TableOf(lambda store: store.quotas)
    jobs = TableOf(lambda store: store.jobs)
    dispatched = TableOf(lambda store: store.dispatched)
    documents = TableOf(lambda store: store.documents)
    passages = TableOf(lambda store: store.passages)
    documents_by_key = TableOf(lambda store: store.documents_by_key)
    contents = TableOf(lambda store: store.contents)
    corpora = TableOf(lambda store: store.corpora)
    term_counts = TableOf(lambda store: store.term_counts)
    changes = TableOf(lambda store: store.changes)
    change_numbers = TableOf(lambda store: store.change_numbers)
    spaces = TableOf(lambda store: store.spaces)
    waiting_documents = TableOf(lambda store: store.waiting_documents)
    waiting_places = TableOf(lambda store: store.waiting_places)
    passage_versions = TableOf(lambda store: store.passage_versions)
    document_versions = TableOf(lambda store: store.document_versions)
    next_chunks = TableOf(lambda store: store.next_chunks)
    passage_vectors = TableOf(lambda store: store.passage_vectors)
    idempotency = TableOf(lambda store: store.idempotency)
    enrichments = TableOf(lambda store: store.enrichments)
    enrichment_pages = TableOf(lambda store: store.enrichment_pages)
    private_documents = TableOf(lambda store: store.private_documents)
    topic_coverages = TableOf(lambda store: store.topic_coverages)
    topic_coverages_of = TableOf(lambda store: store.topic_coverages_of)
    publications = TableOf(lambda store: store.publications)
    translations = TableOf(lambda store: store.translations)
    translation_parts = TableOf(lambda store: store.translation_parts)
    synced_sources = TableOf(lambda store: store.synced_sources)
    article_links = TableOf(lambda store: store.article_links)
    article_topics = TableOf(lambda store: store.article_topics)
    article_updates = TableOf(lambda store: store.article_updates)
    refresh_policies = TableOf(lambda store: store.refresh_policies)
    conflict_searches = TableOf(lambda store: store.conflict_searches)
    conflicts = TableOf(lambda store: store.conflicts)
    conflicts_due = TableOf(lambda store: store.conflicts_due)
    examined_documents = TableOf(lambda store: store.examined_documents)
    calendar_links = TableOf(lambda store: store.calendar_links)
    webhook_endpoints = TableOf(lambda store: store.webhook_endpoints)
    webhook_deliveries = TableOf(lambda store: store.webhook_deliveries)
    article_versions = TableOf(lambda store: store.article_versions)
    sentence_reviews = TableOf(lambda store: store.sentence_reviews)
    synced_items = TableOf(lambda store: store.synced_items)
    search_reports = TableOf(lambda store: store.search_reports)
    search_figures = TableOf(lambda store: store.search_figures)
    index_now_sites = TableOf(lambda store: store.index_now_sites)
    noted_addresses = TableOf(lambda store: store.noted_addresses)
    search_demands = TableOf(lambda store: store.search_demands)
    search_coverages = TableOf(lambda store: store.search_coverages)
    search_entries = TableOf(lambda store: store.search_entries)
    reviews = TableOf(lambda store: store.reviews)
    review_marks = TableOf(lambda store: store.review_marks)
    curations = TableOf(lambda store: store.curations)
    trends = TableOf(lambda store: store.trends)
    trend_texts = TableOf(lambda store: store.trend_texts)
    trend_alerts = TableOf(lambda store: store.trend_alerts)
    click_salts = TableOf(lambda store: store.click_salts)
    clicks = TableOf(lambda store: store.clicks)
    work_leases = TableOf(lambda store: store.work_leases)

    def __init__(self, store: Store, turn: WriteTurn) -> None:
        self.store = store
        self._turn = turn
        self._aggregates: dict[str, Table[str, Any]] = {}
        self._writing = False
        self.to_tell: set[TenantId] = set()  # of new events of their agents, once these are committed

    async def writing(self) -> None:
        """Every method that changes rows awaits this before it reads what its change depends on."""
        if not self._writing:
            await self._turn.take()
            self._writing = True

    def commit(self) -> None:
        """Nothing is awaited here: other tasks see all of the changes or none."""
        if not self._writing:
            return
        opened = [table for table in vars(self).values() if isinstance(table, Table)]
        for table in [*opened, *self._aggregates.values()]:
            table.commit()

    def tables(self) -> dict[str, Table[Any, Any]]:
        """All tables by name."""
        written = {name: getattr(self, name) for name, of in vars(Session).items() if isinstance(of, TableOf)}
        return {**written, **{aggregate.table: self.table_of(aggregate) for aggregate, _ in STORED.values()}}

    def table_of(self, aggregate: Aggregate[T]) -> Table[str, T]:
        name = aggregate.table
        if name not in self._aggregates:
            self._aggregates[name] = Table(self.store.aggregates[name])
        return self._aggregates[name]

    def drop_parts(self, table: str, id: str) -> None:
        """Drop the rows of declared aggregates that are part of this row of `table`."""
        for aggregate, _ in STORED.values():
            columns = [column for column, whole in aggregate.part_of.items() if whole == table]
            for row in list(self.table_of(aggregate).rows()) if columns else ():
                if id in {aggregate.columns(row)[column] for column in columns}:
                    self.table_of(aggregate).drop(row.id)

    def end(self) -> None:
        if self._writing:
            self._writing = False
            self._turn.end()
