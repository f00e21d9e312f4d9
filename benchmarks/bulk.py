"""Very many passages of several tenants, brought in past the text analysis: ready-made passages go through the
product's own statements into PostgreSQL and through its own row layout into LanceDB. A filling that was stopped goes on
in the same folder."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Final

import lancedb
import msgspec
import numpy as np
import psycopg
from lancedb.expr import col, lit
from numpy.typing import NDArray

from benchmarks.corpus import Corpus
from benchmarks.installation import COUNTRY, NICHE, Installation
from contentgen_adapters.lance import layout
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import KbDocument, KbScope, Origin, Passage
from contentgen_core.model.tenant import Caller
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.text.nearness import models_meaning
from contentgen_core.ports.knowledge_base import Embedder, IndexedPassage, Vector
from contentgen_core.ports.repositories.knowledge import Knowledge

TENANTS: Final = 100
SHARED: Final = 3
IN_A_ROW: Final = 7
"""After so many documents of the platform come as many of tenants, each of another: a view sees three tenths of all."""

PASSAGES: Final = 5
"""Of a document."""
DOCUMENTS_AT_ONCE: Final = 2_000  # each batch counts most of the vocabulary anew, in every scope
_NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
_WORD: Final = re.compile(r"\w+")

Documents = list[tuple[KbDocument, list[Passage]]]


class Writer:
    """Makes documents whose terms are those that the product's analysis finds, looked up word by word."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus, self._analysis = corpus, IcuTextAnalysis()
        self._known: dict[str, tuple[str, ...]] = {}

    def documents(self, first: int, count: int, among: Sequence[KbScope]) -> Iterator[tuple[KbDocument, list[Passage]]]:
        """Return the documents from the beginning of a batch on; the same numbers give the same documents."""
        for number in range(first, first + count):
            if number % DOCUMENTS_AT_ONCE == 0:
                self.corpus.go_on_from(number)
            theme = self.corpus.theme()
            title = self.corpus.heading(theme)
            document = KbDocument(
                id=document_id(number),
                scope=among[number % len(among)],
                source_key=f"doc-{number}",
                title=title,
                language=Language.EN,
                origin=Origin.IMPORT,
                content_hash=_digest(f"{number} {title}"),
                created_at=_NOW,
                url=f"https://kb.example.org/{number}",
            )
            yield document, [self.passage(document, index, theme) for index in range(PASSAGES)]

    def passage(self, document: KbDocument, index: int, theme: Sequence[str]) -> Passage:
        heading, text = self.corpus.heading(theme), self.corpus.passage(100 + index * 4, theme)
        return self.made(document, index, heading, text)

    def made(self, document: KbDocument, index: int, heading: str, text: str) -> Passage:
        made = Passage(
            document, index, text, _digest(text), heading, self._terms(text), self._terms(f"{document.title} {heading}")
        )
        if document.id == "00000000":
            assert made.terms == self._analysis.terms(text, Language.EN)
        return made

    def _terms(self, text: str) -> tuple[str, ...]:
        found: list[str] = []
        for word in _WORD.findall(text.lower()):
            terms = self._known.get(word)
            if terms is None:
                terms = self._known[word] = self._analysis.terms(word, Language.EN)
            found += terms
        return tuple(found)


async def fill(
    here: Installation, passages: int, count: int = TENANTS, writer: Callable[[Corpus], Writer] = Writer
) -> list[Caller]:
    """So many passages for the platform and `count` tenants, searchable, with the upkeep done; the tenants. What a call
    that was stopped left in the installation's folder is gone on with."""
    tenants = await _tenants(here, count)
    await here.services.ports.index.is_empty()  # makes the table, with its full-text index
    connection = await lancedb.connect_async(str(here.index_folder))
    embedder = here.services.ports.embedder
    vectors = _Vectors(embedder)
    await here.services.knowledge.embed_passages.register()
    tables = (
        await connection.open_table(layout.WORDS),
        await connection.open_table(layout.vectors_table(embedder.model, embedder.dimension)),
    )
    wanted = passages // PASSAGES
    stored = await _stored(here, wanted)
    # The batch that was stored last may be in one table of the index, in both, or in none.
    first = max(0, stored - 1) // DOCUMENTS_AT_ONCE * DOCUMENTS_AT_ONCE
    for table in tables:
        await table.delete(col("document_id") >= lit(document_id(first)))
    documents = writer(here.corpus).documents(first, wanted - first, scopes(tenants))
    batch = await asyncio.to_thread(_next, documents)
    while batch:
        cut = [passage for _, passages in batch for passage in passages]
        new, first = batch if first >= stored else [], first + len(batch)
        async with asyncio.TaskGroup() as at_once:
            following = at_once.create_task(asyncio.to_thread(_next, documents))
            at_once.create_task(store(here, new))
            at_once.create_task(_index(*tables, vectors, cut))
        batch = following.result()
    # What a service that has stood for a day has done by itself.
    async with await psycopg.AsyncConnection.connect(here.conninfo, autocommit=True) as database:
        await database.execute("DELETE FROM kb_index_changes")  # the index has them
        await database.execute("DELETE FROM kb_documents_to_embed")
        await database.execute("VACUUM ANALYZE")
    await here.services.ports.index.optimize()
    assert [await table.count_rows() for table in tables] == [passages, passages]
    connection.close()  # type: ignore[no-untyped-call]
    return tenants


async def _tenants(here: Installation, count: int) -> list[Caller]:
    """The tenants of this installation, made once."""
    file = here.index_folder.with_name("tenants.json")
    if not file.exists():
        made = [await here.tenant() for _ in range(count)]
        unfinished = file.with_suffix(".new")
        unfinished.write_bytes(msgspec.json.encode(made))
        unfinished.replace(file)
    return msgspec.json.decode(file.read_bytes(), type=list[Caller])


async def _stored(here: Installation, wanted: int) -> int:
    """Count the documents in PostgreSQL, in whole batches; those that a measurement added are deleted."""
    async with await psycopg.AsyncConnection.connect(here.conninfo) as database:
        rows = await database.execute("SELECT id FROM kb_documents WHERE deleted_at IS NULL ORDER BY id")
        found = [DocumentId(id) for (id,) in await rows.fetchall()]
    async with here.services.jobs.generate_article.retrieve.unit_of_work() as tx:
        await tx[Knowledge].remove(found[wanted:])
    return min(len(found), wanted)


async def next_number(here: Installation) -> int:
    """Return the number of a document that never existed."""
    async with await psycopg.AsyncConnection.connect(here.conninfo) as database:
        rows = await database.execute("SELECT max(id) FROM kb_documents")
        [(last,)] = await rows.fetchall()
    return int(last) + 1


def document_id(number: int) -> DocumentId:
    return DocumentId(f"{number:08}")


def scopes(tenants: Sequence[Caller]) -> list[KbScope]:
    """Yield the owners of the documents in turn."""
    of_tenants = [KbScope(NICHE, tenant.tenant_id, COUNTRY) for tenant in tenants]
    rows = [of_tenants[start : start + IN_A_ROW] for start in range(0, len(tenants), IN_A_ROW)] or [[]]
    return [scope for row in rows for scope in (*[KbScope(NICHE)] * SHARED, *row)]


def _next(documents: Iterator[tuple[KbDocument, list[Passage]]]) -> Documents:
    return list(islice(documents, DOCUMENTS_AT_ONCE))


async def store(here: Installation, batch: Documents) -> None:
    """Into PostgreSQL, with the statistics and the outbox."""
    async with here.services.jobs.generate_article.retrieve.unit_of_work() as tx:
        await tx[Knowledge].add(batch)


class _Vectors:
    """The vectors of passages: the embedder's own if it is quick, else drawn at random as near to each other as those
    of multilingual-e5-small (cosines of about .8).
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder, self._chance = embedder, np.random.default_rng(7)
        self._centre = self._unit(self._chance.standard_normal((1, embedder.dimension)))

    async def of(self, passages: Sequence[Passage]) -> Sequence[Vector]:
        if not models_meaning(self._embedder.embedding_weight):
            return await self._embedder.embed([passage.with_titles() for passage in passages], "passage")
        own = self._unit(self._chance.standard_normal((len(passages), self._embedder.dimension)))
        return list(self._unit(2 * self._centre + own).astype(np.float32))

    @staticmethod
    def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
        scaled: NDArray[np.float64] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return scaled


async def _index(
    words: lancedb.AsyncTable, near: lancedb.AsyncTable, vectors: _Vectors, passages: Sequence[Passage]
) -> None:
    found = await vectors.of(passages)
    entries = [IndexedPassage(p, v) for p, v in zip(passages, found, strict=True)]
    await words.add(await asyncio.to_thread(layout.word_rows, passages))
    await near.add(await asyncio.to_thread(layout.vector_rows, entries, len(found[0])))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
