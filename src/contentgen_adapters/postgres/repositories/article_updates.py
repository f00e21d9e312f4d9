"""Updates of articles, and the policies by which they are looked for."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.records import RECORD, RecordTable
from contentgen_adapters.postgres.repositories.knowledge_rows import findables
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session, require
from contentgen_core.model.article_update import ArticleUpdate, RefreshPolicy, UpdateState
from contentgen_core.model.ids import ArticleId, ArticleUpdateId, RefreshPolicyId, TenantId
from contentgen_core.ports.repositories.article_updates import ArticleUpdates, RefreshPolicies


@repository(ArticleUpdates)
class PostgresArticleUpdates:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = RecordTable(session, "article_updates", ArticleUpdate, "update")

    async def add(self, update: ArticleUpdate) -> None:
        columns = {
            "article_id": update.article_id,
            "state": update.state.value,
            "follows": update.original.update_id if update.original else None,
        }
        await self._records.add(update, columns)

    async def get(self, tenant_id: TenantId, update_id: ArticleUpdateId) -> ArticleUpdate:
        return await self._records.get(tenant_id, update_id)

    async def save(self, update: ArticleUpdate) -> ArticleUpdate:
        return await self._records.save(update, {"state": update.state.value})

    async def newest(self, tenant_id: TenantId, article_id: ArticleId, limit: int) -> list[ArticleUpdate]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM article_updates WHERE article_id = %s AND tenant_id = %s ORDER BY id DESC LIMIT %s",
            (findable(article_id), findable(tenant_id), limit),
        )
        return [self._records.read(row) for row in rows]

    async def page(
        self, tenant_id: TenantId, state: UpdateState | None, before: ArticleUpdateId | None, limit: int
    ) -> list[ArticleUpdate]:
        matching = {"tenant_id": tenant_id, "state": None if state is None else state.value}
        return await self._records.page(matching, before, limit)

    async def following(
        self, tenant_id: TenantId, update_ids: Sequence[ArticleUpdateId], limit: int
    ) -> list[ArticleUpdate]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM article_updates"
            " WHERE follows = ANY(%s) AND tenant_id = %s ORDER BY id DESC LIMIT %s",
            (findables(update_ids), findable(tenant_id), limit),
        )
        return [self._records.read(row) for row in rows]

    async def drop(self, tenant_id: TenantId, update_ids: Sequence[ArticleUpdateId]) -> None:
        await self._session.change(
            "DELETE FROM article_updates WHERE tenant_id = %s AND id = ANY(%s)",
            (findable(tenant_id), findables(update_ids)),
        )


@repository(RefreshPolicies)
class PostgresRefreshPolicies:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = RecordTable(session, "refresh_policies", RefreshPolicy, "refresh policy")

    async def add(self, policy: RefreshPolicy) -> None:
        columns = {"niche_id": policy.niche_id, "niche_key": policy.niche_key, "next_at": policy.next_at}
        await self._records.add(policy, columns)

    async def get(self, tenant_id: TenantId, policy_id: RefreshPolicyId) -> RefreshPolicy:
        return await self._records.get(tenant_id, policy_id)

    async def of_niche(self, tenant_id: TenantId, niche_key: str) -> RefreshPolicy | None:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM refresh_policies WHERE tenant_id = %s AND niche_key = %s",
            (findable(tenant_id), findable(niche_key)),
        )
        return next((self._records.read(row) for row in rows), None)

    async def save(self, policy: RefreshPolicy) -> RefreshPolicy:
        return await self._records.save(policy, {"next_at": policy.next_at})

    async def delete(self, tenant_id: TenantId, policy_id: RefreshPolicyId) -> None:
        deleted = await self._session.change(
            "DELETE FROM refresh_policies WHERE id = %s AND tenant_id = %s", (findable(policy_id), findable(tenant_id))
        )
        require(deleted, "refresh policy", policy_id)

    async def due(self, now: datetime, limit: int) -> list[RefreshPolicy]:
        rows = await self._session.read(
            f"SELECT {RECORD} FROM refresh_policies WHERE next_at <= %s ORDER BY next_at, id LIMIT %s", (now, limit)
        )
        return [self._records.read(row) for row in rows]
