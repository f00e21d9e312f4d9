"""Updates of articles, and the policies by which they are looked for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from contentgen_core.model.article_update import ArticleUpdate, RefreshPolicy, UpdateState
from contentgen_core.model.ids import ArticleId, ArticleUpdateId, RefreshPolicyId, TenantId


class ArticleUpdates(Protocol):
    """A tenant sees its own updates only. Those of an article go with it."""

    async def add(self, update: ArticleUpdate) -> None:
        """Raises AlreadyExists while another one of the article is proposed; NotFound for an unknown tenant or
        article."""
        ...

    async def get(self, tenant_id: TenantId, update_id: ArticleUpdateId) -> ArticleUpdate:
        """Raises NotFound."""
        ...

    async def save(self, update: ArticleUpdate) -> ArticleUpdate:
        """Store a changed update that was read at `update.revision`; returns it with the next revision. Raises
        ConcurrentChange, NotFound."""
        ...

    async def newest(self, tenant_id: TenantId, article_id: ArticleId, limit: int) -> list[ArticleUpdate]:
        """Of one article, newest first."""
        ...

    async def page(
        self, tenant_id: TenantId, state: UpdateState | None, before: ArticleUpdateId | None, limit: int
    ) -> list[ArticleUpdate]:
        """Newest first. `state`: None for all; `before`: only older ones."""
        ...

    async def following(
        self, tenant_id: TenantId, update_ids: Sequence[ArticleUpdateId], limit: int
    ) -> list[ArticleUpdate]:
        """Updates of translations that follow these updates of their originals, newest first."""
        ...

    async def drop(self, tenant_id: TenantId, update_ids: Sequence[ArticleUpdateId]) -> None:
        """Those of them that exist."""
        ...


class RefreshPolicies(Protocol):
    """One a niche of a tenant; it goes with the niche."""

    async def add(self, policy: RefreshPolicy) -> None:
        """Raises AlreadyExists; NotFound for an unknown tenant or niche."""
        ...

    async def get(self, tenant_id: TenantId, policy_id: RefreshPolicyId) -> RefreshPolicy:
        """Raises NotFound."""
        ...

    async def of_niche(self, tenant_id: TenantId, niche_key: str) -> RefreshPolicy | None: ...

    async def save(self, policy: RefreshPolicy) -> RefreshPolicy:
        """Store a changed policy that was read at `policy.revision`; returns it with the next revision. Raises
        ConcurrentChange, NotFound."""
        ...

    async def delete(self, tenant_id: TenantId, policy_id: RefreshPolicyId) -> None:
        """Raises NotFound."""
        ...

    async def due(self, now: datetime, limit: int) -> list[RefreshPolicy]:
        """Of any tenant, whose articles are to be looked at by now, the longest due first."""
        ...
