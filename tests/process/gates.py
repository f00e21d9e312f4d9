"""Halts in the database: work is stopped where it is about to write down what it has done."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import psycopg

from tests.process.service import Service, connect

KEY = 4_711
_GATES = """
CREATE TABLE gates (subject text, status text);
CREATE FUNCTION halt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(4711) FROM gates
    WHERE subject IN (NEW.record->>'topic', NEW.record->>'title') AND status = NEW.record->>'status';
    RETURN NEW;
END $$;
CREATE TRIGGER halt BEFORE UPDATE ON enrichments FOR EACH ROW EXECUTE FUNCTION halt();
CREATE TRIGGER halt BEFORE UPDATE ON private_documents FOR EACH ROW EXECUTE FUNCTION halt();
"""
_OPEN = "DROP TABLE gates CASCADE; DROP FUNCTION halt CASCADE"


class Gates:
    """Stop what (topic or title) is about to enter a status, until the service was killed and has started again."""

    def __init__(self, service: Service, closed: Sequence[tuple[str, str]]) -> None:
        self._service = service
        self._connection: psycopg.Connection[Any] = connect(service.data_dir)
        self._connection.execute(_GATES)
        for gate in closed:
            self._connection.execute("INSERT INTO gates VALUES (%s, %s)", gate)
        self._connection.execute("SELECT pg_advisory_lock(%s)", (KEY,))

    def waiting(self) -> int:
        """How much is stopped at present."""
        found = self._connection.execute(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = %s", (KEY,)
        ).fetchone()
        return 0 if found is None else int(found[0])

    def kill_and_restart(self) -> None:
        workers = kill(self._service)
        with suppress(psycopg.Error):  # the database may have ended with the service
            self._connection.close()
        restart(self._service, workers)
        with connect(self._service.data_dir) as database:
            database.execute(_OPEN)


def kill(service: Service) -> list[str]:
    """As a power cut would; the workers that held jobs."""
    with connect(service.data_dir) as database:
        workers = [str(worker) for (worker,) in database.execute("SELECT worker FROM jobs WHERE state = 'running'")]
    service.kill()
    return workers


def restart(service: Service, workers: Sequence[str]) -> None:
    """Start again. The leases of these workers have run out, as if half a minute had gone by."""
    service.start()
    with connect(service.data_dir) as database:
        database.execute(
            "UPDATE jobs SET leased_until = now() WHERE state = 'running' AND worker = ANY(%s)", (list(workers),)
        )
