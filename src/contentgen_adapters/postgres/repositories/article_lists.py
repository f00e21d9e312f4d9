"""The SQL of the list of articles.

A total comes from `article_counts`, which triggers keep in the transaction of each change, so that a page costs the
same however many there are. What a search finds has to be counted: a word that stands in each of 100,000 articles takes
0.3 s."""

# ruff: noqa: S608 - the SQL is put together from this module's own constants; values are always parameters

from __future__ import annotations

from functools import cache
from typing import Final

from contentgen_core.ports.repositories.articles import SortBy

Filters = tuple[bool, bool, bool, bool, bool]
"""Whether a niche, statuses, words, a state of approval and a language are asked for."""

DEEP_FROM: Final = 1_000
"""Articles passed over from which their order is read from the index alone, and the articles of the page after that."""

_SORTED: Final = {
    SortBy.CREATED_AT: "created_at",
    SortBy.UPDATED_AT: "updated_at",
    SortBy.PUBLISHED_AT: "published_at",
}


@cache
def total(filters: Filters) -> str:
    """How many there are, as a sub-select."""
    _, _, searched, _, _ = filters
    if searched:
        return f"(SELECT count(*) FROM articles {_where(filters)})"
    return f"(SELECT coalesce(sum(articles), 0)::bigint FROM article_counts {_where(filters)})"


@cache
def list_query(columns: str, filters: Filters, sort_by: SortBy, descending: bool, deep: bool) -> str:
    """Rows of these columns and the total in one round trip. The total stands first in each: a sub-select, computed
    once."""
    direction = "DESC" if descending else "ASC"
    # Where a date is always there, saying where NULLs go would only hide the index from the planner.
    nulls = " NULLS LAST" if sort_by is SortBy.PUBLISHED_AT else ""
    order = f"ORDER BY {_SORTED[sort_by]} {direction}{nulls}, id {direction}"
    page = f"{order} LIMIT %(limit)s OFFSET %(offset)s"
    _, _, searched, _, _ = filters
    if searched:
        # All that is found, once: it has to be counted, and a rare word among many articles would be looked for in
        # each of them if the planner hoped to meet twenty in their order soon.
        found = f"SELECT id, {_SORTED[sort_by]} FROM articles {_where(filters)}"
        return (
            f"WITH found AS MATERIALIZED ({found}), chosen AS MATERIALIZED (SELECT id FROM found {page})"
            f" SELECT (SELECT count(*) FROM found), {columns} FROM chosen JOIN articles USING (id) {order}"
        )
    chosen = f"FROM articles {_where(filters)} {page}"
    if deep:
        return (
            f"WITH chosen AS MATERIALIZED (SELECT id {chosen})"
            f" SELECT {total(filters)}, {columns} FROM chosen JOIN articles USING (id) {order}"
        )
    return f"SELECT {total(filters)}, {columns} {chosen}"


def _where(filters: Filters) -> str:
    of_niche, of_status, searched, of_approval, of_language = filters
    return (
        "WHERE tenant_id = %(tenant_id)s"
        + (" AND niche_key = %(niche_key)s" if of_niche else "")
        + (" AND status = ANY(%(statuses)s)" if of_status else "")
        + (" AND words @@ %(prefixes)s::tsquery" if searched else "")
        # The second condition is the index's own, which the planner cannot tell from a parameter.
        + (" AND approval_state = %(approval)s AND approval_state <> 'none'" if of_approval else "")
        + (" AND language = %(language)s" if of_language else "")
    )
