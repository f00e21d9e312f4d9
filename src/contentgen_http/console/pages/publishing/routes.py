"""/console/publishing: the targets and how they are, and the posts at them."""

from __future__ import annotations

import asyncio
from typing import Final

from litestar import Response, get

from contentgen_core.model.ids import IntegrationId, PublicationId
from contentgen_core.model.publication import PublicationStatus
from contentgen_core.model.tenant import Role
from contentgen_core.ports.repositories.publications import PublicationQuery
from contentgen_http.console.page import Page
from contentgen_http.console.visit import Visit

PER_PAGE: Final = 20
MAX_ID: Final = 100


class PublishingPage(Page):
    @get("/publishing")
    async def publishing(self, request: Visit) -> Response[str]:
        asked, caller = request.query_params, request.user.caller
        status, target, niche, before = (
            asked.get(name, "")[:MAX_ID] for name in ("status", "target", "niche", "before")
        )
        query = PublicationQuery(
            caller.tenant_id,
            status=PublicationStatus(status) if status in set(PublicationStatus) else None,
            integration_id=IntegrationId(target) if target else None,
            niche_key=niche or None,
            before=PublicationId(before) if before else None,
            limit=PER_PAGE + 1,
        )
        manage = self.services.publishing.integrations
        targets, found, niches = await asyncio.gather(
            manage.list(caller),
            self.services.publishing.publications.page(query),
            self.services.agents.niches.activated(caller),
        )
        return self.show(
            request,
            "publishing/page.html",
            targets=targets,
            names={each.id: each.name for each in targets},
            providers={info.id: info for info in manage.providers()},
            may_connect=caller.role.includes(Role.ADMIN),
            posts=found[:PER_PAGE],
            older=found[PER_PAGE - 1].publication.id if len(found) > PER_PAGE else None,
            statuses=list(PublicationStatus),
            chosen={"status": status, "target": target, "niche": niche},
            before=before,
            niches=niches,
        )
