"""The job EXECUTE_AGENT: start the articles of a run, then wait for them without occupying a worker.

An article is started in the transaction that records it in the run, so that an attempt after a crash starts only the
missing ones."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from attrs import evolve

from contentgen_core.errors import (
    BudgetExceeded,
    ConcurrentChange,
    NotConfigured,
    NotFound,
    ProviderFailed,
    QuotaExceeded,
    TopicAlreadyGenerating,
)
from contentgen_core.model.agent import Agent
from contentgen_core.model.approval import Approval, ApprovalState
from contentgen_core.model.article import ArticleStatus, Brief
from contentgen_core.model.execution import Execution, ExecutionStatus, RunError, RunFault
from contentgen_core.model.ids import ArticleId, ExecutionId, JobId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.model.vocabulary import Processing, Tone
from contentgen_core.model.voice import ChosenVoice
from contentgen_core.model.webhook import WebhookEventType
from contentgen_core.policies.articles.own_words import has_words
from contentgen_core.policies.topics.picking import KnownTopics
from contentgen_core.ports.repositories.agents import Agents
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.executions import Executions
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.ports.runtime import Ids
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.agents.events import record_run_event
from contentgen_core.use_cases.agents.pick_topics import PickTopics
from contentgen_core.use_cases.approval.gate import demands_approval
from contentgen_core.use_cases.articles.admission import Admission
from contentgen_core.use_cases.context import WritingContext, context_of_agent
from contentgen_core.use_cases.generation.batched_models import LOOK_EVERY
from contentgen_core.use_cases.jobs import AttemptRunner, JobFailed, subject_of
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.voices.choose import chosen_voice
from contentgen_core.use_cases.webhooks.events import record_approval_event, record_article_event

MIN_WAIT: Final = timedelta(seconds=2)
MAX_WAIT: Final = timedelta(seconds=15)
# The share of the run's duration to wait before checking again, so that checking late costs a quarter at most.
WAIT_SHARE: Final = 0.25
# Rounds of choosing topics: in each, topics may turn out to be taken.
ROUNDS: Final = 10


@use_case
class RunAgent:
    runner: AttemptRunner
    pick: PickTopics
    admission: Admission
    ids: Ids

    async def __call__(self, job: Job) -> None:
        """Bring the run of a claimed job to `completed` or `failed`, or the job back into the queue: postponed while
        articles are being written, or to retry a failed attempt."""
        await self.runner.run(job, self._work, self._fail)

    async def _work(self, job: Job) -> None:
        async with self.runner.fenced(job) as tx:
            run = await self._start(tx, await _execution(tx, job))
            setting = None if run.filled else await _caller_and_context(tx, run)
        if setting is not None:
            await self._start_articles(job, run, *setting)
        await self._check_articles(job)

    async def _start(self, tx: Transaction, run: Execution) -> Execution:
        if run.status is not ExecutionStatus.QUEUED:
            return run
        now = self.runner.clock.now()
        run = await tx[Executions].save(run.running(now))
        await record_run_event(tx, run, now)
        return run

    # ------------------------------------------------------------------------------------------ starting articles

    async def _start_articles(self, job: Job, run: Execution, caller: Caller, context: WritingContext) -> None:
        known, tried = await self.pick.known(run.tenant_id, context), list[str]()
        for _ in range(ROUNDS):
            try:
                topics = await self.pick(run.tenant_id, context, known, run.missing, tried)
            except (ProviderFailed, NotConfigured) as error:
                if not run.articles:
                    raise
                await self._stop_starting(job, RunError(RunFault.TOPICS_FAILED, error.detail))
                return
            if not topics:
                break
            for topic in topics:
                tried.append(topic)
                run = await self._start_article(job, caller, context, known, topic)
                if run.filled:
                    return
        await self._stop_starting(job, RunError(RunFault.NO_TOPIC, _no_topic(run)))

    async def _start_article(
        self, job: Job, caller: Caller, context: WritingContext, known: KnownTopics, topic: str
    ) -> Execution:
        """The run, with an article on the topic unless another one was started on it or none is left of the quota."""
        try:
            async with self.runner.fenced(job) as tx:
                # With the lock, the second of two concurrent runs that chose the same topic sees the article of the
                # first.
                await tx[Tenants].lock(caller.tenant_id)
                run = await _execution(tx, job)
                if run.filled or await self.pick.is_taken(tx, caller.tenant_id, context, known, topic):
                    return run
                language = context.default_language
                voice = run.voice or await chosen_voice(tx, caller.tenant_id, None, language)
                article_id = await self.admission.admit_in(tx, caller, context, _brief(run, context, topic, voice))
                return await tx[Executions].save(run.with_article(article_id, topic))
        except TopicAlreadyGenerating:
            async with self.runner.fenced(job) as tx:
                return await _execution(tx, job)
        except BudgetExceeded as error:
            return await self._stop_starting(job, RunError(RunFault.BUDGET_EXCEEDED, error.detail, topic))
        except QuotaExceeded as error:
            return await self._stop_starting(job, RunError(RunFault.QUOTA_EXCEEDED, error.detail, topic))

    async def _stop_starting(self, job: Job, error: RunError) -> Execution:
        async with self.runner.fenced(job) as tx:
            run = await _execution(tx, job)
            return run if run.filled else await tx[Executions].save(run.filled_for(error))

    # ------------------------------------------------------------------------------------------ waiting for them

    async def _check_articles(self, job: Job) -> None:
        """End the run if its articles have ended, else postpone the job."""
        try:
            async with self.runner.fenced(job) as tx:
                run = await _execution(tx, job)
                ids = [article.article_id for article in run.articles]
                statuses = await tx[Articles].statuses(run.tenant_id, ids)
                if run.autopublish:
                    await self._publish(tx, run, statuses)
                if ArticleStatus.GENERATING in statuses.values():
                    await tx[Jobs].postpone(job, self.runner.clock.now() + self._wait(run))
                else:
                    await self._end(tx, run, statuses)
                    await tx[Jobs].finish(job)
        except ConcurrentChange:  # a person changed an article that was to be published: check it again soon
            async with self.runner.fenced(job) as tx:
                await tx[Jobs].postpone(job, self.runner.clock.now() + MIN_WAIT)

    def _wait(self, run: Execution) -> timedelta:
        elapsed = self.runner.clock.now() - (run.started_at or run.created_at)
        longest = LOOK_EVERY if run.processing is Processing.BATCH else MAX_WAIT
        return min(max(MIN_WAIT, WAIT_SHARE * elapsed), longest)

    async def _publish(self, tx: Transaction, run: Execution, statuses: Mapping[ArticleId, ArticleStatus]) -> None:
        """Schedule for now the articles that are written and unchanged by a person; publishing then proceeds as for any
        article. Where the niche demands approval they are submitted for review instead."""
        now = self.runner.clock.now()
        for article_id, status in statuses.items():
            if status is not ArticleStatus.GENERATED:
                continue
            article = await tx[Articles].get(run.tenant_id, article_id)
            if article.status is not ArticleStatus.GENERATED or not has_words(article):
                continue
            if await demands_approval(tx, article) and article.approval_state is not ApprovalState.APPROVED:
                if article.approval is None:
                    asked = evolve(article, approval=Approval(ApprovalState.IN_REVIEW, now))
                    await tx[Articles].save(asked)
                    await record_approval_event(tx, asked, now)
                continue
            article = evolve(article, scheduled_for=now).moved_to(ArticleStatus.SCHEDULED, now)
            await tx[Articles].save(article)
            await record_article_event(tx, WebhookEventType.ARTICLE_UPDATED, article, now)
            job = Job(JobId(self.ids.new()), JobKind.PUBLISH_SCHEDULED, run.tenant_id, article_id, run_at=now)
            await tx[Jobs].enqueue(job)

    async def _end(self, tx: Transaction, run: Execution, statuses: Mapping[ArticleId, ArticleStatus]) -> None:
        """Completed if at least one article was written."""
        errors: list[RunError] = []
        for article in run.articles:
            status = statuses.get(article.article_id)
            if status is None:
                gone = "The article was deleted before the run had ended."
                errors.append(RunError(RunFault.ARTICLE_DELETED, gone, article.topic))
            elif status is ArticleStatus.FAILED:
                failed = await tx[Articles].get(run.tenant_id, article.article_id)
                reason = failed.error or "The generation failed."
                errors.append(RunError(RunFault.GENERATION_FAILED, reason, article.topic))
        now = self.runner.clock.now()
        succeeded = len(errors) < len(run.articles)
        ended = run.completed(now, tuple(errors)) if succeeded else run.failed(now, *errors)
        await tx[Executions].save(ended)
        await record_run_event(tx, ended, now)

    async def _fail(self, tx: Transaction, job: Job, reason: str) -> None:
        """Articles that were started are written all the same."""
        now = self.runner.clock.now()
        failed = (await _execution(tx, job)).failed(now, RunError(RunFault.RUN_FAILED, reason))
        await tx[Executions].save(failed)
        await record_run_event(tx, failed, now)


async def _execution(tx: Transaction, job: Job) -> Execution:
    return await subject_of(
        job, tx[Executions].get(job.tenant_id, ExecutionId(job.subject_id)), lambda run: not run.ended
    )


async def _caller_and_context(tx: Transaction, run: Execution) -> tuple[Caller, WritingContext]:
    """The caller and the context of the run, as they are now. Raises JobFailed when its agent cannot be used any
    more."""
    try:
        agent: Agent = await tx[Agents].get(run.tenant_id, run.agent_id)
        context = await context_of_agent(tx, run.tenant_id, agent.key)
    except NotFound as error:
        raise JobFailed(f"{error.detail} It was there when the run was asked for.") from error
    if not agent.enabled or context.niche.activation is None:
        raise JobFailed(f"The agent {agent.key} was switched off after the run was asked for.")
    tenant = await tx[Tenants].get(run.tenant_id)
    return Caller(run.tenant_id, run.created_by, tenant.plan, Role.EDITOR), context


def _brief(run: Execution, context: WritingContext, topic: str, voice: ChosenVoice | None) -> Brief:
    activation = context.niche.activation
    tone = activation.tones[0] if activation is not None else Tone.PROFESSIONAL
    return Brief(topic, context.default_language, tone, voice=voice, processing=run.processing)


def _no_topic(run: Execution) -> str:
    return (
        f"{len(run.articles)} of {run.requested} articles were started: the knowledge base of the agent carries no "
        "further topic that is not written yet. Add sources, or enrich a topic."
    )
