"""What a view holds, by counting its passages anew each time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime, time
from itertools import combinations

from attrs import evolve

from contentgen_adapters.memory.common_tables import CURATIONS, DOCUMENTS, PASSAGES
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.entity import Cooccurrences, Curation, EntityPage, EntityVariant, GroupCounts, KbStatistics
from contentgen_core.model.ids import DocumentId, TenantId
from contentgen_core.model.knowledge import KbDocument, KbView, Passage
from contentgen_core.policies.topics.entity_graph import first_naming, merge_variants, strength
from contentgen_core.ports.repositories.overview import Overview


@repository(Overview)
class MemoryOverview:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def figures(self, view: KbView, now: datetime) -> KbStatistics:
        documents = [(document, len(self._passages(document.id))) for document in self._visible(view)]
        passages = sum(count for _, count in documents)
        ages = sum(count * _age_days(document, now) for document, count in documents)
        by_origin: Counter[str] = Counter()
        by_language = Counter({document.language: 0 for document, _ in documents})
        for document, count in documents:
            by_origin[document.origin.value] += count
            by_language[document.language] += count
        newest_id = max((document.id for document, _ in documents), default="")
        return KbStatistics(
            documents=len(documents),
            passages=passages,
            by_origin=dict(by_origin),
            by_language=dict(by_language),
            average_age_days=ages / passages if passages else 0.0,
            newest=max((document.created_at for document, _ in documents), default=None),
            state=f"{len(documents)} {passages} {newest_id}",
        )

    async def strongest(self, view: KbView, limit: int) -> EntityPage:
        found = sorted(merge_variants(self._variants(view)).values(), key=strength)
        return EntityPage(tuple(found[:limit]), len(found))

    async def cooccurrences(self, view: KbView, groups: Sequence[Collection[str]]) -> Cooccurrences:
        group_of = {key: n for n, group in enumerate(groups) for key in group}
        mentions: Counter[int] = Counter()
        documents: Counter[int] = Counter()
        passages: Counter[int] = Counter()
        pairs: Counter[tuple[int, int]] = Counter()
        naming: list[list[SourceRef]] = [[] for _ in groups]
        total = 0
        for document in self._visible(view):
            in_document: set[int] = set()
            for passage in self._passages(document.id):
                total += 1
                held = [(group_of[e.key], e.count) for e in passage.entities if e.key in group_of]
                for group, count in held:
                    mentions[group] += count
                present = sorted({group for group, _ in held})
                passages.update(present)
                pairs.update(combinations(present, 2))
                for group in present:
                    naming[group].append(passage.ref)
                in_document.update(present)
            documents.update(in_document)
        figures = tuple(GroupCounts(mentions[n], passages[n], documents[n]) for n in range(len(groups)))
        return Cooccurrences(figures, dict(pairs), total, tuple(map(first_naming, naming)))

    async def curation(self, tenant_id: TenantId, subject: str) -> Curation | None:
        return self._session[CURATIONS].get((tenant_id, subject))

    async def request_curation(self, tenant_id: TenantId, subject: str, now: datetime, not_since: datetime) -> bool:
        await self._session.writing()
        known = self._session[CURATIONS].get((tenant_id, subject))
        if known is not None and known.requested_at > not_since:
            return False
        noted = Curation(tenant_id, subject, now) if known is None else evolve(known, requested_at=now)
        self._session[CURATIONS].put((tenant_id, subject), noted)
        return True

    async def save_curation(self, curation: Curation) -> None:
        await self._session.writing()
        key = (curation.tenant_id, curation.subject)
        known = self._session[CURATIONS].get(key)
        requested_at = curation.requested_at if known is None else known.requested_at
        self._session[CURATIONS].put(key, evolve(curation, requested_at=requested_at))

    def _variants(self, view: KbView) -> Iterator[EntityVariant]:
        for document in self._visible(view):
            counted: set[tuple[str, str, str]] = set()
            for passage in self._passages(document.id):
                for entity in passage.entities:
                    variant = (entity.key, entity.name, entity.type)
                    yield EntityVariant(*variant, entity.count, 1, 0 if variant in counted else 1)
                    counted.add(variant)

    def _visible(self, view: KbView) -> Iterator[KbDocument]:
        return (document for document in self._session[DOCUMENTS].rows() if view.sees(document.scope))

    def _passages(self, document_id: DocumentId) -> tuple[Passage, ...]:
        return self._session[PASSAGES].get(document_id) or ()


def _age_days(document: KbDocument, now: datetime) -> float:
    published = datetime.combine(document.published, time(), UTC) if document.published else None
    since = published or document.fetched_at or document.created_at
    return max(0.0, (now - since).total_seconds()) / 86_400
