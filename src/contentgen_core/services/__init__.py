"""The use cases, composed by subject over any adapters: `services.writing.plan(...)`.

Nothing here names an adapter: the program that runs the core chooses them and calls `CoreServices.compose`."""

from __future__ import annotations

from typing import Any, Self

from attrs import evolve, frozen

from contentgen_core.services.agents import Agents
from contentgen_core.services.evaluation import Evaluation
from contentgen_core.services.jobs import JobHandlers
from contentgen_core.services.knowledge import Knowledge
from contentgen_core.services.people import People
from contentgen_core.services.ports import Options, Ports
from contentgen_core.services.public import Public
from contentgen_core.services.publishing import Publishing
from contentgen_core.services.shared import Shared
from contentgen_core.services.upkeep import Upkeep
from contentgen_core.services.webhooks import Webhooks
from contentgen_core.services.writing import Writing
from contentgen_core.use_cases.guarded_model import guarded_model

__all__ = ["CoreServices", "Options", "Ports"]


@frozen(kw_only=True)
class CoreServices:
    """All use cases, by subject, over one set of ports. `jobs`: the handlers of enqueued jobs."""

    ports: Ports
    options: Options
    writing: Writing
    knowledge: Knowledge
    publishing: Publishing
    people: People
    agents: Agents
    public: Public
    webhooks: Webhooks
    upkeep: Upkeep
    evaluation: Evaluation
    jobs: JobHandlers

    @classmethod
    def compose(cls, ports: Ports, options: Options | None = None, **more: Any) -> Self:
        """Compose every use case over these ports. Makes no call to any of them. `more`: the fields of a subclass."""
        requests = evolve(ports, model=guarded_model(ports.model, ports.unit_of_work, ports.clock))
        shared = Shared.compose(requests, options or Options())
        for_jobs = evolve(requests, model=guarded_model(ports.model, shared.background, ports.clock))
        return cls(
            ports=ports,
            options=shared.options,
            writing=Writing.compose(shared),
            knowledge=Knowledge.compose(shared),
            publishing=Publishing.compose(shared),
            people=People.compose(shared),
            agents=Agents.compose(shared),
            public=Public.compose(shared),
            webhooks=Webhooks.compose(shared),
            upkeep=Upkeep.compose(shared),
            evaluation=Evaluation.compose(shared),
            jobs=JobHandlers.compose(evolve(shared, ports=for_jobs)),
            **more,
        )
