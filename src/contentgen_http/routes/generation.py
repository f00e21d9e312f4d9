"""From a topic to an article."""

from __future__ import annotations

from typing import Final

from litestar import Controller

from contentgen_core import errors
from contentgen_core.model.coverage import CoverageTooLow
from contentgen_http.api.operation import KIB, operation
from contentgen_http.api.requests import TenantRequest, idempotency_key, read_body
from contentgen_http.services import Services
from contentgen_http.wire import coverage, generation
from contentgen_http.wire import similar as wire_similar
from contentgen_http.wire.base import absent_as_none
from contentgen_http.wire.without_effect import without_effect

TAG: Final = "Generation"
TOPIC: Final = "Choosing a heat pump for an older house"
_SPENDS: Final = (
    errors.NotPermitted,
    errors.PlanForbids,
    errors.QuotaExceeded,
    errors.BudgetExceeded,
    errors.NotFound,
    errors.TopicAlreadyGenerating,
    errors.IdempotencyKeyReused,
)
_KB: Final = (errors.StaleIndex, errors.ProviderFailed)


class GenerationRoutes(Controller):
    services: Services

    @operation(
        "POST",
        "/writer/check-kb-coverage",
        tag=TAG,
        body=coverage.CoverageRequest,
        answer=coverage.CoverageCheck,
        raises=(errors.PlanForbids, errors.NotFound, errors.DailyQuotaExceeded, *_KB),
        example={"agentKey": "home-energy-GB", "topic": TOPIC},
        slow=True,
    )
    async def check_kb_coverage(self, request: TenantRequest) -> coverage.CoverageCheck:
        """Check the coverage of a topic.

        Whether the knowledge base holds enough to write on it. Counts one of the day's checks. Pass `coverage.level`
        and `coverage.rerankedResults` on to POST /writer/generate-plan.
        """
        body = await read_body(request, coverage.CoverageRequest)
        report = await self.services.writing.check_coverage(body.to_command(request.user))
        return coverage.CoverageCheck.of(report)

    @operation(
        "POST",
        "/writer/generate",
        tag=TAG,
        body=generation.GenerateRequest,
        answer=generation.GenerationStarted,
        idempotent=True,
        raises=(*_SPENDS, errors.AgentSwitchedOff, CoverageTooLow, errors.NotConfigured, *_KB),
        example={"nicheId": "home-energy", "agentKey": "home-energy-GB", "topic": TOPIC, "language": "en"},
        slow=True,
    )
    async def generate_article(self, request: TenantRequest) -> generation.GenerationStarted:
        """Write an article without a review of its plan.

        Returns at once; poll GET /writer/{id} until status is generated or failed. Consumes one article of the month,
        which comes back if the generation fails. 422 only with an agentKey and a topic.
        """
        body = await read_body(request, generation.GenerateRequest)
        key = idempotency_key(request, "generate", body)
        command = body.to_command(request.user, key)
        article_id = await self.services.writing.generate(command)
        in_vain = self.services.writing.ignored_fields.of_request(command.tone, command.keywords)
        return generation.GenerationStarted(article_id=article_id, without_effect=without_effect(in_vain))

    @operation(
        "POST",
        "/writer/generate-plan",
        tag=TAG,
        body=generation.PlanRequest,
        answer=generation.PlanOutcome,
        idempotent=True,
        max_body=KIB * KIB,
        raises=(*_SPENDS, errors.AgentSwitchedOff, CoverageTooLow, errors.NotConfigured, *_KB),
        example={"agentKey": "home-energy-GB", "topic": TOPIC, "language": "en", "articleLength": "short"},
        slow=True,
    )
    async def generate_plan(self, request: TenantRequest) -> generation.PlanOutcome:
        """Plan an article.

        Answers with a plan to review, or, with autoValidate, starts to write at once. Consumes one article of the
        month. Low coverage is a 422 unless allowLowCoverage is true; the Business plan is never blocked.
        """
        body = await read_body(request, generation.PlanRequest)
        key = idempotency_key(request, "generate-plan", body)
        planned = await self.services.writing.plan(body.to_command(request.user, key))
        return generation.plan_outcome(planned, body.auto_validate)

    @operation(
        "POST",
        "/writer/forecast-plan",
        tag=TAG,
        body=generation.ForecastPlanRequest,
        answer=generation.PlanForecasted,
        max_body=KIB * KIB,
        raises=(errors.NotPermitted, errors.NotFound, errors.NoPlanAwaitingReview, errors.StaleIndex),
        example={"articleId": "0199b6c2-7d3e-7c10-9f6e-2f1f3c0a5b11"},
        slow=True,
    )
    async def forecast_plan(self, request: TenantRequest) -> generation.PlanForecasted:
        """Forecast the article of a plan.

        For a plan that is being edited, after each edit: how many words its sources carry, section by section, and
        what was added and is not held. Consumes and stores nothing. 409 unless the article is a draft with a plan.
        """
        body = await read_body(request, generation.ForecastPlanRequest)
        return generation.PlanForecasted.of(await self.services.writing.forecast_plan(body.to_command(request.user)))

    @operation(
        "POST",
        "/writer/generate-from-plan",
        tag=TAG,
        body=generation.FromPlanRequest,
        answer=generation.FromPlanStarted,
        idempotent=True,
        max_body=KIB * KIB,
        raises=(*_SPENDS, errors.NoPlanAwaitingReview, errors.ConcurrentChange),
        example={"articleId": "0199b6c2-7d3e-7c10-9f6e-2f1f3c0a5b11"},
        slow=True,
    )
    async def generate_from_plan(self, request: TenantRequest) -> generation.FromPlanStarted:
        """Write the article of a plan.

        Send the plan as generate-plan returned it, or edited; without one the original is used. What was added without
        sources (sections, questions, key points) gets those that the knowledge base has; gaps names the rest. 409
        unless the article is a draft with a plan.
        """
        body = await read_body(request, generation.FromPlanRequest)
        key = idempotency_key(request, "generate-from-plan", body)
        return generation.FromPlanStarted.of(
            await self.services.writing.start_from_plan(body.to_command(request.user, key))
        )

    @operation(
        "POST",
        "/writer/suggest-topic",
        tag=TAG,
        body=coverage.SuggestTopicRequest,
        answer=coverage.SuggestedTopics,
        raises=(errors.NotFound, errors.NotConfigured, *_KB),
        example={"agentKey": "home-energy-GB"},
        slow=True,
    )
    async def suggest_topic(self, request: TenantRequest) -> coverage.SuggestedTopics:
        """Suggest what is missing.

        Topics that were asked for and are not covered, entities that documents name and none is about, questions that
        sources ask and do not answer, and what is covered without an article, each with its reason and its coverage.
        """
        body = await read_body(request, coverage.SuggestTopicRequest)
        return coverage.SuggestedTopics.of(await self.services.writing.suggest_topics(request.user, body.agent_key))

    @operation(
        "POST",
        "/writer/similar-articles",
        tag=TAG,
        body=wire_similar.SimilarRequest,
        answer=wire_similar.SimilarArticles,
        raises=(errors.NotFound, *_KB),
        example={"topic": TOPIC, "agentKey": "home-energy-GB", "language": "en"},
        slow=True,
    )
    async def find_similar_articles(self, request: TenantRequest) -> wire_similar.SimilarArticles:
        """Find articles that already answer a topic.

        Yours of all niches and languages, by words, by meaning and by the passages that they cite, each with what it
        has in common with the topic and whether to update, merge or translate it, or to write about something else.
        POST /writer/check-kb-coverage answers the same as `similarArticles`, and so does POST /writer/generate-plan
        with a plan to review.
        """
        body = await read_body(request, wire_similar.SimilarRequest)
        found = await self.services.writing.similar(
            request.user,
            body.topic,
            absent_as_none(body.agent_key),
            absent_as_none(body.niche_id),
            absent_as_none(body.language),
        )
        return wire_similar.SimilarArticles(articles=[wire_similar.SimilarArticle.of(each) for each in found])

    @operation(
        "POST",
        "/writer/validate-topic",
        tag=TAG,
        body=coverage.ValidateTopicRequest,
        answer=coverage.TopicValidity,
        raises=(errors.NotFound, errors.NotConfigured, *_KB),
        example={"agentKey": "home-energy-GB", "topic": TOPIC},
        slow=True,
    )
    async def validate_topic(self, request: TenantRequest) -> coverage.TopicValidity:
        """Judge a topic.

        Whether it suits the niche of the agent.
        """
        body = await read_body(request, coverage.ValidateTopicRequest)
        return coverage.TopicValidity.of(
            await self.services.writing.validate_topic(request.user, body.agent_key, body.topic)
        )
