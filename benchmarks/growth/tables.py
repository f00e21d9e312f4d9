"""Rows by the million, made in the database out of one row of each kind, which the product stored itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import frozen

from contentgen_core.model.knowledge import VectorSpace

MODEL: Final = VectorSpace("growth", 384)
"""Of the topics' vectors."""
TENANTS: Final = 10_000
ARTICLES: Final = 1_000_000
DOCUMENTS: Final = 2_000_000
PASSAGES: Final = 5  # of a document
SCOPES_FROM: Final = 1_000  # so that those that the product made are left alone
WORDS: Final = 20_000


@frozen
class Size:
    """How many tenants, articles and documents there are, and so of everything else."""

    tenants: int
    articles: int
    documents: int

    @classmethod
    def of(cls, share: float) -> Size:
        return cls(*(max(1, round(share * whole)) for whole in (TENANTS, ARTICLES, DOCUMENTS)))


def uid(number: str) -> str:
    """SQL: an id as the product makes them, that sorts as its number."""
    return f"('00000000-0000-7000-8000-' || lpad(to_hex({number}), 12, '0'))"


def moment(number: str) -> str:
    """SQL: when the article of this number was made. A million come in a month."""
    return f"(timestamptz '2026-01-01 00:00+00' + {number} * interval '2.592 seconds')"


def pseudo(number: str, below: int | str) -> str:
    """SQL: an integer in 0..below-1 that looks like chance and is the same each time."""
    return f"((hashint8({number}) & 2147483647) % {below})"


def word(number: str) -> str:
    """SQL: a word, of which some are common and most are rare."""
    return f"('w' || floor({WORDS} * power({pseudo(number, 1_000_000)} / 1e6, 3))::int)"


def record(**values: str) -> str:
    """SQL: the prototype's record with other values."""
    return f"p.record || jsonb_build_object({', '.join(f'{name!r}, {value}' for name, value in values.items())})"


@frozen
class Table:
    """Rows of a table, numbered by n: how many, and what each has of its own; all else is its prototype's.
    `rows`: SQL over a tenant count t, an article count a, and a document count d. `more`: a further source of rows."""

    name: str
    rows: str
    own: Mapping[str, str]
    more: str = ""

    def insertion(self, columns: list[str], before: Size, now: Size, prototype: str) -> str:
        """SQL: the rows that are there now and were not before. `prototype`: a condition on its one row, p."""
        chosen = ", ".join(self.own.get(column, f"p.{column}") for column in columns)
        first, last = (f"({_counted(self.rows, size)})" for size in (before, now))
        return (
            f"INSERT INTO {self.name} ({', '.join(columns)}) OVERRIDING SYSTEM VALUE SELECT {chosen}"
            f" FROM (SELECT *, {_tenant(before, now)} AS t FROM generate_series({first} + 1, {last}) AS n) AS numbered"
            f" CROSS JOIN {self.name} AS p{self.more} WHERE {prototype} ON CONFLICT DO NOTHING"
        )


def _counted(rows: str, size: Size) -> str:
    places = {"t": size.tenants, "a": size.articles, "d": size.documents}
    return " ".join(str(places.get(part, part)) for part in rows.split())


def _tenant(before: Size, now: Size) -> str:
    """SQL: whose the row n is. The first tenant has a tenth of everything, whatever the size."""
    new = now.tenants - before.tenants
    return f"CASE WHEN n % 10 = 0 THEN 1 ELSE {before.tenants + 1} + {pseudo('n', new)} END::bigint"


_CITED: Final = tuple(uid(f"1 + {pseudo(f'n * 3 + {i}', '(n * 2)')}") for i in range(3))
_SOURCES: Final = ", ".join(f"p.sources->0 || jsonb_build_object('parent_id', {document})" for document in _CITED)
_TENANT: Final = uid("t")

_RARE: Final = "'no' || lpad(n::text, 8, '0')"
"""SQL: a word of one row alone."""
_TITLE: Final = f"initcap({word('n * 7')} || ' ' || {word('n * 7 + 1')} || ' ') || {_RARE}"
_TOPIC_WORDS: Final = ", ".join(f"{_TENANT} || ':en:' || {word(f'n * 5 + {i}')}" for i in range(5))
_STATUS: Final = (
    "(ARRAY['published','published','published','published','published','published','generated','generated',"
    "'scheduled','draft'])[1 + n / 10 % 10]"
)
_SKETCH: Final = "('x' || " + " || ".join(f"md5('{i} ' || n)" for i in range(8)) + ")::bit(1024)"
_JOB_STATE: Final = "CASE WHEN n > 250 THEN 'done' WHEN n > 100 THEN 'queued' ELSE 'running' END"


TABLES: Final = (
    Table("tenants", "t", {"id": uid("n"), "name": "'Tenant ' || n", "created_at": moment("n * 100")}),
    Table("users", "t", {"id": uid("n"), "tenant_id": uid("n"), "email": "'u' || n || '@example.org'"}),
    Table("api_keys", "t", {"id": uid("n"), "tenant_id": uid("n"), "user_id": uid("n"), "digest": "'key ' || n"}),
    Table("web_sessions", "t", {"id": uid("n"), "tenant_id": uid("n"), "user_id": uid("n"), "digest": "'web ' || n"}),
    Table("quota_usage", "t", {"tenant_id": uid("n")}),
    Table("idempotency_keys", "a / 30", {"tenant_id": _TENANT, "key_digest": "sha256(n::text::bytea)"}),
    Table("article_schedules", "t", {"tenant_id": uid("n"), "next_fire_at": moment("n * 100")}),
    Table(
        "refresh_policies",
        "t",
        {"id": uid("n"), "tenant_id": uid("n"), "next_at": moment("n * 100"), "record": record(id=uid("n"))},
    ),
    Table("kb_scopes", "t", {"id": f"{SCOPES_FROM} + n", "tenant_id": uid("n")}),
    Table("kb_corpora", "t", {"scope_id": f"{SCOPES_FROM} + n", "passages": "CASE n WHEN 1 THEN 1000000 ELSE 900 END"}),
    Table("kb_terms", "t * 300", {"scope_id": f"{SCOPES_FROM} + t", "term": word("n")}),
    Table(
        "kb_documents",
        "d",
        {
            "id": uid("n"),
            "scope_id": f"{SCOPES_FROM} + t",
            "source_key": "'doc-' || n",
            "source_digest": "sha256(n::text::bytea)",
            "content_hash": "md5(n::text) || md5(n::text)",
            "title": _TITLE,
            "created_at": moment("n / 2.0"),
            "passages": str(PASSAGES),
        },
    ),
    Table(
        "kb_passages",
        "d",
        {"document_id": uid("n"), "chunk_index": "chunk", "text": f"p.text || ' ' || {word('n * 11 + chunk')}"},
        f", generate_series(0, {PASSAGES - 1}) AS chunk",
    ),
    Table("kb_index_changes", "1000", {"document_id": uid("n"), "version": "n"}),
    Table(
        "kb_entities",
        "t * 100",
        {"id": "1000000 + n", "scope_id": f"{SCOPES_FROM} + t", "key": "'e' || n", "name": "'E' || n"},
    ),
    Table(
        "articles",
        "a",
        {
            "id": uid("n"),
            "tenant_id": _TENANT,
            "topic": "'Topic ' || n",
            "topic_key": "'topic ' || n",
            "topic_digest": "sha256(n::text::bytea)",
            "free_topic_digest": "NULL",
            "is_free_generation": "false",
            "is_public": "n % 100 = 7",
            "title": _TITLE,
            "slug": "'article-' || n",
            "language": "(ARRAY['en','fr','de'])[1 + n / 10 % 3]",
            "status": _STATUS,
            "approval_state": "CASE WHEN n / 10 % 20 = 3 THEN 'inReview' ELSE 'none' END",
            "created_at": moment("n"),
            "updated_at": moment("n"),
            "published_at": f"CASE WHEN {_STATUS} = 'published' THEN {moment('n')} END",
            "scheduled_for": f"CASE WHEN {_STATUS} = 'scheduled' THEN {moment('n')} END",
            "sources": f"jsonb_build_array({_SOURCES})",
            "words": "array_to_tsvector(ARRAY[" + ", ".join(word(f"n * 13 + {i}") for i in range(12)) + f", {_RARE}])",
            "topic_space": "p.topic_space",
        },
    ),
    Table(
        "article_topics",
        "a",
        {
            "article_id": uid("n"),
            "tenant_id": _TENANT,
            "words": f"ARRAY[{_TOPIC_WORDS}]",
            "cited": f"ARRAY[{_CITED[0]} || '#0', {_CITED[1]} || '#0', {_CITED[2]} || '#0']",
            "sketch": _SKETCH,
        },
    ),
    Table(
        "article_versions",
        "a",
        {"article_id": uid("n"), "tenant_id": _TENANT, "record": record(article_id=uid("n"), tenant_id=_TENANT)},
    ),
    Table(
        "generation_stages",
        "a * 3",
        {"id": "1000 + n", "article_id": uid("1 + (n - 1) / 3"), "started_at": moment("n / 3.0")},
    ),
    Table(
        "article_updates",
        "a / 10",
        {
            "id": uid("n"),
            "tenant_id": _TENANT,
            "article_id": uid("n * 10"),
            "state": "CASE WHEN n / 10 % 3 = 1 THEN 'proposed' ELSE 'applied' END",
            "record": record(id=uid("n"), tenant_id=_TENANT, article_id=uid("n * 10")),
        },
    ),
    Table(
        "publications",
        "a / 2",
        {
            "id": uid("n"),
            "tenant_id": _TENANT,
            "article_id": uid("n * 2"),
            "created_at": moment("n * 2"),
            "check_at": f"CASE WHEN n % 10 = 1 THEN {moment('n * 2')} END",
            "due_at": f"CASE WHEN n / 10 % 20 = 1 THEN {moment('n * 2')} END",
            "published_at": f"CASE WHEN n / 10 % 20 <> 1 THEN {moment('n * 2')} END",
            "record": record(id=uid("n"), tenant_id=_TENANT, article_id=uid("n * 2")),
        },
    ),
    Table(
        "jobs",
        "a / 4",
        {
            "id": uid("n"),
            "tenant_id": _TENANT,
            "subject_id": uid("n * 4"),
            "run_at": moment("n * 4"),
            "state": _JOB_STATE,
            "worker": "CASE WHEN n <= 100 THEN 'worker ' || n / 32 END",
            "leased_until": "CASE WHEN n <= 100 THEN timestamptz '2027-01-01 00:00+00' END",
            "ended_at": f"CASE WHEN n > 250 THEN {moment('n * 4')} END",
        },
    ),
    Table("agent_event_positions", "t", {"tenant_id": uid("n"), "last": "1000000000"}),
    Table("agent_events", "a", {"tenant_id": _TENANT, "position": "n", "at": moment("n")}),
    Table(
        "executions",
        "a / 3",
        {
            "id": uid("n"),
            "tenant_id": _TENANT,
            "agent_id": _TENANT,
            "status": "'completed'",
            "created_at": moment("n * 3"),
            "fire_at": moment("n * 3"),
            "record": record(id=uid("n"), tenant_id=_TENANT, agent_id=_TENANT),
        },
    ),
    Table(
        "webhook_endpoints",
        "t",
        {"id": uid("n"), "tenant_id": uid("n"), "record": record(id=uid("n"), tenant_id=uid("n"))},
    ),
    Table("webhook_messages", "a / 4", {"id": uid("n"), "tenant_id": _TENANT, "at": moment("n * 4")}),
    Table(
        "webhook_deliveries",
        "a / 4",
        {
            "endpoint_id": _TENANT,
            "message_id": uid("n"),
            "tenant_id": _TENANT,
            "due_at": moment("n * 4"),
            "state": "CASE WHEN n <= 250 THEN 'waiting' ELSE 'delivered' END",
        },
    ),
    Table(
        "synced_sources",
        "t",
        {
            "id": uid("n"),
            "tenant_id": uid("n"),
            "next_sync_at": moment("n * 100"),
            "record": record(id=uid("n"), tenant_id=uid("n")),
        },
    ),
    Table("synced_items", "d / 4", {"source_id": _TENANT, "key": "'item ' || n", "document_id": uid("n * 4")}),
    Table(
        "conflict_searches",
        "t",
        {
            "id": uid("n"),
            "tenant_id": uid("n"),
            "changed_at": moment("n * 100"),
            "record": record(id=uid("n"), tenant_id=uid("n")),
        },
    ),
    Table(
        "conflicts",
        "d / 20",
        {
            "id": uid("n"),
            "tenant_id": _TENANT,
            "search_id": _TENANT,
            "key": "'conflict ' || n",
            "state": "CASE WHEN n / 10 % 3 = 1 THEN 'open' ELSE 'decided' END",
            "one_document": uid("n * 20"),
            "other_document": uid("n * 20 - 3"),
            "record": record(id=uid("n"), tenant_id=_TENANT, search_id=_TENANT),
        },
    ),
    Table(
        "private_documents",
        "a / 10",
        {
            "id": uid("n"),
            "tenant_id": _TENANT,
            "created_at": moment("n * 10"),
            "content_hash": "'h' || n",
            "record": record(id=uid("n"), tenant_id=_TENANT),
        },
    ),
    Table(
        "writing_months",
        "t * 12",
        {"tenant_id": uid("1 + (n - 1) / 12"), "month": "date '2025-01-01' + (n % 12)::int * 30"},
    ),
)
