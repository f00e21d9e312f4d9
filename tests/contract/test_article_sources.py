"""The rows that say which articles rest on a document are those of the articles' sources, whatever happened to them."""

from __future__ import annotations

from typing import Final

import psycopg
import pytest
from attrs import evolve

from contentgen_adapters.postgres.migrate import load_migrations
from contentgen_adapters.postgres.unit_of_work import PostgresUnitOfWork
from contentgen_core.model.article import ArticleSource
from contentgen_core.model.ids import DocumentId
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.testing import builders
from tests.contract.store.given import given, given_tenant

KEPT: Final = "SELECT tenant_id, document_id, article_id FROM article_sources ORDER BY 1, 2, 3"
READ: Final = (
    "SELECT DISTINCT a.tenant_id, s->>'parent_id', a.id FROM articles a, jsonb_array_elements(a.sources) s"
    " ORDER BY 1, 2, 3"
)
UNDO: Final = (
    "DROP TABLE article_sources CASCADE; DROP FUNCTION keep_article_sources CASCADE;"
    " DROP FUNCTION kb_title_words CASCADE; DROP INDEX kb_documents_live_kinds"
)


@pytest.fixture
async def changed(postgres_unit_of_work: PostgresUnitOfWork) -> None:
    """An article whose sources changed, and one without any."""
    tenant = await given_tenant(postgres_unit_of_work)
    names = ("one", "one", "other", "third")
    sources = tuple(ArticleSource(n, "A source", DocumentId(name), n) for n, name in enumerate(names, 1))
    article = builders.article(tenant_id=tenant.id, sources=sources)
    await given(postgres_unit_of_work, article, builders.article(tenant_id=tenant.id))
    async with postgres_unit_of_work() as tx:
        await tx[Articles].save(evolve(article, sources=sources[1:3]))


@pytest.mark.usefixtures("changed")
def test_triggers_keep_them_and_a_database_from_before_is_taken_over(postgres_conninfo: str) -> None:
    [migration] = [each for each in load_migrations() if each.name.endswith("_document_catalogue")]
    with psycopg.connect(postgres_conninfo) as connection:
        expected = connection.execute(READ).fetchall()
        assert [document for _, document, _ in expected] == ["one", "other"]
        assert connection.execute(KEPT).fetchall() == expected
        connection.execute(UNDO)
        connection.execute(migration.sql.encode())
        assert connection.execute(KEPT).fetchall() == expected
        connection.rollback()
