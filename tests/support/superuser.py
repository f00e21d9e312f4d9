"""Access to a test's own database server with rights that the service does not have."""

from __future__ import annotations

from psycopg.conninfo import make_conninfo

from contentgen_adapters.postgres.embedded.ownership import SUPERUSER


def as_superuser(conninfo: str) -> str:
    """Return the connection to the same database with all rights on the server."""
    return make_conninfo(conninfo, user=SUPERUSER)
