"""What holds for every suite."""

from __future__ import annotations

import structlog

# structlog's default prints tracebacks with all local variables in colour: slow, and nobody reads it here.
structlog.configure(
    processors=[structlog.processors.format_exc_info, structlog.processors.KeyValueRenderer()],
    logger_factory=structlog.PrintLoggerFactory(),
)
