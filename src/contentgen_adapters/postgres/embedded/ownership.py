"""To whom the database belongs: a role that may do everything in it, and nothing to the server or its files."""

from __future__ import annotations

import psycopg
from psycopg import sql

SUPERUSER = "app"  # made with the cluster; only prepares the database
USER, DATABASE = "contentgen", "contentgen"


def give_database(connection: psycopg.Connection, conninfo_of_database: str) -> None:
    """Make the role and the database, and give the role what still is the superuser's: a database of before there was
    the role, or one restored from its backup.

    `connection`: the superuser's, to another database. `conninfo_of_database`: how it connects to this one.
    """
    user, name = sql.Identifier(USER), sql.Identifier(DATABASE)
    if not connection.execute("SELECT FROM pg_roles WHERE rolname = %s", [USER]).rowcount:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(user))
    if not connection.execute("SELECT FROM pg_database WHERE datname = %s", [DATABASE]).rowcount:
        connection.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(name, user))
        # The values in the details of an error do not belong into the log. Not a setting of the server: when that
        # cannot start, the details are what one wants to read.
        connection.execute(sql.SQL("ALTER DATABASE {} SET log_error_verbosity = terse").format(name))
        return
    # REASSIGN OWNED would do this, but refuses to take anything from the superuser that made the cluster.
    with psycopg.connect(conninfo_of_database) as inside:
        for (change,) in inside.execute(_CHANGES, {"role": USER}).fetchall():
            inside.execute(change)


# Indexes, sequences of columns, row types and array types follow the table or type that they belong to.
_CHANGES = """
SELECT format('ALTER DATABASE %%I OWNER TO %%I', datname, %(role)s::text)
FROM pg_database WHERE datname = current_database() AND datdba <> %(role)s::text::regrole
UNION ALL
SELECT format('ALTER %%s %%s OWNER TO %%I', kinds.name, class.oid::regclass, %(role)s::text)
FROM pg_class class
JOIN (VALUES ('r', 'TABLE'), ('p', 'TABLE'), ('v', 'VIEW'), ('m', 'MATERIALIZED VIEW'), ('S', 'SEQUENCE'))
  AS kinds (kind, name) ON kinds.kind = class.relkind::text
WHERE class.relnamespace = 'public'::regnamespace AND class.relowner <> %(role)s::text::regrole
  AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = class.oid
                  AND deptype IN ('a', 'i') AND class.relkind = 'S')
UNION ALL
SELECT format('ALTER ROUTINE %%s OWNER TO %%I', routine.oid::regprocedure, %(role)s::text)
FROM pg_proc routine WHERE routine.pronamespace = 'public'::regnamespace AND routine.proowner <> %(role)s::text::regrole
UNION ALL
SELECT format('ALTER TYPE %%s OWNER TO %%I', type.oid::regtype, %(role)s::text)
FROM pg_type type WHERE type.typnamespace = 'public'::regnamespace AND type.typowner <> %(role)s::text::regrole
  AND type.typtype IN ('d', 'e')
"""
