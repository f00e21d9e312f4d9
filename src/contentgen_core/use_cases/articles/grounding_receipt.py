"""GET /writer/{id}/grounding: the receipt, and which sentences cite passages that have changed or were deleted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

from attrs import frozen

from contentgen_core.errors import NotFound
from contentgen_core.model.article import Article, Usage
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.grounding import Grounding, SentenceReceipt
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.knowledge import KbDocument, KbView, RankedPassage
from contentgen_core.model.tenant import Caller
from contentgen_core.ports.repositories.articles import Articles, Generations
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.use_case import use_case


class Staleness(StrEnum):
    """changed: the passage has another text now, or its document was replaced; deleted: it does not exist any more."""

    CHANGED = "changed"
    DELETED = "deleted"


@frozen
class CheckedReceipt:
    """A receipt with its stale parts. `stale`: for each sentence of `grounding`, in order, why it is stale (None: it is
    not); `stale_sources`: the article's stale sources by number; `usage`: what the article has consumed so far."""

    grounding: Grounding
    stale: tuple[Staleness | None, ...]
    stale_sources: dict[int, Staleness]
    usage: Usage | None = None


@use_case
class GroundingReceipt:
    unit_of_work: UnitOfWork

    async def __call__(self, caller: Caller, article_id: ArticleId) -> CheckedReceipt:
        """The receipt compared with the present knowledge base. Raises NotFound for an unknown article, or one without
        a receipt (not written yet)."""
        async with self.unit_of_work() as tx:
            return await check_receipt(tx, await tx[Articles].get(caller.tenant_id, article_id))


async def check_receipt(tx: Transaction, article: Article) -> CheckedReceipt:
    """The receipt of an article compared with the present knowledge base. Raises NotFound where it has none."""
    if article.grounding is None:
        raise NotFound("grounding receipt", article.id)
    refs = {SourceRef(source.parent_id, source.chunk_index): source.number for source in article.sources}
    refs |= {s.support.source: 0 for s in article.grounding.sentences if s.support and s.support.source not in refs}
    copies = await tx[Generations].sources(article.id) or ()
    used = {copy.ref: copy for copy in copies if copy.ref in refs}
    live = await tx[Knowledge].passages(view_of(article, used.values()), list(refs))
    hashes = {ref: frozenset({passage.content_hash}) for ref, passage in live.items()}
    hashes |= await _hashes_of_replacements(tx, [copy for ref, copy in used.items() if ref not in live])
    return _check_staleness(
        article, article.grounding, {ref: copy.passage.content_hash for ref, copy in used.items()}, hashes
    )


def view_of(article: Article, used: Iterable[RankedPassage]) -> KbView:
    """The view that included these passages: deactivating a niche makes no sentence stale."""
    countries = {copy.passage.document.scope.country for copy in used} - {None}
    if article.agent_key is not None:
        countries.add(article.agent_key.country)
    return KbView(article.niche_key, article.tenant_id, frozenset(c for c in countries if c is not None))


async def _hashes_of_replacements(tx: Transaction, gone: Iterable[RankedPassage]) -> dict[SourceRef, frozenset[str]]:
    """Return, for passages whose document was replaced under its source key, the hashes of the new document's
    passages."""
    found: dict[SourceRef, frozenset[str]] = {}
    texts: dict[str, frozenset[str]] = {}
    for copy in gone:
        successor = await _successor(tx, copy.passage.document)
        if successor is None:
            continue
        if successor.id not in texts:
            texts[successor.id] = frozenset(p.content_hash for p in await tx[Knowledge].passages_of([successor.id]))
        found[copy.ref] = texts[successor.id]
    return found


async def _successor(tx: Transaction, document: KbDocument) -> KbDocument | None:
    return (await tx[Knowledge].known(document.scope, [document.source_key])).get(document.source_key)


def _check_staleness(
    article: Article,
    grounding: Grounding,
    cited: Mapping[SourceRef, str],
    live: Mapping[SourceRef, frozenset[str]],
) -> CheckedReceipt:
    """Check a receipt for stale passages. `cited`: the hashes of the passages when they were cited, where known;
    `live`: the present hashes that count as the same."""

    def state(ref: SourceRef, then: str | None) -> Staleness | None:
        if ref not in live:
            return Staleness.DELETED
        return Staleness.CHANGED if then is not None and then not in live[ref] else None

    sources = {
        s.number: state(ref, cited.get(ref))
        for s in article.sources
        for ref in (SourceRef(s.parent_id, s.chunk_index),)
    }

    def staleness_of(sentence: SentenceReceipt) -> Staleness | None:
        states = [sources.get(number) for number in sentence.citations]
        if sentence.support is not None:
            states.insert(0, state(sentence.support.source, sentence.support.content_hash))
        return next((found for found in states if found is not None), None)

    stale = tuple(staleness_of(sentence) for sentence in grounding.sentences)
    changed = {number: found for number, found in sources.items() if found is not None}
    return CheckedReceipt(grounding, stale, changed, article.usage)
