"""How the services are asked and how they answer. All of them take POST {address}/rerank; a shape says the rest.

Sources: Cohere's OpenAPI (v2/rerank), Jina's API reference (v1/rerank), the router of text-embeddings-inference
(RerankRequest, Rank), vLLM's protocol (RerankRequest, RerankResponse).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
from attrs import frozen

from contentgen_core.ports.reranking import MAX_RERANKED

Body = Callable[[str | None, str, Sequence[str]], dict[str, Any]]
"""(model, query, passages) to the JSON to send."""

Reading = Callable[[bytes], list[tuple[int, float]]]
"""An answer to (place of the passage, its score), in any order. Raises msgspec.DecodeError."""


@frozen
class Shape:
    """`address`: the vendor's, with the version; None for servers that one runs oneself. `model`: asked for unless
    another one is configured; None: whatever the server has. `at_once`: passages a request may carry."""

    name: str
    body: Body
    read: Reading
    address: str | None = None
    model: str | None = None
    at_once: int = MAX_RERANKED


def documents(**also: object) -> Body:
    """What Cohere began: model, query, documents."""

    def body(model: str | None, query: str, passages: Sequence[str]) -> dict[str, Any]:
        named = {} if model is None else {"model": model}
        return {**named, "query": query, "documents": list(passages), **also}

    return body


def texts(**also: object) -> Body:
    """For a server of one model, which is not named."""

    def body(model: str | None, query: str, passages: Sequence[str]) -> dict[str, Any]:
        return {"query": query, "texts": list(passages), **also}

    return body


class _Result(msgspec.Struct):
    index: int
    relevance_score: float


class _Results(msgspec.Struct):
    results: list[_Result]


class _Rank(msgspec.Struct):
    index: int
    score: float


def results(content: bytes) -> list[tuple[int, float]]:
    return [(result.index, result.relevance_score) for result in _RESULTS.decode(content).results]


def ranks(content: bytes) -> list[tuple[int, float]]:
    return [(rank.index, rank.score) for rank in _RANKS.decode(content)]


_RESULTS: Final = msgspec.json.Decoder(_Results)
_RANKS: Final = msgspec.json.Decoder(list[_Rank])

COHERE: Final = Shape("cohere", documents(), results, "https://api.cohere.com/v2", "rerank-v3.5")
JINA: Final = Shape(
    "jina",
    documents(return_documents=False),
    results,
    "https://api.jina.ai/v1",
    "jina-reranker-v2-base-multilingual",
)
# 32 texts are what a server takes unless started with another --max-client-batch-size.
TEI: Final = Shape("tei", texts(raw_scores=False, return_text=False, truncate=True), ranks, at_once=32)
# -1: cut a pair to the model's window, where the default is to refuse it.
VLLM: Final = Shape("vllm", documents(truncate_prompt_tokens=-1), results)

SHAPES: Final = {shape.name: shape for shape in (COHERE, JINA, TEI, VLLM)}
