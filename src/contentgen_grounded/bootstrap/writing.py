"""Choose the providers for writing from texts that a program brings, without external services."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

from attrs import evolve

from contentgen_adapters.shared.processes.pool import ProcessPool
from contentgen_core.services import Ports
from contentgen_grounded.bootstrap.embedding import chosen_embedder
from contentgen_grounded.bootstrap.source_splitting import source_splitter
from contentgen_grounded.bootstrap.writers import writes_by_itself
from contentgen_grounded.settings import Settings


def asks_nobody(settings: Settings) -> bool:
    """Whether no service is called for what the settings choose to write with. Raises BadSetting."""
    return (
        writes_by_itself(settings)
        and settings.embeddings != "openai"
        and settings.reranker == "none"
        and settings.entailment == "none"
    )


@asynccontextmanager
async def chosen_to_write(settings: Settings, ports: Ports) -> AsyncIterator[Ports]:
    """The ports with the embedder of the settings, of which `asks_nobody` holds, and processes that split large
    imports; both end with the block. Raises NotConfigured, UnreadableFile."""
    async with aclosing(ProcessPool()) as pool, chosen_embedder(settings, None, apart=False) as embeds:
        yield evolve(ports, embedder=embeds.embedder, embedder_note=embeds.note, source_splitter=source_splitter(pool))
