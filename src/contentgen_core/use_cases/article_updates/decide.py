"""Reading updates of articles, and POST /article-updates/{id}/accept and /reject."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import evolve

from contentgen_core.errors import Conflict, FieldError, InvalidInput
from contentgen_core.model.article_update import ArticleUpdate, UpdateState
from contentgen_core.model.article_version import VersionCause
from contentgen_core.model.ids import ArticleId, ArticleUpdateId
from contentgen_core.model.publication import Publication
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.model.webhook import WebhookEventType
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.ports.repositories.article_updates import ArticleUpdates
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.article_updates.apply_translation import ApplyTranslation
from contentgen_core.use_cases.articles.patch import (
    AcceptedPatch,
    ArticleChanged,
    Decision,
    PatchArticle,
    chosen_sentences,
)
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.versions.keep_versions import keep_version
from contentgen_core.use_cases.webhooks.events import record_new_text, record_update_event

MAX_UPDATES: Final = 50
"""Of one answer."""
MAX_FOLLOWING: Final = 1_000
"""Updates of translations that an answer takes into account."""


class UpdateDecided(Conflict):
    """The update of the article was decided already, or is outdated."""

    code = "update_decided"


@use_case
class DecideUpdate:
    unit_of_work: UnitOfWork
    patch: PatchArticle
    translation: ApplyTranslation
    clock: Clock

    async def get(self, caller: Caller, update_id: ArticleUpdateId) -> ArticleUpdate:
        """Raises NotFound."""
        async with self.unit_of_work() as tx:
            return await tx[ArticleUpdates].get(caller.tenant_id, update_id)

    async def page(
        self, caller: Caller, state: UpdateState | None, before: ArticleUpdateId | None, limit: int
    ) -> list[ArticleUpdate]:
        """Newest first, MAX_UPDATES at most."""
        async with self.unit_of_work() as tx:
            return await tx[ArticleUpdates].page(caller.tenant_id, state, before, min(limit, MAX_UPDATES))

    async def of_article(self, caller: Caller, article_id: ArticleId, limit: int) -> list[ArticleUpdate]:
        """Return the article's updates, newest first, MAX_UPDATES at most. Raises NotFound."""
        async with self.unit_of_work() as tx:
            found = await tx[ArticleUpdates].newest(caller.tenant_id, article_id, min(limit, MAX_UPDATES))
            if not found:
                await tx[Articles].listed(caller.tenant_id, article_id)  # an update goes with its article
            return found

    async def of_translations(
        self, caller: Caller, updates: Sequence[ArticleUpdate]
    ) -> dict[ArticleUpdateId, list[ArticleUpdate]]:
        """Return the newest update of each translation that follows one of these, by the id of the followed update."""
        async with self.unit_of_work() as tx:
            found = await tx[ArticleUpdates].following(caller.tenant_id, [u.id for u in updates], MAX_FOLLOWING)
        newest: dict[ArticleUpdateId, dict[ArticleId, ArticleUpdate]] = {}
        for update in found:
            if update.original is not None and update.original.update_id is not None:
                newest.setdefault(update.original.update_id, {}).setdefault(update.article_id, update)
        return {id: list(of_one.values()) for id, of_one in newest.items()}

    async def accept(
        self,
        caller: Caller,
        update_id: ArticleUpdateId,
        accepted: Sequence[AcceptedPatch] | None = None,
        *,
        publish: bool = False,
        automatic: bool = False,
    ) -> ArticleUpdate:
        """Write these sentences (None: all that are proposed) into the article, in one transaction with the decision,
        and with the requests for the posts that are out if they are to follow.

        Raises InvalidInput, NotPermitted, NotFound, UpdateDecided (also where article or sources changed since, which
        outdates the update), NothingToPatch, ConcurrentChange, NotConfigured."""
        require_role(caller, Role.EDITOR)
        update = await self._open(caller, update_id)
        own = update.checked if automatic else update.proposed
        chosen = [AcceptedPatch(change.position) for change in own] if accepted is None else accepted
        if not chosen:
            raise InvalidInput(FieldError("sentences", "nothing is proposed by itself: write what is to be said"))

        applied: ArticleUpdate | None = None

        async def settle(tx: Transaction, updating: Sequence[Publication]) -> None:
            nonlocal applied
            decided = evolve(
                self._decide(caller, update, UpdateState.APPLIED, automatic=automatic),
                applied=tuple(sorted(patch.position for patch in chosen)),
                updating=tuple(publication.id for publication in updating),
            )
            applied = await tx[ArticleUpdates].save(decided)
            await record_update_event(tx, WebhookEventType.UPDATE_ACCEPTED, applied, self.clock.now())

        decision = Decision(update, settle, automatic)
        try:
            if update.original is None:
                await self.patch(caller, update.article_id, chosen, publish=publish, decision=decision)
            else:
                await self._apply_translation(caller, decision, chosen, publish=publish)
        except ArticleChanged as error:
            async with self.unit_of_work() as tx:
                outdated = evolve(update, state=UpdateState.OUTDATED, decided_at=self.clock.now())
                await tx[ArticleUpdates].save(outdated)
            raise UpdateDecided("The article or its sources changed since. Ask for a new update.") from error
        assert applied is not None, "a patch that was stored was settled"
        return applied

    async def _apply_translation(
        self, caller: Caller, decision: Decision, accepted: Sequence[AcceptedPatch], *, publish: bool
    ) -> None:
        update = decision.update
        chosen = chosen_sentences(update.changes, accepted)
        async with self.unit_of_work() as tx:
            article = await tx[Articles].get(update.tenant_id, update.article_id)
        changed = await self.translation(article, update, chosen)
        async with self.unit_of_work() as tx:
            by = None if decision.automatic else caller.user_id
            await keep_version(tx, changed, VersionCause.UPDATED, by, former=article)
            await tx[Articles].save(changed)
            await record_new_text(tx, article, changed, changed.updated_at)
            updating = await self.patch.request_publication.update_posts(tx, changed) if publish else ()
            await decision.settle(tx, updating)

    async def reject(self, caller: Caller, update_id: ArticleUpdateId) -> ArticleUpdate:
        """Reject an update: the article stays as it is. Raises NotPermitted, NotFound, UpdateDecided,
        ConcurrentChange."""
        require_role(caller, Role.EDITOR)
        update = await self._open(caller, update_id)
        async with self.unit_of_work() as tx:
            rejected = await tx[ArticleUpdates].save(self._decide(caller, update, UpdateState.REJECTED))
            await record_update_event(tx, WebhookEventType.UPDATE_REJECTED, rejected, self.clock.now())
            return rejected

    async def _open(self, caller: Caller, update_id: ArticleUpdateId) -> ArticleUpdate:
        update = await self.get(caller, update_id)
        if update.state is not UpdateState.PROPOSED:
            raise UpdateDecided(f"The update is {update.state.value}.")
        return update

    def _decide(
        self, caller: Caller, update: ArticleUpdate, state: UpdateState, *, automatic: bool = False
    ) -> ArticleUpdate:
        by = None if automatic else caller.user_id
        return evolve(update, state=state, decided_by=by, decided_at=self.clock.now())
