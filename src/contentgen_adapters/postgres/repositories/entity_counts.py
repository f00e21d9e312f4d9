"""Entities as documents come and go: figures of each way to write one, and which passages name it.

The caller holds the scopes' locks, which makes the figures exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from attrs import Factory, mutable
from numpy.typing import NDArray

from contentgen_adapters.postgres.session import Row, Session
from contentgen_core.model.knowledge import KbDocument, KbScope, Passage

TRIPLE: Final = np.dtype("<i4")

Batch = Sequence[tuple[KbDocument, Sequence[Passage]]]
Variant = tuple[str, str, str]
"""Key, name, type."""
Triples = NDArray[np.int32]

# Counts go as one text each, which is far cheaper to send than arrays of thousands.
_COUNT: Final = (
    "INSERT INTO kb_entities AS e (scope_id, key, name, type, mentions, passages, documents)"
    " SELECT %(scope_id)s, counted.* FROM unnest(%(keys)s::text[], %(names)s::text[],"
    " string_to_array(%(types)s, ' '), string_to_array(%(mentions)s, ' ')::integer[],"
    " string_to_array(%(passages)s, ' ')::integer[], string_to_array(%(documents)s, ' ')::integer[]) AS counted"
    " ON CONFLICT (scope_id, key, name, type) DO UPDATE SET mentions = e.mentions + excluded.mentions,"
    " passages = e.passages + excluded.passages, documents = e.documents + excluded.documents"
    " RETURNING id, key, name, type"
)
_UNCOUNT: Final = (
    "UPDATE kb_entities e SET mentions = e.mentions - gone.mentions, passages = e.passages - gone.passages,"
    " documents = e.documents - gone.documents"
    " FROM unnest(%s::integer[], %s::integer[], %s::integer[], %s::integer[])"
    " AS gone (id, mentions, passages, documents)"
    " WHERE e.id = gone.id"
)
_FORGET: Final = "DELETE FROM kb_entities WHERE id = ANY(%s) AND documents = 0"
_COPY: Final = "COPY kb_document_entities (document_id, scope_id, mentions) FROM STDIN"
_TAKE: Final = "DELETE FROM kb_document_entities WHERE document_id = ANY(%s) RETURNING mentions"


@mutable
class _Figures:
    mentions: int = 0
    passages: int = 0
    documents: int = 0


@mutable
class _Tally:
    """What the documents of one scope add: figures by variant, and each document's (passage, variant, mentions)."""

    figures: dict[Variant, _Figures] = Factory(dict)
    documents: list[tuple[str, list[tuple[int, Variant, int]]]] = Factory(list)


Tallies = Mapping[int, _Tally]


async def add(session: Session, tallies: Tallies) -> None:
    rows: list[Row] = []
    for scope_id, tally in sorted(tallies.items()):
        ordered = sorted(tally.figures)
        figures = [tally.figures[variant] for variant in ordered]
        found = await session.write(
            _COUNT,
            {
                "scope_id": scope_id,
                "keys": [key for key, _, _ in ordered],
                "names": [name for _, name, _ in ordered],
                "types": " ".join(type for _, _, type in ordered),
                "mentions": " ".join(str(f.mentions) for f in figures),
                "passages": " ".join(str(f.passages) for f in figures),
                "documents": " ".join(str(f.documents) for f in figures),
            },
        )
        ids = {(key, name, type): id for id, key, name, type in found}
        rows += [(document, scope_id, _packed(of_document, ids)) for document, of_document in tally.documents]
    if rows:
        await session.copy(_COPY, rows)


async def remove(session: Session, documents: Sequence[str]) -> None:
    taken = await session.write(_TAKE, (documents,))
    if not taken:
        return
    mentions: dict[int, _Figures] = {}
    for (packed,) in taken:
        seen = set()
        for _, entity, count in unpacked(packed).tolist():
            figures = mentions.setdefault(entity, _Figures())
            figures.mentions += count
            figures.passages += 1
            seen.add(entity)
        for entity in seen:
            mentions[entity].documents += 1
    ids = sorted(mentions)
    await session.change(
        _UNCOUNT,
        (
            ids,
            [mentions[id].mentions for id in ids],
            [mentions[id].passages for id in ids],
            [mentions[id].documents for id in ids],
        ),
    )
    await session.change(_FORGET, (ids,))


def unpacked(packed: bytes) -> Triples:
    """Rows of (passage, entity, mentions)."""
    return np.frombuffer(packed, TRIPLE).reshape(-1, 3)


def _packed(mentions: Sequence[tuple[int, Variant, int]], ids: Mapping[Variant, int]) -> bytes:
    return np.array([(passage, ids[variant], count) for passage, variant, count in mentions], TRIPLE).tobytes()


def tallied(documents: Batch, scope_ids: Mapping[KbScope, int]) -> Tallies:
    """What these documents add, by scope. Work of milliseconds: for a thread."""
    tallies: dict[int, _Tally] = {}
    for document, passages in documents:
        tally = tallies.setdefault(scope_ids[document.scope], _Tally())
        mentions: list[tuple[int, Variant, int]] = []
        seen = set()
        for passage in passages:
            for entity in passage.entities:
                variant = (entity.key, entity.name, entity.type.value)
                figures = tally.figures.setdefault(variant, _Figures())
                figures.mentions += entity.count
                figures.passages += 1
                if variant not in seen:
                    seen.add(variant)
                    figures.documents += 1
                mentions.append((passage.chunk_index, variant, entity.count))
        if mentions:
            tally.documents.append((document.id, mentions))
    return {scope_id: tally for scope_id, tally in tallies.items() if tally.figures}
