"""`open_database`: a knowledge base that is there again when it is opened again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from contentgen_core.errors import ContentgenError
from contentgen_core.model.coverage import CoverageTooLow
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.articles import ArticleQuery
from contentgen_core.ports.repositories.embeddings import Embeddings
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.use_cases.knowledge.import_sources import ImportReport
from contentgen_grounded.bootstrap.memory import in_memory
from contentgen_grounded.opening import open_database
from contentgen_grounded.settings import Settings
from contentgen_grounded.writing import write, write_article
from tests.support.extras import run_with
from tests.support.scripted_model import ScriptedModel

TOPIC = "Steeping green tea"
NOTES = [
    SourceText("n1", "Tea", "Green tea is steeped at 80 °C. Black tea is steeped at 95 °C."),
    SourceText("n2", "Tea water", "Water for green tea stays below 85 °C. Soft water suits tea best."),
]
WRITE = """
import sys
from contentgen_grounded import Settings, SourceText, write

notes = [SourceText("n1", "Tea", "Green tea is steeped at 80 °C. Black tea is steeped at 95 °C.")]
folder, url = sys.argv[1:]
print(write("Green tea", notes, folder=folder, settings=Settings(database_url=url), allow_low_coverage=True).content)
"""


async def test_what_was_imported_and_written_is_there_at_the_next_opening(
    tmp_path: Path, postgres_conninfo: str
) -> None:
    written, imports = [], []
    for _ in range(3):
        async with open_database(tmp_path / "kb", database_url=postgres_conninfo) as services:
            reports: list[ImportReport] = []
            written.append(
                await write_article(services, TOPIC, NOTES, allow_low_coverage=True, on_import=reports.append)
            )
            imports.append((reports[-1].added, reports[-1].unchanged))
            found = await services.writing.articles.page(ArticleQuery(written[0].tenant_id))
    assert imports == [(2, 0), (0, 2), (0, 2)]
    assert {article.id for article in found.articles} == {article.id for article in written}
    assert all(len(article.sources) == 2 for article in written)


async def test_a_small_knowledge_base_is_embedded_before_it_is_written_from() -> None:
    others = [
        SourceText(f"o{n}", f"Bridge {n}", f"Bridge {n} of the county is painted every {n + 3} years.")
        for n in range(40)
    ]
    async with in_memory() as services:
        await write_article(services, TOPIC, [*NOTES, *others], allow_low_coverage=True)
        async with services.ports.unit_of_work() as tx:
            refs = [p.ref for p in await tx[Knowledge].passages_of(await tx[Knowledge].all_documents(None, 100))]
            kept = await tx[Embeddings].kept(services.knowledge.embed_passages.space, refs)
    assert len(refs) == 42
    assert set(kept) == set(refs)


async def test_an_index_that_was_lost_is_made_anew(tmp_path: Path, postgres_conninfo: str) -> None:
    async with open_database(tmp_path, database_url=postgres_conninfo) as services:
        await write_article(services, TOPIC, NOTES, allow_low_coverage=True)
    shutil.rmtree(tmp_path / "index")
    async with open_database(tmp_path, database_url=postgres_conninfo) as services:
        assert len((await write_article(services, TOPIC, NOTES, allow_low_coverage=True)).sources) == 2


async def test_a_model_of_ones_own_writes(tmp_path: Path, postgres_conninfo: str) -> None:
    model = ScriptedModel()
    async with open_database(tmp_path, database_url=postgres_conninfo, model=model) as services:
        article = await write_article(services, TOPIC, NOTES, allow_low_coverage=True)
    assert article.title == f"On {TOPIC}"
    assert model.calls["plan"] == 1


def test_without_asyncio_the_folder_stays_too(tmp_path: Path, postgres_conninfo: str) -> None:
    settings = Settings(database_url=postgres_conninfo)
    with pytest.raises(CoverageTooLow):
        write("Keeping bees on a city rooftop", NOTES, folder=tmp_path, settings=settings)
    assert len(write(TOPIC, (), folder=tmp_path, settings=settings, allow_low_coverage=True).sources) == 2


def test_nothing_of_the_service_is_needed(tmp_path: Path, postgres_conninfo: str) -> None:
    done = run_with(("database",), WRITE, str(tmp_path), postgres_conninfo)
    assert done.returncode == 0, done.stderr
    assert "Green tea is steeped at 80 °C" in done.stdout


async def test_a_database_that_cannot_be_reached_is_an_error_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(ContentgenError, match="/no/such/socket"):
        async with open_database(tmp_path, database_url="postgresql:///none?host=/no/such/socket"):
            pass
