"""GET /writer/translate-credits, and the credits in every answer on translations."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from contentgen_core.model.ids import TranslationId
from contentgen_core.model.tenant import Caller, Quota
from contentgen_core.model.translation import Translation
from contentgen_core.policies.tenancy.quotas import limit_of, month_resets_at
from contentgen_core.ports.repositories.quotas import Quotas
from contentgen_core.ports.repositories.translations import Translations
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.quota import counted_window
from contentgen_core.use_cases.use_case import use_case


@frozen
class Credits:
    """The credits of the present month. `limit`: None is unlimited, 0 where the plan includes none."""

    limit: int | None
    used: int
    resets_at: datetime

    @property
    def remaining(self) -> int | None:
        return None if self.limit is None else max(0, self.limit - self.used)


async def credits_of(tx: Transaction, caller: Caller, now: datetime) -> Credits:
    """Return the tenant's credits in the month of `now`."""
    quota = Quota.TRANSLATION_CREDITS
    used = await tx[Quotas].used(caller.tenant_id, quota, counted_window(quota, now))
    return Credits(limit_of(caller.plan, quota), used, month_resets_at(now))


@use_case
class ReadTranslations:
    unit_of_work: UnitOfWork
    clock: Clock

    async def credits(self, caller: Caller) -> Credits:
        async with self.unit_of_work() as tx:
            return await credits_of(tx, caller, self.clock.now())

    async def get(self, caller: Caller, translation_id: str) -> Translation:
        """Raises NotFound, also for another tenant's."""
        async with self.unit_of_work() as tx:
            return await tx[Translations].get(caller.tenant_id, TranslationId(translation_id))
