"""The knowledge base is filled from the command line, and from files, whatever happens to the service."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fpdf
import httpx

from tests.process.articles import used
from tests.process.gates import Gates
from tests.process.knowledge import (
    AGENT,
    assert_no_passage_is_there_twice,
    score,
    stored,
    used_enrichments,
)
from tests.process.service import Service, run, until
from tests.process.web import Web, sentences, topic


def test_the_command_enriches_beside_a_running_service_and_without_one(serve: Callable[..., Service], web: Web) -> None:
    service = serve(web.environment)
    service.start()
    key = service.demo_key
    with service.client() as client:
        tenant = client.get("/tenant").json()["id"]

    def command(about: str) -> dict[str, Any]:
        done = run(
            *("kb", "enrich", about, "--agent", AGENT, "--tenant", tenant, "--json"),
            data_dir=service.data_dir,
            env=web.environment,
        )
        assert done.returncode in (0, 1), done.stderr
        assert "Traceback" not in done.stderr
        answer: dict[str, Any] = json.loads(done.stdout)
        assert (answer["status"] == "completed") == (done.returncode == 0)
        return answer

    beside = command(web.covers(1))
    assert (beside["status"], beside["search"]) == ("completed", "serper")
    assert used_enrichments(service) == 1
    service.close()
    alone = command(web.covers(2))
    assert alone["status"] == "completed"
    assert alone["insights"] >= 4
    failed = command(topic(3))
    assert failed["status"] == "failed"
    assert "found no page" in failed["error"]
    again = Service(service.data_dir, web.environment)
    try:
        again.start()
        with again.client(key) as client:
            assert used(client, "enrichments") == 2
            assert score(client, topic(1)) > 50
            assert score(client, topic(2)) > 50
        assert len(stored(again)) == 6
        assert_no_passage_is_there_twice(again)
    finally:
        again.close()


def pdf(path: Path, seed: str, pages: int) -> Path:
    """A PDF with text on each page that no other seed has."""
    made = fpdf.FPDF()
    made.set_font("Helvetica", size=10)
    for number in range(pages):
        made.add_page()
        made.multi_cell(0, 5, " ".join(sentences(f"The {seed} heat store", f"{seed} {number}", 30)))
    made.output(str(path))
    return path


def documents(client: httpx.Client) -> dict[str, dict[str, Any]]:
    """The private documents by their title."""
    answer = client.get("/documents")
    assert answer.status_code == 200, answer.text
    return {document["title"]: document for document in answer.json()["documents"]}


def all_ready(client: httpx.Client) -> bool:
    states = {document["status"] for document in documents(client).values()}
    assert states <= {"processing", "ready"}, documents(client)
    return states == {"ready"}


def test_a_kill_while_files_are_processed_leaves_each_ready_once(serve: Callable[..., Service], tmp_path: Path) -> None:
    files = {title: pdf(tmp_path / f"{title}.pdf", title, pages) for title, pages in (("small", 3), ("large", 80))}
    service = serve()
    service.start()
    gates = Gates(service, [("small", "ready")])
    with service.client() as client:
        for title, file in files.items():
            upload = {"file": (file.name, file.read_bytes())}
            sent = client.post("/documents/upload", files=upload, data={"title": title})
            assert sent.status_code == 200, sent.text
            assert (sent.json()["status"], sent.json()["title"]) == ("processing", title)
        until(lambda: gates.waiting() == 1, 20, lambda: documents(client))
        assert {document["status"] for document in documents(client).values()} == {"processing"}
    gates.kill_and_restart()
    with service.client() as client:
        until(lambda: all_ready(client), 40, lambda: documents(client))
        found = documents(client)
        assert set(found) == set(files)
        for document in found.values():
            assert document["mediaType"] == "application/pdf"
            assert document["passages"] >= 3
        again = client.post("/documents/upload", files={"file": ("again.pdf", files["small"].read_bytes())})
        assert again.status_code == 409
        for title, document in found.items():
            asked = {"query": f"the {title} heat store", "limit": 5}
            hits = client.post("/documents/search", json=asked).json()["results"]
            assert {hit["parentId"] for hit in hits} == {document["id"]}
        assert used(client, "documents") == 2
    assert_no_passage_is_there_twice(service)
    assert len([file for file in (service.data_dir / "objects").rglob("*") if file.is_file()]) == 2
    assert "Traceback" not in service.log()


def test_the_command_adds_documents_beside_a_running_service_and_without_one(
    serve: Callable[..., Service], tmp_path: Path
) -> None:
    service = serve()
    service.start()
    with service.client() as client:
        tenant = client.get("/tenant").json()["id"]
    beside, alone = pdf(tmp_path / "beside.pdf", "beside", 2), pdf(tmp_path / "alone.pdf", "alone", 2)
    (tmp_path / "scan.pdf").write_bytes(b"%PDF-1.7 and nothing that follows")
    add = ["documents", "add", "--tenant", tenant]
    done = run(*add, beside, "--title", "Beside it", data_dir=service.data_dir)
    assert done.returncode == 0, done.stderr
    assert "Beside it" in done.stdout
    with service.client() as client:
        assert documents(client)["Beside it"]["status"] == "ready"
        hits = client.post("/documents/search", json={"query": "the beside heat store"}).json()["results"]
        assert hits[0]["parentTitle"] == "Beside it"
    service.close()
    done = run(*add, alone, tmp_path / "scan.pdf", beside, data_dir=service.data_dir)
    assert done.returncode == 1
    assert "Alone" in done.stdout
    lines = [line for line in done.stderr.splitlines() if line.startswith("not added: ")]
    assert [Path(line.removeprefix("not added: ").partition(": ")[0]).name for line in lines] == [
        "scan.pdf",
        "beside.pdf",
    ]
    assert "Traceback" not in done.stderr
    again = Service(service.data_dir)
    try:
        again.start()
        with again.client() as client:
            ready = {title for title, document in documents(client).items() if document["status"] == "ready"}
            assert ready == {"Beside it", "Alone"}
        assert_no_passage_is_there_twice(again)
    finally:
        again.close()
