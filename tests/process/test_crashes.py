"""Killed, interrupted, started again: nothing is lost and nothing is done twice."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable

from tests.process.articles import ENDED, started, statuses, used
from tests.process.service import Service, connect, figure, until
from tests.support.model_server import ModelServer

ARTICLES = 20
CHECKPOINT_SECONDS = 2.0  # an answer that old is stored, also on a busy machine


def stored_by_now(model: ModelServer) -> set[tuple[str, str, str]]:
    """What the model need not be asked for again."""
    old = time.monotonic() - CHECKPOINT_SECONDS
    return {call.work for call in list(model.calls) if call.answered is not None and call.answered < old}


def test_a_kill_in_the_middle_of_twenty_generations_loses_and_repeats_nothing(
    serve: Callable[..., Service], model: ModelServer
) -> None:
    model.delay = 1.0
    service = serve(model.environment)
    service.start()
    with service.client() as client:
        ids = started(client, ARTICLES)
        until(lambda: model.answered("section") >= 6 and stored_by_now(model), 60, lambda: model.calls)
        until(lambda: model.under_way() >= 4, 60, lambda: model.calls)
    stored = stored_by_now(model)
    service.kill()
    before = model.work()
    assert 0 < sum(before.values()) < 6 * ARTICLES

    model.delay = 0.05
    service.start()
    back = time.monotonic()
    with service.client() as client, connect(service.data_dir) as database:

        def none_is_left_behind() -> bool:
            waiting = database.execute(
                "SELECT count(*) FROM jobs WHERE state = 'queued' OR (state = 'running' AND leased_until < now())"
            ).fetchone()
            return waiting == (0,)

        until(none_is_left_behind, 60, "every article under way again")
        until(lambda: set(statuses(client).values()) <= ENDED, 60, lambda: statuses(client))
        figure(f"all {ARTICLES} ended {time.monotonic() - back:.1f} s after the restart")
        ended = statuses(client)
        assert sorted(ended) == sorted(ids)
        assert list(ended.values()) == ["generated"] * ARTICLES
        assert used(client) == ARTICLES
    after = model.work()
    assert max(after.values()) <= 2, "an interruption costs at most the call that was under way"
    assert {work: after[work] for work in stored} == dict.fromkeys(stored, 1)
    assert model.count("rewrite") == 0
    assert "Traceback" not in service.log()


def test_ctrl_c_stops_within_three_seconds_and_the_restart_goes_on_at_once(
    serve: Callable[..., Service], model: ModelServer
) -> None:
    model.delay = 30.0
    service = serve(model.environment)
    service.start()
    key = service.demo_key
    idle = service.client()
    ids = started(idle, 6)
    until(lambda: model.count("plan") == 6, 30, lambda: model.calls)
    stopped_in = service.interrupt()
    figure(f"stopped in {stopped_in:.2f} s")
    assert stopped_in < 3
    assert service.process is not None
    assert service.process.returncode in (0, 130)
    assert "Traceback" not in service.log()
    idle.close()

    model.delay = 0.05
    service.start()
    back = time.monotonic()
    until(lambda: model.count("plan") == 12, 10, lambda: model.work())
    figure(f"writing again {time.monotonic() - back:.2f} s after the start")
    with service.client(key) as client:
        until(lambda: set(statuses(client).values()) == {"generated"}, 60, lambda: statuses(client))
        assert sorted(statuses(client)) == sorted(ids)
        assert used(client) == 6
    with connect(service.data_dir) as database:
        attempts = database.execute("SELECT DISTINCT attempts FROM jobs").fetchall()
    assert attempts == [(1,)], "the interrupted attempt is not counted"


def test_two_signals_at_once_end_it_no_later_than_one(serve: Callable[..., Service], model: ModelServer) -> None:
    model.delay = 30.0
    service = serve(model.environment)
    service.start()
    with service.client() as client:
        ids = started(client, 2)
        until(lambda: model.count("plan") == 2, 30, lambda: model.calls)
    assert service.process is not None
    began = time.monotonic()
    service.process.terminate()
    service.process.send_signal(signal.SIGINT)
    service.process.wait(10)
    assert time.monotonic() - began < 3
    service.start()
    with service.client() as client:
        assert sorted(statuses(client)) == sorted(ids)


def test_a_model_that_is_too_busy_for_a_moment_costs_no_article(
    serve: Callable[..., Service], model: ModelServer
) -> None:
    service = serve(model.environment)
    service.start()
    refusals = iter([(429, {"Retry-After": "1"}), (503, {}), (429, {}), (529, {})])
    model.failing = lambda call: next(refusals, None)
    with service.client() as client:
        [id] = started(client, 1)
        until(lambda: client.get(f"/writer/{id}").json()["status"] in ENDED, 60, lambda: model.calls)
        article = client.get(f"/writer/{id}").json()
    assert article["status"] == "generated", article
    assert max(model.work().values()) <= 5
    assert all(sentence["verdict"] == "supported" for sentence in article["grounding"]["sentences"])
