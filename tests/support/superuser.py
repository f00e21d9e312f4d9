"""The rights on a test's own database server that the service itself has not."""

from __future__ import annotations

from psycopg.conninfo import make_conninfo

from contentgen_adapters.postgres.embedded.ownership import SUPERUSER


def as_superuser(conninfo: str) -> str:
    """How to connect to the same database with all rights on the server."""
    return make_conninfo(conninfo, user=SUPERUSER)
