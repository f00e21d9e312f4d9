"""Updates of articles, and the policies by which they are looked for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from contentgen_adapters.shared.aggregates import Aggregate, StoredWhole, Unique, stored, taken
from contentgen_core.model.article_update import ArticleUpdate, RefreshPolicy, UpdateState
from contentgen_core.model.ids import ArticleId, ArticleUpdateId, RefreshPolicyId, TenantId
from contentgen_core.ports.repositories.article_updates import ArticleUpdates, RefreshPolicies

ARTICLE_UPDATES: Final = Aggregate(
    ArticleUpdate,
    table="article_updates",
    resource="update",
    columns=lambda update: {
        "article_id": update.article_id,
        "state": update.state.value,
        "follows": update.original.update_id if update.original else None,
    },
    unique=(
        Unique(
            "article_updates_open",
            ("article_id",),
            taken("An update of this article waits for a decision already."),
            among={"state": (UpdateState.PROPOSED.value,)},
        ),
    ),
    part_of={"article_id": "articles"},
)
REFRESH_POLICIES: Final = Aggregate(
    RefreshPolicy,
    table="refresh_policies",
    resource="refresh policy",
    columns=lambda policy: {"niche_id": policy.niche_id, "niche_key": policy.niche_key, "next_at": policy.next_at},
    unique=(Unique("refresh_policies_of_niche", ("niche_key",), taken("This niche has a refresh policy already.")),),
    part_of={"niche_id": "niches"},
)


@stored(ArticleUpdates, ARTICLE_UPDATES)
class StoredArticleUpdates(StoredWhole[ArticleUpdate, ArticleUpdateId]):
    async def newest(self, tenant_id: TenantId, article_id: ArticleId, limit: int) -> list[ArticleUpdate]:
        return await self.records.ordered(tenant_id, newest=True, limit=limit, article_id=article_id)

    async def page(
        self, tenant_id: TenantId, state: UpdateState | None, before: ArticleUpdateId | None, limit: int
    ) -> list[ArticleUpdate]:
        in_state = None if state is None else state.value
        return await self.records.ordered(tenant_id, newest=True, before=before, limit=limit, state=in_state)

    async def following(
        self, tenant_id: TenantId, update_ids: Sequence[ArticleUpdateId], limit: int
    ) -> list[ArticleUpdate]:
        return await self.records.ordered(tenant_id, newest=True, limit=limit, follows=tuple(update_ids))

    async def drop(self, tenant_id: TenantId, update_ids: Sequence[ArticleUpdateId]) -> None:
        await self.records.drop(tenant_id, update_ids)


@stored(RefreshPolicies, REFRESH_POLICIES)
class StoredRefreshPolicies(StoredWhole[RefreshPolicy, RefreshPolicyId]):
    async def of_niche(self, tenant_id: TenantId, niche_key: str) -> RefreshPolicy | None:
        return await self.records.find(tenant_id, niche_key=niche_key)

    async def due(self, now: datetime, limit: int) -> list[RefreshPolicy]:
        return await self.records.due("next_at", now, limit)
