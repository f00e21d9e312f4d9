"""What articles are about, kept so that those that answer a topic are found among many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from contentgen_core.model.article import Article
from contentgen_core.model.ids import TenantId
from contentgen_core.model.knowledge import VectorSpace
from contentgen_core.model.similar_article import AskedTopic, NearArticle, ReadTopic

NEAREST: Final = 60
"""Articles that are looked at for each way of finding them."""


class ArticleTopics(Protocol):
    """What was read of an article goes with it, and is to be read again when its topic, language, title or text
    changes, and for another model."""

    async def unread(self, space: VectorSpace | None, limit: int, tenant_id: TenantId | None = None) -> list[Article]:
        """Articles that are to be read, whole. `tenant_id`: only this tenant's, and only those never read since they
        changed, newest first; None: all tenants' in any order. `space`: of the vectors, None for words alone."""
        ...

    async def save(self, space: VectorSpace | None, topics: Sequence[ReadTopic]) -> None:
        """Store what was read of those articles that still are at the revision read."""
        ...

    async def near(self, tenant_id: TenantId, space: VectorSpace | None, asked: AskedTopic) -> list[NearArticle]:
        """The tenant's articles except failed ones that may answer the topic: at most NEAREST each of those that share
        most of its words, of those with the nearest vectors (as far as a sketch of them tells), and of those that cite
        most of its passages. In the order of their ids."""
        ...
