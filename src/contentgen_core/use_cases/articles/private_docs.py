"""The private documents that an article is written from, in addition to the knowledge base of its niche.

disabled: none; manual: the given ones, before any passage of the knowledge base; auto: all of the tenant's, ranked with
the knowledge base. What of the given ones is not used is told, with the reason."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from attrs import frozen

from contentgen_core.errors import FieldError, InvalidInput, NotFound
from contentgen_core.model.article import Article, Brief
from contentgen_core.model.coverage import Coverage
from contentgen_core.model.document import DocumentStatus, PrivateDocument
from contentgen_core.model.ids import DocumentId, TenantId
from contentgen_core.model.knowledge import PRIVATE, KbView, RankedPassage
from contentgen_core.model.vocabulary import PrivateDocsMode
from contentgen_core.ports.repositories.documents import Documents
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.articles.languages import WritingLanguages
from contentgen_core.use_cases.knowledge.retrieve import CANDIDATES_PER_SIDE, Retrieve


def private_views(
    tenant_id: TenantId | None, mode: PrivateDocsMode, document_ids: Sequence[DocumentId]
) -> tuple[KbView, ...]:
    """The view of private documents that an article includes: none or one."""
    match mode:
        case PrivateDocsMode.DISABLED:
            return ()
        case PrivateDocsMode.MANUAL:
            return (KbView(PRIVATE, tenant_id, document_ids=frozenset(document_ids)),)
        case PrivateDocsMode.AUTO:
            return (KbView(PRIVATE, tenant_id),)


async def check_documents(tx: Transaction, tenant_id: TenantId, named: Sequence[DocumentId]) -> None:
    """Check the documents of a request. Raises NotFound for a document that the tenant does not have, InvalidInput with
    each one that is not ready."""
    found = {document.id: document for document in await tx[Documents].named(tenant_id, named)}
    faults: list[FieldError] = []
    for n, document_id in enumerate(named):
        if document_id not in found:
            raise NotFound("document", document_id)
        document = found[document_id]
        if document.status is not DocumentStatus.READY:
            why = f" ({document.error})" if document.error else ""
            faults.append(FieldError(f"documentIds[{n}]", f"is not ready: it is {document.status}{why}"))
    if faults:
        raise InvalidInput(*faults)


async def retrieve_sources(
    retrieve: Retrieve, view: KbView, brief: Brief, limit: int
) -> tuple[tuple[RankedPassage, ...], Coverage]:
    """Return at most `limit` passages to write from, with the coverage of the topic. Raises what `Retrieve` raises.
    Documents that the caller names are used before the knowledge base, whatever their scores: first the best passage of
    each, so that none crowds out another, then their other passages on the topic."""
    private = private_views(view.tenant_id, brief.private_docs_mode, brief.document_ids)
    found = await retrieve(view, brief.topic, limit, also=private)
    coverage = await asyncio.to_thread(found.coverage, brief.length)
    if brief.private_docs_mode is not PrivateDocsMode.MANUAL:
        return found.ranked, coverage
    # Among themselves, where the best of the knowledge base sets no bar, and by the words of all that is visible.
    named = (await retrieve(private[0], brief.topic, max(limit, CANDIDATES_PER_SIDE))).ranked
    by_words = await asyncio.to_thread(found.by_words)
    on_topic = (each for each in by_words if each.ref in coverage.evidence.on_topic)
    more = (each for each in on_topic if each.passage.document.id in brief.document_ids)
    chosen = list({each.ref: each for each in (*more, *named)}.values())
    chosen.sort(key=lambda each: -each.combined_score)
    best = {each.passage.document.id: each for each in reversed(chosen)}
    first = [each for each in chosen if best[each.passage.document.id] is each]
    ranked = {each.ref: each for each in (*first, *chosen, *found.ranked)}
    return tuple(ranked.values())[:limit], coverage


@frozen
class UnusedDocument:
    """A document that was chosen for an article and is not used. `reason`: for a person."""

    document_id: DocumentId
    reason: str


@frozen
class ChosenDocuments:
    """The use of the documents that a request names, in its order."""

    used: tuple[DocumentId, ...]
    unused: tuple[UnusedDocument, ...]


def chosen_documents(
    article: Article, sources: Sequence[RankedPassage], held: Iterable[PrivateDocument], languages: WritingLanguages
) -> ChosenDocuments | None:
    """Return which of the chosen documents an article is written from; None where none was chosen. It follows from what
    is stored, so that a repeated request gets the same answer. `sources`: the passages that it is written from. `held`:
    the chosen documents that still exist."""
    brief, plan = article.brief, article.plan
    if not brief.document_ids:
        return None
    by_id = {document.id: document for document in held}
    given = {source.ref.document_id for source in sources}
    used = given if plan is None else {ref.document_id for ref in plan.cited}

    def reason(id: DocumentId) -> str:
        document = by_id.get(id)
        if document is None:
            return "it has been deleted since"
        if id in given:
            return "the plan rests on other sources: what this one has on the topic gives no part of the article"
        if not document.passages:
            return "it holds no text"
        if document.language and not languages.writes_from(document.language, brief.language):
            return (
                f"it is in {document.language} and the article in {brief.language}: the built-in writer takes "
                "sentences as they are"
            )
        return "it has nothing on the topic beyond what the sources used say"

    ids = dict.fromkeys(brief.document_ids)
    return ChosenDocuments(
        tuple(id for id in ids if id in used),
        tuple(UnusedDocument(id, reason(id)) for id in ids if id not in used),
    )
