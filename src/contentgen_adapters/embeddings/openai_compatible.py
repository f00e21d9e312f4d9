"""Embeddings from any server with OpenAI's POST /embeddings."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from math import isfinite, sqrt
from typing import Final, Literal

import httpx
import msgspec

from contentgen_adapters.shared.http import Peer, RetryPolicy, post_json
from contentgen_adapters.shared.text.model_input import sendable
from contentgen_core.concurrency import run_concurrently
from contentgen_core.errors import ProviderFailed
from contentgen_core.ports.knowledge_base import Vector

MAX_TEXTS_AT_ONCE: Final = 128
MAX_CHARACTERS_AT_ONCE: Final = 100_000
MAX_CHARACTERS: Final = 20_000
"""Of each text; the rest is left out, as the models themselves do beyond their window."""

_CONCURRENT: Final = 4
_MAX_ANSWER_BYTES: Final = 64 * 1024 * 1024  # 128 vectors of 4096 numbers as text take about 12 MB


class _Item(msgspec.Struct):
    index: int
    embedding: list[float]


class _Answer(msgspec.Struct):
    data: list[_Item]


_DECODER: Final = msgspec.json.Decoder(_Answer)


class OpenAIEmbedder:
    """The embedder port over an OpenAI-compatible server.

    `base_url`: with the version, such as `https://api.openai.com/v1`. `dimension`: length of the model's vectors.
    `client`: closed by the caller. `shorten`: request vectors of this `dimension` (the API's parameter `dimensions`),
    from a model that supports shorter ones.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        model: str,
        dimension: int,
        client: httpx.AsyncClient,
        *,
        shorten: bool = False,
        retry_policy: RetryPolicy | None = None,
    ) -> None:
        self._url = base_url.rstrip("/") + "/embeddings"
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._name, self._dimension, self._shorten = model, dimension, shorten
        self._client, self._retry_policy = client, retry_policy
        self._peer = Peer("embeddings", "CONTENTGEN_OPENAI_API_KEY")
        self._places = asyncio.Semaphore(_CONCURRENT)

    @property
    def model(self) -> str:
        """The model's name; where vectors are shortened also the dimension, since shortened vectors are another
        space.
        """
        return f"{self._name}@{self._dimension}" if self._shorten else self._name

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def embedding_weight(self) -> float:
        return 1.0

    async def embed(self, texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        """One vector of unit length per text, in order.

        `kind`: makes no difference to this API. Raises ProviderFailed; not retryable for a refused key or an invalid
        answer.
        """
        del kind
        answers = await run_concurrently(self._embed_batch(batch) for batch in _batches(texts))
        return [vector for answer in answers for vector in answer]

    async def _embed_batch(self, texts: list[str]) -> list[Vector]:
        body: dict[str, object] = {"model": self._name, "input": texts, "encoding_format": "float"}
        if self._shorten:
            body["dimensions"] = self._dimension
        async with self._places:
            response = await post_json(
                self._client,
                self._url,
                body,
                peer=self._peer,
                headers=self._headers,
                retry_policy=self._retry_policy,
                max_bytes=_MAX_ANSWER_BYTES,
            )
        return await asyncio.to_thread(self._vectors, response.content, len(texts))

    def _vectors(self, content: bytes, count: int) -> list[Vector]:
        try:
            items = _DECODER.decode(content).data
        except msgspec.DecodeError as exc:
            raise self._unfit("its answer is not a list of embeddings") from exc
        by_index = {item.index: item.embedding for item in items}
        if len(items) != count or by_index.keys() != set(range(count)):
            raise self._unfit(f"{count} texts were sent and {len(items)} embeddings came back, or not one for each")
        return [self._unit(by_index[i]) for i in range(count)]

    def _unit(self, values: list[float]) -> Vector:
        if len(values) != self._dimension:
            raise self._unfit(
                f"{self._name} answers with {len(values)} dimensions, {self._dimension} are configured; "
                "set CONTENTGEN_EMBEDDING_DIMENSION and run `contentgen kb reindex`"
            )
        length = sqrt(sum(value * value for value in values))
        if not isfinite(length) or length == 0.0:
            raise self._unfit("an embedding in its answer has no direction")
        return [value / length for value in values]

    def _unfit(self, message: str) -> ProviderFailed:
        return ProviderFailed(self._peer.name, message, retryable=False)


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in requests of a bounded number and size."""
    batch: list[str] = []
    size = 0
    for text in texts:
        sent = sendable(text, MAX_CHARACTERS)
        if batch and (len(batch) == MAX_TEXTS_AT_ONCE or size + len(sent) > MAX_CHARACTERS_AT_ONCE):
            yield batch
            batch, size = [], 0
        batch.append(sent)
        size += len(sent)
    if batch:
        yield batch
