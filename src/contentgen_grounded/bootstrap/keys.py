"""The keys of an installation, as its database knows them."""

from __future__ import annotations

from contentgen_adapters.postgres.pool import create_pool
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.use_cases.integrations.sealing_keys import AgreeOnSealingKeys
from contentgen_grounded.bootstrap.secrets import agree_on_secret, secret_box
from contentgen_grounded.settings import Settings


async def accept_secret(settings: Settings, conninfo: str) -> None:
    """Make this process's secret the secret of the installation. Raises Unavailable."""
    async with create_pool(conninfo, max_size=2) as pool:
        await agree_on_secret(settings, PostgresUnitOfWork(pool), accept=True)


async def check_keys(settings: Settings, conninfo: str) -> None:
    """Whether this process has the installation's keys. Raises BadSetting, NotConfigured, Unavailable."""
    async with create_pool(conninfo, max_size=2) as pool:
        unit_of_work = PostgresUnitOfWork(pool)
        await agree_on_secret(settings, unit_of_work)
        await AgreeOnSealingKeys(unit_of_work, secret_box(settings))()
