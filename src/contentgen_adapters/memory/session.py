"""One transaction's tables and its turn to write."""

from __future__ import annotations

import asyncio

from contentgen_adapters.memory.tables import Store, Table
from contentgen_core.model.ids import TenantId


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

    def __init__(self, store: Store, turn: WriteTurn) -> None:
        self._turn = turn
        self._writing = False
        self.to_tell: set[TenantId] = set()  # of new events of their agents, once these are committed
        self.tenants = Table(store.tenants)
        self.users = Table(store.users)
        self.api_keys = Table(store.api_keys)
        self.keys_by_digest = Table(store.keys_by_digest)
        self.invitations = Table(store.invitations)
        self.sign_in_links = Table(store.sign_in_links)
        self.web_sessions = Table(store.web_sessions)
        self.signing_keys = Table(store.signing_keys)
        self.installation = Table(store.installation)
        self.niches = Table(store.niches)
        self.activations = Table(store.activations)
        self.niche_preferences = Table(store.niche_preferences)
        self.niche_requests = Table(store.niche_requests)
        self.agents = Table(store.agents)
        self.agent_events = Table(store.agent_events)
        self.agent_event_positions = Table(store.agent_event_positions)
        self.article_schedules = Table(store.article_schedules)
        self.executions = Table(store.executions)
        self.articles = Table(store.articles)
        self.generating = Table(store.generating)
        self.free_topics = Table(store.free_topics)
        self.free_links = Table(store.free_links)
        self.free_generations = Table(store.free_generations)
        self.free_counts = Table(store.free_counts)
        self.topic_words = Table(store.topic_words)
        self.fresh_articles = Table(store.fresh_articles)
        self.sources = Table(store.sources)
        self.drafts = Table(store.drafts)
        self.stages = Table(store.stages)
        self.writing_months = Table(store.writing_months)
        self.budgets = Table(store.budgets)
        self.model_spending = Table(store.model_spending)
        self.budget_reservations = Table(store.budget_reservations)
        self.model_batches = Table(store.model_batches)
        self.batched_parts = Table(store.batched_parts)
        self.quotas = Table(store.quotas)
        self.jobs = Table(store.jobs)
        self.dispatched = Table(store.dispatched)
        self.documents = Table(store.documents)
        self.passages = Table(store.passages)
        self.documents_by_key = Table(store.documents_by_key)
        self.contents = Table(store.contents)
        self.corpora = Table(store.corpora)
        self.term_counts = Table(store.term_counts)
        self.changes = Table(store.changes)
        self.change_numbers = Table(store.change_numbers)
        self.spaces = Table(store.spaces)
        self.waiting_documents = Table(store.waiting_documents)
        self.waiting_places = Table(store.waiting_places)
        self.passage_versions = Table(store.passage_versions)
        self.document_versions = Table(store.document_versions)
        self.next_chunks = Table(store.next_chunks)
        self.passage_vectors = Table(store.passage_vectors)
        self.idempotency = Table(store.idempotency)
        self.enrichments = Table(store.enrichments)
        self.enrichment_pages = Table(store.enrichment_pages)
        self.private_documents = Table(store.private_documents)
        self.topic_coverages = Table(store.topic_coverages)
        self.topic_coverages_of = Table(store.topic_coverages_of)
        self.integrations = Table(store.integrations)
        self.publications = Table(store.publications)
        self.translations = Table(store.translations)
        self.translation_parts = Table(store.translation_parts)
        self.synced_sources = Table(store.synced_sources)
        self.article_links = Table(store.article_links)
        self.article_topics = Table(store.article_topics)
        self.article_updates = Table(store.article_updates)
        self.refresh_policies = Table(store.refresh_policies)
        self.conflict_searches = Table(store.conflict_searches)
        self.conflicts = Table(store.conflicts)
        self.conflicts_due = Table(store.conflicts_due)
        self.examined_documents = Table(store.examined_documents)
        self.calendar_links = Table(store.calendar_links)
        self.webhook_endpoints = Table(store.webhook_endpoints)
        self.webhook_deliveries = Table(store.webhook_deliveries)
        self.article_versions = Table(store.article_versions)
        self.article_comments = Table(store.article_comments)
        self.sentence_reviews = Table(store.sentence_reviews)
        self.approval_policies = Table(store.approval_policies)
        self.synced_items = Table(store.synced_items)
        self.search_reports = Table(store.search_reports)
        self.search_figures = Table(store.search_figures)
        self.index_now_sites = Table(store.index_now_sites)
        self.noted_addresses = Table(store.noted_addresses)
        self.search_demands = Table(store.search_demands)
        self.search_coverages = Table(store.search_coverages)
        self.search_entries = Table(store.search_entries)
        self.voices = Table(store.voices)
        self.reviews = Table(store.reviews)
        self.review_marks = Table(store.review_marks)
        self.curations = Table(store.curations)
        self.trends = Table(store.trends)
        self.trend_texts = Table(store.trend_texts)
        self.trend_alerts = Table(store.trend_alerts)
        self.click_salts = Table(store.click_salts)
        self.clicks = Table(store.clicks)
        self.work_leases = Table(store.work_leases)

    async def writing(self) -> None:
        """Every method that changes rows awaits this before it reads what its change depends on."""
        if not self._writing:
            await self._turn.take()
            self._writing = True

    def commit(self) -> None:
        """Nothing is awaited here: other tasks see all of the changes or none."""
        if not self._writing:
            return
        for table in vars(self).values():
            if isinstance(table, Table):
                table.commit()

    def end(self) -> None:
        if self._writing:
            self._writing = False
            self._turn.end()
