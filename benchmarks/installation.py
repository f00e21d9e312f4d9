"""The product inside the benchmark's own process: real PostgreSQL and LanceDB, a model of the benchmark's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any, Final

from attrs import evolve, frozen

from benchmarks.configuration import embeddings
from benchmarks.corpus import Corpus, write_jsonl
from contentgen_adapters.lance.deferred import DeferredIndex
from contentgen_adapters.lance.index import LanceIndex
from contentgen_adapters.postgres.pool import create_pool
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_adapters.runtime import SystemClock
from contentgen_adapters.shared.processes.pool import ProcessPool
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.tenant import Caller, PlanName
from contentgen_core.ports.content_model import ContentModel
from contentgen_core.ports.knowledge_base import Embedder
from contentgen_core.services import Options
from contentgen_core.use_cases.niches.manage_niches import ActivateNicheCommand
from contentgen_grounded.bootstrap import providers
from contentgen_grounded.bootstrap.database import database
from contentgen_grounded.bootstrap.embedding import chosen_embedder
from contentgen_grounded.bootstrap.ports import local_ports
from contentgen_grounded.settings import Settings
from contentgen_http.processes.garbage_collection import freeze_loaded_objects
from contentgen_http.services import Services
from contentgen_http.telemetry.telemetry import Telemetry

NICHE: Final = "home-energy"
COUNTRY: Final = "GB"
PASSAGES: Final = 5  # of a document


@frozen
class Installation:
    services: Services
    corpus: Corpus
    index_folder: Path
    conninfo: str

    async def tenant(self, plan: PlanName = PlanName.BUSINESS) -> Caller:
        """A new tenant that activated the niche."""
        made = await self.services.people.tenants.create("Benchmark", plan)
        await self.services.agents.niches.activate(
            ActivateNicheCommand(made.caller, NICHE, ("professional",), ("en",), (COUNTRY,))
        )
        return made.caller


@asynccontextmanager
async def installation(
    folder: Path, model: ContentModel, passages: int, embedder: Embedder | None = None, **given: Any
) -> AsyncIterator[Installation]:
    """A fresh installation in an empty folder whose niche holds so many passages for everybody, or none. `embedder`:
    None for that of this run. `given`: settings that are not the default ones."""
    corpus = Corpus(seed=2)
    settings = Settings(embeddings=embeddings(), data_dir=folder / "data", **given)
    with database(settings) as db:
        db.migrate()
        place = settings.data_dir / "index"
        index = DeferredIndex(lambda: LanceIndex.open(str(place), embeds.model, embeds.dimension))
        async with (
            chosen_embedder(settings, None, apart=True) as chosen,
            create_pool(db.conninfo, max_size=settings.database_pool) as pool,
            aclosing(ProcessPool()) as processes,
            providers.publishing_targets(settings, PostgresUnitOfWork(pool), SystemClock(), processes) as targets,
        ):
            embeds = embedder or chosen.embedder
            ports = local_ports(PostgresUnitOfWork(pool), b"the secret of the benchmarks, 32 bytes")
            ports = evolve(ports, targets=targets, index=index, embedder=embeds, model=model)
            services = Services.observed(ports, Telemetry(), Options(calls_per_host=settings.calls_per_host))
            try:
                await services.upkeep.catalogue()
                if passages:
                    await _fill(services, corpus, folder / "sources.jsonl", passages)
                await freeze_loaded_objects(index)
                yield Installation(services, corpus, place, db.conninfo)
            finally:
                await index.close()


async def _fill(services: Services, corpus: Corpus, file: Path, passages: int) -> None:
    write_jsonl(file, corpus.documents(passages // PASSAGES, PASSAGES))
    report = await services.knowledge.import_sources(KbScope(NICHE), services.ports.documents.read(file))
    assert report.passages == passages
    await services.knowledge.apply_index_changes.drain("benchmark")
    await services.knowledge.embed_passages.drain("benchmark")
    await services.ports.index.optimize()
