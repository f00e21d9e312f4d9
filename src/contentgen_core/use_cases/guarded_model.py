"""The content model behind a circuit breaker that all processes share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from contentgen_core.errors import NotAsked, ProviderFailed
from contentgen_core.model.article import EXTRACTIVE
from contentgen_core.model.circuit import Circuit
from contentgen_core.ports.content_model import Answer, ContentModel, TranslationRequest
from contentgen_core.ports.repositories.circuits import Circuits
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.use_case import use_case

P = ParamSpec("P")
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
        before = await self._admit()
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

    def over(self, method: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
        """Return the method with each of its calls guarded."""

        async def guarded(*args: P.args, **kwargs: P.kwargs) -> T:
            return await self(lambda: method(*args, **kwargs))

        return guarded

    async def _admit(self) -> Circuit:
        """Return the circuit as it was before the call, and admit the call."""
        async with self.unit_of_work() as tx:
            circuit = await tx[Circuits].get(self.name)
        if not circuit.is_open:
            return circuit
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            circuit = await tx[Circuits].hold(self.name)
            if circuit.is_open and not circuit.may_be_called(now):
                assert circuit.trial_at is not None
                raise NotAsked(circuit.provider, circuit.reason, (circuit.trial_at - now).total_seconds())
            if circuit.is_open:
                await tx[Circuits].save(circuit.on_trial(now))
            return circuit

    async def _record_failure(self, error: ProviderFailed) -> None:
        """Count a failure, and put into the error when the next trial is due."""
        now = self.clock.now()
        async with self.unit_of_work() as tx:
            circuit = await tx[Circuits].hold(self.name)
            circuit = circuit.failed(error.provider, error.message, now, error.retry_after)
            await tx[Circuits].save(circuit)
        if circuit.is_open and circuit.trial_at is not None:
            error.retry_after = (circuit.trial_at - now).total_seconds()

    async def _close(self) -> None:
        """Close the circuit, and make the jobs due that wait for it."""
        async with self.unit_of_work() as tx:
            circuit = await tx[Circuits].hold(self.name)
            if circuit.failures:
                await tx[Circuits].save(circuit.closed())
                await tx[Jobs].resume(circuit.provider, self.clock.now())


class GuardedModel:
    """A content model whose calls are guarded."""

    def __init__(self, model: ContentModel, guarded: GuardedCalls) -> None:
        self._model, self._guarded = model, guarded
        self.plan = guarded.over(model.plan)
        self.write_section = guarded.over(model.write_section)
        self.suggest_topics = guarded.over(model.suggest_topics)
        self.judge_topic = guarded.over(model.judge_topic)
        self.distil = guarded.over(model.distil)
        self.summarise = guarded.over(model.summarise)
        self.revise_sentence = guarded.over(model.revise_sentence)
        self.curate_entities = guarded.over(model.curate_entities)

    @property
    def name(self) -> str:
        return self._model.name

    async def translate(self, request: TranslationRequest) -> Answer[tuple[str, ...]]:
        if not request.segments:  # no call is made
            return await self._model.translate(request)
        return await self._guarded(lambda: self._model.translate(request))


def guarded_model(model: ContentModel, unit_of_work: UnitOfWork, clock: Clock) -> ContentModel:
    """Return the model behind its circuit breaker. The writer without a model calls nobody and needs none."""
    if model.name == EXTRACTIVE:
        return model
    return GuardedModel(model, GuardedCalls(unit_of_work, clock, model.name))
