"""What somebody gets who has the database, or a backup of it, and not the keys."""

from __future__ import annotations

import psycopg
from psycopg import sql

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.model.tenant import PlanName
from tests.contract.test_http_integrations import connected
from tests.support.http import open_api


async def test_no_key_and_no_credential_is_in_the_database(
    postgres_unit_of_work: PostgresUnitOfWork, postgres_conninfo: str
) -> None:
    async with open_api(PlanName.BUSINESS, data=postgres_unit_of_work) as api:
        await connected(api)
        made = (await api.call("POST", "/account/keys", {"name": "Another"})).json()
        invited = await api.call("POST", "/team/invite", {"email": "bo@example.org", "role": "viewer"})
        assert invited.status_code == 200, invited.text
        secrets = [TOKEN, api.key, *(value for value in made.values() if str(value).startswith("cg_"))]
        assert len(secrets) == 3
    with psycopg.connect(postgres_conninfo) as connection:
        names = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        rows = [
            text
            for (name,) in names
            for (text,) in connection.execute(
                sql.SQL("SELECT row_to_json(t)::text FROM {} t").format(sql.Identifier(name))
            ).fetchall()
        ]
    assert any("bo@example.org" in row for row in rows), "the tables are looked at"
    # Bytes are shown in hexadecimal digits.
    for secret in secrets:
        assert not [row for row in rows if secret in row or secret.encode().hex() in row]
