"""Filling the knowledge base from the web."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.params import FromPath

from contentgen_core import errors
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, idempotency_key, path_id, read_body
from contentgen_http.services import Services
from contentgen_http.wire import enrichment

TAG: Final = "Knowledge base"


class EnrichmentRoutes(Controller):
    services: Services

    @operation(
        "POST",
        "/writer/enrich-kb-topic",
        tag=TAG,
        body=enrichment.EnrichRequest,
        answer=enrichment.EnrichmentOutcome,
        idempotent=True,
        raises=(
            errors.NotPermitted,
            errors.PlanForbids,
            errors.NotFound,
            errors.IdempotencyKeyReused,
            errors.DailyQuotaExceeded,
            errors.NotConfigured,
            errors.StaleIndex,
            errors.ProviderFailed,
        ),
        example={"agentKey": "home-energy-GB", "topic": "Heat pump noise limits in terraced houses"},
        slow=True,
    )
    async def enrich_kb_topic(self, request: TenantRequest) -> enrichment.EnrichmentOutcome:
        """Enrich the knowledge base on a topic.

        Searches the web and brings what the pages say on the topic into the knowledge base, for your tenant alone.
        Counts one of the day's enrichments, which comes back if it fails. A topic that does not belong to the niche is
        rejected, and nothing is spent.
        """
        body = await read_body(request, enrichment.EnrichRequest)
        key = idempotency_key(request, "enrich-kb-topic", body)
        outcome = await self.services.knowledge.enrich(body.to_command(request.user, key))
        return enrichment.EnrichmentOutcome.of(outcome)

    @operation(
        "GET",
        "/writer/enrichment-status/{taskId:str}",
        tag=TAG,
        answer=enrichment.EnrichmentTask,
        raises=(errors.NotFound,),
    )
    async def enrichment_status(self, request: TenantRequest, taskId: FromPath[str]) -> enrichment.EnrichmentTask:
        """Follow an enrichment.

        404 for another tenant's.
        """
        return enrichment.EnrichmentTask.of(
            await self.services.knowledge.enrichments.get(request.user, path_id("enrichment", taskId))
        )
