"""A filling of the benchmarks that was stopped goes on, and leaves what one leaves that was not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import lancedb
import psycopg
import pytest
from benchmarks import bulk
from benchmarks.installation import Installation, installation
from benchmarks.instant_model import InstantModel

from contentgen_adapters.lance import layout

PASSAGES = 200
BATCHES = 4
FIGURES = (
    "SELECT d.id, p.chunk_index, p.text, p.terms, p.head_terms FROM kb_passages p"
    " JOIN kb_documents d ON d.id = p.document_id ORDER BY 1, 2",
    "SELECT term, s.tenant_id IS NULL, sum(t.passages)::integer FROM kb_terms t JOIN kb_scopes s ON s.id = t.scope_id"
    " GROUP BY 1, 2 HAVING sum(t.passages) > 0 ORDER BY 1, 2",
    "SELECT s.tenant_id IS NULL, sum(passages)::integer, sum(length)::integer FROM kb_corpora c"
    " JOIN kb_scopes s ON s.id = c.scope_id"
    " GROUP BY 1 ORDER BY 1",
)


async def left(here: Installation) -> list[list[Any]]:
    """What is in PostgreSQL and, as ids, in each table of the index."""
    embedder = here.services.ports.embedder
    index = await lancedb.connect_async(str(here.index_folder))
    names = (layout.WORDS, layout.vectors_table(embedder.model, embedder.dimension))
    found = [sorted((await (await index.open_table(name)).query().to_arrow())["id"].to_pylist()) for name in names]
    async with await psycopg.AsyncConnection.connect(here.conninfo) as database:
        return [*found, *[await (await database.execute(query)).fetchall() for query in FIGURES]]


def wanted(here: Installation) -> list[list[Any]]:
    """The same as `left`, counted from the documents themselves."""
    documents = list(bulk.Writer(here.corpus).documents(0, PASSAGES // bulk.PASSAGES, bulk.scopes([])))
    terms, corpora = Counter[tuple[str, bool]](), dict[bool, list[int]]()
    for number, (_, passages) in enumerate(documents):
        shared = number % (bulk.SHARED + bulk.IN_A_ROW) < bulk.SHARED
        for passage in passages:
            terms.update((term, shared) for term in {*passage.terms, *passage.head_terms})
            figures = corpora.setdefault(shared, [0, 0])
            figures[0] += 1
            figures[1] += len(passage.terms) + len(passage.head_terms)
    every = [passage for _, passages in documents for passage in passages]
    refs = sorted(str(passage.ref) for passage in every)
    rows = [(p.document.id, p.chunk_index, p.text, " ".join(p.terms), " ".join(p.head_terms)) for p in every]
    return [
        refs,
        refs,
        sorted(rows),
        sorted((*key, passages) for key, passages in terms.items()),
        sorted((shared, *figures) for shared, figures in corpora.items()),
    ]


@contextmanager
def stopped(rows_of: Callable[..., Any], at: int) -> Iterator[None]:
    """Whoever makes so many times rows for the index is stopped."""
    made = 0

    def counted(*args: Any) -> Any:
        nonlocal made
        made += 1
        if made == at:
            raise KeyError("stopped")
        return rows_of(*args)

    with patch.object(layout, rows_of.__name__, counted), pytest.raises(ExceptionGroup):
        yield


async def test_a_filling_that_was_stopped_goes_on(tmp_path: Path) -> None:
    with patch.object(bulk, "DOCUMENTS_AT_ONCE", PASSAGES // bulk.PASSAGES // BATCHES):
        async with installation(tmp_path, InstantModel(), 0) as here:
            with stopped(layout.word_rows, at=2):
                await bulk.fill(here, PASSAGES)
            with stopped(layout.vector_rows, at=2):
                await bulk.fill(here, PASSAGES)
            first = await bulk.fill(here, PASSAGES)
            assert await left(here) == wanted(here)
            added = bulk.Writer(here.corpus).documents(await bulk.next_number(here), 3, bulk.scopes(first))
            await bulk.store(here, list(added))  # as a measurement does that is stopped
            assert await bulk.fill(here, PASSAGES) == first
            assert await left(here) == wanted(here)
    assert len(first) == bulk.TENANTS
