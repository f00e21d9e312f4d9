"""Agents: niches, the agents in them, their schedules and runs."""

from __future__ import annotations

from attrs import frozen

from contentgen_core.ports.knowledge_base import space_of
from contentgen_core.services.shared import Shared
from contentgen_core.use_cases.agents.execute import ExecuteAgent
from contentgen_core.use_cases.agents.executions import ReadExecutions, StopExecution
from contentgen_core.use_cases.agents.manage_agents import ManageAgents
from contentgen_core.use_cases.agents.queries import ListAgents
from contentgen_core.use_cases.agents.system import AdministerSystemAgents
from contentgen_core.use_cases.niches.article_schedule import ManageArticleSchedules
from contentgen_core.use_cases.niches.dashboard import ShowDashboard
from contentgen_core.use_cases.niches.edit import EditNiches
from contentgen_core.use_cases.niches.manage_niches import ManageNiches
from contentgen_core.use_cases.niches.requests import RequestNiches
from contentgen_core.use_cases.niches.settings import NicheSettings


@frozen(kw_only=True)
class Agents:
    """Use cases on niches, agents, schedules and runs."""

    niches: ManageNiches
    edit_niches: EditNiches
    niche_settings: NicheSettings
    niche_dashboard: ShowDashboard
    niche_requests: RequestNiches
    list: ListAgents
    manage: ManageAgents
    system_agents: AdministerSystemAgents
    execute: ExecuteAgent
    executions: ReadExecutions
    stop_execution: StopExecution
    article_schedules: ManageArticleSchedules

    @classmethod
    def compose(cls, shared: Shared) -> Agents:
        p = shared.ports
        return cls(
            niches=ManageNiches(p.unit_of_work, p.clock, p.ids, p.slug, p.countries),
            edit_niches=EditNiches(p.unit_of_work),
            niche_settings=NicheSettings(p.unit_of_work),
            niche_dashboard=ShowDashboard(p.unit_of_work, p.clock, space_of(p.embedder)),
            niche_requests=RequestNiches(p.unit_of_work, p.clock, p.ids),
            list=ListAgents(p.unit_of_work),
            manage=ManageAgents(p.unit_of_work, p.clock, p.ids, p.countries),
            system_agents=AdministerSystemAgents(p.unit_of_work, p.clock, p.ids, p.countries),
            execute=ExecuteAgent(p.unit_of_work, p.clock, p.ids),
            executions=ReadExecutions(p.unit_of_work),
            stop_execution=StopExecution(p.unit_of_work),
            article_schedules=ManageArticleSchedules(p.unit_of_work, p.time_zones, p.clock),
        )
