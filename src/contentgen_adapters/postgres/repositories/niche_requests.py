"""Wishes for niches."""

from __future__ import annotations

from contentgen_adapters.postgres.digests import digest
from contentgen_adapters.postgres.repository import repository
from contentgen_adapters.postgres.session import Session
from contentgen_core.errors import Conflict
from contentgen_core.model.ids import NicheRequestId
from contentgen_core.model.niche import NicheRequest
from contentgen_core.policies.topics.validation import topic_key
from contentgen_core.ports.repositories.niches import NicheRequests


@repository(NicheRequests)
class PostgresNicheRequests:
    def __init__(self, session: Session) -> None:
        self._session = session

    async def put(self, request: NicheRequest, limit: int) -> NicheRequestId:
        # One at a time for each tenant, so that nobody counts what somebody else is about to add.
        await self._session.write(
            "SELECT pg_advisory_xact_lock(hashtextextended('niche requests ' || %s, 0))", (request.tenant_id,)
        )
        rows = await self._session.write(
            "INSERT INTO niche_requests AS r (id, tenant_id, name, name_digest, description, created_at)"
            " VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT ON CONSTRAINT niche_requests_name_unique DO UPDATE"
            " SET description = coalesce(excluded.description, r.description) RETURNING id",
            (
                request.id,
                request.tenant_id,
                request.name,
                digest(topic_key(request.name)),
                request.description,
                request.created_at,
            ),
        )
        if rows[0][0] == request.id:
            counted = await self._session.read(
                "SELECT count(*) FROM niche_requests WHERE tenant_id = %s", (request.tenant_id,)
            )
            if counted[0][0] > limit:
                raise Conflict(f"There are {limit} requests already.")
        return NicheRequestId(rows[0][0])

    async def list(self, limit: int) -> list[NicheRequest]:
        rows = await self._session.read(
            "SELECT id, tenant_id, name, created_at, description FROM niche_requests"
            " ORDER BY created_at DESC, id DESC LIMIT %s",
            (limit,),
        )
        return [NicheRequest(*row) for row in rows]
