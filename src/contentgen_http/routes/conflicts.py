"""Conflicts of a knowledge base."""

from __future__ import annotations

from typing import Final

from litestar import Controller
from litestar.params import FromPath
from msgspec import UNSET

from contentgen_core import errors
from contentgen_core.model.ids import ConflictId
from contentgen_http.api.operation import operation
from contentgen_http.api.requests import TenantRequest, path_id, read_body, read_query
from contentgen_http.services import Services
from contentgen_http.wire.conflicts import ConflictDecision, ConflictList, ConflictQuery, ConflictSearch, KbConflict

TAG: Final = "Knowledge base"


def conflict_id(text: str) -> ConflictId:
    return ConflictId(path_id("conflict", text))


class ConflictRoutes(Controller):
    services: Services

    @operation(
        "GET",
        "/kb/{nicheKey:str}/conflicts",
        tag=TAG,
        query=ConflictQuery,
        answer=ConflictList,
        raises=(errors.NotFound,),
    )
    async def list_conflicts(self, request: TenantRequest, nicheKey: FromPath[str]) -> ConflictList:
        """List sentences of a knowledge base that contradict each other.

        Each with both sentences and their documents, which was said later, which more independent documents say, and
        the articles that rest on them. Those that wait for a decision have the state open.
        """
        query = read_query(request, ConflictQuery)
        state = None if query.state is UNSET else query.state
        before = None if query.before is UNSET else conflict_id(query.before)
        conflicts = self.services.knowledge.conflicts
        return ConflictList.of(
            await conflicts.page(request.user, path_id("niche", nicheKey), state, before, query.limit)
        )

    @operation(
        "POST",
        "/kb/{nicheKey:str}/conflicts/run",
        tag=TAG,
        answer=ConflictSearch,
        raises=(errors.NotPermitted, errors.NotFound, errors.ConcurrentChange),
    )
    async def run_conflict_search(self, request: TenantRequest, nicheKey: FromPath[str]) -> ConflictSearch:
        """Search a knowledge base for conflicts.

        What is new or changed is compared with what is near it in meaning. From the first time on this happens by
        itself as well, a minute after the knowledge base changed. `last` counts what was done once `running` is false.
        """
        conflicts = self.services.knowledge.conflicts
        return ConflictSearch.of(await conflicts.run(request.user, path_id("niche", nicheKey)))

    @operation(
        "POST",
        "/kb/{nicheKey:str}/conflicts/{id:str}/decide",
        tag=TAG,
        body=ConflictDecision,
        example={"decision": "prefer", "prefer": "other"},
        example_of="With a conflict that is not outdated.",
        answer=KbConflict,
        raises=(errors.NotPermitted, errors.NotFound, errors.Conflict, errors.ConcurrentChange),
    )
    async def decide_conflict(self, request: TenantRequest, nicheKey: FromPath[str], id: FromPath[str]) -> KbConflict:
        """Decide a conflict.

        Articles that are written from now on follow it: with prefer they are not written from the sentence of the other
        side. A later decision replaces this one. 409 `conflict_outdated` where a sentence is no longer there.
        """
        body = await read_body(request, ConflictDecision)
        decide = self.services.knowledge.conflicts.decide
        decided = await decide(
            request.user, path_id("niche", nicheKey), conflict_id(id), body.decision, body.preferred()
        )
        return KbConflict.of(decided)
