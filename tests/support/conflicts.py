"""A conflict, for tests of what another tenant may not know of."""

from __future__ import annotations

from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.conflict import Conflict, ConflictKind, ConflictSearch, Side
from contentgen_core.model.ids import ConflictId, TenantId
from contentgen_core.model.knowledge import Origin
from contentgen_core.model.text import Span
from contentgen_core.ports.repositories.conflicts import Conflicts, ConflictSearches
from contentgen_core.testing.runtime import MOMENT
from tests.support.house import House


async def given_conflict(house: House, tenant_id: TenantId, niche_key: str) -> ConflictId:
    """Add a conflict to a niche that was searched already."""
    id = ConflictId(house.services.ports.ids.new())
    async with house.services.ports.unit_of_work() as tx:
        search = await tx[ConflictSearches].of_niche(tenant_id, niche_key)
        assert search is not None
        await tx[Conflicts].add([_conflict(id, search)])
    return id


def _conflict(id: ConflictId, search: ConflictSearch) -> Conflict:
    sides = [
        Side(
            source=SourceRef(name, 0),
            span=Span(0, len(sentence)),
            sentence=sentence,
            value=Span(8, 9),
            title="Grants",
            url=None,
            published=None,
            known_at=MOMENT,
            origin=Origin.IMPORT,
            site=name,
            content_hash=name,
        )
        for name, sentence in (("one", "It pays 4 pounds."), ("other", "It pays 2 pounds."))
    ]
    return Conflict(id, search.tenant_id, search.id, search.niche_key, id, ConflictKind.FIGURE, *sides, found_at=MOMENT)
