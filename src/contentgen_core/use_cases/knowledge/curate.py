"""The job CURATE_ENTITIES: a model merges entities that are the same and drops what is no entity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from contentgen_core.errors import NotFound
from contentgen_core.model.entity import CuratedEntity, Curation, KbEntity
from contentgen_core.model.job import Job
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.content_model import ContentModel, EntityCandidate, EntityJudgement
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.repositories.overview import Overview
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.context import context_of_key
from contentgen_core.use_cases.jobs import AttemptRunner
from contentgen_core.use_cases.use_case import use_case

CANDIDATES: Final = 100
SAMPLE: Final = 200
"""Passages that are searched for a snippet."""
AROUND: Final = 60
"""Characters of a snippet on either side of the name."""


@use_case
class CurateEntities:
    runner: AttemptRunner
    model: ContentModel

    async def __call__(self, job: Job) -> None:
        """Curate the entities of the job's tenant and niche or agent by one call of the model. An answer that keeps
        nothing changes nothing."""
        await self.runner.run(job, self._work, _fail)

    async def _work(self, job: Job) -> None:
        async with self.runner.fenced(job) as tx:
            try:
                context = await context_of_key(tx, job.tenant_id, job.subject_id)
            except NotFound:  # the niche was deactivated or deleted meanwhile
                await tx[Jobs].finish(job)
                return
            figures = await tx[Overview].figures(context.view, self.runner.clock.now())
            entities = (await tx[Overview].strongest(context.view, CANDIDATES)).entities
            passages = await tx[Knowledge].sample(context.view, SAMPLE)
        language = max(figures.by_language, key=lambda of: (figures.by_language[of], of), default=Language.EN)
        candidates = [_candidate(entity, passages) for entity in entities]
        judgements = (await self.model.curate_entities(candidates, language)).value if candidates else ()
        curation = Curation(
            job.tenant_id,
            job.subject_id,
            self.runner.clock.now(),
            figures.state,
            *_outcome(entities, judgements),
        )
        async with self.runner.fenced(job) as tx:
            if curation.kept:
                await tx[Overview].save_curation(curation)
            await tx[Jobs].finish(job)


def _candidate(entity: KbEntity, passages: Sequence[Passage]) -> EntityCandidate:
    return EntityCandidate(entity.name, entity.type, entity.mentions, _snippet(entity.name, passages))


def _snippet(name: str, passages: Sequence[Passage]) -> str:
    for passage in passages:
        at = passage.text.find(name)
        if at >= 0:
            return " ".join(passage.text[max(0, at - AROUND) : at + len(name) + AROUND].split())
    return ""


def _outcome(
    entities: Sequence[KbEntity], judgements: Sequence[EntityJudgement]
) -> tuple[tuple[CuratedEntity, ...], tuple[str, ...]]:
    """The entities kept, and the keys dropped."""
    keys = [entity.keys[0] for entity in entities]
    kept = tuple(CuratedEntity(tuple(keys[n] for n in j.members), j.type) for j in judgements)
    held = {key for entity in kept for key in entity.keys}
    return kept, tuple(key for key in keys if key not in held) if kept else ()


async def _fail(_tx: Transaction, _job: Job, _reason: str) -> None:
    """Nothing to undo: the entities that rules found stay, and a later reader requests a curation again."""
