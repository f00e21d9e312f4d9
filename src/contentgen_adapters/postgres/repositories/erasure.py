"""Deleting everything that a tenant has, a part at a time."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from typing import Final

from contentgen_adapters.postgres.repositories import embeddings, index_changes
from contentgen_adapters.postgres.session import Session
from contentgen_adapters.shared.aggregates import STORED
from contentgen_core.model.ids import TenantId

# In an order in which nothing points to what goes before it; rows that hang on these go with them.
_OWNED: Final = (
    "jobs",
    "idempotency_keys",
    "quota_usage",
    "writing_months",
    "budgets",
    "model_spending",
    "budget_reservations",
    "batched_parts",
    "model_batches",
    "article_schedules",
    "enrichments",
    "topic_coverages",
    "kb_curations",
    "agent_events",
    "agent_event_positions",
    "publications",
    "translations",
    "synced_sources",
    "search_reports",
    "index_now_sites",
    "search_entries",
    "search_demands",
    "conflicts",
    "conflict_searches",
    "article_versions",
    "sentence_reviews",
    "calendar_links",
    "webhook_deliveries",
    "webhook_messages",
    "webhook_endpoints",
    "article_links",
    "article_topics",
    "article_sources",
    "articles",
    "article_counts",
    "private_documents",
    "agents",
    "niche_activations",
    "niche_preferences",
    "niche_requests",
    "niches",
    "invitations",
    "sign_in_links",
    "web_sessions",
    "api_keys",
    "users",
)
_OF_SCOPES: Final = ("kb_terms", "kb_corpora", "kb_document_counts", "kb_entities")
_SCOPES: Final = "SELECT id FROM kb_scopes WHERE tenant_id = %(tenant)s"


def owned_tables() -> tuple[str, ...]:
    """Return the tables of which a tenant has rows, in the order in which they can be emptied."""
    return (*(aggregate.table for aggregate, _ in STORED.values()), *_OWNED)


async def erase(session: Session, tenant_id: TenantId, limit: int) -> bool:
    """Deletes at most `limit` rows of one table after the other, and the locked tenant last; whether it is gone."""
    parameters = {"tenant": tenant_id, "limit": limit}
    for table in owned_tables():
        if await _delete_some(session, table, "tenant_id = %(tenant)s", parameters) >= limit:
            return False
    if await _erase_documents(session, parameters) >= limit:
        return False
    for table in _OF_SCOPES:
        if await _delete_some(session, table, f"scope_id IN ({_SCOPES})", parameters) >= limit:
            return False
    await session.change("DELETE FROM kb_scopes WHERE tenant_id = %(tenant)s", parameters)
    await session.change("DELETE FROM tenants WHERE id = %(tenant)s", parameters)
    return True


async def _erase_documents(session: Session, parameters: dict[str, object]) -> int:
    """How many; those that the search index may show go into its outbox."""
    rows = await session.read(
        f"SELECT id, deleted_at IS NULL FROM kb_documents WHERE scope_id IN ({_SCOPES}) LIMIT %(limit)s", parameters
    )
    if shown := [document for document, live in rows if live]:
        await index_changes.record(session, shown)
        await embeddings.forget_documents(session, shown)
    documents = {"documents": [document for document, _ in rows]}
    for statement in (
        "DELETE FROM kb_passages WHERE document_id = ANY(%(documents)s)",
        "DELETE FROM kb_passage_versions WHERE document_id = ANY(%(documents)s)",
        "DELETE FROM kb_document_versions WHERE document_id = ANY(%(documents)s)",
        "DELETE FROM kb_document_entities WHERE document_id = ANY(%(documents)s)",
        "DELETE FROM kb_documents WHERE id = ANY(%(documents)s)",
    ):
        await session.change(statement, documents)
    return len(rows)


async def _delete_some(session: Session, table: str, condition: str, parameters: dict[str, object]) -> int:
    some = f"ARRAY(SELECT ctid FROM {table} WHERE {condition} LIMIT %(limit)s)"
    return await session.change(f"DELETE FROM {table} WHERE ctid = ANY({some})", parameters)
