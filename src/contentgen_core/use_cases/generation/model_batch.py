"""The job RUN_MODEL_BATCH: parts of articles are handed to the vendor together, and their answers fetched, without
occupying a worker meanwhile.

A batch is charged each time it is submitted. So it is stored as being submitted before it is; whoever finds it so asks
the vendor first whether it has it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Final

from contentgen_core.errors import ProviderFailed
from contentgen_core.model.ids import BatchedPartId, ModelBatchId
from contentgen_core.model.job import Job
from contentgen_core.model.model_batch import BatchState, ModelBatch
from contentgen_core.ports.batched_model import BatchedModel
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.model_batches import ModelBatches
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.generation.batched_models import LOOK_EVERY, BatchedModels
from contentgen_core.use_cases.jobs import AttemptRunner, JobFailed, subject_of
from contentgen_core.use_cases.use_case import use_case

LONGEST: Final = timedelta(hours=25)
"""From its closing to its end: vendors promise a day."""


@use_case
class RunModelBatch:
    """`models`: that may be asked; None where no vendor of batches writes."""

    runner: AttemptRunner
    models: BatchedModels | None

    async def __call__(self, job: Job) -> None:
        """Bring a batch on by a step, and the job back into the queue until its parts are settled. Parts without an
        answer are then failed: their articles ask for them in the ordinary way."""
        await self.runner.run(job, self._run, self._fail)

    async def _run(self, job: Job) -> None:
        batch, questions, begun = await self._read(job)
        model = None if self.models is None else self.models.of(batch)
        if model is None:
            raise JobFailed(f"{batch.provider} {batch.model} does not write any more.")
        overdue = self.runner.clock.now() > batch.closed_at + LONGEST if batch.closed_at else False
        try:
            if not questions or overdue:
                await self._give_up(job, batch, model)
            elif batch.vendor_id is not None:
                await self._fetch(job, batch.vendor_id, questions, model)
            elif not begun and (vendor_id := await self._looked_for(batch, model)) is not None:
                await self._note_submitted(job, vendor_id, found=True)
            else:
                await self._note_submitted(job, await model.submit(batch.id, questions), found=False)
        except ProviderFailed as error:
            if overdue or not error.retryable:
                raise
            async with self.runner.fenced(job) as tx:  # nobody is in a hurry
                await tx[Jobs].postpone(job, self.runner.clock.now() + LOOK_EVERY)

    async def _read(self, job: Job) -> tuple[ModelBatch, Mapping[BatchedPartId, str], bool]:
        """The batch, which takes no parts any more, the questions that wait in it, and whether it was closed just
        now."""
        async with self.runner.fenced(job) as tx:
            batch = await _batch(tx, job)
            questions = await tx[ModelBatches].questions(batch.id)
            begun = batch.state is BatchState.COLLECTING
            if begun:
                batch = await tx[ModelBatches].save(batch.closed(len(questions), self.runner.clock.now()))
        return batch, questions, begun

    async def _looked_for(self, batch: ModelBatch, model: BatchedModel) -> str | None:
        """The vendor's id, where a batch was submitted and the answer to that was lost."""
        assert batch.closed_at is not None
        async with self.runner.unit_of_work() as tx:
            known = await tx[ModelBatches].vendor_ids()
        return await model.find(batch.id, batch.parts, batch.closed_at, known)

    async def _note_submitted(self, job: Job, vendor_id: str, *, found: bool) -> None:
        async with self.runner.fenced(job) as tx:
            await tx[ModelBatches].save((await _batch(tx, job)).submitted(vendor_id, found=found))
            await tx[Jobs].postpone(job, self.runner.clock.now() + LOOK_EVERY)

    async def _fetch(self, job: Job, vendor_id: str, questions: Collection[BatchedPartId], model: BatchedModel) -> None:
        answers = await model.answers(vendor_id)
        async with self.runner.fenced(job) as tx:
            if answers is None:
                await tx[Jobs].postpone(job, self.runner.clock.now() + LOOK_EVERY)
                return
            batch = await _batch(tx, job)
            await tx[ModelBatches].answer(batch.id, answers)
            await tx[ModelBatches].remove(batch.tenant_id, batch.id)
            await tx[Jobs].finish(job)
        if not answers.keys().isdisjoint(questions):  # else it is another's, taken for ours
            with suppress(ProviderFailed):  # it is then kept for as long as the vendor keeps batches
                await model.forget(vendor_id)

    async def _give_up(self, job: Job, batch: ModelBatch, model: BatchedModel) -> None:
        """End a batch that nobody waits for, or that took too long."""
        if batch.vendor_id is not None and not batch.found:
            await model.cancel(batch.vendor_id)
        async with self.runner.fenced(job) as tx:
            await tx[ModelBatches].remove(batch.tenant_id, batch.id)
            await tx[Jobs].finish(job)

    async def _fail(self, tx: Transaction, job: Job, reason: str) -> None:
        await tx[ModelBatches].remove(job.tenant_id, ModelBatchId(job.subject_id))


async def _batch(tx: Transaction, job: Job) -> ModelBatch:
    return await subject_of(job, tx[ModelBatches].lock(job.tenant_id, ModelBatchId(job.subject_id)))
