from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import chromium
from tests.browser.person import Person
from tests.process.service import Service, data_directory


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Its event loop runs between the tests, too: suites with loops of their own are run by another process."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """The demonstration, served by a process of its own."""
    with data_directory() as directory:
        served = Service(directory)
        try:
            served.start()
            yield served
        finally:
            served.close()


@pytest.fixture
def person(browser: Browser, service: Service) -> Iterator[Callable[..., Person]]:
    """Makes people, each with a browser of their own; nothing that any of them saw may have gone wrong."""
    with ExitStack() as stack:
        made: list[Person] = []

        def make(**options: Any) -> Person:
            someone = Person.at(browser, service, **options)
            stack.callback(someone.close)
            made.append(someone)
            return someone

        yield make
        for someone in made:
            someone.check()
