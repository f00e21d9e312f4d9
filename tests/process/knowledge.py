"""What a client does to fill the knowledge base, over HTTP, and what must then be true of it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import httpx

from contentgen_core.model.enrichment import PROGRESS, STAGES, EnrichmentStatus
from tests.process.articles import used
from tests.process.service import Service, connect, until

AGENT = "home-energy-GB"
ENDED = {"completed", "failed"}
ORDER = [str(status) for status in STAGES]


def enrich(client: httpx.Client, about: str) -> str:
    """Start an enrichment; its task."""
    answer = client.post("/writer/enrich-kb-topic", json={"agentKey": AGENT, "topic": about})
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert body["success"], body
    return str(body["taskId"])


def task(client: httpx.Client, id: str) -> dict[str, Any]:
    answer = client.get(f"/writer/enrichment-status/{id}")
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def followed(client: httpx.Client, id: str, seconds: float = 50) -> list[dict[str, Any]]:
    """Every state seen on the way to its end."""
    seen: list[dict[str, Any]] = []

    def ended() -> bool:
        seen.append(task(client, id))
        return seen[-1]["status"] in ENDED

    until(ended, seconds, lambda: seen[-1])
    return seen


def score(client: httpx.Client, about: str) -> float:
    answer = client.post("/writer/check-kb-coverage", json={"agentKey": AGENT, "topic": about})
    assert answer.status_code == 200, answer.text
    return float(answer.json()["coverage"]["score"])


def stored(service: Service) -> dict[str, int]:
    """Passages from the web that the database holds, by the address of their source."""
    with connect(service.data_dir) as database:
        rows = database.execute(
            "SELECT d.url, count(*) FROM kb_passages p JOIN kb_documents d ON d.id = p.document_id"
            " WHERE d.deleted_at IS NULL AND d.origin = 'web' GROUP BY 1"
        ).fetchall()
    return dict(rows)


def held(service: Service, source: str) -> dict[str, tuple[str, str]]:
    """The documents of a source: id and text by the item's key."""
    query = (
        "SELECT d.source_key, d.id, string_agg(p.text, ' ' ORDER BY p.chunk_index) FROM kb_documents d"
        " JOIN kb_passages p ON p.document_id = d.id WHERE d.deleted_at IS NULL AND d.source_key LIKE %s"
        " GROUP BY d.source_key, d.id"
    )
    prefix = f"source:{source}/"
    with connect(service.data_dir) as database:
        rows = database.execute(query, (f"{prefix}%",)).fetchall()
    assert len({key for key, *_ in rows}) == len(rows), "a document is there twice"
    return {key.removeprefix(prefix): (id, text) for key, id, text in rows}


def assert_no_passage_is_there_twice(service: Service) -> None:
    """In the database by its content, and in the search index, which holds the same passages."""
    import lancedb

    from contentgen_adapters.lance.layout import WORDS

    with connect(service.data_dir) as database:
        waiting = "SELECT count(*) FROM kb_index_changes"
        # A process that ended over some of them holds these for half a minute.
        until(lambda: database.execute(waiting).fetchone() == (0,), 50, "the index to follow")
        twice = database.execute(
            "SELECT p.content_hash FROM kb_passages p JOIN kb_documents d ON d.id = p.document_id"
            " WHERE d.origin IN ('web', 'document') GROUP BY 1 HAVING count(*) > 1"
        ).fetchall()
        known = database.execute("SELECT document_id, chunk_index FROM kb_passages").fetchall()
    assert twice == []
    table = lancedb.connect(str(service.data_dir / "index")).open_table(WORDS)
    indexed = table.to_arrow().select(["document_id", "chunk_index"]).to_pylist()
    assert sorted((row["document_id"], row["chunk_index"]) for row in indexed) == sorted(known)


def assert_in_order(seen: list[dict[str, Any]]) -> None:
    for before, after in pairwise(seen):
        assert ORDER.index(before["status"]) <= ORDER.index(after["status"]), (before, after)
        assert before["progress"] <= after["progress"], (before, after)
    for state in seen:
        assert state["progress"] >= PROGRESS[EnrichmentStatus(state["status"])], state
        assert state["canGenerate"] == (state["status"] in ("ready", "completed")), state


def used_enrichments(service: Service) -> int:
    with service.client() as client:
        return used(client, "enrichments")
