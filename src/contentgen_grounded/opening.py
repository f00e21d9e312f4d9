"""The knowledge base that stays: the core over PostgreSQL and LanceDB, for programs that embed it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path

import msgspec
from attrs import evolve

from contentgen_core.ports.content_model import ContentModel, TextModel
from contentgen_core.services import CoreServices
from contentgen_grounded.bootstrap.options import chosen_options
from contentgen_grounded.bootstrap.writers import with_model, writer_over
from contentgen_grounded.extras import from_extra
from contentgen_grounded.settings import Settings


@asynccontextmanager
async def open_database(
    folder: str | Path,
    *,
    database_url: str | None = None,
    settings: Settings | None = None,
    model: ContentModel | TextModel | None = None,
) -> AsyncIterator[CoreServices]:
    """Open all services over a folder, which is created at the first use and keeps its data. Several programs may have
    it open at once, `contentgen serve --data-dir` among them.

    `folder`: of the search index, the files and keys, and of a private PostgreSQL, which ends with its last user.
    `database_url`: a PostgreSQL of your own (postgresql://…) instead of the private one. `settings`: choose the
    providers, as for `in_memory`. `model`: writes instead of the model that the settings choose.

    Raises MissingExtra without `contentgen-grounded[database]`, EmbeddedPostgresError where the private PostgreSQL does
    not start, MigrationError where the database cannot be reached or is of a newer version, BadSetting, NotConfigured.
    """
    with from_extra("database"):
        from contentgen_grounded.bootstrap.database import database
        from contentgen_grounded.bootstrap.stores import stored_ports
    settings = _with_folder(settings or Settings(), Path(folder), database_url)
    with ExitStack() as stack:
        db = await asyncio.to_thread(stack.enter_context, database(settings))
        await asyncio.to_thread(db.migrate)
        async with stored_ports(settings, db.conninfo) as (ports, _):
            if model is not None:
                ports = with_model(ports, writer_over(model))
            options = chosen_options(settings, ports.model, settings.database_pool // 2)
            services = CoreServices.compose(ports, evolve(options, provider_wait=timedelta(0)))  # its caller waits
            await services.upkeep.catalogue()
            yield services


def _with_folder(settings: Settings, folder: Path, database_url: str | None) -> Settings:
    here = msgspec.structs.replace(settings, data_dir=folder.expanduser().absolute())
    return here if database_url is None else msgspec.structs.replace(here, database_url=database_url)
