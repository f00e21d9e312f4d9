"""The job FIND_CONFLICTS: what is new or changed in a knowledge base is compared with what is near it."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import datetime
from typing import Final

from attrs import define, evolve

from contentgen_core.errors import NotFound
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.conflict import (
    Conflict,
    ConflictReport,
    ConflictSearch,
    ConflictState,
    ExaminedDocument,
    Side,
    SideName,
)
from contentgen_core.model.ids import ConflictId, ConflictSearchId, DocumentId
from contentgen_core.model.job import Job
from contentgen_core.model.knowledge import KbDocument, KbView, Passage
from contentgen_core.model.text import Span, TextAnalysis
from contentgen_core.policies.conflicts.finding import (
    Agreement,
    Comparison,
    Finder,
    FoundConflict,
    document_fingerprint,
    key_of,
    passage_fingerprint,
    side_of,
    witness_of,
)
from contentgen_core.policies.conflicts.statements import Wordings
from contentgen_core.ports.knowledge_base import PassageIndex
from contentgen_core.ports.repositories.conflicts import Conflicts, ConflictSearches
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.runtime import Ids
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.conflicts.judge_again import no_longer_found
from contentgen_core.use_cases.context import context_of_niche
from contentgen_core.use_cases.jobs import AttemptRunner, JobFailed, subject_of
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.webhooks.events import record_conflicts_found

PAGE: Final = 200
"""Documents that are looked through for changes at once."""
BATCH_PASSAGES: Final = 64
"""Passages between two checkpoints, about: documents stay whole."""
DOCUMENTS_AT_ONCE: Final = 10
"""Whose passages are read at once."""
NEIGHBOURS: Final = 12
"""Passages that each new one is compared with: the nearest in meaning."""
GONE_AT_ONCE: Final = 100
MOST_TOUCHED: Final = 2_000
"""Known conflicts of the documents of a batch."""


@define
class _Batch:
    """Documents that changed, with those of their passages that did."""

    documents: list[KbDocument]
    passages: dict[DocumentId, list[Passage]]
    changed: list[Passage]
    waiting: set[SourceRef]
    pairs: int = 0


@use_case
class FindConflicts:
    """Idempotent: a batch that was compared is not compared again, and a conflict is stored once."""

    runner: AttemptRunner
    index: PassageIndex
    analysis: TextAnalysis
    ids: Ids

    async def __call__(self, job: Job) -> None:
        """Search for conflicts for a claimed job, or bring the job back into the queue."""
        await self.runner.run(job, self._work, self._fail)

    async def _work(self, job: Job) -> None:
        view = await self._begin(job)
        finder = Finder(self.analysis, Wordings(self.analysis))
        after: KbDocument | None = None
        while True:
            async with self.runner.fenced(job) as tx:
                page = await tx[Knowledge].documents(view, after, PAGE)
                search = await self._search(tx, job)
                examined = await tx[ConflictSearches].examined(search.id, [document.id for document in page])
            changed = [d for d in page if _is_new(d, examined.get(d.id))]
            await self._examine(job, view, changed, examined, finder)
            if len(page) < PAGE:
                break
            after = page[-1]
        await self._forget_gone(job)
        async with self.runner.fenced(job) as tx:
            search = await self._search(tx, job)
            if search.last is not None and search.last.waiting:  # for vectors: looked at again
                await tx[ConflictSearches].set_changed(search.id, self._now())
            await self._end(tx, search)
            await tx[Jobs].finish(job)

    async def _begin(self, job: Job) -> KbView:
        async with self.runner.fenced(job) as tx:
            search = await self._search(tx, job)
            try:
                context = await context_of_niche(tx, search.tenant_id, search.niche_key)
            except NotFound as error:
                raise JobFailed(f"The niche {search.niche_key} is not activated.") from error
            if search.last is None or search.last.finished_at is not None:
                await tx[ConflictSearches].set_changed(search.id, None)
                await tx[ConflictSearches].save(evolve(search, last=ConflictReport(self._now())))
        return context.view

    async def _examine(
        self,
        job: Job,
        view: KbView,
        changed: Sequence[KbDocument],
        examined: Mapping[DocumentId, ExaminedDocument],
        finder: Finder,
    ) -> None:
        """Compare documents that changed, a batch after the other."""
        start = 0
        while start < len(changed):
            batch = await self._batch(changed[start:], examined)
            start += len(batch.documents)
            compared = await self._compare_batch(view, batch, finder)
            ids = [document.id for document in batch.documents]
            search_id = ConflictSearchId(job.subject_id)
            ended = await no_longer_found(self.runner.unit_of_work, search_id, ids, MOST_TOUCHED, finder)
            await self._store(job, batch, compared, ended)

    async def _batch(self, documents: Sequence[KbDocument], examined: Mapping[DocumentId, ExaminedDocument]) -> _Batch:
        """The first of these documents, until there are enough passages that changed."""
        batch = _Batch([], {}, [], set())
        while len(batch.documents) < len(documents) and len(batch.changed) < BATCH_PASSAGES:
            some = documents[len(batch.documents) : len(batch.documents) + DOCUMENTS_AT_ONCE]
            async with self.runner.unit_of_work() as tx:
                found = await tx[Knowledge].passages_of([document.id for document in some])
            batch.documents += some
            for passage in found:
                batch.passages.setdefault(passage.document.id, []).append(passage)
                former = examined.get(passage.document.id)
                if former is None or former.passages.get(passage.chunk_index) != passage_fingerprint(passage):
                    batch.changed.append(passage)
        return batch

    async def _compare_batch(self, view: KbView, batch: _Batch, finder: Finder) -> list[Comparison]:
        found: list[Comparison] = []
        for start in range(0, len(batch.changed), BATCH_PASSAGES):
            some = batch.changed[start : start + BATCH_PASSAGES]
            vectors = await self.index.vectors([passage.ref for passage in some])
            known = [passage for passage in some if passage.ref in vectors]
            batch.waiting |= {passage.ref for passage in some} - vectors.keys()
            hits = await self.index.nearest(view, [vectors[p.ref] for p in known], NEIGHBOURS + 1)
            refs = {hit.ref for each in hits for hit in each}
            async with self.runner.unit_of_work() as tx:
                others = await tx[Knowledge].passages(view, list(refs))
            pairs = [(p, [others[h.ref] for h in each if h.ref in others]) for p, each in zip(known, hits, strict=True)]
            batch.pairs += sum(len(near) for _, near in pairs)
            found += await asyncio.to_thread(_compare_all, finder, pairs)
        return found

    async def _store(self, job: Job, batch: _Batch, compared: Sequence[Comparison], no_more: Set[str]) -> None:
        """The checkpoint of a batch: what was found, what ended, and that its documents were seen. `no_more`: the keys
        of conflicts that are not found any more."""
        conflicts = [conflict for each in compared for conflict in each.conflicts]
        agreements = [agreement for each in compared for agreement in each.agreements]
        ids = [document.id for document in batch.documents]
        also = {s.passage.document.id for a in agreements for s in (a.one, a.other)}
        async with self.runner.fenced(job) as tx:
            search = await self._search(tx, job)
            new = {c.key: c for c in (self._conflict(search, found) for found in conflicts)}
            ended = await tx[Conflicts].ended(search.id, list(new))
            for key, former in ended.items():
                await tx[Conflicts].save(_found_again(former, new[key]))
            added = await tx[Conflicts].add([conflict for key, conflict in new.items() if key not in ended])
            also |= {DocumentId(side.source.document_id) for c in new.values() for side in (c.one, c.other)}
            touched = await tx[Conflicts].of_documents(search.id, sorted({*ids, *also}), MOST_TOUCHED)
            witnesses = _witnesses(agreements)
            outdated = 0
            for conflict in touched:
                overruled = conflict.key in no_more and conflict.state is ConflictState.OPEN
                present = self._mark_outdated(conflict) if overruled else self._as_now(conflict, batch, witnesses)
                outdated += present.state is ConflictState.OUTDATED
                if present != conflict:
                    await tx[Conflicts].save(present)
            await tx[ConflictSearches].save_examined([_examined_document(search.id, d, batch) for d in batch.documents])
            report = search.last or ConflictReport(self._now())
            progress = evolve(
                report,
                documents=report.documents + len(batch.documents),
                passages=report.passages + len(batch.changed) - len(batch.waiting),
                compared=report.compared + batch.pairs,
                found=report.found + added + len(ended),
                outdated=report.outdated + outdated,
                waiting=report.waiting + len(batch.waiting),
            )
            await tx[ConflictSearches].save(evolve(search, last=progress))

    def _conflict(self, search: ConflictSearch, found: FoundConflict) -> Conflict:
        one = side_of(found.one, found.difference.one)
        other = side_of(found.other, found.difference.other)
        return Conflict(
            id=ConflictId(self.ids.new()),
            tenant_id=search.tenant_id,
            search_id=search.id,
            niche_key=search.niche_key,
            key=key_of(one, other),
            kind=found.difference.kind,
            one=one,
            other=other,
            found_at=self._now(),
        )

    def _as_now(
        self, conflict: Conflict, batch: _Batch, witnesses: Mapping[tuple[str, str], Sequence[Passage]]
    ) -> Conflict:
        """Update a known conflict after its documents changed: the present places of its sentences and their present
        witnesses; ended where one of the sentences is gone."""
        documents = {document.id: batch.passages.get(document.id, ()) for document in batch.documents}
        present = conflict
        for name in SideName:
            side: Side | None = getattr(conflict, name.value)
            assert side is not None
            if (passages := documents.get(DocumentId(side.source.document_id))) is not None:
                side = _locate(side, passages)
                if side is None:
                    return self._mark_outdated(conflict)
            side = _drop_gone_witnesses(side, documents)
            for passage in witnesses.get((side.source.document_id, side.sentence), ()):
                if (witness := witness_of(passage)) is not None:
                    side = side.seen_by(witness)
            present = evolve(present, one=side) if name is SideName.ONE else evolve(present, other=side)
        return self._note_weaker_side(conflict, present)

    def _note_weaker_side(self, former: Conflict, present: Conflict) -> Conflict:
        """Return the present conflict, with the time at which another side became the weaker one."""
        same = present.stronger_name is former.stronger_name
        return present if same else evolve(present, reweighed_at=self._now())

    def _mark_outdated(self, conflict: Conflict) -> Conflict:
        return evolve(conflict, state=ConflictState.OUTDATED, outdated_at=self._now())

    async def _forget_gone(self, job: Job) -> None:
        """End the conflicts of documents that are not there any more; their words count for no side."""
        while True:
            async with self.runner.fenced(job) as tx:
                search = await self._search(tx, job)
                gone = await tx[ConflictSearches].gone(search.id, GONE_AT_ONCE)
                touched = await tx[Conflicts].of_documents(search.id, gone, MOST_TOUCHED) if gone else []
                without = [self._drop_documents(conflict, gone) for conflict in touched]
                for conflict in without:
                    await tx[Conflicts].save(conflict)
                ended = [conflict for conflict in without if conflict.state is ConflictState.OUTDATED]
                if len(touched) < MOST_TOUCHED:
                    await tx[ConflictSearches].forget(search.id, gone)
                report = search.last or ConflictReport(self._now())
                if ended:
                    counted = evolve(report, outdated=report.outdated + len(ended))
                    await tx[ConflictSearches].save(evolve(search, last=counted))
            if len(gone) < GONE_AT_ONCE and len(touched) < MOST_TOUCHED:
                return

    def _drop_documents(self, conflict: Conflict, gone: Sequence[DocumentId]) -> Conflict:
        """Return the conflict without these deleted documents."""
        if not {conflict.one.source.document_id, conflict.other.source.document_id}.isdisjoint(gone):
            return self._mark_outdated(conflict)
        none: dict[DocumentId, Sequence[Passage]] = dict.fromkeys(gone, ())
        one, other = (_drop_gone_witnesses(side, none) for side in (conflict.one, conflict.other))
        return self._note_weaker_side(conflict, evolve(conflict, one=one, other=other))

    async def _fail(self, tx: Transaction, job: Job, reason: str) -> None:
        await self._end(tx, await self._search(tx, job), reason)

    async def _end(self, tx: Transaction, search: ConflictSearch, error: str | None = None) -> None:
        report = evolve(search.last or ConflictReport(self._now()), finished_at=self._now(), error=error)
        ended = await tx[ConflictSearches].save(evolve(search, job_id=None, last=report))
        await record_conflicts_found(tx, ended, self._now())

    async def _search(self, tx: Transaction, job: Job) -> ConflictSearch:
        return await subject_of(job, tx[ConflictSearches].get(job.tenant_id, ConflictSearchId(job.subject_id)))

    def _now(self) -> datetime:
        return self.runner.clock.now()


def _is_new(document: KbDocument, examined: ExaminedDocument | None) -> bool:
    return examined is None or examined.fingerprint != document_fingerprint(document)


def _compare_all(finder: Finder, pairs: Iterable[tuple[Passage, Sequence[Passage]]]) -> list[Comparison]:
    return [finder.compare(passage, near) for passage, near in pairs]


def _witnesses(agreements: Iterable[Agreement]) -> dict[tuple[str, str], list[Passage]]:
    """Return for each sentence, by its document and its text, the passages of others that say the same."""
    found: dict[tuple[str, str], list[Passage]] = defaultdict(list)
    for agreement in agreements:
        for own, other in ((agreement.one, agreement.other), (agreement.other, agreement.one)):
            found[own.passage.document.id, own.text].append(other.passage)
    return found


def _drop_gone_witnesses(side: Side, documents: Mapping[DocumentId, Sequence[Passage]]) -> Side:
    """Return the side without those witnesses of these documents whose passages no longer exist. A changed witness is
    compared anew."""
    kept = tuple(
        witness
        for witness in side.witnesses
        if witness.document_id not in documents
        or any(passage.content_hash == witness.content_hash for passage in documents[witness.document_id])
    )
    return evolve(side, witnesses=kept)


def _found_again(former: Conflict, found: Conflict) -> Conflict:
    """Return an ended conflict whose sentences exist again, with the former decision."""
    return evolve(
        found,
        id=former.id,
        revision=former.revision,
        state=ConflictState.OPEN if former.decision is None else ConflictState.DECIDED,
        decision=former.decision,
        preferred=former.preferred,
        decided_by=former.decided_by,
        decided_at=former.decided_at,
    )


def _locate(side: Side, passages: Iterable[Passage]) -> Side | None:
    """Return the side with the present place of its sentence; None where it is gone."""
    for passage in sorted(passages, key=lambda passage: passage.ref != side.source):
        if (at := passage.text.find(side.sentence)) >= 0:
            document = passage.document
            return evolve(
                side,
                source=passage.ref,
                span=Span(at, at + len(side.sentence)),
                title=document.title,
                url=document.url,
                published=document.published,
            )
    return None


def _examined_document(search_id: ConflictSearchId, document: KbDocument, batch: _Batch) -> ExaminedDocument:
    passages = batch.passages.get(document.id, [])
    waits = any(passage.ref in batch.waiting for passage in passages)
    seen = {p.chunk_index: passage_fingerprint(p) for p in passages if p.ref not in batch.waiting}
    return ExaminedDocument(search_id, document.id, "" if waits else document_fingerprint(document), seen)
