"""Updates of articles, and the policies by which they are looked for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from contentgen_adapters.memory.common_tables import ARTICLE_UPDATES, ARTICLES, NICHES, REFRESH_POLICIES, TENANTS
from contentgen_adapters.memory.records import Records, existing
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.errors import AlreadyExists
from contentgen_core.model.article_update import ArticleUpdate, RefreshPolicy, UpdateState
from contentgen_core.model.ids import ArticleId, ArticleUpdateId, RefreshPolicyId, TenantId
from contentgen_core.ports.repositories.article_updates import ArticleUpdates, RefreshPolicies


@repository(ArticleUpdates)
class MemoryArticleUpdates:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, session[ARTICLE_UPDATES], "update")

    async def add(self, update: ArticleUpdate) -> None:
        await self._session.writing()
        existing(self._session[TENANTS], update.tenant_id, "tenant")
        existing(self._session[ARTICLES], update.article_id, "article")
        if any(u.state is UpdateState.PROPOSED for u in self._of_article(update.tenant_id, update.article_id)):
            raise AlreadyExists("An update of this article waits for a decision already.")
        self._session[ARTICLE_UPDATES].put(update.id, update)

    async def get(self, tenant_id: TenantId, update_id: ArticleUpdateId) -> ArticleUpdate:
        return await self._records.get(tenant_id, update_id)

    async def save(self, update: ArticleUpdate) -> ArticleUpdate:
        return await self._records.save(update)

    async def newest(self, tenant_id: TenantId, article_id: ArticleId, limit: int) -> list[ArticleUpdate]:
        return _newest_first(self._of_article(tenant_id, article_id))[:limit]

    async def page(
        self, tenant_id: TenantId, state: UpdateState | None, before: ArticleUpdateId | None, limit: int
    ) -> list[ArticleUpdate]:
        found = [u for u in self._records.of(tenant_id) if state in (None, u.state) and (not before or u.id < before)]
        return _newest_first(found)[:limit]

    async def following(
        self, tenant_id: TenantId, update_ids: Sequence[ArticleUpdateId], limit: int
    ) -> list[ArticleUpdate]:
        found = [
            u for u in self._records.of(tenant_id) if u.original is not None and u.original.update_id in update_ids
        ]
        return _newest_first(found)[:limit]

    async def drop(self, tenant_id: TenantId, update_ids: Sequence[ArticleUpdateId]) -> None:
        await self._session.writing()
        for update in self._records.of(tenant_id):
            if update.id in update_ids:
                self._session[ARTICLE_UPDATES].drop(update.id)

    def _of_article(self, tenant_id: TenantId, article_id: ArticleId) -> list[ArticleUpdate]:
        return [update for update in self._records.of(tenant_id) if update.article_id == article_id]


@repository(RefreshPolicies)
class MemoryRefreshPolicies:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = Records(session, session[REFRESH_POLICIES], "refresh policy")

    async def add(self, policy: RefreshPolicy) -> None:
        await self._session.writing()
        existing(self._session[TENANTS], policy.tenant_id, "tenant")
        existing(self._session[NICHES], policy.niche_id, "niche")
        if await self.of_niche(policy.tenant_id, policy.niche_key) is not None:
            raise AlreadyExists("This niche has a refresh policy already.")
        self._session[REFRESH_POLICIES].put(policy.id, policy)

    async def get(self, tenant_id: TenantId, policy_id: RefreshPolicyId) -> RefreshPolicy:
        return await self._records.get(tenant_id, policy_id)

    async def of_niche(self, tenant_id: TenantId, niche_key: str) -> RefreshPolicy | None:
        return next((policy for policy in self._records.of(tenant_id) if policy.niche_key == niche_key), None)

    async def save(self, policy: RefreshPolicy) -> RefreshPolicy:
        return await self._records.save(policy)

    async def delete(self, tenant_id: TenantId, policy_id: RefreshPolicyId) -> None:
        await self._session.writing()
        self._session[REFRESH_POLICIES].drop((await self.get(tenant_id, policy_id)).id)

    async def due(self, now: datetime, limit: int) -> list[RefreshPolicy]:
        due = [policy for policy in self._session[REFRESH_POLICIES].rows() if policy.next_at <= now]
        return sorted(due, key=lambda policy: (policy.next_at, policy.id))[:limit]


def _newest_first(updates: Sequence[ArticleUpdate]) -> list[ArticleUpdate]:
    return sorted(updates, key=lambda update: update.id, reverse=True)
