"""The strongest entities of a view, from the sums that triggers keep for each scope in the order of their strength."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from typing import Final

from contentgen_adapters.postgres.repositories.knowledge_rows import SCOPE_SEEN, view_parameters
from contentgen_adapters.postgres.session import Session
from contentgen_core.model.knowledge import KbView

_MUCH_LARGER: Final = 30
"""So many entities are read in a row in the time in which one is looked up."""

# Scopes that name any, each with those that name more.
_SEEN: Final = (
    "SELECT s.id, c.entities, array_agg(s.id) OVER (ORDER BY c.entities DESC, s.id"
    " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS larger"
    f" FROM kb_scopes s JOIN kb_entity_counts c ON c.scope_id = s.id WHERE c.entities > 0 AND {SCOPE_SEEN}"
)
_SCOPES: Final = "scope_id = ANY(ARRAY(SELECT id FROM seen))"
# As many of each scope as are asked for: the weakest of so many best is at least as strong in the view.
_FIRST: Final = (
    "SELECT key FROM seen CROSS JOIN LATERAL (SELECT key FROM kb_entity_sums WHERE scope_id = seen.id"
    " ORDER BY strength DESC, key LIMIT %(limit)s) AS s"
)
_WEAKEST: Final = (
    f"SELECT sum(passages) AS passages FROM kb_entity_sums WHERE {_SCOPES} AND key = ANY(ARRAY(SELECT key FROM first))"
    " GROUP BY key ORDER BY 1 DESC LIMIT 1 OFFSET %(limit)s - 1"
)
# Whatever else is as strong has its share of that in one of the scopes. In a single scope the first ones are the
# strongest if they end with those of one passage: of the others the order tells half from twice as many only.
_MORE: Final = (
    "SELECT s.key FROM weakest JOIN kb_entity_sums s ON strength >= kb_entity_strength("
    "ceil(weakest.passages / (SELECT count(*) FROM seen))::bigint, 0)"
    f" WHERE {_SCOPES} AND (weakest.passages > 1 OR (SELECT count(*) FROM seen) > 1)"
)
# Where the others are small beside the largest scope, those that it has and those of each other one that no larger one
# has, looked up one by one; else each key once.
_LOOKED_UP: Final = (
    "SELECT max(entities) + (SELECT count(*) FILTER (WHERE NOT EXISTS ("
    "SELECT FROM kb_entity_sums AS l WHERE l.scope_id = ANY(seen.larger) AND l.key = s.key))"
    " FROM seen JOIN kb_entity_sums AS s ON s.scope_id = seen.id WHERE seen.larger IS NOT NULL) FROM seen"
)
_TOTAL: Final = (
    f"SELECT CASE WHEN sum(entities) - max(entities) < max(entities) / {_MUCH_LARGER} THEN ({_LOOKED_UP})"
    f" ELSE (SELECT count(*) FROM (SELECT FROM kb_entity_sums WHERE {_SCOPES} GROUP BY key) AS each) END FROM seen"
)
_STRONGEST: Final = (
    f"WITH seen AS MATERIALIZED ({_SEEN}), first AS MATERIALIZED ({_FIRST}), weakest AS MATERIALIZED ({_WEAKEST})"
    f" SELECT key, ({_TOTAL}) FROM kb_entity_sums"
    f" WHERE {_SCOPES} AND key = ANY(ARRAY(SELECT key FROM first UNION {_MORE}))"
    " GROUP BY key ORDER BY sum(passages) DESC, sum(mentions) DESC, key LIMIT %(limit)s"
)


async def strongest_keys(session: Session, view: KbView, limit: int) -> tuple[list[str], int]:
    """Of at most `limit` entities, the strongest first; and how many there are in all."""
    rows = await session.read(_STRONGEST, {**view_parameters(view), "limit": limit})
    return [key for key, _ in rows], rows[0][1] if rows else 0
