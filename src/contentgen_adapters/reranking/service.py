"""A cross-encoder over HTTP, called in batches and within the time limit of a search."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from typing import Final

import httpx
import msgspec
import structlog

from contentgen_adapters.reranking.apis import RerankApi
from contentgen_adapters.shared.http import Peer, RetryPolicy, post_json
from contentgen_adapters.shared.text.model_input import sendable
from contentgen_core.errors import ProviderFailed
from contentgen_core.ports.reranking import MAX_RERANKED, TIMEOUT_SECONDS

SETTING: Final = "CONTENTGEN_RERANKER_API_KEY"
MAX_CHARACTERS: Final = 2_000
"""Of the query and of each passage; most models read 512 tokens of both together."""
COOLDOWN: Final = 30.0
"""Seconds without calls after a retryable failure: otherwise every search would wait for a service that is down."""
MAX_COOLDOWN: Final = 300.0

_MAX_ANSWER_BYTES: Final = 1024 * 1024
_RETRY_POLICY: Final = RetryPolicy(total=TIMEOUT_SECONDS, attempts=2, first_wait=0.1, longest_wait=0.5)

log = structlog.get_logger("contentgen.reranking")


class RemoteReranker:
    """The reranker port over a service.

    `api`: how the service is called. `base_url`: with the version. `api_key`: None for a server without keys. `model`:
    None for the server's own. `client`: closed by the caller. `retry_policy`: its `total` limits a whole call, whose
    requests run concurrently. `monotonic`: clock, in seconds.
    """

    def __init__(
        self,
        api: RerankApi,
        base_url: str,
        api_key: str | None,
        model: str | None,
        client: httpx.AsyncClient,
        *,
        retry_policy: RetryPolicy = _RETRY_POLICY,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._api, self._model = api, model
        self._url = base_url.rstrip("/") + "/rerank"
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client, self._retry_policy, self._monotonic = client, retry_policy, monotonic
        self._peer = Peer(f"reranking by {api.name}", SETTING)
        self._cooldown_until = -math.inf

    @property
    def model(self) -> str:
        return self._model or self._api.name

    async def relevance(self, query: str, passages: Sequence[str]) -> list[float]:
        """Implement the port. Where a score is outside 0..1 the service returns logits: all scores of the call are then
        mapped to 0..1 by the logistic function. After a retryable failure calls fail at once for COOLDOWN seconds,
        or for as long as the service's Retry-After asks for, at most MAX_COOLDOWN.
        """
        if len(passages) > MAX_RERANKED:
            raise ValueError(f"{len(passages)} passages, at most {MAX_RERANKED} can be judged at once")
        if not passages:
            return []
        left = self._cooldown_until - self._monotonic()
        if left > 0:
            raise ProviderFailed(self._peer.name, "not asked since it just failed", retryable=True, retry_after=left)
        try:
            return _to_unit_range(await self._scores(query, passages))
        except ProviderFailed as failure:
            cooldown = min(max(COOLDOWN, failure.retry_after or 0.0), MAX_COOLDOWN) if failure.retryable else 0.0
            self._cooldown_until = max(self._cooldown_until, self._monotonic() + cooldown)
            log.warning("reranking failed, the order by words stands", reason=failure.log_text, pauseSeconds=cooldown)
            raise

    async def _scores(self, query: str, passages: Sequence[str]) -> list[float]:
        query, *shown = (sendable(text, MAX_CHARACTERS) for text in (query, *passages))
        batches = [shown[i : i + self._api.max_passages] for i in range(0, len(shown), self._api.max_passages)]
        failures: list[ProviderFailed] = []
        try:
            async with asyncio.TaskGroup() as tasks:
                answers = [tasks.create_task(self._batch(query, batch)) for batch in batches]
        except* ProviderFailed as group:
            failures = [failure for failure in group.exceptions if isinstance(failure, ProviderFailed)]
        if failures:
            raise next((failure for failure in failures if not failure.retryable), failures[0])
        return [score for answer in answers for score in answer.result()]

    async def _batch(self, query: str, passages: list[str]) -> list[float]:
        response = await post_json(
            self._client,
            self._url,
            self._api.body(self._model, query, passages),
            peer=self._peer,
            headers=self._headers,
            retry_policy=self._retry_policy,
            max_bytes=_MAX_ANSWER_BYTES,
        )
        try:
            pairs = self._api.read(response.content)
        except (msgspec.DecodeError, UnicodeDecodeError) as exc:
            raise self._invalid_output("its answer is not a list of scores") from exc
        by_position = dict(pairs)
        if len(pairs) != len(passages) or by_position.keys() != set(range(len(passages))):
            raise self._invalid_output(
                f"{len(passages)} passages were sent and {len(pairs)} scores came back, or not one each"
            )
        if not all(map(math.isfinite, by_position.values())):
            raise self._invalid_output("a score in its answer is not a finite number")
        return [by_position[position] for position in range(len(passages))]

    def _invalid_output(self, message: str) -> ProviderFailed:
        return ProviderFailed(self._peer.name, message, retryable=False)


def _to_unit_range(scores: list[float]) -> list[float]:
    """Map the scores of all batches of a call to 0..1 alike, so that they stay comparable."""
    return scores if all(0.0 <= score <= 1.0 for score in scores) else [_logistic(score) for score in scores]


def _logistic(logit: float) -> float:
    """1 / (1 + e^-x), computed without overflow for either sign."""
    if logit >= 0:
        return 1 / (1 + math.exp(-logit))
    grown = math.exp(logit)
    return grown / (1 + grown)
