"""Remove an article with its generation and all that belongs to it."""

from __future__ import annotations

from datetime import datetime

from attrs import evolve

from contentgen_core.model.article import Article
from contentgen_core.model.job import JobKind
from contentgen_core.model.webhook import WebhookEventType
from contentgen_core.ports.repositories.article_updates import ArticleUpdates
from contentgen_core.ports.repositories.articles import Articles, Generations
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.articles.batched_parts import forget_parts
from contentgen_core.use_cases.budgets.keep_budgets import settle
from contentgen_core.use_cases.webhooks.events import record_article_event


async def cancel_generation(tx: Transaction, article: Article, now: datetime) -> Article:
    """Cancel the article's job, so that its result will be discarded; nothing of the quota is refunded."""
    if article.job_id is not None:
        await tx[Jobs].cancel(article.job_id)
        drafts = await tx[Generations].drafts(article.id)
        unread = await forget_parts(tx, article, drafts)
        await settle(tx, article, [*(draft.usage for draft in drafts.values()), *unread], now)
    return evolve(article, job_id=None, quota_window=None)


async def remove_article(tx: Transaction, article: Article, now: datetime) -> None:
    """Delete an article with everything that belongs to it. Raises NotFound."""
    await cancel_generation(tx, article, now)
    await tx[Jobs].cancel_subject(article.tenant_id, article.id, JobKind.PUBLISH_SCHEDULED)
    for update in await tx[ArticleUpdates].newest(article.tenant_id, article.id, 1):
        if update.job_id is not None:  # of its translation
            await tx[Jobs].cancel(update.job_id)
    await tx[Articles].delete(article.tenant_id, article.id)
    await record_article_event(tx, WebhookEventType.ARTICLE_DELETED, article, now)
