"""Recording what happens to a tenant's things, in the transactions that cause it, for its webhook endpoints."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from contentgen_core.model.approval import ApprovalState
from contentgen_core.model.article import Article
from contentgen_core.model.article_update import ArticleUpdate
from contentgen_core.model.conflict import Conflict, ConflictSearch
from contentgen_core.model.publication import Publication, PublicationStatus
from contentgen_core.model.synced_source import SyncedSource, SyncOutcome
from contentgen_core.model.webhook import WebhookData, WebhookEvent, WebhookEventType
from contentgen_core.ports.repositories.webhooks import WebhookMessages
from contentgen_core.ports.unit_of_work import Transaction

_E = WebhookEventType
_PUBLICATIONS: Final = {
    PublicationStatus.PUBLISHED: _E.PUBLICATION_PUBLISHED,
    PublicationStatus.FAILED: _E.PUBLICATION_FAILED,
    PublicationStatus.UNKNOWN: _E.PUBLICATION_UNKNOWN,
    PublicationStatus.REMOVED: _E.PUBLICATION_WITHDRAWN,
}
_APPROVALS: Final = {
    ApprovalState.IN_REVIEW: _E.APPROVAL_REQUESTED,
    ApprovalState.APPROVED: _E.APPROVAL_APPROVED,
    ApprovalState.CHANGES_REQUESTED: _E.APPROVAL_SENT_BACK,
}


async def record_article_event(tx: Transaction, type: WebhookEventType, article: Article, now: datetime) -> None:
    """Record an event of an article. `article`: as it is afterwards."""
    await tx[WebhookMessages].record(WebhookEvent(article.tenant_id, type, now, _article(article)))


async def record_new_text(tx: Transaction, former: Article, article: Article, now: datetime) -> None:
    """Record that an article's public text, or its list of sources, changed; nothing where only the supporting passages
    changed. `former`: the article as it was."""
    if former.text_hash != article.text_hash or _listed_sources(former) != _listed_sources(article):
        await record_article_event(tx, _E.ARTICLE_UPDATED, article, now)


async def record_approval_event(tx: Transaction, article: Article, now: datetime) -> None:
    """Record the decision just taken on an article."""
    if article.approval is None or article.approval.state not in _APPROVALS:
        return
    state = article.approval.state
    data = {**_article(article), "approval": state.value, "userId": article.approval.by}
    await tx[WebhookMessages].record(WebhookEvent(article.tenant_id, _APPROVALS[state], now, data))


async def record_update_event(tx: Transaction, type: WebhookEventType, update: ArticleUpdate, now: datetime) -> None:
    """Record an event of an update. `update`: as it is afterwards."""
    data: WebhookData = {
        "updateId": update.id,
        "articleId": update.article_id,
        "nicheKey": update.niche_key,
        "state": update.state.value,
        "automatic": update.automatic,
    }
    await tx[WebhookMessages].record(WebhookEvent(update.tenant_id, type, now, data))


async def record_publication_event(
    tx: Transaction, publication: Publication, now: datetime, type: WebhookEventType | None = None
) -> None:
    """The state that a publication has reached; nothing of one that is under way. `type`: another one than its state
    tells."""
    type = type or _PUBLICATIONS.get(publication.status)
    if type is None:
        return
    data: WebhookData = {
        "publicationId": publication.id,
        "articleId": publication.article_id,
        "integrationId": publication.integration_id,
        "provider": publication.provider,
        "status": publication.status.value,
        "postStatus": None if publication.post_status is None else publication.post_status.value,
        "url": publication.url,
    }
    await tx[WebhookMessages].record(WebhookEvent(publication.tenant_id, type, now, data))


async def record_sync_event(tx: Transaction, source: SyncedSource, now: datetime) -> None:
    """Record the result of a source's last sync."""
    report = source.last
    assert report is not None, "a sync that ended has a report"
    type = _E.SYNC_FAILED if report.outcome is SyncOutcome.FAILED else _E.SYNC_FINISHED
    data: WebhookData = {
        "sourceId": source.id,
        "nicheKey": source.niche_key,
        "outcome": report.outcome.value,
        "added": report.added,
        "changed": report.changed,
        "removed": report.removed,
        "missing": report.missing,
        "skipped": sum(report.skipped.values()),
    }
    await tx[WebhookMessages].record(WebhookEvent(source.tenant_id, type, now, data))


async def record_conflicts_found(tx: Transaction, search: ConflictSearch, now: datetime) -> None:
    """Record one event for a whole search, which may find thousands of conflicts; none where it found nothing."""
    report = search.last
    if report is None or not report.found:
        return
    data: WebhookData = {"nicheKey": search.niche_key, "found": report.found, "outdated": report.outdated}
    await tx[WebhookMessages].record(WebhookEvent(search.tenant_id, _E.CONFLICT_FOUND, now, data))


async def record_conflict_decided(tx: Transaction, conflict: Conflict, now: datetime) -> None:
    """Record a person's decision on a conflict."""
    data: WebhookData = {
        "conflictId": conflict.id,
        "nicheKey": conflict.niche_key,
        "kind": conflict.kind.value,
        "decision": None if conflict.decision is None else conflict.decision.value,
        "preferred": None if conflict.preferred is None else conflict.preferred.value,
        "userId": conflict.decided_by,
    }
    await tx[WebhookMessages].record(WebhookEvent(conflict.tenant_id, _E.CONFLICT_DECIDED, now, data))


def _listed_sources(article: Article) -> list[tuple[object, ...]]:
    return [(source.number, source.title, source.url, source.published, source.author) for source in article.sources]


def _article(article: Article) -> WebhookData:
    return {
        "articleId": article.id,
        "nicheKey": article.niche_key,
        "language": article.brief.language.value,
        "status": article.status.value,
    }
