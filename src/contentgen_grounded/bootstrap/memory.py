"""The core over memory: for programs that embed it, for the command `write`, and for tests."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from attrs import evolve

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_core.ports.content_model import ContentModel, TextModel
from contentgen_core.services import CoreServices, Ports
from contentgen_grounded.bootstrap.options import chosen_options
from contentgen_grounded.bootstrap.ports import local_ports
from contentgen_grounded.bootstrap.writers import with_model, writer_over
from contentgen_grounded.bootstrap.writing import asks_nobody, chosen_to_write
from contentgen_grounded.settings import Settings


def memory_ports(secret: bytes | None = None) -> Ports:
    """Return ports over a new, empty memory. `secret`: 32 bytes or more; random bytes if none are given."""
    unit_of_work = MemoryUnitOfWork()
    ports = local_ports(unit_of_work, secret or secrets.token_bytes(32))
    return evolve(ports, agent_event_wake_ups=unit_of_work.agent_event_wake_ups)


@asynccontextmanager
async def in_memory(
    settings: Settings | None = None, model: ContentModel | TextModel | None = None
) -> AsyncIterator[CoreServices]:
    """Open all services over a memory that ends with the block.

    `settings`: choose the providers; without settings no provider needs a key. `model`: writes instead of the model
    that the settings choose. Raises BadSetting, NotConfigured, InvalidInput for an object that is not a model.
    """
    from contentgen_grounded.bootstrap.providers import with_chosen_adapters

    settings = settings or Settings()
    async with with_chosen_adapters(settings, memory_ports()) as ports:
        yield await _compose(settings, ports, model)


@asynccontextmanager
async def in_memory_to_write(
    settings: Settings | None = None, model: ContentModel | TextModel | None = None
) -> AsyncIterator[CoreServices]:
    """Open the services that `write_article` and `verify_text` need, over a memory like `in_memory`. Starts quickly
    when no external provider is configured.
    """
    settings = settings or Settings()
    if not asks_nobody(settings):
        async with in_memory(settings, model) as services:
            yield services
        return
    async with chosen_to_write(settings, memory_ports()) as ports:
        yield await _compose(settings, ports, model)


async def _compose(settings: Settings, ports: Ports, model: ContentModel | TextModel | None) -> CoreServices:
    if model is not None:
        ports = with_model(ports, writer_over(model))
    options = evolve(chosen_options(settings, ports.model), provider_wait=timedelta(0))  # its caller waits
    services = CoreServices.compose(ports, options)
    await services.upkeep.catalogue()
    return services
