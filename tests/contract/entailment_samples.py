"""A stand-in for a server that classifies pairs, and a tiny ONNX model that does."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import httpx
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from contentgen_adapters.entailment.labels import Labels
from contentgen_adapters.entailment.tei import TeiEntailment
from contentgen_adapters.memory.entailment import judged
from contentgen_adapters.shared.http import RetryPolicy
from contentgen_core.ports.entailment import Pair
from tests.support.stand_in import StandIn
from tests.support.waiting import no_wait

NAMES: Final = ("ENTAILMENT", "Neutral", "contradiction")


def classes(pair: Sequence[str], names: Sequence[str] = NAMES) -> list[dict[str, Any]]:
    """One answer as the server gives it: the likeliest class first."""
    judgement = judged(Pair(*pair))
    scores = (judgement.entailment, judgement.neutral, judgement.contradiction)
    found = [{"label": name, "score": score} for name, score in zip(names, scores, strict=True)]
    return sorted(found, key=lambda one: -one["score"])


class Server(StandIn):
    """Answers as the real one does; `failures` come first. `names`: what its model calls the three classes."""

    def __init__(self, *failures: httpx.Response | Exception, names: Sequence[str] = NAMES) -> None:
        super().__init__(*failures)
        self.names = names

    def answer(self, request: httpx.Request) -> httpx.Response:
        inputs = json.loads(request.content)["inputs"]
        if len(inputs) > 32:
            return httpx.Response(413, json={"error": "batch size > maximum allowed batch size 32"})
        if not all(text for pair in inputs for text in pair):
            return httpx.Response(422, json={"error": "inputs cannot be empty", "error_type": "Validation"})
        return httpx.Response(200, json=[classes(pair, self.names) for pair in inputs])

    def body(self, number: int) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(self.requests[number].content)
        return body


class Watch:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def connected(server: Server, *, labels: Labels | None = None, watch: Watch | None = None) -> TeiEntailment:
    """An adapter that talks to this server and does not wait between attempts."""
    return TeiEntailment(
        "https://nli.example/",
        "key-123456",
        "sample-nli",
        httpx.AsyncClient(transport=httpx.MockTransport(server)),
        labels=labels,
        retry_policy=RetryPolicy(attempts=3, sleep=no_wait),
        monotonic=watch or Watch(),
    )


SPECIAL: Final = ("[UNK]", "[CLS]", "[SEP]")
WORDS: Final = (
    *SPECIAL,
    "not",
    "the",
    "pump",
    "is",
    "quiet",
    "and",
    "small",
    "firewalls",
    "block",
    "traffic",
    "p",
    "h",
)


def write_folder(
    folder: Path, *, names: Mapping[int, str] | None = None, inputs: Sequence[str] | None = None, **config: Any
) -> Path:
    """A folder with a model that finds the hypothesis's words in the premise. `names`: its `id2label`."""
    folder.mkdir(exist_ok=True)
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    named = names or {0: "contradiction", 1: "Neutral", 2: "ENTAILMENT"}
    described = {"id2label": {str(i): name for i, name in named.items()}, "model_type": "sample", **config}
    (folder / "config.json").write_text(json.dumps(described), encoding="utf-8")
    write_model(folder / "model.onnx", inputs or ("input_ids", "attention_mask", "token_type_ids"))
    return folder


def write_model(path: Path, inputs: Sequence[str]) -> None:
    """Logits of contradiction, neutral, entailment: 0 for neutral, twelve times what is above two thirds of the
    hypothesis's words for entailment, and less of that where only one side has "not"; for contradiction the reverse.

    Tokens become rows of a unit matrix without the special ones, summed over each side, cut to 0..1: which words stand
    there."""
    one_hot = np.eye(len(WORDS), dtype=np.float32)
    one_hot[: len(SPECIAL)] = 0.0
    said = one_hot.copy()
    said[:, WORDS.index("not")] = 0.0  # of a hypothesis, the words that ask to be found
    given = {
        "one_hot": one_hot,
        "said": said,
        "not": one_hot[:, WORDS.index("not")].reshape(-1, 1),
        "tokens": np.array([1], dtype=np.int64),
        "last": np.array([2], dtype=np.int64),
        "one": np.float32(1.0),
        "many": np.float32(12.0),
        "most": np.float32(2 / 3),
        "zero": np.float32(0.0),
        "turned": np.float32(20.0),
    }
    nodes: list[Any] = []

    def node(kind: str, *names: str, **settings: Any) -> str:
        nodes.append(helper.make_node(kind, list(names), [f"n{len(nodes)}"], **settings))
        return f"n{len(nodes) - 1}"

    typed = node("Cast", "token_type_ids", to=TensorProto.FLOAT)
    kept = node("Cast", "attention_mask", to=TensorProto.FLOAT)
    hypothesis_mask = node("Unsqueeze", node("Mul", kept, typed), "last")
    premise_mask = node("Unsqueeze", node("Mul", kept, node("Sub", "one", typed)), "last")

    def side(table: str, mask: str) -> str:
        summed = node("ReduceSum", node("Mul", node("Gather", table, "input_ids"), mask), "tokens", keepdims=0)
        return node("Min", summed, "one")

    premise, hypothesis = side("one_hot", premise_mask), side("said", hypothesis_mask)
    asked = node("Max", node("ReduceSum", hypothesis, "tokens", keepdims=1), "one")
    found = node("Div", node("ReduceSum", node("Mul", premise, hypothesis), "tokens", keepdims=1), asked)
    held = node("Mul", node("Sub", found, "most"), "many")
    denied_here, denied_there = (side("not", mask) for mask in (premise_mask, hypothesis_mask))
    turned = node("Mul", node("Abs", node("Sub", denied_here, denied_there)), "turned")
    entailed = node("Sub", held, turned)
    contradicted = node("Sub", node("Add", held, turned), "turned")
    neutral = node("Mul", held, "zero")
    nodes.append(helper.make_node("Concat", [contradicted, neutral, entailed], ["logits"], axis=1))
    taken = [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "width"]) for name in inputs]
    answered = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["texts", 3])]
    constants = [numpy_helper.from_array(np.asarray(value), name) for name, value in given.items()]
    graph = helper.make_graph(nodes, "sample", taken, answered, constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
