"""What is logged and counted."""

from __future__ import annotations

import json
import subprocess
import sys

from prometheus_client import generate_latest

from contentgen_http.observability import Metrics

PROGRAM = """
import logging
import structlog
from contentgen_http.observability import configure_logging

configure_logging("info")
structlog.get_logger("contentgen.access").info("request", route="/articles", status=200, text="é\\n{}")
structlog.get_logger("contentgen.access").debug("not told")
logging.getLogger("uvicorn.error").warning("of a library: %s", 7)
logging.getLogger("uvicorn.error").info("not told")
try:
    raise ValueError("why")
except ValueError:
    logging.getLogger("asyncio").exception("of a library")
"""


def test_everything_is_logged_as_one_json_object_a_line() -> None:
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, check=True, timeout=60)
    assert run.stdout == b""
    lines = [json.loads(line) for line in run.stderr.splitlines()]
    assert [(line["event"], line["level"]) for line in lines] == [
        ("request", "info"), ("of a library: 7", "warning"), ("of a library", "error"),
    ]  # fmt: skip
    assert all(line["time"].endswith("Z") for line in lines)
    assert (lines[0]["route"], lines[0]["status"], lines[0]["text"]) == ("/articles", 200, "é\n{}")
    assert lines[1]["logger"] == "uvicorn.error"
    assert "ValueError: why" in lines[2]["exception"]


def test_two_applications_count_for_themselves() -> None:
    first, second = Metrics(), Metrics()
    for _ in range(2):
        first.observe("GET", "/articles", 200, 0.004)
    first.observe("GET", "/articles", 500, 0.2)
    text = generate_latest(first.registry).decode()
    assert 'contentgen_http_requests_total{method="GET",route="/articles",status="200"} 2.0' in text
    assert 'contentgen_http_requests_total{method="GET",route="/articles",status="500"} 1.0' in text
    assert 'contentgen_http_request_seconds_bucket{le="0.005",method="GET",route="/articles"} 2.0' in text
    assert "/articles" not in generate_latest(second.registry).decode()
