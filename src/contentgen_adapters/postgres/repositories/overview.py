"""What a view holds, counted: from figures that are kept by scope, and from one small row a document."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any, Final

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repositories.entity_counts import unpacked
from contentgen_adapters.postgres.repositories.knowledge_rows import SCOPE_SEEN, findables, view_parameters
from contentgen_adapters.postgres.repositories.strongest import strongest_keys
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Row, Session
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.entity import (
    Cooccurrences,
    Curation,
    EntityPage,
    EntityType,
    EntityVariant,
    GroupCounts,
    KbStatistics,
)
from contentgen_core.model.ids import TenantId
from contentgen_core.model.knowledge import KbView
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.entity_graph import MAX_NAMING, first_naming, merge_variants
from contentgen_core.ports.repositories.overview import Overview

_BLOCK: Final = 5_000
"""Documents counted at a time: a block of their passages by a hundred groups is some ten MB."""

# An array and not a join: the planner then reads each scope's documents by their index.
_SEEN: Final = f"ARRAY(SELECT s.id FROM kb_scopes s WHERE {SCOPE_SEEN})"
_KNOWN_AT: Final = "kb_known_at(d.published, d.fetched_at, d.created_at)"
_NEWEST: Final = (
    f"SELECT d.created_at, d.id FROM unnest({_SEEN}) AS seen (scope) CROSS JOIN LATERAL"
    " (SELECT created_at, id FROM kb_documents WHERE scope_id = seen.scope AND deleted_at IS NULL"
    " ORDER BY created_at DESC, id DESC LIMIT 1) d ORDER BY d.created_at DESC, d.id DESC LIMIT 1"
)
# How much below zero the ages of passages are that come from a date after now, in all: they count as none. An index has
# the documents that are dated after they were added; others are dated after now only if they were added after now.
_BELOW_ZERO: Final = " + ".join(
    f"(SELECT coalesce(sum(d.passages * extract(epoch FROM {_KNOWN_AT} - %(now)s::timestamptz)), 0)"
    f" FROM kb_documents d WHERE d.scope_id = ANY({_SEEN}) AND d.deleted_at IS NULL"
    f" AND {_KNOWN_AT} > %(now)s::timestamptz AND {which})"
    for which in (f"{_KNOWN_AT} > d.created_at", f"d.created_at > %(now)s::timestamptz AND {_KNOWN_AT} <= d.created_at")
)
_FIGURES: Final = (
    f"WITH newest AS MATERIALIZED ({_NEWEST})"
    " SELECT c.origin, c.language, sum(c.documents)::bigint, sum(c.passages)::bigint,"
    " (SELECT created_at FROM newest), (SELECT id FROM newest),"
    " (sum(sum(c.passages * extract(epoch FROM %(now)s::timestamptz) - c.known_at)) OVER ()"
    f" + {_BELOW_ZERO})::float8"
    f" FROM kb_document_counts c WHERE c.scope_id = ANY({_SEEN}) GROUP BY c.origin, c.language"
    " HAVING sum(c.documents) > 0"
)
_VARIANTS: Final = (
    "SELECT key, name, type, mentions, passages, documents FROM kb_entities"
    f" WHERE scope_id = ANY({_SEEN}) AND key = ANY(%(keys)s)"
)
_IDS: Final = f"SELECT id, key FROM kb_entities WHERE scope_id = ANY({_SEEN}) AND key = ANY(%(keys)s)"
_SCOPES: Final = f"SELECT s.id FROM kb_scopes s WHERE {SCOPE_SEEN}"
_PASSAGES: Final = (
    "SELECT coalesce(sum(c.passages), 0)::bigint FROM kb_scopes s JOIN kb_corpora c ON c.scope_id = s.id"
    f" WHERE {SCOPE_SEEN}"
)
_MENTIONS: Final = (
    "SELECT document_id, mentions FROM kb_document_entities WHERE scope_id = %s AND document_id > %s"
    " ORDER BY document_id LIMIT %s"
)


@repository(Overview)
class PostgresOverview:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def figures(self, view: KbView, now: datetime) -> KbStatistics:
        rows = await self._session.read(_FIGURES, {**view_parameters(view), "now": now})
        by_origin: dict[str, int] = {}
        by_language: dict[Language, int] = {}
        for origin, language, _, passages, *_ in rows:
            by_origin[origin] = by_origin.get(origin, 0) + passages
            by_language[Language(language)] = by_language.get(Language(language), 0) + passages
        documents, passages = sum(row[2] for row in rows), sum(row[3] for row in rows)
        newest, newest_id, age = rows[0][4:] if rows else (None, "", 0.0)
        return KbStatistics(
            documents=documents,
            passages=passages,
            by_origin=by_origin,
            by_language=by_language,
            average_age_days=age / 86_400 / passages if passages else 0.0,
            newest=newest,
            state=f"{documents} {passages} {newest_id}",
        )

    async def strongest(self, view: KbView, limit: int) -> EntityPage:
        keys, total = await strongest_keys(self._session, view, limit)
        found = merge_variants(map(_variant, await self._of_keys(_VARIANTS, view, keys)))
        return EntityPage(tuple(found[key] for key in keys if key in found), total)

    async def cooccurrences(self, view: KbView, groups: Sequence[Collection[str]]) -> Cooccurrences:
        group_of = {key: n for n, group in enumerate(groups) for key in group}
        ids = sorted((id, group_of[key]) for id, key in await self._of_keys(_IDS, view, list(group_of)))
        counts = _Counts(ids, len(groups))
        async for block in self._blocks(view):
            await asyncio.to_thread(counts.count, block)
        rows = await self._session.read(_PASSAGES, view_parameters(view))
        return counts.cooccurrences(rows[0][0])

    async def _of_keys(self, query: str, view: KbView, keys: Sequence[str]) -> list[Row]:
        return await self._session.read(query, {**view_parameters(view), "keys": findables(keys)})

    async def _blocks(self, view: KbView) -> AsyncIterator[list[Row]]:
        for (scope_id,) in await self._session.read(_SCOPES, view_parameters(view)):
            after = ""
            while rows := await self._session.read(_MENTIONS, (scope_id, after, _BLOCK)):
                yield rows
                after = rows[-1][0]
                if len(rows) < _BLOCK:
                    break

    async def curation(self, tenant_id: TenantId, subject: str) -> Curation | None:
        rows = await self._session.read(
            "SELECT record::text, requested_at FROM kb_curations WHERE tenant_id = %s AND subject = %s",
            (findable(tenant_id), findable(subject)),
        )
        if not rows:
            return None
        record, requested_at = rows[0]
        if record is None:
            return Curation(tenant_id, subject, requested_at)
        curation: Curation = loads(record, Curation)
        return evolve(curation, requested_at=requested_at)

    async def request_curation(self, tenant_id: TenantId, subject: str, now: datetime, not_since: datetime) -> bool:
        changed = await self._session.change(
            "INSERT INTO kb_curations AS c (tenant_id, subject, requested_at) VALUES (%s, %s, %s)"
            " ON CONFLICT (tenant_id, subject) DO UPDATE SET requested_at = excluded.requested_at"
            " WHERE c.requested_at <= %s",
            (tenant_id, subject, now, not_since),
        )
        return changed == 1

    async def save_curation(self, curation: Curation) -> None:
        await self._session.change(
            "INSERT INTO kb_curations (tenant_id, subject, requested_at, record) VALUES (%s, %s, %s, %s)"
            " ON CONFLICT (tenant_id, subject) DO UPDATE SET record = excluded.record",
            (curation.tenant_id, curation.subject, curation.requested_at, dumps(curation, Curation)),
        )


class _Counts:
    """Figures of groups of entities, block by block: a block is a matrix of passages by groups, and its product with
    itself is how many passages hold each pair."""

    def __init__(self, ids: Sequence[tuple[int, int]], groups: int) -> None:
        self._ids = np.array([id for id, _ in ids], np.int32)
        self._group_of = np.array([group for _, group in ids], np.int32)
        self._together: NDArray[np.float64] = np.zeros((groups, groups))
        self._mentions: NDArray[np.float64] = np.zeros(groups)
        self._documents: NDArray[np.float64] = np.zeros(groups)
        self._naming: list[list[SourceRef]] = [[] for _ in range(groups)]

    def count(self, rows: Sequence[Row]) -> None:
        """`rows`: the id and the mentions of documents."""
        if not len(self._ids):
            return
        rows = sorted(rows, key=itemgetter(0))
        block = [mentions for _, mentions in rows]
        triples = unpacked(b"".join(block))
        document = np.repeat(np.arange(len(block)), [len(packed) // 12 for packed in block])
        place = np.searchsorted(self._ids, triples[:, 1]).clip(max=len(self._ids) - 1)
        asked = self._ids[place] == triples[:, 1]
        group, document, triples = self._group_of[place[asked]], document[asked], triples[asked]
        groups = len(self._mentions)
        self._mentions += np.bincount(group, triples[:, 2], groups)
        # each document once a group, and each passage once a group
        self._documents += np.bincount(np.unique(document * groups + group) % groups, minlength=groups)
        self._name([id for id, _ in rows], group, document, triples[:, 0])
        _, passage = np.unique(document.astype(np.int64) << 32 | triples[:, 0], return_inverse=True)
        held = np.zeros((int(passage.max(initial=-1)) + 1, groups), np.float32)
        held[passage, group] = 1
        self._together += held.T @ held  # float32 counts exactly up to 16 million, and a block has far fewer passages

    def _name(self, ids: Sequence[str], group: NDArray[Any], document: NDArray[Any], passage: NDArray[Any]) -> None:
        """Keep the first passages of each group. `document`: the index of its id."""
        found = np.unique(np.stack([group, document, passage], axis=1), axis=0)
        starts = np.searchsorted(found[:, 0], np.arange(len(self._naming) + 1))
        for n, known in enumerate(self._naming):
            few = found[starts[n] : min(starts[n + 1], starts[n] + MAX_NAMING)].tolist()
            self._naming[n] = list(first_naming([*known, *(SourceRef(ids[at], chunk) for _, at, chunk in few)]))

    def cooccurrences(self, passages: int) -> Cooccurrences:
        first, second = np.nonzero(np.triu(self._together, 1))
        return Cooccurrences(
            tuple(
                GroupCounts(int(self._mentions[n]), int(self._together[n, n]), int(self._documents[n]))
                for n in range(len(self._mentions))
            ),
            {(int(i), int(j)): int(self._together[i, j]) for i, j in zip(first, second, strict=True)},
            passages,
            tuple(map(tuple, self._naming)),
        )


def _variant(row: Row) -> EntityVariant:
    key, name, type, *figures = row
    return EntityVariant(key, name, EntityType(type), *figures)
