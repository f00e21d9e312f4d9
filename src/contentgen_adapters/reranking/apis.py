"""The APIs of the services: all have POST {address}/rerank, and differ in the JSON of request and answer.

Sources: Cohere's OpenAPI (v2/rerank), Jina's API reference (v1/rerank), the router of text-embeddings-inference
(RerankRequest, Rank), vLLM's protocol (RerankRequest, RerankResponse).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
from attrs import frozen

from contentgen_core.ports.reranking import MAX_RERANKED

BuildBody = Callable[[str | None, str, Sequence[str]], dict[str, Any]]
"""From (model, query, passages) to the JSON of the request."""

ReadScores = Callable[[bytes], list[tuple[int, float]]]
"""From the body of an answer to (position of the passage, its score), in any order. Raises msgspec.DecodeError."""


@frozen
class RerankApi:
    """A reranking API.

    `address`: the vendor's, with the version; None for self-hosted servers. `model`: the default; None for the server's
    own. `max_passages`: per request.
    """

    name: str
    body: BuildBody
    read: ReadScores
    address: str | None = None
    model: str | None = None
    max_passages: int = MAX_RERANKED


def documents(**extra: object) -> BuildBody:
    """Cohere's request, which others adopted: model, query, documents. `extra`: further fields of every request."""

    def body(model: str | None, query: str, passages: Sequence[str]) -> dict[str, Any]:
        model_field = {} if model is None else {"model": model}
        return {**model_field, "query": query, "documents": list(passages), **extra}

    return body


def texts(**extra: object) -> BuildBody:
    """The request of a server with a single model. `extra`: further fields of every request."""

    def body(model: str | None, query: str, passages: Sequence[str]) -> dict[str, Any]:
        return {"query": query, "texts": list(passages), **extra}

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
    """Reads `{"results": [{"index", "relevance_score"}]}`."""
    return [(result.index, result.relevance_score) for result in _RESULTS.decode(content).results]


def ranks(content: bytes) -> list[tuple[int, float]]:
    """Reads `[{"index", "score"}]`."""
    return [(rank.index, rank.score) for rank in _RANKS.decode(content)]


_RESULTS: Final = msgspec.json.Decoder(_Results)
_RANKS: Final = msgspec.json.Decoder(list[_Rank])

COHERE: Final = RerankApi("cohere", documents(), results, "https://api.cohere.com/v2", "rerank-v3.5")
JINA: Final = RerankApi(
    "jina",
    documents(return_documents=False),
    results,
    "https://api.jina.ai/v1",
    "jina-reranker-v2-base-multilingual",
)
# 32 is the server's default of --max-client-batch-size.
TEI: Final = RerankApi("tei", texts(raw_scores=False, return_text=False, truncate=True), ranks, max_passages=32)
# -1: truncate a pair to the model's window; the default is to refuse it.
VLLM: Final = RerankApi("vllm", documents(truncate_prompt_tokens=-1), results)

RERANK_APIS: Final = {api.name: api for api in (COHERE, JINA, TEI, VLLM)}
