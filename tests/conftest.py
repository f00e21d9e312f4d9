"""What holds for every suite."""

from __future__ import annotations

import gc

import structlog
from hypothesis import HealthCheck, settings

# structlog's default prints tracebacks with all local variables in colour: slow, and nobody reads it here.
structlog.configure(
    processors=[structlog.processors.format_exc_info, structlog.processors.KeyValueRenderer()],
    logger_factory=structlog.PrintLoggerFactory(),
)

# `make test-quick` is run beside other work, which may take the processor at any moment.
settings.register_profile("quick", max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])

# What is imported and collected lives to the end. A garbage collector that walks it again and again costs a sixth of
# the time of the unit suites.
gc.disable()


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.enable()
