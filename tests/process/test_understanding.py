"""A service that searches by meaning: its model, and what happens when the model comes, goes or changes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

import httpx

from tests.process.service import Service, connect, run, until

NICHE = "home-energy"
BY_MEANING = "Getting warmth out of the outside air"  # of heat pumps, in other words
AUTO = {"CONTENTGEN_EMBEDDINGS": "auto"}


def stats(client: httpx.Client) -> dict[str, Any]:
    answer: dict[str, Any] = client.get(f"/kb/{NICHE}/stats").raise_for_status().json()
    return answer


def understood(client: httpx.Client) -> bool:
    found = stats(client)
    return bool(found["understood"] == found["total"])


def titles(client: httpx.Client) -> list[str]:
    answer = client.post("/documents/search", json={"query": BY_MEANING, "limit": 5})
    return [found["parentTitle"] for found in answer.raise_for_status().json()["results"]]


def programs(service: Service) -> list[int]:
    """The processes that embed for this service."""
    assert service.process is not None
    found = []
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as command, open(f"/proc/{entry}/stat") as stat:
                embeds = b"contentgen_adapters.embeddings.semantic.program" in command.read()
                if embeds and int(stat.read().rpartition(")")[2].split()[1]) == service.process.pid:
                    found.append(int(entry))
        except (OSError, ValueError):
            continue
    return found


def test_a_knowledge_base_is_understood_after_a_model_came_and_searched_all_the_time(
    serve: Callable[..., Service],
) -> None:
    hashed = serve()
    hashed.start()
    key = hashed.demo_key
    with hashed.client(key) as client:
        until(lambda: understood(client), 30, "all to have vectors")
        before = titles(client)
    hashed.close()
    service = Service(hashed.data_dir, AUTO)
    try:
        service.start()
        parts = service.http.get("/ready").json()["parts"]
        assert parts["embeddings"]["detail"].startswith("semantic: multilingual-e5")
        with service.client(key) as client:
            assert titles(client), "while the model reads"
            until(lambda: understood(client), 60, "all to be understood")
            after = titles(client)
            assert "pump" in after[0].lower(), (before, after)
            [program] = programs(service)
            os.kill(program, signal.SIGKILL)
            assert titles(client) == after, "with a new process"
            assert programs(service) != [program]
        with connect(service.data_dir) as database:
            [(kept,)] = database.execute("SELECT count(*) FROM kb_passage_vectors").fetchall()
        left = programs(service)
        service.kill()
        until(lambda: not any(os.path.exists(f"/proc/{pid}/exe") for pid in left), 10, "the model to end, too")
        again = Service(service.data_dir, AUTO)
        again.start()
        try:
            with again.client(key) as client:
                assert titles(client) == after
            with connect(again.data_dir) as database:
                assert database.execute("SELECT count(*) FROM kb_passage_vectors").fetchall() == [(kept,)]
        finally:
            again.close()
        done = run("kb", "reindex", data_dir=service.data_dir, env=AUTO)
        assert done.returncode == 0, done.stderr
        shown = run("kb", "stats", "--niche", NICHE, "--json", data_dir=service.data_dir, env=AUTO)
        assert '"understood"' in shown.stdout, shown.stderr
    finally:
        service.close()
