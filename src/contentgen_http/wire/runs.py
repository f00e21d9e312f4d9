"""Article schedules and runs of agents on the wire."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import execution as model
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.execution import MAX_ARTICLES, ExecutionStatus, RunFault, Trigger
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.schedule import ArticleSchedule as Schedule
from contentgen_core.model.tenant import Caller
from contentgen_core.model.vocabulary import Processing
from contentgen_core.policies.tenancy.schedules import NEXT_RUN
from contentgen_core.ports.repositories.articles import ArticleOutcome
from contentgen_core.use_cases.agents.execute import ExecuteAgentCommand
from contentgen_core.use_cases.agents.executions import ExecutionsOfAgent
from contentgen_core.use_cases.idempotency import IdempotencyKey
from contentgen_http.wire.base import Answer, AnswerOf, Body, Id, Query, absent_as_none, utc
from contentgen_http.wire.voices import VoiceField, voice_id

Day = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
Days = Annotated[list[Day], Meta(max_length=7)]
Hour = Annotated[int, Meta(ge=0, le=23)]
Minute = Annotated[int, Meta(ge=0, le=59)]
TimeZone = Annotated[str, Meta(min_length=1, max_length=100)]
Articles = Annotated[int, Meta(ge=1, le=MAX_ARTICLES)]


class ArticleSchedule(Answer, kw_only=True):
    """When the agents of a niche write by themselves, with whatever else you keep here."""

    enabled: Annotated[bool, Meta(description="Whether they do.")]
    days: Annotated[Days | UnsetType, Meta(description="On which days of the week.", examples=[["mon", "thu"]])] = UNSET
    hour: Annotated[Hour | UnsetType, Meta(description="At which hour, in the time zone.", examples=[9])] = UNSET
    minute: Annotated[Minute | UnsetType, Meta(description="At which minute of it; absent: 0.")] = UNSET
    time_zone: Annotated[
        TimeZone | UnsetType, Meta(description="Name in the IANA database.", examples=["Europe/Paris"])
    ] = UNSET
    articles_per_run: Annotated[
        Articles | UnsetType, Meta(description="How many articles each agent writes; absent: 1.")
    ] = UNSET
    autopublish: Annotated[
        bool | UnsetType, Meta(description="Whether a written article is published at once; absent: no.")
    ] = UNSET
    processing: Annotated[
        Processing | UnsetType,
        Meta(description="batch: the model answers within a day, at a lower price; absent: standard."),
    ] = UNSET
    next_run_at: Annotated[datetime | UnsetType, Meta(description="The next run (UTC), while enabled.")] = UNSET


def shown(schedule: Schedule) -> dict[str, Any]:
    """The settings as they are, and the next run."""
    answer = {"enabled": False, **schedule.settings}
    if schedule.next_fire_at is not None:
        answer[NEXT_RUN] = utc(schedule.next_fire_at)
    return answer


class ArticleSchedulePatch(Body, kw_only=True, forbid_unknown_fields=False):
    """What to change: what is absent stays, null clears. Any other key is kept as it is sent."""

    enabled: Annotated[
        bool | UnsetType | None, Meta(description="true needs days, hour and timeZone.", examples=[True])
    ] = UNSET
    days: Annotated[
        Days | UnsetType | None, Meta(description="Days of the week, each once at most.", examples=[["mon", "thu"]])
    ] = UNSET
    hour: Annotated[Hour | UnsetType | None, Meta(description="Hour of the day, in the zone.", examples=[9])] = UNSET
    minute: Annotated[Minute | UnsetType | None, Meta(description="Minute of the hour.", examples=[30])] = UNSET
    time_zone: Annotated[
        TimeZone | UnsetType | None, Meta(description="Name in the IANA database.", examples=["Europe/Paris"])
    ] = UNSET
    articles_per_run: Annotated[
        Articles | UnsetType | None, Meta(description="How many articles each agent writes.", examples=[2])
    ] = UNSET
    autopublish: Annotated[
        bool | UnsetType | None, Meta(description="Whether a written article is published at once.", examples=[False])
    ] = UNSET
    processing: Annotated[
        Processing | UnsetType | None,
        Meta(description="batch: the model answers within a day, at a lower price.", examples=["batch"]),
    ] = UNSET

    def to_changes(self, others: Mapping[str, Any]) -> dict[str, Any]:
        known: dict[str, Any] = msgspec.to_builtins(self)
        return {**others, **known}


class ExecuteRequest(Body, kw_only=True):
    """What a run is to do; without a body, what the niche's schedule says."""

    articles: Annotated[
        Articles | UnsetType,
        Meta(description="How many articles to write; absent: articlesPerRun of the niche's schedule, else 1."),
    ] = UNSET
    autopublish: Annotated[
        bool, Meta(description="Whether a written article is published at once.", examples=[False])
    ] = False
    voice_id: VoiceField = UNSET
    processing: Annotated[
        Processing, Meta(description="batch: the model answers within a day, at a lower price.", examples=["standard"])
    ] = Processing.STANDARD

    def to_command(self, caller: Caller, agent_id: str, key: IdempotencyKey | None) -> ExecuteAgentCommand:
        return ExecuteAgentCommand(
            caller,
            agent_id,
            absent_as_none(self.articles),
            self.autopublish,
            key,
            voice_id(self.voice_id),
            self.processing,
        )


class ExecutionStarted(Answer, kw_only=True):
    """The run is queued."""

    success: Annotated[bool, Meta(description="Always true: what fails answers with an Error.")] = True
    execution_id: Annotated[str, Meta(description="The run, as GET /agents/{id}/executions lists it.")]


class ExecutionStopped(Answer, kw_only=True):
    """The run starts no further article."""

    success: Annotated[bool, Meta(description="Always true: what fails answers with an Error.")] = True
    status: Annotated[ExecutionStatus, Meta(description="Of the run now: it ends with the articles it began.")]


class ExecutionListQuery(Query, kw_only=True):
    limit: Annotated[int, Meta(ge=1, le=100, description="Runs at most.")] = 20
    before: Annotated[Id | UnsetType, Meta(description="Only runs older than the one with this id.")] = UNSET


class ExecutionArticle(Answer, kw_only=True):
    """An article of a run."""

    article_id: Annotated[str, Meta(description="The article.")]
    topic: Annotated[str, Meta(description="What it is on.", examples=["Heat pump noise limits"])]
    status: Annotated[
        ArticleStatus | UnsetType, Meta(description="Its present status; absent once it was deleted.")
    ] = UNSET


class ExecutionError(AnswerOf[model.RunError], kw_only=True):
    """Something that went wrong in a run."""

    code: Annotated[RunFault, Meta(description="What it was.")]
    reason: Annotated[str, Meta(description="In words.")]
    topic: Annotated[str | UnsetType, Meta(description="The topic that it is about, if it is about one.")] = UNSET


class Execution(Answer, kw_only=True):
    """A run of an agent."""

    id: Annotated[str, Meta(description="Opaque identifier.")]
    status: Annotated[
        ExecutionStatus,
        Meta(description="queued, then running; completed with at least one article, failed without any."),
    ]
    trigger: Annotated[Trigger, Meta(description="Who started it: a person, or the schedule of the niche.")]
    started_at: Annotated[datetime | UnsetType, Meta(description="When a worker took it up (UTC).")] = UNSET
    completed_at: Annotated[datetime | UnsetType, Meta(description="When it ended (UTC).")] = UNSET
    articles: Annotated[list[ExecutionArticle], Meta(description="The articles that it started, in their order.")]
    errors: Annotated[list[ExecutionError], Meta(description="What went wrong, also in a run that completed.")]

    @classmethod
    def of(cls, run: model.Execution, articles: Mapping[ArticleId, ArticleOutcome]) -> Execution:
        return cls.copy_from(
            run,
            articles=[
                ExecutionArticle.copy_from(
                    a, status=articles[a.article_id].status if a.article_id in articles else UNSET
                )
                for a in run.articles
            ],
        )


class ExecutionList(AnswerOf[ExecutionsOfAgent], kw_only=True):
    """The last runs of an agent."""

    executions: Annotated[list[Execution], Meta(description="Newest first.")]

    @classmethod
    def of(cls, found: ExecutionsOfAgent) -> ExecutionList:
        return cls(executions=[Execution.of(run, found.articles) for run in found.executions])
