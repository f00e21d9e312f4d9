"""POST /writer/{id}/verify: a new receipt for the whole text of an article."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from attrs import evolve

from contentgen_core.errors import ConcurrentChange, Conflict
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.articles.check_text import CheckText
from contentgen_core.use_cases.articles.grounding_receipt import CheckedReceipt, GroundingReceipt
from contentgen_core.use_cases.use_case import use_case

ATTEMPTS: Final = 3


class NothingToVerify(Conflict):
    """The article has no text, or one that is being written, or no sources to check it against."""

    code = "nothing_to_verify"


@use_case
class VerifyArticle:
    unit_of_work: UnitOfWork
    check_text: CheckText
    receipt: GroundingReceipt
    clock: Clock

    async def __call__(self, caller: Caller, article_id: ArticleId) -> CheckedReceipt:
        """The stored receipt, compared with the present knowledge base. Raises NotPermitted, NotFound, NothingToVerify,
        ConcurrentChange when the article goes on changing."""
        require_role(caller, Role.EDITOR)
        for _ in range(ATTEMPTS - 1):
            with suppress(ConcurrentChange):
                return await self._verify(caller, article_id)
        return await self._verify(caller, article_id)

    async def _verify(self, caller: Caller, article_id: ArticleId) -> CheckedReceipt:
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(caller.tenant_id, article_id)
        if article.status is ArticleStatus.GENERATING or not article.content.strip():
            raise NothingToVerify("The article has no text yet that could be verified.")
        checked = await self.check_text(article, article.content, former=None)
        if checked.grounding is None:
            raise NothingToVerify("The article has no sources that its text could be verified against.")
        async with self.unit_of_work() as tx:
            await tx[Articles].save(
                evolve(
                    article,
                    grounding=checked.grounding,
                    voice_deviations=checked.voice_deviations,
                    updated_at=self.clock.now(),
                )
            )
        return await self.receipt(caller, article_id)
