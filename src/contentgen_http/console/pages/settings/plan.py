"""/console/settings/plan: what the plan of the team includes, and how much of it is used."""

from __future__ import annotations

from litestar import Response, get

from contentgen_core.model.vocabulary import ArticleLength
from contentgen_core.policies.tenancy.plans import PLANS
from contentgen_http.console.pages.settings.settings_page import SettingsPage
from contentgen_http.console.visit import Visit


class PlanLimitsPage(SettingsPage):
    @get("/settings/plan")
    async def plan(self, request: Visit) -> Response[str]:
        caller = request.user.caller
        quotas = await self.services.people.tenant.quotas(caller)
        terms = PLANS[caller.plan]
        lengths = [length for length in ArticleLength if length in terms.lengths]
        return self.settings(request, "plan", plan=caller.plan, terms=terms, lengths=lengths, quotas=quotas)
