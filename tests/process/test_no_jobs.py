"""A service that does no jobs, as on a restored copy beside the live service."""

from __future__ import annotations

import re
import time
from pathlib import Path

import httpx
import pytest

from tests.process.articles import started, statuses
from tests.process.service import Service, data_directory, run, until

WATCHED_SECONDS = 4.0
"""A service that does jobs has begun an article within one."""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_nothing_is_done_until_a_start_with_jobs(workers: str) -> None:
    with data_directory() as place:
        service = Service(place, options=("--workers", workers, "--no-jobs"))
        try:
            service.start()
            with service.client() as client:
                [article] = started(client, 1)
                time.sleep(WATCHED_SECONDS)
                assert statuses(client) == {article: "generating"}
                shown = client.get(f"/writer/generation-status/{article}").json()
                assert shown["progress"] == 0
                asked = {"email": "ada@example.org", "nicheKeys": [], "minScore": 70}
                held = client.post("/public/trend-alerts", json=asked)
                assert (held.status_code, held.json()["code"]) == (503, "held_back")
                ready = client.get("/ready").json()
            assert ready["parts"]["jobs"] == {"state": "up", "detail": "none are done here: started with --no-jobs"}
            assert ready["can"] == {"read": True, "search": True, "write": False, "upload": False, "publish": False}
            assert "It does no jobs: nothing is written, published" in service.log()
            english, french = first_pages(service, "en", "fr")
            assert "Background work is off on this instance" in english
            assert "Les tâches de fond sont désactivées sur cette instance" in french
            service.interrupt()
            service.options = ["--workers", "1", "--job-workers", "0"]
            service.start()
            with service.client() as client:
                until(lambda: statuses(client) == {article: "generated"}, 30, "the article")
                assert "jobs" not in client.get("/ready").json()["parts"]
        finally:
            service.close()


def first_pages(service: Service, *languages: str) -> list[str]:
    """The first page of the console in each language, for the demo's owner."""
    [link] = re.findall(r"demo's owner \(once\): (\S+)", service.log())
    with httpx.Client(follow_redirects=True, trust_env=False) as browser:
        page = browser.get(link).text
        fields = dict(re.findall(r"name=\"(token|csrf)\" value=\"([^\"]+)\"", page))
        browser.post(f"{service.http.base_url}/console/sign-in/link", data=fields)
        home = f"{service.http.base_url}/console"
        return [browser.get(home, headers={"Accept-Language": language}).text for language in languages]


def test_no_jobs_and_a_number_of_processes_for_them_exclude_each_other(tmp_path: Path) -> None:
    ended = run("serve", "--no-jobs", "--job-workers", "2", data_dir=tmp_path / "data")
    assert ended.returncode == 1
    assert "--no-jobs and --job-workers exclude each other" in ended.stderr
