"""The facts for the evaluation of a niche, without the rest of each row."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from contentgen_core.model.area import Area
from contentgen_core.model.governance import ArticleFacts, DocumentFacts, PublishedFacts
from contentgen_core.model.ids import TenantId
from contentgen_core.model.knowledge import KbView


class GovernanceFacts(Protocol):
    """An area with a country has the articles of that agent, one without has all of the niche."""

    async def documents(self, view: KbView, limit: int) -> list[DocumentFacts]:
        """The newest live documents of the view, newest first; `view.document_ids` is ignored."""
        ...

    async def articles(self, tenant_id: TenantId, area: Area, limit: int) -> list[ArticleFacts]:
        """The newest articles except failed ones, newest first."""
        ...

    async def published(self, tenant_id: TenantId, area: Area, limit: int) -> list[PublishedFacts]:
        """The articles published last, the last one first."""
        ...

    async def published_between(self, tenant_id: TenantId, area: Area, since: datetime, until: datetime) -> int:
        """The number of articles published after `since`, up to and including `until`."""
        ...
