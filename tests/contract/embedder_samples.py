"""A stand-in for an embedding endpoint, and tiny ONNX models."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import httpx
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers

from contentgen_adapters.embeddings.openai_compatible import OpenAIEmbedder
from contentgen_adapters.shared.http import RetryPolicy
from tests.support.stand_in import StandIn
from tests.support.waiting import no_wait

DIMENSION: Final = 16


def letters(text: str) -> list[float]:
    """A vector that depends on the text, of another length than one."""
    digest = hashlib.sha256(text.encode()).digest()
    return [byte - 100.5 for byte in digest[:DIMENSION]]


class Endpoint(StandIn):
    """Answers as the real endpoint does, out of order; `failures` come first."""

    def answer(self, request: httpx.Request) -> httpx.Response:
        sent = self.body(-1 if self.most_open == 1 else self.requests.index(request))
        if not all(text for text in sent["input"]):
            return httpx.Response(400, json={"error": {"message": "input cannot be empty"}})
        data = [{"index": i, "embedding": letters(text)} for i, text in enumerate(sent["input"])]
        return httpx.Response(200, json={"object": "list", "data": data[::-1], "model": sent["model"]})

    def body(self, number: int) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(self.requests[number].content)
        return body


def connected(endpoint: Endpoint, *, dimension: int = DIMENSION, shorten: bool = False) -> OpenAIEmbedder:
    """An embedder that talks to this endpoint and does not wait between attempts."""
    return OpenAIEmbedder(
        "https://embeddings.example/v1/",
        "key-123456",
        "sample",
        dimension,
        httpx.AsyncClient(transport=httpx.MockTransport(endpoint)),
        shorten=shorten,
        retry_policy=RetryPolicy(attempts=3, sleep=no_wait),
    )


WORDS: Final = ("[UNK]", "heat", "pump", "solar", "text", "caller", "query", ":", *map(str, range(10)))


def write_tokenizer(folder: Path) -> None:
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Whitespace(), pre_tokenizers.Digits(individual_digits=True)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))


def table_of_words() -> Any:
    return np.random.default_rng(7).standard_normal((len(WORDS), DIMENSION)).astype(np.float32)


def write_model(path: Path, *, inputs: Sequence[str] = ("input_ids", "attention_mask"), pooled: bool = False) -> None:
    """A model that looks each token up in a table; `pooled`: gives the sum over tokens, one vector a text."""
    table = numpy_helper.from_array(table_of_words(), "table")
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["tokens"])]
    shape: list[str | int | None]
    constants, shape = [table], ["texts", "tokens", DIMENSION]
    if pooled:
        constants.append(numpy_helper.from_array(np.array([1], dtype=np.int64), "axes"))
        nodes.append(helper.make_node("ReduceSum", ["tokens", "axes"], ["answer"], keepdims=0))
        shape = ["texts", DIMENSION]
    else:
        nodes.append(helper.make_node("Identity", ["tokens"], ["answer"]))
    taken = [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "width"]) for name in inputs]
    given = [helper.make_tensor_value_info("answer", TensorProto.FLOAT, shape)]
    graph = helper.make_graph(nodes, "sample", taken, given, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    path.parent.mkdir(exist_ok=True)
    onnx.save(model, path)
