"""What holds for every suite."""

from __future__ import annotations

import gc
from collections import defaultdict
from typing import Final

import pytest
import structlog
from hypothesis import HealthCheck, settings

# Pytest explains failed assertions in files named test_* alone; these suites are imported by some of those.
pytest.register_assert_rewrite("tests.contract.store")

# structlog's default prints tracebacks with all local variables in colour: slow, and nobody reads it here.
structlog.configure(
    processors=[structlog.processors.format_exc_info, structlog.processors.KeyValueRenderer()],
    logger_factory=structlog.PrintLoggerFactory(),
)

# Other work may take the processor at any moment: what takes how long is for the benchmarks.
settings.register_profile("suites", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", settings.get_profile("suites"), max_examples=10)
settings.load_profile("suites")

# What is imported and collected lives to the end. A garbage collector that walks it again and again costs a sixth of
# the time of the unit suites.
gc.disable()
GARBAGE: Final = 10_000
"""New objects between two collections. With Python's 700 they cost a twelfth of what tests of HTTP and properties take;
tests that wait for an object's end collect it themselves."""

PROCESSES: Final = "tests/process/"
FIRST: Final = ("tests/process/test_documentation_runs.py", "tests/contract/test_schemathesis.py")
"""The files that take longest: whoever begins one last keeps the others waiting at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The files that wait for processes are spread among those that compute, so that the processors are busy while one
    waits. All have begun before the last quarter, which is for short ones."""
    files: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        files[item.nodeid.partition("::")[0]].append(item)
    waiting = [file for file in files if file.startswith(PROCESSES)]
    computing = [file for file in files if not file.startswith(PROCESSES)]
    places = {file: n / len(computing) for n, file in enumerate(computing)}
    places |= {file: 0.75 * n / len(waiting) for n, file in enumerate(waiting)}
    places |= dict.fromkeys(FIRST, -1.0)
    items[:] = [item for file in sorted(files, key=places.__getitem__) for item in files[file]]


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE)
    gc.enable()
