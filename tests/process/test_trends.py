"""Trends by the command line and by a running service, from feeds on a real port."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from tests.process.service import Service, run, until
from tests.support.web_server import WebServer

TITLES = {"a": "Heat pump grant doubled by government", "b": "Government doubles the heat pump grant"}


@pytest.fixture
def server() -> Iterator[WebServer]:
    with WebServer() as server:
        published = format_datetime(datetime.now(UTC) - timedelta(hours=3))  # noqa: TID251
        for name, title in TITLES.items():
            item = f"<item><link>https://{name}.invalid/1</link><title>{title}</title><pubDate>{published}</pubDate></item>"
            server.put(f"/{name}", f'<rss version="2.0"><channel>{item}</channel></rss>', "application/rss+xml")
        yield server


@pytest.fixture
def env(server: WebServer, tmp_path: Path) -> dict[str, str]:
    file = tmp_path / "feeds.toml"
    feeds = [server.url(path) for path in ("/a", "/b", "/gone")]
    file.write_text(f"[home-energy]\nnews = {json.dumps(feeds)}\n")
    return {"CONTENTGEN_TRENDS_FEEDS": str(file), "CONTENTGEN_ALLOWED_PRIVATE_HOSTS": server.host}


def shown(*arguments: str, data_dir: Path, env: dict[str, str]) -> Any:
    done = run("trends", *arguments, "--json", data_dir=data_dir, env=env)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_operators_refresh_and_list_trends(data_dir: Path, env: dict[str, str], server: WebServer) -> None:
    for made in (1, 0):
        [home] = shown("refresh", "--niche", "home-energy", data_dir=data_dir, env=env)
        assert (home["nicheKey"], home["pages"], home["new"], home["trends"]) == ("home-energy", 2, made, 1)
        assert home["faults"] == [f"{server.url('/gone')}: HTTP 404"]
    [trend] = shown("list", data_dir=data_dir, env=env)
    assert trend["title"] in TITLES.values()
    assert (trend["nicheKey"], trend["publishers"], trend["sample"]) == ("home-energy", 2, False)
    assert shown("list", "--niche", "ecommerce", data_dir=data_dir, env=env) == []
    assert trend["slug"][:20] in run("trends", "list", data_dir=data_dir, env=env).stdout
    done = run("trends", "refresh", "--niche", "home-energy", data_dir=data_dir, env=env)
    assert server.url("/gone") in done.stderr
    assert "no-such" in run("trends", "refresh", "--niche", "no-such", data_dir=data_dir, env=env).stderr
    unread = run("trends", "list", data_dir=data_dir, env=env | {"CONTENTGEN_TRENDS_FEEDS": "/no/such.toml"})
    assert unread.returncode == 1
    assert "CONTENTGEN_TRENDS_FEEDS: /no/such.toml cannot be read" in unread.stderr


def test_a_service_refreshes_by_itself_in_one_line_and_is_not_refreshed_again_soon(
    serve: Callable[..., Service], data_dir: Path, env: dict[str, str], server: WebServer
) -> None:
    service = serve(env | {"CONTENTGEN_TRENDS_EVERY": "60"}, demo=False)
    service.start()
    until(lambda: "trends refreshed in part" in service.log(), 30, service.logs)
    assert [trend["publishers"] for trend in shown("list", data_dir=data_dir, env=env)] == [2]
    service.kill()
    service.start()
    time.sleep(2.0)  # a refresh would begin at once
    assert service.log().count("trends refreshed") == 1
    assert server.asked("/a") == 1
    service.close()


def test_the_demo_has_sample_trends_and_a_second_start_adds_none(
    serve: Callable[..., Service], data_dir: Path, env: dict[str, str], server: WebServer
) -> None:
    service = serve(env)
    for _ in range(2):
        service.start()
        listed = shown("list", data_dir=data_dir, env=env)
        assert len(listed) == 5
        assert all(trend["sample"] for trend in listed)
        service.interrupt()
    assert server.visits == []
