"""Niches, agents, their events, schedules and runs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from contentgen_core.model.agent import Agent, AgentKey
from contentgen_core.model.agent_event import AgentEvent, AgentEventKind
from contentgen_core.model.execution import Execution, Trigger
from contentgen_core.model.ids import AgentId, ExecutionId, JobId, NicheId, TenantId, UserId
from contentgen_core.model.niche import Activation, Niche
from contentgen_core.model.schedule import ArticleSchedule
from contentgen_core.model.vocabulary import Language, Tone
from contentgen_core.testing.builders.base import NICHE_KEY, new_id, short, with_tenant
from contentgen_core.testing.runtime import MOMENT


def niche(**changes: Any) -> Niche:
    """A preconfigured niche unless it is given a `tenant_id`."""
    id = NicheId(new_id())
    key = f"niche-{short(id)}"
    defaults: dict[str, Any] = {"id": id, "niche_key": key, "name": f"Niche {key}", "created_at": MOMENT}
    return Niche(**defaults | changes)


def activation(**changes: Any) -> Activation:
    defaults = {"tones": (Tone.PROFESSIONAL,), "languages": (Language.EN,), "countries": ("GB",)}
    return Activation(**defaults | changes)


def agent(**changes: Any) -> Agent:
    """A system agent unless it is given a `tenant_id`."""
    id = AgentId(new_id())
    key = AgentKey(NICHE_KEY, "GB")
    defaults: dict[str, Any] = {"id": id, "key": key, "name": f"Agent {short(id)}", "created_at": MOMENT}
    return Agent(**defaults | changes)


def agent_event(**changes: Any) -> AgentEvent:
    defaults: dict[str, Any] = {
        "tenant_id": TenantId(new_id()),
        "kind": AgentEventKind.AGENT_UPDATED,
        "at": MOMENT,
        "agent_id": AgentId(new_id()),
        "agent_key": AgentKey(NICHE_KEY, "GB"),
        "agent_name": "Home energy (GB)",
    }
    return AgentEvent(**defaults | changes)


def article_schedule(**changes: Any) -> ArticleSchedule:
    """Every Monday at nine in London, from the next one on."""
    settings = {"enabled": True, "days": ["mon"], "hour": 9, "timeZone": "Europe/London"}
    defaults: dict[str, Any] = {
        "niche_id": NicheId(new_id()),
        "set_by": UserId(new_id()),
        "settings": settings,
        "next_fire_at": MOMENT + timedelta(days=6),
    }
    return ArticleSchedule(**with_tenant(defaults, changes))


def execution(**changes: Any) -> Execution:
    """A queued run that a person started."""
    defaults: dict[str, Any] = {
        "id": ExecutionId(new_id()),
        "agent_id": AgentId(new_id()),
        "agent_key": AgentKey(NICHE_KEY, "GB"),
        "agent_name": "Home energy (GB)",
        "trigger": Trigger.MANUAL,
        "requested": 1,
        "created_at": MOMENT,
        "created_by": UserId(new_id()),
        "job_id": JobId(new_id()),
    }
    return Execution(**with_tenant(defaults, changes))
