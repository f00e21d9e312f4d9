"""/console/knowledge/conflicts: sentences that contradict each other, what speaks for each, and which of them holds."""

from __future__ import annotations

from typing import Any, Final

from attrs import frozen
from litestar import Response, get, post
from litestar.params import FromPath

from contentgen_core.errors import InvalidInput
from contentgen_core.model.conflict import Conflict, ConflictState, Decision, Side, SideName
from contentgen_core.model.ids import ConflictId
from contentgen_core.ports.repositories.articles import ArticleTitle
from contentgen_core.use_cases.conflicts.manage_conflicts import ConflictPage, ShownConflict
from contentgen_http.api.requests import path_id
from contentgen_http.console.pages.knowledge.shared import PER_PAGE, KnowledgePage, address
from contentgen_http.console.rendering import to
from contentgen_http.console.visit import Visit

CONFLICTS: Final = "/console/knowledge/conflicts"
_DECISIONS: Final = {
    "one": (Decision.PREFER, SideName.ONE),
    "other": (Decision.PREFER, SideName.OTHER),
    "both": (Decision.BOTH, None),
    "dismiss": (Decision.DISMISS, None),
}


@frozen
class ShownSide:
    """A side with what speaks for it. `before`, `value`, `after`: its sentence around the words that differ."""

    name: SideName
    side: Side
    articles: tuple[ArticleTitle, ...]
    newer: bool
    more_independent: bool
    preferred: bool

    @property
    def before(self) -> str:
        return self.side.sentence[: self.side.value.start]

    @property
    def value(self) -> str:
        return self.side.sentence[self.side.value.start : self.side.value.end]

    @property
    def after(self) -> str:
        return self.side.sentence[self.side.value.end :]


class ConflictPages(KnowledgePage):
    @get("/knowledge/conflicts")
    async def conflicts(self, request: Visit) -> Response[str]:
        asked = request.query_params
        niches = await self.niches(request)
        keys = [niche.niche_key for niche in niches]
        niche = asked.get("niche", "") if asked.get("niche", "") in keys else next(iter(keys), "")
        state = asked.get("state", ConflictState.OPEN)
        wanted = ConflictState(state) if state in set(ConflictState) else None
        before = asked.get("before", "")[:100]
        found = ConflictPage(None)
        if niche:
            page = self.services.knowledge.conflicts.page
            found = await page(request.user.caller, niche, wanted, ConflictId(before) if before else None, PER_PAGE + 1)
        shown = found.conflicts[:PER_PAGE]
        return self.show(
            request,
            "knowledge/conflicts.html",
            niches=niches,
            niche=niche,
            state="" if wanted is None else wanted.value,
            states=list(ConflictState),
            search=found.search,
            counts=found.counts or {},
            conflicts=[(one.conflict, _sides(one)) for one in shown],
            older=shown[-1].conflict.id if len(found.conflicts) > PER_PAGE else "",
        )

    @get("/knowledge/conflicts/search")
    async def searching(self, request: Visit) -> Response[str]:
        """The part of the page that says how a search goes."""
        niche = request.query_params.get("niche", "")
        found = await self.services.knowledge.conflicts.page(request.user.caller, niche, None, None, 1)
        return self.show(request, "knowledge/conflict_search_part.html", search=found.search, niche=niche, polled=True)

    @post("/knowledge/conflicts/search")
    async def search(self, request: Visit) -> Response[Any]:
        form = await self.form(request)
        search = await self.services.knowledge.conflicts.run(request.user.caller, form.text("niche"))
        return to(address(CONFLICTS, niche=search.niche_key), "note-conflicts-searched")

    @post("/knowledge/conflicts/{id:str}/decide")
    async def decide(self, request: Visit, id: FromPath[str]) -> Response[Any]:
        form = await self.form(request)
        if (chosen := _DECISIONS.get(form.text("decision"))) is None:
            raise InvalidInput.of("decision", f"one of {', '.join(_DECISIONS)}")
        conflict_id = ConflictId(path_id("conflict", id))
        decide = self.services.knowledge.conflicts.decide
        decided = await decide(request.user.caller, form.text("niche"), conflict_id, *chosen)
        return to(address(CONFLICTS, niche=decided.conflict.niche_key, state=form.text("state")), "note-decided")


def _sides(shown: ShownConflict) -> list[ShownSide]:
    conflict: Conflict = shown.conflict
    return [
        ShownSide(
            name,
            side,
            tuple(shown.citing[name]),
            newer=conflict.newer is name,
            more_independent=conflict.more_independent is name,
            preferred=conflict.preferred is name,
        )
        for name, side in ((SideName.ONE, conflict.one), (SideName.OTHER, conflict.other))
    ]
