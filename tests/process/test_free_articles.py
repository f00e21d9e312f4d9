"""Free articles end to end: a page of a real server, a kill while it is written, and the same answer ever after."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx

from tests.process.articles import problem
from tests.process.service import Service, connect, until
from tests.process.web import Web, topic
from tests.support.model_server import ModelServer

PATH = "/public/generate-from-link"


def test_a_kill_while_a_free_article_is_written_neither_loses_nor_doubles_it(
    serve: Callable[..., Service], web: Web, model: ModelServer
) -> None:
    about = topic(3)
    link = web.good("/free", about)
    model.delay = 1.0
    service = serve({**web.environment, **model.environment, "CONTENTGEN_FREE_ARTICLES_PER_DAY": "1"})
    service.start()

    def asked(client: httpx.Client, url: str = link) -> dict[str, Any]:
        answer = client.post(PATH, json={"url": url})
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()
        return body

    with service.client() as client:
        assert asked(client)["created"]
        until(lambda: model.answered("plan") == 1 and model.under_way(), 60, lambda: model.calls)
    service.kill()
    model.delay = 0.05
    service.start()
    with service.client() as client, connect(service.data_dir) as database:

        def status() -> tuple[Any, ...] | None:
            return database.execute("SELECT status FROM articles WHERE is_free_generation").fetchone()

        until(lambda: status() == ("generated",), 60, status)
        found = asked(client, f"{link}?utm_source=mail#top")
        assert not found["created"]
        assert {source["url"] for source in found["article"]["sources"]} == {link}
        assert "[1]" in found["article"]["content"]
        other = client.post(PATH, json={"url": web.good("/another", topic(4))})
        assert problem(other, 429)["code"] == "daily_quota_exceeded"
        private = client.post(PATH, json={"url": "http://127.0.0.1/"})
        assert "loopback" in problem(private, 400)["detail"]
    with connect(service.data_dir) as database:
        counted = database.execute("SELECT count(*) FROM articles WHERE is_free_generation").fetchone()
        visitors = database.execute("SELECT subject, used FROM free_counts ORDER BY subject = 'platform'").fetchall()
    assert counted == (1,)
    assert [used for _, used in visitors] == [1, 1]
    assert "127.0.0.1" not in {subject for subject, _ in visitors}
    assert "Traceback" not in service.log()
