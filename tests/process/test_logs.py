"""What a running service logs: whose every line is, and never a secret or what users write."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tests.process.service import Service, run, until
from tests.process.web import Web, page, text
from tests.support.model_server import ModelServer

AGENT = "home-energy-GB"
MARK = "Zyxwomarked"  # in every text of a user; no word of any program
TOPIC = f"Heat pump noise limits {MARK}"
ECHOED = f"Heat pump noise and an answer {MARK} echoed"
SECRET = "the-operators-own-secret-0123456789-abcdef"
SEARCH_KEY = "the-key-of-the-search"
MODEL_KEY = "sk-the-models-own-key-0123456789"


class EchoingModel(ModelServer):
    """Fails for one topic, in words that repeat what it was asked and with which key."""

    def answer(self, body: dict[str, Any], key: str) -> tuple[int, dict[str, str], dict[str, Any]]:
        asked = body["messages"][1]["content"]
        if "echoed" in asked:
            return 400, {}, {"error": {"message": f"cannot answer {asked} with {key}"}}
        return super().answer(body, key)


@pytest.fixture
def service(serve: Callable[..., Service], web: Web) -> Iterator[Service]:
    with EchoingModel() as model:
        started = serve({"CONTENTGEN_SECRET_KEY": SECRET, **web.environment, **model.environment})
        started.start()
        yield started


def test_no_line_holds_a_secret_a_key_or_what_a_user_wrote(service: Service, web: Web) -> None:
    creating = ("tenants", "create", "--name", MARK, "--plan", "business", "--json")
    made = json.loads(run(*creating, data_dir=service.data_dir, env=service.env).stdout)
    with service.client() as http, service.client(made["apiKey"]) as other:
        generate(http, TOPIC)
        generate(http, ECHOED)
        enrich(http, web)
        upload(http)
        key = http.post("/account/keys", json={"name": MARK}).json()
        with service.client(key["key"]) as with_new_key:
            assert with_new_key.get("/articles", params={"search": MARK}).status_code == 200
        assert http.delete(f"/account/keys/{key['id']}").status_code == 200
        assert http.get("/articles", headers={"X-API-Key": f"cg_{MARK}"}).status_code == 401
        for_every_operation(other)
        service.interrupt()
        log = service.log()
        for secret in (SECRET, SEARCH_KEY, MODEL_KEY, made["apiKey"], key["key"]):
            assert secret not in log
        assert service.demo_key not in json.dumps(lines_of(log))  # on standard output `--demo` shows it
    assert MARK.casefold() not in log.casefold()
    assert {"job enqueued", "job started", "job ended", "request"} <= {line["event"] for line in lines_of(log)}


def test_a_request_can_be_followed_to_its_job_and_its_article(service: Service) -> None:
    with service.client() as http:
        answer = http.post("/writer/generate-plan", headers={"X-Request-Id": "follow-me"}, json=plan_of(TOPIC))
        assert answer.status_code == 200, answer.text
        ended(http, answer.json()["articleId"])
        tenant = http.get("/tenant").json()["id"]
    lines = until(
        lambda: [line for line in lines_of(service.log()) if line["event"] == "job ended"], 5, "its last line"
    )
    lines = lines_of(service.log())
    [enqueued] = [line for line in lines if line["event"] == "job enqueued"]
    assert (enqueued["requestId"], enqueued["tenantId"]) == ("follow-me", tenant)
    of_request = [line for line in lines if line.get("requestId") == "follow-me"]
    assert [line["event"] for line in of_request] == ["job enqueued", "request"]
    of_job = [line for line in lines if line.get("jobId") == enqueued["jobId"] and line is not enqueued]
    assert {"job started", "job ended"} <= {line["event"] for line in of_job}
    assert all((line["kind"], line["tenantId"]) == ("generate_article", tenant) for line in of_job)


def plan_of(topic: str) -> dict[str, Any]:
    return {"agentKey": AGENT, "topic": topic, "language": "en", "articleLength": "short", "autoValidate": True,
            "keywords": [MARK], "allowLowCoverage": True}  # fmt: skip


def generate(http: httpx.Client, topic: str) -> None:
    http.post("/writer/check-kb-coverage", json={"agentKey": AGENT, "topic": topic})
    http.post("/writer/validate-topic", json={"agentKey": AGENT, "topic": topic})
    answer = http.post(
        "/writer/generate-plan", json=plan_of(topic), headers={"Idempotency-Key": f"{MARK}-{len(topic)}"}
    )
    assert answer.status_code == 200, answer.text
    ended(http, answer.json()["articleId"])
    direct = http.post("/writer/generate", json={"nicheId": "home-energy", "topic": f"{topic} once more"})
    assert direct.status_code == 200, direct.text
    ended(http, direct.json()["articleId"])


def ended(http: httpx.Client, article: str) -> None:
    until(lambda: http.get(f"/writer/{article}").json()["status"] != "generating", 30, "the article")


def enrich(http: httpx.Client, web: Web) -> None:
    about = f"Heat pump noise limits in Merrow {MARK}"
    web.finds(about, [web.good(f"/{MARK}/1", about), web.server.status(f"/{MARK}/2", 500)])
    answer = http.post("/writer/enrich-kb-topic", json={"agentKey": AGENT, "topic": about})
    assert answer.status_code == 200, answer.text
    task = answer.json()["taskId"]
    until(lambda: http.get(f"/writer/enrichment-status/{task}").json()["status"] in ("completed", "failed"), 30, "it")


def upload(http: httpx.Client) -> None:
    files: dict[str, bytes] = {
        f"{MARK}.md": f"# {MARK}\n\nA heat pump {MARK} is quiet.".encode(),
        f"{MARK}.pdf": b"%PDF-1.4\n1 0 obj <</Title (" + MARK.encode() + b")>> endobj\nbroken",
        f"{MARK}.html": page(MARK, text(MARK, "upload")),
    }
    for name, content in files.items():
        answer = http.post("/documents/upload", files={"file": (name, content)}, data={"nicheKey": "home-energy"})
        if answer.status_code == 200:
            document = answer.json()["id"]
            until(lambda: http.get(f"/documents/{document}").json()["status"] != "processing", 30, name)  # noqa: B023
    http.post("/documents/url", json={"url": f"http://127.0.0.1:9/{MARK}"})
    http.post("/documents/search", json={"query": f"heat pump {MARK}"})


def for_every_operation(http: httpx.Client) -> None:
    """Whatever there is, and whatever comes to be, is sent marked texts in every place that takes one."""
    document = http.get("/openapi.json").json()
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            address = re.sub(r"\{\w+\}", MARK, path)
            query = {p["name"]: MARK for p in operation.get("parameters", ()) if p.get("in") == "query"}
            content = operation.get("requestBody", {}).get("content", {})
            body = value_of(content["application/json"]["schema"], document) if "application/json" in content else None
            with http.stream(method.upper(), address, params=query, json=body):
                pass


def value_of(schema: dict[str, Any], document: dict[str, Any], depth: int = 0) -> Any:
    """Something of the schema's kind that is marked wherever it can be; it need not be valid."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return value_of(document["components"]["schemas"][name], document, depth + 1)
    if depth > 6:
        return MARK
    if schema.get("enum"):
        return schema["enum"][0]
    for several in ("anyOf", "oneOf", "allOf"):
        if schema.get(several):
            return value_of(schema[several][0], document, depth + 1)
    match schema.get("type"):
        case "object":
            return {name: value_of(part, document, depth + 1) for name, part in schema.get("properties", {}).items()}
        case "array":
            return [value_of(schema.get("items", {}), document, depth + 1)]
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return True
    if re.fullmatch(schema.get("pattern", ""), AGENT):
        return AGENT
    return f"{MARK}@example.com" if schema.get("format") == "email" else MARK


def lines_of(log: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.splitlines() if line.startswith("{")]
