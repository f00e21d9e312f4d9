"""The checkpoints of articles under way."""

# ruff: noqa: S608 - the SQL is put together from this package's own constants; values are always parameters

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from contentgen_adapters.postgres.converter import dumps, loads
from contentgen_adapters.postgres.errors import findable
from contentgen_adapters.postgres.repositories.jobs import HELD, held_by
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.model.drafting import SectionDraft
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.job import Job
from contentgen_core.model.knowledge import RankedPassage
from contentgen_core.model.writing import MAX_STAGES, StageRecord
from contentgen_core.ports.repositories.articles import Generations

_SOURCES = tuple[RankedPassage, ...]
# In one statement, the fence included: a section's end is most of what is written of an article.
_SAVE_DRAFT: Final = (
    f"WITH held AS MATERIALIZED (SELECT 1 FROM jobs WHERE {HELD} FOR UPDATE),"
    " shown AS (UPDATE articles SET progress = %(progress)s WHERE id = %(article_id)s"
    " AND status = 'generating' AND progress < %(progress)s AND EXISTS (SELECT FROM held)),"
    " recorded AS (INSERT INTO generation_stages (article_id, started_at, stage)"
    " SELECT %(article_id)s, %(started_at)s::timestamptz, %(stage)s::jsonb FROM held)"
    " INSERT INTO generation_drafts (article_id, position, draft)"
    " SELECT %(article_id)s, %(position)s::integer, %(draft)s::jsonb FROM held"
    " ON CONFLICT (article_id, position) DO UPDATE SET draft = excluded.draft"
)


@repository(Generations)
class PostgresGenerations:
    """Raises NotFound for an article that is not (or no longer) there."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def save_sources(self, article_id: ArticleId, sources: Sequence[RankedPassage]) -> None:
        await self._session.change(
            "INSERT INTO generation_sources (article_id, sources) VALUES (%s, %s)"
            " ON CONFLICT (article_id) DO UPDATE SET sources = excluded.sources",
            (article_id, dumps(tuple(sources), _SOURCES)),
        )

    async def sources(self, article_id: ArticleId) -> tuple[RankedPassage, ...] | None:
        rows = await self._session.read(
            "SELECT sources::text FROM generation_sources WHERE article_id = %s", (findable(article_id),)
        )
        return loads(rows[0][0], _SOURCES) if rows else None

    async def save_draft(
        self, held: Job, article_id: ArticleId, position: int, draft: SectionDraft, stage: StageRecord, progress: int
    ) -> bool:
        stored = await self._session.change_alone(
            _SAVE_DRAFT,
            {
                **held_by(held),
                "article_id": findable(article_id),
                "position": position,
                "draft": dumps(draft, SectionDraft),
                "started_at": stage.started_at,
                "stage": dumps(stage, StageRecord),
                "progress": progress,
            },
        )
        return stored > 0

    async def drafts(self, article_id: ArticleId) -> dict[int, SectionDraft]:
        rows = await self._session.read(
            "SELECT position, draft::text FROM generation_drafts WHERE article_id = %s ORDER BY position",
            (findable(article_id),),
        )
        return {position: loads(draft, SectionDraft) for position, draft in rows}

    async def record(self, article_id: ArticleId, stage: StageRecord) -> None:
        await self._session.change(
            "INSERT INTO generation_stages (article_id, started_at, stage) VALUES (%s, %s, %s)",
            (article_id, stage.started_at, dumps(stage, StageRecord)),
        )

    async def stages(self, article_id: ArticleId) -> tuple[StageRecord, ...]:
        rows = await self._session.read(
            "SELECT stage::text FROM generation_stages WHERE article_id = %s"
            " ORDER BY started_at DESC, id DESC LIMIT %s",
            (findable(article_id), MAX_STAGES),
        )
        return tuple(loads(stage, StageRecord) for (stage,) in reversed(rows))

    async def clear_drafts(self, article_id: ArticleId) -> None:
        await self._session.change("DELETE FROM generation_drafts WHERE article_id = %s", (findable(article_id),))
