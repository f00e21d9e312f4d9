"""What callers see of a PostgreSQL in trouble, and how soon they no longer do."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings, strategies
from psycopg.conninfo import make_conninfo

from contentgen_adapters.postgres import errors
from contentgen_adapters.postgres.embedded import EmbeddedPostgres
from contentgen_adapters.postgres.listen import notifications
from contentgen_adapters.postgres.migrate import migrate
from contentgen_adapters.postgres.pool import ACQUIRE_SECONDS, Pool, create_pool
from contentgen_adapters.postgres.repositories.jobs import CHANNEL
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.errors import ContentgenError, NotFound, Unavailable
from contentgen_core.model.ids import TenantId
from contentgen_core.model.writing import EndedWriting, WritingFigures
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.tenants import Tenants, Users
from contentgen_core.ports.repositories.writing_months import WritingMonths
from contentgen_core.services.database_check import DatabaseCheck
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import ManualClock
from tests.contract.store.given import given as given_rows
from tests.contract.store.given import given_tenant
from tests.support.memory_disk import memory_disk


@pytest.fixture
def own_server() -> Iterator[tuple[EmbeddedPostgres, str]]:
    """A server that a test may stop and start."""
    with tempfile.TemporaryDirectory(prefix="pg", dir=memory_disk(), ignore_cleanup_errors=True) as directory:
        server = EmbeddedPostgres(Path(directory))
        conninfo = server.start()
        migrate(conninfo)
        yield server, conninfo
        server.stop()


@pytest.fixture
async def own_pool(own_server: tuple[EmbeddedPostgres, str]) -> AsyncIterator[Pool]:
    async with create_pool(own_server[1], min_size=4, max_size=6) as pool:
        await pool.wait(5)
        yield pool


class TestAServerThatGoesAway:
    async def test_a_restart_is_not_noticed_by_the_next_transactions(
        self, own_server: tuple[EmbeddedPostgres, str], own_pool: Pool
    ) -> None:
        unit_of_work = PostgresUnitOfWork(own_pool)
        tenant = await given_tenant(unit_of_work)
        await asyncio.to_thread(own_server[0].stop)
        await asyncio.to_thread(own_server[0].start)

        async def read() -> None:
            async with unit_of_work() as tx:
                assert await tx[Tenants].get(tenant.id) == tenant

        began = time.monotonic()
        await asyncio.gather(*(read() for _ in range(12)))
        assert time.monotonic() - began < 4

    async def test_while_it_is_away_callers_are_told_at_once_and_served_when_it_returns(
        self, own_server: tuple[EmbeddedPostgres, str], own_pool: Pool
    ) -> None:
        unit_of_work = PostgresUnitOfWork(own_pool)
        tenant = await given_tenant(unit_of_work)
        await asyncio.to_thread(own_server[0].stop)
        for _ in range(8):  # longer than the pool itself keeps trying
            began = time.monotonic()
            with pytest.raises(Unavailable, match="cannot be reached") as away:
                await given_tenant(unit_of_work)
            assert time.monotonic() - began < 4  # whoever queues for a connection waits five seconds
            assert away.value.retry_after > 0
            await asyncio.sleep(0.5)
        await asyncio.to_thread(own_server[0].start)
        await asyncio.sleep(0.25)
        began = time.monotonic()
        async with unit_of_work() as tx:
            assert await tx[Tenants].get(tenant.id) == tenant
        assert time.monotonic() - began < 4

    async def test_nobody_waits_for_ever_for_a_process_of_the_server_that_stands_still(self, own_pool: Pool) -> None:
        """As one does that a killed server left behind."""
        connection = await own_pool.acquire()
        still = connection.info.backend_pid
        await own_pool.release(connection)
        os.kill(still, signal.SIGSTOP)
        try:
            began = time.monotonic()
            async with asyncio.timeout(3 * ACQUIRE_SECONDS):  # without which it would wait for ever
                await own_pool.check()
            assert time.monotonic() - began < 2 * ACQUIRE_SECONDS
            lent = [await own_pool.acquire() for _ in range(6)]
            assert still not in [connection.info.backend_pid for connection in lent]
            for connection in lent:
                await connection.execute("SELECT 1")
                await own_pool.release(connection)
        finally:
            os.kill(still, signal.SIGCONT)

    async def test_a_connection_that_breaks_in_a_transaction_is_unavailable_and_nothing_is_kept(
        self, postgres_pool: Pool, postgres_conninfo: str
    ) -> None:
        unit_of_work = PostgresUnitOfWork(postgres_pool)
        tenant = builders.tenant()

        async def write_and_lose_the_connection() -> None:
            async with unit_of_work() as tx:
                await tx[Tenants].add(tenant)
                await asyncio.to_thread(_terminate, postgres_conninfo, "contentgen %")
                await tx[Tenants].get(tenant.id)

        with pytest.raises(Unavailable):
            await write_and_lose_the_connection()
        with pytest.raises(NotFound):
            async with unit_of_work() as tx:
                await tx[Tenants].get(tenant.id)


class TestACallerThatIsCancelled:
    """Its place in the pool is free again, wherever it was."""

    async def test_while_its_connection_is_asked_whether_it_works(self, postgres_conninfo: str) -> None:
        async with create_pool(postgres_conninfo, min_size=3, max_size=3, acquire_seconds=2) as pool:
            await pool.wait(5)
            lent = [await pool.acquire() for _ in range(3)]
            still = [connection.info.backend_pid for connection in lent]
            for connection in lent:
                await connection.execute("LISTEN something")
                await pool.release(connection)
            await asyncio.to_thread(_notify, postgres_conninfo, "something")
            await asyncio.sleep(0.2)  # each has something to read now, which makes the pool ask
            try:
                for pid in still:
                    os.kill(pid, signal.SIGSTOP)
                for _ in still:
                    asking = asyncio.create_task(pool.acquire())
                    await asyncio.sleep(0.1)
                    while not asking.done():  # the first time psycopg asks the server to cancel, and waits for that
                        asking.cancel()
                        await asyncio.sleep(0.05)
                    assert asking.cancelled()
            finally:
                for pid in still:
                    os.kill(pid, signal.SIGCONT)
            await _lends_all(pool, 3)

    @pytest.mark.parametrize("turns", range(6))
    async def test_as_it_is_lent_the_connection_that_it_waits_for(self, postgres_conninfo: str, turns: int) -> None:
        async with create_pool(postgres_conninfo, min_size=1, max_size=1, acquire_seconds=2) as pool:
            connection = await pool.acquire()
            waiting = asyncio.create_task(pool.acquire())
            await asyncio.sleep(0.05)
            giving_back = asyncio.create_task(pool.release(connection))
            for _ in range(turns):  # of the event loop, until the pool has told the one that waits
                await asyncio.sleep(0)
            ended = waiting.done()
            waiting.cancel()
            await asyncio.gather(waiting, giving_back, return_exceptions=True)
            assert waiting.cancelled() or ended
            if ended:
                await pool.release(waiting.result())
            await _lends_all(pool, 1)

    async def test_while_it_gives_its_connection_back(self, postgres_conninfo: str) -> None:
        async with create_pool(postgres_conninfo, min_size=1, max_size=1, acquire_seconds=2) as pool:
            connection = await pool.acquire()
            async with pool._lock:  # as another that comes or goes at the same moment holds it
                giving_back = asyncio.create_task(pool.release(connection))
                await asyncio.sleep(0.01)
                giving_back.cancel()
                await asyncio.gather(giving_back, return_exceptions=True)
            await _lends_all(pool, 1)

    async def test_while_all_connections_are_checked(self, own_pool: Pool) -> None:
        connection = await own_pool.acquire()
        still = connection.info.backend_pid
        await own_pool.release(connection)
        os.kill(still, signal.SIGSTOP)
        try:
            checking = asyncio.create_task(own_pool.check())
            await asyncio.sleep(0.1)
            checking.cancel()
            await asyncio.gather(checking, return_exceptions=True)
        finally:
            os.kill(still, signal.SIGCONT)
        await _lends_all(own_pool, 6)

    @given(when=strategies.lists(strategies.floats(0, 0.02), min_size=6, max_size=12))
    @settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    async def test_at_any_moment_of_a_transaction(self, postgres_conninfo: str, when: list[float]) -> None:
        async with create_pool(postgres_conninfo, min_size=2, max_size=2, acquire_seconds=2) as pool:
            unit_of_work = PostgresUnitOfWork(pool)

            async def write() -> None:
                tenant = builders.tenant()
                async with unit_of_work() as tx:
                    await tx[Tenants].add(tenant)
                    await tx[Tenants].find_by_name("nobody")
                    await tx[WritingMonths].add(EndedWriting(tenant.id, date(2026, 3, 1), "", "m", WritingFigures()))

            async def leave(after: float) -> None:
                with contextlib.suppress(TimeoutError, Unavailable):
                    async with asyncio.timeout(after):
                        await write()

            await asyncio.gather(*map(leave, when))
            await _lends_all(pool, 2)


class TestAServerThatRefuses:
    async def test_waiting_in_vain_for_a_connection_is_unavailable(self, postgres_conninfo: str) -> None:
        async with create_pool(postgres_conninfo, min_size=1, max_size=1, acquire_seconds=0.1) as pool:
            await pool.wait()  # for its first connection, which may take longer
            unit_of_work = PostgresUnitOfWork(pool)
            async with unit_of_work():
                with pytest.raises(Unavailable, match="connections to the database are in use"):
                    async with unit_of_work():
                        pass
            await given_tenant(unit_of_work)

    async def test_a_wrong_database_is_unavailable_and_says_what_to_look_at(self, postgres_conninfo: str) -> None:
        wrong = make_conninfo(postgres_conninfo, dbname="nowhere")
        async with create_pool(wrong, min_size=1, max_size=1, acquire_seconds=0.2) as pool:
            with pytest.raises(Unavailable, match="refuses connections"):
                await given_tenant(PostgresUnitOfWork(pool))

    async def test_a_read_only_database_is_unavailable(self, postgres_conninfo: str) -> None:
        standby = make_conninfo(postgres_conninfo, options="-c default_transaction_read_only=on")
        async with create_pool(standby, min_size=1) as pool:
            with pytest.raises(Unavailable, match="read-only"):
                await given_tenant(PostgresUnitOfWork(pool))

    async def test_the_check_of_a_read_only_database_tells_it(self, postgres_conninfo: str) -> None:
        standby = make_conninfo(postgres_conninfo, options="-c default_transaction_read_only=on")
        async with create_pool(standby, min_size=1) as pool:
            with pytest.raises(Unavailable, match="read-only"):
                await DatabaseCheck(PostgresUnitOfWork(pool), ManualClock())()
        async with create_pool(postgres_conninfo, min_size=1) as pool:
            check = DatabaseCheck(PostgresUnitOfWork(pool), ManualClock())
            await check()
            await check()

    async def test_a_closed_pool_is_unavailable(self, postgres_conninfo: str) -> None:
        pool = create_pool(postgres_conninfo)
        await pool.open()
        await pool.close()
        with pytest.raises(Unavailable, match="shutting down"):
            await given_tenant(PostgresUnitOfWork(pool))

    async def test_a_database_without_tables_says_how_to_make_them(self, postgres_server: str) -> None:
        async with create_pool(make_conninfo(postgres_server, dbname="postgres"), min_size=1) as pool:
            with pytest.raises(Unavailable, match="contentgen migrate"):
                await given_tenant(PostgresUnitOfWork(pool))


class TestTranslation:
    def test_every_constraint_named_in_the_table_exists(self, postgres_conninfo: str) -> None:
        query = "SELECT conname FROM pg_constraint UNION SELECT relname FROM pg_class WHERE relkind = 'i'"
        with psycopg.connect(postgres_conninfo) as connection:
            existing = {name for (name,) in connection.execute(query).fetchall()}
        assert set(errors.CONSTRAINTS) <= existing

    def test_a_foreign_key_names_what_is_missing(self, postgres_conninfo: str) -> None:
        query = (
            "SELECT conrelid::regclass::text, conname, confrelid::regclass::text FROM pg_constraint WHERE contype = 'f'"
        )
        with psycopg.connect(postgres_conninfo) as connection:
            keys = connection.execute(query).fetchall()
        named = {"webhook_endpoints": "webhook", "webhook_messages": "message", "synced_sources": "source"}
        named |= {"index_now_sites": "site", "search_reports": "report", "search_demands": "search demand"}
        named |= {"conflict_searches": "search for conflicts", "niches": "niche", "api_keys": "API key"}
        named |= {"trend_click_days": "day"}
        for table, constraint, of in keys:
            error = errors.missing(table, constraint)
            if of.startswith("kb_"):  # no caller names these
                assert error is None, constraint
            else:
                assert isinstance(error, NotFound)
                assert error.resource == named.get(of, of.removesuffix("s")), constraint

    @pytest.mark.parametrize("sqlstate", [state for state in errors.STATES if len(state) == 5])
    def test_a_database_in_trouble_is_unavailable(self, sqlstate: str) -> None:
        error = errors.core_error(psycopg.errors.lookup(sqlstate)("details that are nobody's business"))
        assert isinstance(error, Unavailable)
        assert error.retry_after > 0
        assert "nobody's business" not in error.detail

    @pytest.mark.parametrize(
        ("sqlstate", "text"),
        [("53100", "disk is full"), ("53300", "max_connections"), ("25006", "read-only"), ("08006", "be reached")],
    )
    def test_the_text_says_what_is_wrong(self, sqlstate: str, text: str) -> None:
        error = errors.core_error(psycopg.errors.lookup(sqlstate)())
        assert error is not None
        assert text in error.detail

    def test_a_fault_of_our_own_stays_what_it_is(self) -> None:
        for fault in (psycopg.errors.SyntaxError(), psycopg.ProgrammingError(), ValueError(), KeyError("x")):
            assert errors.core_error(fault) is None

    def test_an_error_keeps_its_cause(self) -> None:
        cause = psycopg.errors.DiskFull()
        with pytest.raises(ContentgenError) as translated, errors.Translation():
            raise cause
        assert translated.value.__cause__ is cause

    async def test_something_for_a_tenant_that_is_not_there_is_not_found(self, postgres_pool: Pool) -> None:
        nobody = TenantId(builders.new_id())
        for thing in (
            builders.user(tenant_id=nobody),
            builders.article(tenant_id=nobody),
            builders.job(tenant_id=nobody),
            builders.niche(tenant_id=nobody),
            builders.agent(tenant_id=nobody),
        ):
            with pytest.raises(NotFound, match="tenant"):
                await given_rows(PostgresUnitOfWork(postgres_pool), thing)

    async def test_so_it_is_where_the_answer_comes_before_all_is_sent(
        self, postgres_pool: Pool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The server says of a statement that it failed while its COMMIT is still to be sent."""
        commit = psycopg.AsyncTransaction.__aexit__

        async def wait_and_commit(transaction: psycopg.AsyncTransaction, *outcome: Any) -> bool:
            await asyncio.sleep(0.1)
            return await commit(transaction, *outcome)

        monkeypatch.setattr(psycopg.AsyncTransaction, "__aexit__", wait_and_commit)
        nobody = TenantId(builders.new_id())
        with pytest.raises(NotFound, match="tenant"):
            async with PostgresUnitOfWork(postgres_pool)() as tx:
                await tx[WritingMonths].add(EndedWriting(nobody, date(2026, 11, 1), "", "", WritingFigures(written=1)))
        async with PostgresUnitOfWork(postgres_pool)() as tx:
            assert await tx[Users].members(nobody) == []


class TestListening:
    async def test_a_listener_wakes_for_a_job_once_it_is_committed(
        self, postgres_pool: Pool, postgres_conninfo: str
    ) -> None:
        unit_of_work = PostgresUnitOfWork(postgres_pool)
        tenant = await given_tenant(unit_of_work)
        async with contextlib.aclosing(notifications(postgres_conninfo, CHANNEL)) as wakes:
            await asyncio.wait_for(anext(wakes), 5)  # listening has begun
            async with unit_of_work() as tx:
                await tx[Jobs].enqueue(builders.job(tenant_id=tenant.id))
                waking = asyncio.create_task(anext(wakes))
                await asyncio.sleep(0.05)
                assert not waking.done()
            await asyncio.wait_for(waking, 5)

    async def test_a_listener_that_lost_its_connection_comes_back_and_looks_again(self, postgres_conninfo: str) -> None:
        async with contextlib.aclosing(notifications(postgres_conninfo, "some channel")) as wakes:
            await asyncio.wait_for(anext(wakes), 5)
            waking = asyncio.create_task(anext(wakes))
            await asyncio.sleep(0.05)
            assert await asyncio.to_thread(_terminate, postgres_conninfo, "contentgen listener") == 1
            await asyncio.wait_for(waking, 5)
            with psycopg.connect(postgres_conninfo, autocommit=True) as connection:
                connection.execute('NOTIFY "some channel"')
            await asyncio.wait_for(anext(wakes), 5)


async def _lends_all(pool: Pool, places: int) -> None:
    """Raises Unavailable where a place is not free."""
    lent = [await pool.acquire() for _ in range(places)]
    for connection in lent:
        await connection.execute("SELECT 1")
        await pool.release(connection)


def _notify(conninfo: str, channel: str) -> None:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(f"NOTIFY {channel}".encode())


def _terminate(conninfo: str, application: str) -> int:
    """Break the connections of an application, as an operator would; how many there were."""
    query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE %s"
    with psycopg.connect(conninfo) as connection:
        return len(connection.execute(query, (application,)).fetchall())
