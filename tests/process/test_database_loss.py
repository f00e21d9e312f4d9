"""The private database goes away under load, and comes back by itself."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from attrs import define, field

from tests.process.articles import ENDED, generate, problem, statuses, topics, used
from tests.process.service import Service, figure, until
from tests.support.model_server import ModelServer

AWAY_SECONDS = 10.0
LONGEST_ANSWER = 12.0
ARTICLES = 30  # at five a second they begin before the loss and end after it


@define
class Load:
    """Readers and writers at once. Every topic is asked for with a key of its own until it is accepted."""

    service: Service
    articles: int
    accepted: dict[str, str] = field(factory=dict)
    answers: list[tuple[float, float, httpx.Response]] = field(factory=list)
    faults: list[str] = field(factory=list)
    _stop: threading.Event = field(factory=threading.Event)

    @contextmanager
    def running(self) -> Iterator[None]:
        threads = [threading.Thread(target=self._write), *(threading.Thread(target=self._read) for _ in range(6))]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._stop.set()
            for thread in threads:
                thread.join(60)

    def refused(self) -> list[httpx.Response]:
        return [answer for _, _, answer in list(self.answers) if answer.status_code != 200]

    def slowest(self) -> float:
        return max(seconds for _, seconds, _ in list(self.answers))

    def _ask(self, client: httpx.Client, ask: Callable[[httpx.Client], httpx.Response]) -> httpx.Response | None:
        began = time.monotonic()
        try:
            answer = ask(client)
        except httpx.HTTPError as error:
            self.faults.append(repr(error))
            return None
        self.answers.append((began, time.monotonic() - began, answer))
        return answer

    def _read(self) -> None:
        paths = ["/articles", "/tenant/quotas", "/agents", "/tenant"]
        with self.service.client() as client:
            while not self._stop.wait(0.1):
                paths.append(paths.pop(0))
                self._ask(client, lambda c: c.get(paths[0]))

    def _write(self) -> None:
        with self.service.client() as client:
            for number, (niche, topic) in enumerate(topics(self.articles)):
                key = {"Idempotency-Key": f"topic {number}"}
                while topic not in self.accepted:
                    answer = self._ask(client, lambda c, n=niche, t=topic, k=key: generate(c, n, t, **k))  # type: ignore[misc]
                    if answer is not None and answer.status_code == 200:
                        self.accepted[topic] = answer.json()["articleId"]
                    if self._stop.wait(0.2):
                        return


def kill_again_and_again(service: Service) -> None:
    """Keep the server away although the service brings it back."""
    end = time.monotonic() + AWAY_SECONDS
    while time.monotonic() < end:
        if (pid := service.postmaster()) is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)


def freeze(service: Service) -> None:
    """As a disk that does not answer does: every process of the server stands still, no connection breaks."""
    pids = processes_of(service.postmaster())
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
    try:
        time.sleep(AWAY_SECONDS + 5)
    finally:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


def processes_of(parent: int | None) -> list[int]:
    assert parent is not None
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [parent, *map(int, children)]


@pytest.mark.parametrize("going_away", [kill_again_and_again, freeze])
def test_a_database_that_is_away_for_ten_seconds_costs_no_article(
    serve: Callable[..., Service], model: ModelServer, going_away: Callable[[Service], None]
) -> None:
    model.delay = 0.5
    service = serve(model.environment)
    service.start()
    load = Load(service, articles=ARTICLES)
    with load.running():
        until(lambda: len(load.accepted) >= 6 and model.answered("section") >= 2, 30, lambda: load.answers[-3:])
        going_away(service)
        gone = time.monotonic()
        until(lambda: len(load.accepted) == ARTICLES, 60, lambda: f"{load.answers[-3:]}\n{service.logs()}")
        figure(f"serving again {time.monotonic() - gone:.1f} s after it came back")
    with service.client() as client:
        until(lambda: client.get("/articles").status_code == 200, 10, "a list")
        until(lambda: set(statuses(client).values()) <= ENDED, 90, lambda: statuses(client))
        figure(f"all articles ended {time.monotonic() - gone:.1f} s after the database came back")
        ended = statuses(client)
        assert sorted(ended) == sorted(load.accepted.values()), "none lost, none twice"
        assert list(ended.values()) == ["generated"] * ARTICLES
        assert used(client) == ARTICLES
    figure(f"slowest answer {load.slowest():.1f} s; {len(load.refused())} of {len(load.answers)} refused")
    assert load.refused(), "the database was away"
    for answer in load.refused():
        assert problem(answer, 503)["code"] == "unavailable"
        assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert load.faults == []
    slow = [
        (a.request.method, a.request.url.path, round(s, 1), a.status_code, a.text[:150])
        for _, s, a in load.answers
        if s > 2
    ]
    assert load.slowest() < LONGEST_ANSWER, "\n".join(map(str, slow))
    assert max(model.work().values()) <= 3
    assert "Traceback" not in service.log()
