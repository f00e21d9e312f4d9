"""GET /kb/{nicheKey}/conflicts, its search, and POST /kb/{nicheKey}/conflicts/{id}/decide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Final

from attrs import evolve, frozen

from contentgen_core.concurrency import retry_overtaken
from contentgen_core.errors import AlreadyExists, ConcurrentChange, Conflict, FieldError, InvalidInput, NotFound
from contentgen_core.model import conflict as model
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.conflict import ConflictSearch, ConflictState, Decision, Side, SideName
from contentgen_core.model.ids import ConflictId, ConflictSearchId, JobId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.policies.text.verbatim import find_verbatim
from contentgen_core.ports.repositories.articles import Articles, ArticleTitle, CitingArticle
from contentgen_core.ports.repositories.conflicts import Conflicts, ConflictSearches
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.runtime import Clock, Ids
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.context import context_of_niche
from contentgen_core.use_cases.use_case import use_case
from contentgen_core.use_cases.webhooks.events import record_conflict_decided

MAX_CONFLICTS: Final = 50
"""Of one answer."""
MAX_ARTICLES: Final = 20
"""That are shown as citing a sentence."""
DEBOUNCE: Final = timedelta(minutes=1)
"""How long after the first change of a knowledge base it is searched: imports come in many parts."""
BATCH: Final = 50


class ConflictOutdated(Conflict):
    """One of the sentences of the conflict is no longer there."""

    code = "conflict_outdated"


@frozen
class ShownConflict:
    """A conflict with the articles that rest on its sentences, the newest MAX_ARTICLES of each."""

    conflict: model.Conflict
    citing: Mapping[SideName, Sequence[ArticleTitle]]


@frozen
class ConflictPage:
    """`search`: None before a niche was first searched. `counts`: how many there are in each state."""

    search: ConflictSearch | None
    conflicts: tuple[ShownConflict, ...] = ()
    counts: Mapping[ConflictState, int] | None = None


@use_case
class ManageConflicts:
    unit_of_work: UnitOfWork
    clock: Clock
    ids: Ids

    async def page(
        self, caller: Caller, niche: str, state: ConflictState | None, before: ConflictId | None, limit: int
    ) -> ConflictPage:
        """Newest first, MAX_CONFLICTS at most. `niche`: its key or id. Raises NotFound unless it is activated."""
        async with self.unit_of_work() as tx:
            key = (await context_of_niche(tx, caller.tenant_id, niche)).niche.niche_key
            search = await tx[ConflictSearches].of_niche(caller.tenant_id, key)
            if search is None:
                return ConflictPage(None)
            found = await tx[Conflicts].page(search.id, state, before, min(limit, MAX_CONFLICTS))
            shown = await _add_articles(tx, caller, key, found)
            return ConflictPage(search, tuple(shown), await tx[Conflicts].count(search.id))

    async def open(self, caller: Caller, limit: int) -> list[model.Conflict]:
        """Return the conflicts of all niches that wait for a person, newest first, MAX_CONFLICTS at most."""
        async with self.unit_of_work() as tx:
            return await tx[Conflicts].open(caller.tenant_id, min(limit, MAX_CONFLICTS))

    async def run(self, caller: Caller, niche: str) -> ConflictSearch:
        """Search now, and from now on whenever the knowledge base changes; a search under way goes on. Raises
        NotPermitted, NotFound, ConcurrentChange."""
        require_role(caller, Role.EDITOR)

        async def begun() -> ConflictSearch:
            async with self.unit_of_work() as tx:
                found = (await context_of_niche(tx, caller.tenant_id, niche)).niche
                search = await tx[ConflictSearches].of_niche(caller.tenant_id, found.niche_key)
                if search is None:
                    id = ConflictSearchId(self.ids.new())
                    search = ConflictSearch(id, caller.tenant_id, found.id, found.niche_key, self.clock.now())
                    await tx[ConflictSearches].add(search)
                return await self._start_search(tx, search)

        try:
            return await retry_overtaken(begun)
        except AlreadyExists:  # another request began it meanwhile
            return await retry_overtaken(begun)

    async def decide(
        self, caller: Caller, niche: str, conflict_id: ConflictId, decision: Decision, prefer: SideName | None = None
    ) -> ShownConflict:
        """Decide a conflict; a later decision replaces it. `prefer`: with PREFER, and only then. Raises InvalidInput,
        NotPermitted, NotFound, ConflictOutdated, ConcurrentChange."""
        require_role(caller, Role.EDITOR)
        if (decision is Decision.PREFER) is (prefer is None):
            raise InvalidInput(FieldError("prefer", "one or other with the decision prefer, and only with it"))
        async with self.unit_of_work() as tx:
            key = (await context_of_niche(tx, caller.tenant_id, niche)).niche.niche_key
            found = await tx[Conflicts].get(caller.tenant_id, conflict_id)
            if found.niche_key != key:
                raise NotFound("conflict", conflict_id)
            if found.state is ConflictState.OUTDATED:
                raise ConflictOutdated("One of the sentences is no longer there.")
            decided = evolve(
                found,
                state=ConflictState.DECIDED,
                decision=decision,
                preferred=prefer,
                decided_by=caller.user_id,
                decided_at=self.clock.now(),
            )
            saved = await tx[Conflicts].save(decided)
            await record_conflict_decided(tx, saved, self.clock.now())
            [shown] = await _add_articles(tx, caller, key, [saved])
            return shown

    async def fire_due(self) -> None:
        """Begin the searches that are due, of all tenants; each begins once, whatever number of processes asks."""
        while True:
            async with self.unit_of_work() as tx:
                due = await tx[ConflictSearches].due(self.clock.now() - DEBOUNCE, BATCH)
            for search in due:
                with suppress(ConcurrentChange, NotFound):
                    async with self.unit_of_work() as tx:
                        await self._start_search(tx, search)
            if len(due) < BATCH:
                return

    async def _start_search(self, tx: Transaction, search: ConflictSearch) -> ConflictSearch:
        if search.job_id is not None:
            return search
        now = self.clock.now()
        job = Job(JobId(self.ids.new()), JobKind.FIND_CONFLICTS, search.tenant_id, search.id, run_at=now)
        await tx[Jobs].enqueue(job)
        return await tx[ConflictSearches].save(evolve(search, job_id=job.id))


async def _add_articles(
    tx: Transaction, caller: Caller, niche_key: str, conflicts: Sequence[model.Conflict]
) -> list[ShownConflict]:
    sources = {side.source: None for c in conflicts for side in (c.one, c.other)}
    citing = await tx[Articles].citing(caller.tenant_id, niche_key, list(sources)) if sources else []
    by_source: dict[SourceRef, list[CitingArticle]] = {}
    for found in citing:
        by_source.setdefault(found.source, []).append(found)
    return [
        ShownConflict(
            conflict,
            {
                SideName.ONE: _resting_on(conflict.one, by_source.get(conflict.one.source, ())),
                SideName.OTHER: _resting_on(conflict.other, by_source.get(conflict.other.source, ())),
            },
        )
        for conflict in conflicts
    ]


def _resting_on(side: Side, citing: Iterable[CitingArticle]) -> list[ArticleTitle]:
    found = {it.article.id: it.article for it in citing if any(_overlap(quote, side.sentence) for quote in it.quotes)}
    return list(found.values())[:MAX_ARTICLES]


def _overlap(quote: str, sentence: str) -> bool:
    return find_verbatim(quote, sentence) is not None or find_verbatim(sentence, quote) is not None
