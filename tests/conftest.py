"""What holds for every suite."""

from __future__ import annotations

import gc

import structlog

# structlog's default prints tracebacks with all local variables in colour: slow, and nobody reads it here.
structlog.configure(
    processors=[structlog.processors.format_exc_info, structlog.processors.KeyValueRenderer()],
    logger_factory=structlog.PrintLoggerFactory(),
)

# What is imported and collected lives to the end. A garbage collector that walks it again and again costs a sixth of
# the time of the unit suites.
gc.disable()


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.enable()
