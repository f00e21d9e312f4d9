"""What a claim costs where one tenant has a long backlog: only indexes are read, and not more of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from contentgen_adapters.postgres.repositories import jobs
from contentgen_core.model.job import LIGHT, SYNCS, Claimable, JobKind
from contentgen_core.testing.runtime import MOMENT
from tests.support.superuser import as_superuser

BACKLOG = 20_000
TENANTS = 200
OF_ARTICLES = sorted(kind.value for kind in frozenset(JobKind) - LIGHT - SYNCS)


def _given(conninfo: str, backlog: int) -> None:
    """A backlog of one tenant, one waiting job of each other, and posts of all that are due next month."""
    with psycopg.connect(as_superuser(conninfo)) as connection:
        connection.execute("SET session_replication_role = replica")  # the tenants themselves matter to no plan
        for name, kind, count, of, at in (
            ("greedy", JobKind.GENERATE_ARTICLE, backlog, "'tenant0'", "-1 hour"),
            ("others", JobKind.TRANSLATE, TENANTS, "'tenant' || n", "-1 minute"),
            ("posts", JobKind.PUBLISH_SCHEDULED, TENANTS * 20, f"'tenant' || n %% {TENANTS}", "30 days"),
        ):
            connection.execute(
                "INSERT INTO jobs (id, kind, tenant_id, subject_id, run_at, state, attempts)"
                f" SELECT %(name)s || '-' || n, %(kind)s, {of}, 'subject' || n, %(now)s + n * interval '1 ms'"
                " + %(at)s::interval, 'queued', 0 FROM generate_series(1, %(count)s) n ON CONFLICT DO NOTHING",
                {"name": name, "kind": kind.value, "now": MOMENT, "at": at, "count": count},
            )
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE jobs")


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", []):
        yield from _nodes(part)


def _run(conninfo: str, query: str) -> tuple[list[dict[str, Any]], int]:
    """The nodes of the plan as it was carried out, and how many pages it read. Nothing is kept."""
    parameters = {
        "kinds": OF_ARTICLES,
        "now": MOMENT + timedelta(hours=1),
        "leased_until": MOMENT,
        "worker": "w",
        "limit": 4,
        "share": 12,
        "after": "tenant1",
    }
    with psycopg.connect(conninfo) as connection:
        found = connection.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {query}", parameters).fetchone()
        connection.rollback()
    assert found is not None
    plan = (found[0] if isinstance(found[0], list) else json.loads(found[0]))[0]["Plan"]
    return list(_nodes(plan)), plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]


@pytest.mark.parametrize(
    "query",
    [jobs._claim(frozenset({Claimable.WAITING})), jobs._claim(frozenset(Claimable)), jobs._DISPATCH],
    ids=["waiting", "all", "dispatch"],
)
def test_a_long_backlog_costs_the_others_nothing(emptied_postgres: Callable[[], str], query: str) -> None:
    conninfo = emptied_postgres()
    _given(conninfo, BACKLOG)
    nodes, pages = _run(conninfo, query)
    assert {node.get("Index Name") for node in nodes} >= {"jobs_in_turn"}
    read = [node for node in nodes if node.get("Relation Name") == "jobs"]
    assert not [node for node in read if node["Node Type"] == "Seq Scan"]
    assert max(node["Actual Rows"] * node["Actual Loops"] for node in read) <= 4 * TENANTS
    _given(conninfo, 2 * BACKLOG)
    _, of_twice_as_many = _run(conninfo, query)
    assert of_twice_as_many < 1.3 * pages
