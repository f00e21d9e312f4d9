"""The content model behind a circuit breaker that all processes share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from contentgen_core.errors import NotAsked, ProviderFailed
from contentgen_core.model.article import EXTRACTIVE
from contentgen_core.model.article_plan import ArticlePlan
from contentgen_core.model.circuit import Circuit
from contentgen_core.model.drafting import DraftSentence, SectionDraft
from contentgen_core.model.knowledge import Passage, RankedPassage
from contentgen_core.model.topic_gap import TopicGap
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.niche_fit import TopicFit
from contentgen_core.ports.content_model import (
    Answer,
    ContentModel,
    EntityCandidate,
    EntityJudgement,
    NicheBrief,
    PlanRequest,
    RevisionRequest,
    SectionRequest,
    TopicJudgement,
    TopicSuggestion,
    TranslationRequest,
)
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case

T = TypeVar("T")


@use_case
class GuardedCalls:
    """Calls of one provider, of which none is made while its circuit is open, but for a trial now and then.

    `name`: of the circuit."""

    unit_of_work: UnitOfWork
    clock: Clock
    name: str

    async def __call__(self, call: Callable[[], Awaitable[T]]) -> T:
        """Return what the call returns. Raises NotAsked instead of calling while the circuit is open."""
        before = await self._admitted()
        try:
            answer = await call()
        except ProviderFailed as error:
            if error.away:
                await self._record_failure(error)
            elif before.failures:
                await self._close()
            raise
        if before.failures:
            await self._close()
        return answer

    async def _admitted(self) -> Circuit:
        """The circuit as it was before the call, which may be made."""
        async with self.unit_of_work() as tx:
            circuit = await tx.circuits.get(self.name)
        if not circuit.is_open:
            return circuit
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            circuit = await tx.circuits.hold(self.name)
            if circuit.is_open and not circuit.may_be_called(now):
                assert circuit.trial_at is not None
                raise NotAsked(circuit.provider, circuit.reason, (circuit.trial_at - now).total_seconds())
            if circuit.is_open:
                await tx.circuits.save(circuit.on_trial(now))
            return circuit

    async def _record_failure(self, error: ProviderFailed) -> None:
        """Count a failure, and put into the error when the next trial is due."""
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            circuit = await tx.circuits.hold(self.name)
            circuit = circuit.failed(error.provider, error.message, now, error.retry_after)
            await tx.circuits.save(circuit)
        if circuit.is_open and circuit.trial_at is not None:
            error.retry_after = (circuit.trial_at - now).total_seconds()

    async def _close(self) -> None:
        """Close the circuit, and make the jobs due that wait for it."""
        async with self.unit_of_work() as tx:
            circuit = await tx.circuits.hold(self.name)
            if circuit.failures:
                await tx.circuits.save(circuit.closed())
                await tx.jobs.resume(circuit.provider, self.clock.now())


class GuardedModel:
    """A content model whose calls are guarded."""

    def __init__(self, model: ContentModel, guarded: GuardedCalls) -> None:
        self._model, self._guarded = model, guarded

    @property
    def name(self) -> str:
        return self._model.name

    async def plan(self, request: PlanRequest) -> Answer[ArticlePlan]:
        return await self._guarded(lambda: self._model.plan(request))

    async def write_section(self, request: SectionRequest) -> SectionDraft:
        return await self._guarded(lambda: self._model.write_section(request))

    async def suggest_topics(
        self,
        niche: NicheBrief,
        passages: Sequence[Passage],
        avoid: Sequence[str],
        language: Language,
        count: int,
        gaps: Sequence[TopicGap] = (),
    ) -> Answer[tuple[TopicSuggestion, ...]]:
        return await self._guarded(lambda: self._model.suggest_topics(niche, passages, avoid, language, count, gaps))

    async def judge_topic(
        self,
        niche: NicheBrief,
        topic: str,
        passages: Sequence[RankedPassage],
        language: Language,
        fit: TopicFit | None = None,
    ) -> Answer[TopicJudgement]:
        return await self._guarded(lambda: self._model.judge_topic(niche, topic, passages, language, fit))

    async def distil(
        self, topic: str, passages: Sequence[Passage], language: Language
    ) -> Answer[tuple[DraftSentence, ...]]:
        return await self._guarded(lambda: self._model.distil(topic, passages, language))

    async def summarise(self, text: str, language: Language, max_words: int) -> Answer[str]:
        return await self._guarded(lambda: self._model.summarise(text, language, max_words))

    async def translate(self, request: TranslationRequest) -> Answer[tuple[str, ...]]:
        if not request.segments:  # no call is made
            return await self._model.translate(request)
        return await self._guarded(lambda: self._model.translate(request))

    async def revise_sentence(self, request: RevisionRequest) -> Answer[str | None]:
        return await self._guarded(lambda: self._model.revise_sentence(request))

    async def curate_entities(
        self, candidates: Sequence[EntityCandidate], language: Language
    ) -> Answer[tuple[EntityJudgement, ...]]:
        return await self._guarded(lambda: self._model.curate_entities(candidates, language))


def guarded_model(model: ContentModel, unit_of_work: UnitOfWork, clock: Clock) -> ContentModel:
    """Return the model behind its circuit breaker. The writer without a model calls nobody and needs none."""
    if model.name == EXTRACTIVE:
        return model
    return GuardedModel(model, GuardedCalls(unit_of_work, clock, model.name))
