"""A vendor of batches for tests: speaks both vendors' protocols, and answers what is in a batch when a test ends it."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Any

import httpx
from attrs import define, field

from contentgen_core.ports.batched_model import BatchedModel
from contentgen_core.testing.runtime import MOMENT
from tests.contract.model_server import ModelServer


@define
class _Batch:
    requests: dict[str, dict[str, Any]]
    metadata: dict[str, str] = field(factory=dict)
    status: str = "in_progress"
    lines: list[dict[str, Any]] = field(factory=list)
    input_file: str = ""

    @property
    def good(self) -> list[dict[str, Any]]:
        """OpenAI's lines of answers; those of failures are in another file."""
        return [line for line in self.lines if line["response"]]


class BatchServer(ModelServer):
    """`anthropic_speaking`: which vendor it is; `batches`: by its own ids."""

    def __init__(self, *first: httpx.Response | Exception | str, anthropic_speaking: bool, **given: Any) -> None:
        super().__init__(*first)
        self._anthropic = anthropic_speaking
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, _Batch] = {}
        self.answered = 0
        self._losing = False
        self.writer = self.anthropic(**given) if anthropic_speaking else self.openai(**given)
        self.model: BatchedModel = self.writer.batched_parts
        self.planner: BatchedModel = self.writer.batched_plans

    def end(self, *, without: Collection[str] = (), status: str = "completed") -> None:
        """`status`: OpenAI's word for how they end."""
        for batch in list(self.batches.values()):
            if batch.status in ("in_progress", "cancelling"):
                left_out = set(batch.requests) if batch.status == "cancelling" else set(without)
                batch.lines = [self._line(id, body, id in left_out) for id, body in batch.requests.items()]
                batch.lines.reverse()  # no vendor promises an order
                batch.status = "cancelled" if batch.status == "cancelling" else status
                if not self._anthropic and batch.good:
                    self.files[f"out-{batch.input_file}"] = b""

    def lose_next_answer(self) -> None:
        self._losing = True

    def _line(self, id: str, body: dict[str, Any], failed: bool) -> dict[str, Any]:
        if failed:
            if self._anthropic:
                return {"custom_id": id, "result": {"type": "expired"}}
            return {"custom_id": id, "response": None, "error": {"code": "batch_expired", "message": "too late"}}
        self.answered += 1
        asked = httpx.Request("POST", "https://models.example", content=json.dumps(body))
        answer = json.loads(super()._handle(asked).content)
        if self._anthropic:
            return {"custom_id": id, "result": {"type": "succeeded", "message": answer}}
        return {"custom_id": id, "response": {"status_code": 200, "request_id": "r", "body": answer}, "error": None}

    def _handle(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/v1").removeprefix("/messages")
        if not path.startswith(("/batches", "/files")):
            self.answered += 1
            return super()._handle(request)
        found = self._batch_call(request.method, path, request)
        if self._losing and request.method == "POST" and path == "/batches":
            self._losing = False
            raise httpx.ReadTimeout("no answer in time")
        return found

    def _batch_call(self, method: str, path: str, request: httpx.Request) -> httpx.Response:
        match method, path.strip("/").split("/"):
            case "POST", ["files"]:
                id = f"file-{len(self.requests)}"
                self.files[id] = _uploaded(request)
                return httpx.Response(200, json={"id": id, "object": "file"})
            case "POST", ["batches"]:
                id = f"batch_{len(self.requests)}"
                self.batches[id] = self._new(json.loads(request.content))
                return httpx.Response(200, json=self._shown(id))
            case "GET", ["batches"]:
                assert request.url.params["limit"] == "100"
                return httpx.Response(200, json={"data": [self._shown(id) for id in reversed(self.batches)]})
            case _, ["files", id, *_] if id not in self.files:
                return httpx.Response(404, json={"error": {"message": "no such file"}})
            case "GET", ["files", id, "content"]:
                [batch] = [batch for batch in self.batches.values() if f"out-{batch.input_file}" == id]
                return httpx.Response(200, content=_lines(batch.good))
            case "DELETE", ["files", id]:
                del self.files[id]
                return httpx.Response(200, json={"id": id, "deleted": True})
            case "DELETE", ["batches", id] if self._anthropic and id in self.batches:
                del self.batches[id]
                return httpx.Response(200, json={"id": id, "type": "message_batch_deleted"})
            case _, ["batches", id, *_] if id not in self.batches:
                return httpx.Response(404, json={"error": {"message": "no such batch"}})
            case "GET", ["batches", id]:
                return httpx.Response(200, json=self._shown(id))
            case "GET", ["batches", id, "results"] if self._anthropic:
                return httpx.Response(200, content=_lines(self.batches[id].lines))
            case "POST", ["batches", id, "cancel"]:
                if self.batches[id].status != "in_progress":
                    return httpx.Response(409, json={"error": {"message": "it has ended"}})
                self.batches[id].status = "cancelling"
                return httpx.Response(200, json=self._shown(id))
        raise AssertionError(f"unexpected call {method} {path}")

    def _new(self, order: dict[str, Any]) -> _Batch:
        if self._anthropic:
            return _Batch({asked["custom_id"]: asked["params"] for asked in order["requests"]})
        assert (order["endpoint"], order["completion_window"]) == ("/v1/chat/completions", "24h")
        lines = [json.loads(line) for line in self.files[order["input_file_id"]].splitlines()]
        assert {(line["method"], line["url"]) for line in lines} == {("POST", "/v1/chat/completions")}
        asked = {line["custom_id"]: line["body"] for line in lines}
        return _Batch(asked, order["metadata"], input_file=order["input_file_id"])

    def _shown(self, id: str) -> dict[str, Any]:
        batch = self.batches[id]
        ended = batch.status not in ("in_progress", "cancelling")
        if self._anthropic:
            done = "succeeded" if ended else "processing"
            counts = {"processing": 0, "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0}
            return {
                "id": id,
                "type": "message_batch",
                "processing_status": "ended" if ended else "in_progress",
                "request_counts": {**counts, done: len(batch.requests)},
                "created_at": MOMENT.isoformat(),
                "results_url": f"https://elsewhere.example/{id}" if ended else None,
            }
        shown: dict[str, Any] = {"id": id, "object": "batch", "status": batch.status, "metadata": batch.metadata}
        shown["input_file_id"] = batch.input_file
        if ended and batch.good:
            shown["output_file_id"] = f"out-{batch.input_file}"
        return shown


def _lines(values: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(value) + "\n" for value in values).encode()


def _uploaded(request: httpx.Request) -> bytes:
    """The file of a form with `purpose=batch`."""
    boundary = re.search(r"boundary=(\S+)", request.headers["Content-Type"])
    assert boundary is not None
    parts = request.content.split(b"--" + boundary[1].encode())
    fields = {}
    for part in parts[1:-1]:
        head, _, content = part.partition(b"\r\n\r\n")
        name = re.search(rb'name="(\w+)"', head)
        assert name is not None
        fields[name[1]] = content.removesuffix(b"\r\n")
    assert fields[b"purpose"] == b"batch"
    return fields[b"file"]
