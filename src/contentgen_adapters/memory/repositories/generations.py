"""The checkpoints of articles under way."""

from __future__ import annotations

from collections.abc import Sequence

from contentgen_adapters.memory.common_tables import ARTICLES, DRAFTS, SOURCES, STAGES
from contentgen_adapters.memory.records import existing
from contentgen_adapters.memory.repositories.articles import show_progress
from contentgen_adapters.memory.repositories.jobs import held as is_held
from contentgen_adapters.memory.repository import repository
from contentgen_adapters.memory.session import Session
from contentgen_core.model.drafting import SectionDraft
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.job import Job
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.model.writing import MAX_STAGES, StageRecord
from contentgen_core.ports.repositories.articles import Generations


@repository(Generations)
class MemoryGenerations:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def save_sources(self, article_id: ArticleId, sources: Sequence[RankedPassage]) -> None:
        await self._session.writing()
        self._session[SOURCES].put(article_id, tuple(sources))

    async def sources(self, article_id: ArticleId) -> tuple[RankedPassage, ...] | None:
        return self._session[SOURCES].get(article_id)

    async def save_draft(
        self, held: Job, article_id: ArticleId, position: int, draft: SectionDraft, stage: StageRecord, progress: int
    ) -> bool:
        await self._session.writing()
        if is_held(self._session, held) is None:
            return False
        await self.record(article_id, stage)
        drafts = self._session[DRAFTS].get(article_id) or {}
        self._session[DRAFTS].put(article_id, {**drafts, position: draft})
        show_progress(self._session, existing(self._session[ARTICLES], article_id, "article"), progress)
        return True

    async def drafts(self, article_id: ArticleId) -> dict[int, SectionDraft]:
        return dict(self._session[DRAFTS].get(article_id) or {})

    async def record(self, article_id: ArticleId, stage: StageRecord) -> None:
        await self._session.writing()
        existing(self._session[ARTICLES], article_id, "article")
        self._session[STAGES].put(article_id, (*(self._session[STAGES].get(article_id) or ()), stage))

    async def stages(self, article_id: ArticleId) -> tuple[StageRecord, ...]:
        kept = self._session[STAGES].get(article_id) or ()
        return tuple(sorted(kept, key=lambda stage: stage.started_at))[-MAX_STAGES:]

    async def clear_drafts(self, article_id: ArticleId) -> None:
        await self._session.writing()
        self._session[DRAFTS].drop(article_id)
