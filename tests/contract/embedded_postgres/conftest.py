from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from contentgen_adapters.postgres.embedded import EmbeddedPostgres
from tests.contract.embedded_postgres.clusters import copy_cluster, end_all_on
from tests.support.memory_disk import memory_disk


@pytest.fixture(scope="session")
def first_cluster(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once: initdb is the slow part of a first start, and one test of it is enough."""
    data_dir = tmp_path_factory.mktemp("first")
    server = EmbeddedPostgres(data_dir)
    server.start()
    server.stop()
    return data_dir / "postgres"


@pytest.fixture
def empty_dir() -> Iterator[Path]:
    """Not `tmp_path`, whose names are long; of mode 0700, like any directory of mkdtemp."""
    folder = Path(tempfile.mkdtemp(prefix="contentgen-test-", dir=memory_disk()))
    yield folder
    end_all_on(folder)
    shutil.rmtree(folder)


@pytest.fixture
def data_dir(empty_dir: Path, first_cluster: Path) -> Path:
    """A data directory that has been used before."""
    copy_cluster(first_cluster, empty_dir / "postgres")
    return empty_dir


@pytest.fixture
def users(data_dir: Path) -> Iterator[Callable[[], EmbeddedPostgres]]:
    """Users of the server in this process, each as apart from the others as if it were in one of its own."""
    with contextlib.ExitStack() as opened:

        def another() -> EmbeddedPostgres:
            server = EmbeddedPostgres(data_dir)
            opened.callback(server.stop)
            return server

        yield another
