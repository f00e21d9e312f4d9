"""POST /writer/enrich-kb-topic: judge the topic, and enqueue an enrichment from the web."""

from __future__ import annotations

from typing import TypeAlias

from attrs import evolve, frozen

from contentgen_core.errors import AlreadyExists, Faults, InvalidInput, NotConfigured
from contentgen_core.model.agent import AgentKey
from contentgen_core.model.enrichment import Enrichment
from contentgen_core.model.ids import EnrichmentId, JobId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.tenant import Caller, PlanName, Quota, Role
from contentgen_core.policies.tenancy.access import has_premium_search, require_role
from contentgen_core.policies.tenancy.quotas import check_included, limit_of
from contentgen_core.policies.topics.validation import check_topic
from contentgen_core.ports.repositories.enrichments import Enrichments
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.ports.web_search import ConfiguredWebSearches, WebSearch
from contentgen_core.use_cases.articles.judge_topic import JudgeTopic
from contentgen_core.use_cases.context import WritingContext, context_of_agent
from contentgen_core.use_cases.idempotency import IdempotencyKey, previous_result, record_result
from contentgen_core.use_cases.quota import check_left, consume, counted_window
from contentgen_core.use_cases.use_case import use_case

MIN_TOPIC = 10
MAX_LABEL = 100


def search_for(searches: ConfiguredWebSearches, plan: PlanName, context: WritingContext) -> WebSearch:
    """The premium search where the plan includes it and the switches of niche and agent are on, else the standard one.
    Raises NotConfigured when that is not configured."""
    included = searches.premium if has_premium_search(plan) and context.premium_search else None
    chosen = included or searches.standard
    if chosen is None:
        raise NotConfigured("The knowledge base cannot be enriched: no web search is set up.", searches.settings)
    return chosen


@frozen
class EnrichCommand:
    """`niche_label`: a name of the niche for the relevance check, instead of its own."""

    caller: Caller
    agent_key: str
    topic: str
    niche_label: str | None = None
    idempotency: IdempotencyKey | None = None


@frozen
class Started:
    """`query_ms`: duration of the relevance check. `remaining`: enrichments left today, None when unlimited."""

    enrichment: Enrichment
    query_ms: int
    remaining: int | None


@frozen
class Rejected:
    """The topic does not belong to the niche; nothing was consumed."""

    reason: str
    confidence: float
    remaining: int | None


Outcome: TypeAlias = Started | Rejected


@use_case
class StartEnrichment:
    unit_of_work: UnitOfWork
    judge: JudgeTopic
    searches: ConfiguredWebSearches
    clock: Clock
    ids: Ids

    async def __call__(self, command: EnrichCommand) -> Outcome:
        """Record an enrichment and enqueue its job; consumes one of the day's enrichments unless rejected.

        Raises InvalidInput, NotPermitted, PlanForbids (Free, Starter), NotFound, NotConfigured, DailyQuotaExceeded,
        IdempotencyKeyReused, ProviderFailed; then nothing is consumed."""
        caller, begun = command.caller, self.clock.now()
        faults = Faults()
        key = faults.checked(AgentKey.parse, command.agent_key)
        topic = faults.checked(check_topic, command.topic, min_length=MIN_TOPIC)
        label = faults.checked(check_label, command.niche_label)
        faults.require_none()
        require_role(caller, Role.EDITOR)
        check_included(caller.plan, Quota.ENRICHMENTS)
        async with self.unit_of_work() as tx:
            context = await context_of_agent(tx, caller.tenant_id, key)
            earlier = await previous_result(tx, caller.tenant_id, command.idempotency, begun)
        if earlier is not None:
            return await self._earlier(caller, EnrichmentId(earlier))
        search = search_for(self.searches, caller.plan, context)
        async with self.unit_of_work() as tx:
            await check_left(tx, caller, Quota.ENRICHMENTS, begun)
        niche = context.niche_brief
        judgement = await self.judge(context, evolve(niche, name=label) if label else niche, topic)
        now = self.clock.now()
        if not judgement.valid:
            return Rejected(judgement.reason, judgement.confidence, await self._remaining_today(caller))
        enrichment = Enrichment(
            id=EnrichmentId(self.ids.new()),
            tenant_id=caller.tenant_id,
            created_by=caller.user_id,
            agent_key=key,
            topic=topic,
            niche_label=label,
            provider=search.provider,
            created_at=now,
            quota_window=counted_window(Quota.ENRICHMENTS, now),
            job_id=JobId(self.ids.new()),
        )
        try:
            await self._admit(command, enrichment)
        except AlreadyExists:  # another request with this key was faster
            async with self.unit_of_work() as tx:
                earlier = await previous_result(tx, caller.tenant_id, command.idempotency, now)
            if earlier is None:
                raise
            return await self._earlier(caller, EnrichmentId(earlier))
        query_ms = round((now - begun).total_seconds() * 1_000)
        return Started(enrichment, query_ms, await self._remaining_today(caller))

    async def _admit(self, command: EnrichCommand, enrichment: Enrichment) -> None:
        assert enrichment.job_id is not None
        now = enrichment.created_at
        job = Job(enrichment.job_id, JobKind.ENRICH_TOPIC, enrichment.tenant_id, enrichment.id, run_at=now)
        async with self.unit_of_work() as tx:
            await record_result(tx, enrichment.tenant_id, command.idempotency, enrichment.id, now)
            await consume(tx, command.caller, Quota.ENRICHMENTS, now)
            await tx[Enrichments].add(enrichment)
            await tx[Jobs].enqueue(job)

    async def _earlier(self, caller: Caller, enrichment_id: EnrichmentId) -> Started:
        async with self.unit_of_work() as tx:
            enrichment = await tx[Enrichments].get(caller.tenant_id, enrichment_id)
        return Started(enrichment, 0, await self._remaining_today(caller))

    async def _remaining_today(self, caller: Caller) -> int | None:
        limit = limit_of(caller.plan, Quota.ENRICHMENTS)
        if limit is None:
            return None
        async with self.unit_of_work() as tx:
            window = counted_window(Quota.ENRICHMENTS, self.clock.now())
            return max(0, limit - await tx[Quotas].used(caller.tenant_id, Quota.ENRICHMENTS, window))


@use_case
class ReadEnrichments:
    unit_of_work: UnitOfWork

    async def get(self, caller: Caller, enrichment_id: str) -> Enrichment:
        """Raises NotFound, also for another tenant's."""
        async with self.unit_of_work() as tx:
            return await tx[Enrichments].get(caller.tenant_id, EnrichmentId(enrichment_id))


def check_label(label: str | None, field: str = "nicheLabel") -> str | None:
    """A niche's label, validated like a topic, since it becomes part of a prompt. Raises InvalidInput."""
    if label is None or not label.strip():
        return None
    if len(label) > MAX_LABEL:
        raise InvalidInput.of(field, f"at most {MAX_LABEL} characters")
    return check_topic(label, max_length=MAX_LABEL, field=field)
