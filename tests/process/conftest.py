from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from contentgen_http.telemetry import logs
from tests.process.service import Service, data_directory
from tests.process.web import Web, a_web
from tests.support.model_server import ModelServer


@pytest.fixture(autouse=True)
def logging_of_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command's code that a test runs in its own process must not set up logging for the tests after it."""
    monkeypatch.setattr(logs, "configure_logging", lambda level: None)


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """A place for a data directory, which does not exist yet."""
    with data_directory() as directory:
        yield directory


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def web() -> Iterator[Web]:
    with a_web() as made:
        yield made


@pytest.fixture
def serve(data_dir: Path) -> Iterator[Callable[..., Service]]:
    """Makes services on the test's data directory; they have ended when the test has."""
    with ExitStack() as stack:

        def make(env: Mapping[str, str] | None = None, *, demo: bool = True, installed: bool = False) -> Service:
            service = Service(data_dir, env, demo=demo, installed=installed)
            stack.callback(service.close)
            return service

        yield make


@pytest.fixture(scope="module")
def shared() -> Iterator[Service]:
    """One running service with the demo's knowledge, for the tests of a file that leave it running."""
    with data_directory() as directory:
        service = Service(directory)
        try:
            service.start()
            yield service
        finally:
            service.close()
