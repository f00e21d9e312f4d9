"""Logs as JSON lines."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from contentgen_http.telemetry.context import CURRENT
from contentgen_http.telemetry.tracebacks import full_traceback, without_words

log = structlog.get_logger("contentgen.tasks")

_JSON: Final = msgspec.json.Encoder(enc_hook=str)


def add_context(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Add the ids of the current request or job to a line; fields that the line has itself stay."""
    current = CURRENT.get()
    if current is not None:
        for name, value in current.fields.items():
            if value is not None:
                event.setdefault(name, value)
    return event


def _with_common_fields(level: str) -> Processor:
    """Add the fields that each line has, in one go: a request's own line is a tenth of what a short answer costs."""
    with_exception = structlog.processors.ExceptionRenderer(full_traceback if level == "debug" else without_words)

    def completed(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
        structlog.processors.add_log_level(logger, method, add_context(logger, method, event))
        event["time"] = datetime.fromtimestamp(time.time(), UTC)
        return with_exception(logger, method, event) if "exc_info" in event else event

    return completed


def _json(_: WrappedLogger, __: str, event: EventDict) -> bytes:
    return _JSON.encode(event)


def configure_logging(level: str = "info") -> None:
    """Everything that is logged, by us or by libraries, becomes one JSON object a line on standard error.

    `level`: debug, info, warning or error. Exceptions are shown with their words at debug alone.
    For programs, once at their start: it changes the process's logging."""
    least, completed = logging.getLevelNamesMapping()[level.upper()], _with_common_fields(level)
    structlog.configure(
        processors=[completed, _json],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, completed],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                lambda *line: _json(*line).decode(),
            ],
        )
    )
    logging.captureWarnings(True)
    logging.basicConfig(handlers=[handler], level=max(least, logging.WARNING), force=True)


def log_unretrieved_exceptions(loop: asyncio.AbstractEventLoop) -> None:
    """Log exceptions that were never retrieved from their tasks: asyncio's own line shows the exception's message."""
    loop.set_exception_handler(_log_unretrieved)


def _log_unretrieved(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    task = context.get("task") or context.get("future")
    name = task.get_name() if isinstance(task, asyncio.Task) else None
    log.error(
        "an exception was not fetched", detail=context.get("message"), task=name, exc_info=context.get("exception")
    )
