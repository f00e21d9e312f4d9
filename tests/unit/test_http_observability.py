"""What is logged and counted."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import pytest
from prometheus_client import generate_latest

from contentgen_core.errors import FieldError, InvalidInput, NotConfigured, ProviderFailed, Unavailable
from contentgen_http.telemetry.metrics import Metrics, beginning_of
from contentgen_http.telemetry.tracebacks import full_traceback, kind_of, without_words

PROGRAM = """
import asyncio
import logging
import sys
import structlog
from contentgen_core.testing import builders
from contentgen_http.telemetry.logs import configure_logging, log_unretrieved_exceptions
from contentgen_http.telemetry.context import CURRENT, Attempt, Trace

SECRET = "-".join(("SECRET", "TOPIC"))  # Python 3.13 shows these lines themselves in a traceback

configure_logging(sys.argv[1])
structlog.get_logger("contentgen.access").info("request", route="/articles", status=200, text="é\\n{}")
structlog.get_logger("contentgen.access").debug("at debug alone")
logging.getLogger("uvicorn.error").warning("of a library: %s", 7)
logging.getLogger("uvicorn.error").info("not told")

async def main():
    trace = Trace("r-1")
    CURRENT.set(trace)

    async def deep():
        await asyncio.to_thread(logging.getLogger("library").warning, "in a request")
        try:
            raise ValueError(SECRET)
        except ValueError as error:
            structlog.get_logger("contentgen.deep").exception("failed", tenantId="the line's own")

    task = asyncio.create_task(deep())
    trace.tenant_id = "t-1"
    await task
    CURRENT.set(Attempt(builders.job(id="j-1", tenant_id="t-2")))
    logging.getLogger("library").warning("in a job")
    CURRENT.set(None)
    log_unretrieved_exceptions(asyncio.get_running_loop())

    async def dropped():
        raise KeyError(SECRET)

    task = asyncio.create_task(dropped(), name="dropped")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    del task

asyncio.run(main())
"""


def lines_of(level: str) -> list[dict[str, Any]]:
    run = subprocess.run([sys.executable, "-c", PROGRAM, level], capture_output=True, check=True, timeout=60)
    assert run.stdout == b""
    lines = [json.loads(line) for line in run.stderr.splitlines()]
    assert all(line["time"].endswith("Z") for line in lines)
    return lines


def test_everything_is_logged_as_one_json_object_a_line() -> None:
    lines = lines_of("info")
    assert [(line["event"], line["level"]) for line in lines] == [
        ("request", "info"), ("of a library: 7", "warning"), ("in a request", "warning"), ("failed", "error"),
        ("in a job", "warning"), ("an exception was not fetched", "error"),
    ]  # fmt: skip
    assert (lines[0]["route"], lines[0]["status"], lines[0]["text"]) == ("/articles", 200, "é\n{}")
    assert lines[1]["logger"] == "uvicorn.error"


def test_every_line_says_whose_it_is_however_deep_it_is_logged() -> None:
    of_nobody, _, in_thread, failed, in_job, _ = lines_of("info")
    assert not {"requestId", "tenantId", "jobId"} & of_nobody.keys()
    assert (in_thread["requestId"], in_thread["tenantId"]) == ("r-1", "t-1")
    assert (failed["requestId"], failed["tenantId"]) == ("r-1", "the line's own")
    assert (in_job["jobId"], in_job["kind"], in_job["tenantId"]) == ("j-1", "generate_article", "t-2")
    assert "requestId" not in in_job


def test_the_words_of_an_exception_are_logged_at_debug_alone() -> None:
    told = json.dumps(lines_of("info"))
    assert "SECRET-TOPIC" not in told
    assert "ValueError" in told
    assert "KeyError" in told
    shown = lines_of("debug")
    assert "ValueError: SECRET-TOPIC" in json.dumps(shown)
    assert "at debug alone" in {line["event"] for line in shown}


def raised(error: BaseException, cause: BaseException | None = None) -> tuple[Any, BaseException, Any]:
    try:
        raise error from cause
    except BaseException as caught:
        return type(caught), caught, caught.__traceback__


class Refused(Exception):
    sqlstate = "23505"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ValueError("topic"), "ValueError"),
        (OSError(28, "No space left on device", "/the/topic"), "OSError: No space left on device"),
        (Refused("Key (topic)=(topic)"), "Refused: SQLSTATE 23505"),
        (Unavailable("The database is away."), "Unavailable: The database is away."),
        (NotConfigured("No key.", "CONTENTGEN_X"), "NotConfigured: No key. Set CONTENTGEN_X."),
        (ProviderFailed("OpenAI", "no: topic", retryable=False), "ProviderFailed: OpenAI failed"),
        (InvalidInput(FieldError("topic", "is topic")), "InvalidInput: invalid_input"),
    ],
)
def test_an_error_is_named_by_its_kind_and_by_our_own_words(error: Exception, told: str) -> None:
    assert kind_of(error) == told


def test_a_traceback_has_the_places_causes_and_members_without_their_words() -> None:
    group = ExceptionGroup("the topic", [KeyError("topic"), raised(ValueError("topic"), OSError(5, "I/O error"))[1]])
    failure = raised(RuntimeError("topic"), group)
    text = without_words(failure)
    assert "topic" not in re.sub(r"^    .*$", "", text, flags=re.M)  # but for the lines of the program itself
    for shown in ("in raised", "ExceptionGroup", "Member 2 of 2", "KeyError", "OSError: I/O error", "direct cause"):
        assert shown in text
    assert text.rstrip().endswith("RuntimeError")
    assert full_traceback(raised(RuntimeError("topic"))).endswith("RuntimeError: topic")


def test_an_endless_chain_of_causes_ends() -> None:
    one, other = ValueError(), KeyError()
    one.__cause__, other.__cause__ = other, one
    assert without_words((ValueError, one, None)).count("KeyError") == 1


def test_two_applications_count_for_themselves() -> None:
    first, second = Metrics(), Metrics()
    for _ in range(2):
        first.observe("GET", "/articles", 200, 0.004)
    first.observe("GET", "/articles", 500, 0.2)
    text = generate_latest(first.registry).decode()
    assert 'contentgen_http_requests_total{status="200",surface="api"} 2.0' in text
    assert 'contentgen_http_requests_total{status="500",surface="api"} 1.0' in text
    assert 'contentgen_http_request_seconds_bucket{le="0.005",method="GET"} 2.0' in text
    assert 'contentgen_http_route_seconds_count{route="/articles"} 3.0' in text
    assert "/articles" not in generate_latest(second.registry).decode()


@pytest.mark.parametrize(
    ("route", "beginning"),
    [
        ("/writer/{id}", "/writer"),
        ("/writer", "/writer"),
        ("/", "/"),
        ("/console", "/console"),
        ("/console/articles/{id}/edit", "/console/articles"),
        ("/robots.txt", "file"),
        ("/{keyFile}", "file"),
        ("/.well-known/jwks.json", "file"),
        ("unmatched", "unmatched"),
    ],
)
def test_routes_are_counted_by_their_beginnings(route: str, beginning: str) -> None:
    assert beginning_of(route) == beginning
