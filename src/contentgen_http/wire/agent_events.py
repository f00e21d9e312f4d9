"""What a stream of events says."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import agent_event as model
from contentgen_http.wire.base import Answer, AnswerOf, Query, absent_as_none

LAST_EVENT_ID = r"^(0|[1-9][0-9]{0,17})$"


class AgentEvent(AnswerOf[model.AgentEvent], kw_only=True):
    """The data of an event; its name says what happened, its id is a number that grows with each event of yours."""

    agent_id: Annotated[str, Meta(description="The agent.")]
    agent_key: Annotated[str, Meta(description="`<nicheKey>-<CC>`.", examples=["home-energy-GB"])]
    name: Annotated[str, Meta(description="The agent's name.", examples=["Home energy (GB)"])]
    enabled: Annotated[bool, Meta(description="Whether it is switched on now.")]
    execution_id: Annotated[str | UnsetType, Meta(description="The run; with execution.… only.")] = UNSET
    article_ids: Annotated[list[str] | UnsetType, Meta(description="Articles of the run; with execution.… only.")] = (
        UNSET
    )
    error: Annotated[str | UnsetType, Meta(description="Why a run failed.")] = UNSET
    at: Annotated[datetime, Meta(description="When it happened (UTC).")]

    @classmethod
    def of(cls, event: model.AgentEvent) -> AgentEvent:
        return cls.copy_from(
            event,
            agent_key=str(event.agent_key),
            name=event.agent_name,
            article_ids=UNSET if event.execution_id is None else list(event.article_ids),
        )


class EventsLost(Answer, kw_only=True):
    """The data of `events.lost`: what happened in between is no longer known. Read the agents anew."""

    after: Annotated[int, Meta(description="The last id before what is missing.")]
    resumes_after: Annotated[int, Meta(description="The id after which the stream goes on.")]


class EventsQuery(Query, kw_only=True):
    last_event_id: Annotated[
        Annotated[str, Meta(pattern=LAST_EVENT_ID)] | UnsetType,
        Meta(description="Where to go on, for clients that cannot send the header Last-Event-ID, which wins."),
    ] = UNSET

    def position(self) -> int | None:
        text = absent_as_none(self.last_event_id)
        return None if text is None else int(text)
