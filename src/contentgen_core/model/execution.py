"""Executions: runs of an agent, each of which writes some articles; and the table of their states."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import IllegalTransition
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.ids import AgentId, ArticleId, ExecutionId, JobId, TenantId, UserId
from contentgen_core.model.vocabulary import Processing
from contentgen_core.model.voice import ChosenVoice

MAX_ARTICLES: Final = 10
"""Of one run."""


class ExecutionStatus(StrEnum):
    """queued: waiting for a worker; running: topics are being chosen and articles written; completed: at least one
    article was written; failed: none was."""

    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"


_S = ExecutionStatus

TRANSITIONS: Final[dict[ExecutionStatus, frozenset[ExecutionStatus]]] = {
    _S.QUEUED: frozenset({_S.RUNNING, _S.FAILED}),
    _S.RUNNING: frozenset({_S.COMPLETED, _S.FAILED}),
    _S.COMPLETED: frozenset(),
    _S.FAILED: frozenset(),
}


class Trigger(StrEnum):
    MANUAL = "manual"
    SCHEDULE = "schedule"


class RunFault(StrEnum):
    """Faults of a run."""

    QUOTA_EXCEEDED = "quota_exceeded"  # no article of the month is left
    BUDGET_EXCEEDED = "budget_exceeded"  # a budget of the month has too little left for an article
    RUN_UNDER_WAY = "run_under_way"  # the schedule came round before the agent's last run had ended
    NO_TOPIC = "no_topic"  # fewer topics than articles: what the knowledge base carries is written
    TOPICS_FAILED = "topics_failed"  # nobody could be asked for further topics
    GENERATION_FAILED = "generation_failed"
    ARTICLE_DELETED = "article_deleted"  # by a person, while it was being written
    RUN_FAILED = "run_failed"  # the run itself could not go on
    STOPPED = "stopped"  # a person wanted no further article of it


@frozen
class RunError:
    """A fault of a run. `reason`: in words for a person. `topic`: that of the article concerned, if any."""

    code: RunFault
    reason: str
    topic: str | None = None


@frozen
class RunArticle:
    """An article that a run started."""

    article_id: ArticleId
    topic: str


@frozen
class Execution:
    """A run of an agent. `requested`: how many articles it is to write. `fire_at`: the moment of the schedule that
    started it. `filled`: whether no further article will be started. `voice`: None takes
    the default of the language. `revision` grows with each stored change. `processing`: of its articles."""

    id: ExecutionId
    tenant_id: TenantId
    agent_id: AgentId
    agent_key: AgentKey
    agent_name: str
    trigger: Trigger
    requested: int
    created_at: datetime
    created_by: UserId
    autopublish: bool = False
    fire_at: datetime | None = None
    status: ExecutionStatus = ExecutionStatus.QUEUED
    filled: bool = False
    articles: tuple[RunArticle, ...] = ()
    errors: tuple[RunError, ...] = ()
    started_at: datetime | None = None
    completed_at: datetime | None = None
    job_id: JobId | None = None
    voice: ChosenVoice | None = None
    revision: int = 0
    processing: Processing = Processing.STANDARD

    @property
    def ended(self) -> bool:
        """Whether it is completed or failed."""
        return not TRANSITIONS[self.status]

    @property
    def missing(self) -> int:
        """The number of articles still to start."""
        return 0 if self.filled else self.requested - len(self.articles)

    def running(self, now: datetime) -> Execution:
        """The run, started. Raises IllegalTransition unless it is queued."""
        return evolve(self._moved_to(_S.RUNNING), started_at=now)

    def with_article(self, article_id: ArticleId, topic: str) -> Execution:
        """Return the run with one more article started; filled once all requested ones are."""
        articles = (*self.articles, RunArticle(article_id, topic))
        return evolve(self, articles=articles, filled=len(articles) >= self.requested)

    def filled_for(self, error: RunError) -> Execution:
        """The run without further articles, because of this error."""
        return evolve(self, filled=True, errors=(*self.errors, error))

    def completed(self, now: datetime, errors: tuple[RunError, ...] = ()) -> Execution:
        """The run, completed. Raises IllegalTransition unless it is running."""
        return evolve(self._ended(_S.COMPLETED, now), errors=(*self.errors, *errors))

    def failed(self, now: datetime, *errors: RunError) -> Execution:
        """The run, failed. Raises IllegalTransition when it has ended already."""
        return evolve(self._ended(_S.FAILED, now), errors=(*self.errors, *errors))

    def _ended(self, status: ExecutionStatus, now: datetime) -> Execution:
        return evolve(self._moved_to(status), completed_at=now, filled=True, job_id=None)

    def _moved_to(self, status: ExecutionStatus) -> Execution:
        if status not in TRANSITIONS[self.status]:
            raise IllegalTransition(f"An execution that is {self.status} cannot become {status}.")
        return evolve(self, status=status)
