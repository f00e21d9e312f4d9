"""How many calls of a model to make at a time: `python -m benchmarks.model_calls_at_once [CALLS…]`.

A model of this machine answers a call in two seconds and works on CAPACITY calls at a time; others wait in its queue,
as in a server of one's own. Articles are written, and plans are asked for meanwhile. For each number of calls
at a time: articles a minute, and how long a plan took."""

from __future__ import annotations

import json
import statistics
import sys
import threading
import time
import urllib.request
from typing import Any, Final

from attrs import define, field
from tests.support.model_server import ModelServer

from benchmarks.processes import Program, data_directory, service

CAPACITY: Final = 8
CALL_SECONDS: Final = 2.0
ARTICLES: Final = 6
PLANS: Final = 3
LIMIT_SECONDS: Final = 600.0


@define
class QueueingModel(ModelServer):
    """A model that works on CAPACITY calls at a time."""

    _free: threading.Semaphore = field(factory=lambda: threading.Semaphore(CAPACITY))

    def answer(self, body: dict[str, Any], key: str) -> tuple[int, dict[str, str], dict[str, Any]]:
        with self._free:
            time.sleep(CALL_SECONDS)
            return super().answer(body, key)


@define
class Client:
    """The demo tenant of a service."""

    program: Program
    key: str

    def call(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """Return the JSON of an answer 200. Raises urllib.error.URLError."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.program.port}{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"X-API-Key": self.key, "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=LIMIT_SECONDS) as answer:
            return json.load(answer)

    def plan_seconds(self, number: int) -> float:
        """Ask for a plan, and return the seconds that it took."""
        began = time.perf_counter()
        body = {"agentKey": "home-energy-GB", "topic": f"Heat pumps in older houses {number}", "language": "en"}
        self.call("/writer/generate-plan", body)
        return time.perf_counter() - began

    def generated(self) -> int:
        """Return how many articles are written."""
        articles = self.call("/articles?limit=100")["articles"]
        return sum(article["status"] == "generated" for article in articles)


def measured(calls: int) -> tuple[float, float, float]:
    """Return articles a minute, and the seconds of a plan: the median and the longest. Raises RuntimeError after
    LIMIT_SECONDS."""
    with data_directory() as folder, QueueingModel() as model:
        settings = {**model.environment, "CONTENTGEN_MODEL_CALLS": str(calls)}
        with service(folder, "--workers", "1", "--job-workers", "1", demo=True, settings=settings) as program:
            client = Client(program, (folder / "demo.key").read_text().strip())
            began = time.perf_counter()
            for number in range(ARTICLES):
                body = {"nicheId": "home-energy", "topic": f"Heat pumps in older houses, part {number}"}
                client.call("/writer/generate", body)
            plans = [client.plan_seconds(number) for number in range(PLANS)]
            while client.generated() < ARTICLES:
                if time.perf_counter() - began > LIMIT_SECONDS:
                    raise RuntimeError("the articles are not written in time")
                time.sleep(0.2)
            minutes = (time.perf_counter() - began) / 60
    return ARTICLES / minutes, statistics.median(plans), max(plans)


if __name__ == "__main__":
    for calls in map(int, sys.argv[1:] or ("2", "4", "8", "16", "52")):
        rate, median, longest = measured(calls)
        sys.stdout.write(
            f"{calls:3} calls at a time: {rate:5.1f} articles/min, a plan in {median:4.1f} s, at most {longest:.1f} s\n"
        )
        sys.stdout.flush()
