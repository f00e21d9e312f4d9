"""A cross-encoder behind HTTP: asked in batches, within the time that a search can spare."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from typing import Final

import httpx
import msgspec
import structlog

from contentgen_adapters.reranking.shapes import Shape
from contentgen_adapters.shared.http import Peer, RetryPolicy, post_json
from contentgen_adapters.shared.text.model_input import sendable
from contentgen_core.errors import ProviderFailed
from contentgen_core.ports.reranking import MAX_RERANKED, MOST_SECONDS

SETTING: Final = "CONTENTGEN_RERANKER_API_KEY"
MAX_CHARACTERS: Final = 2_000
"""Of the query and of each passage; most models read 512 tokens of both together."""
PAUSE: Final = 30.0
"""Seconds without calls after a failure that may pass: else every search waits for a service that is down."""
LONGEST_PAUSE: Final = 300.0

_MAX_ANSWER_BYTES: Final = 1024 * 1024
_RETRY_POLICY: Final = RetryPolicy(total=MOST_SECONDS, attempts=2, first_wait=0.1, longest_wait=0.5)

log = structlog.get_logger("contentgen.reranking")


class RemoteReranker:
    """`base_url` includes the version. `retry_policy.total` bounds a whole call: its requests go out together. The
    client is the caller's to close. `monotonic`: seconds of a clock that never goes back."""

    def __init__(
        self,
        shape: Shape,
        base_url: str,
        api_key: str | None,
        model: str | None,
        client: httpx.AsyncClient,
        *,
        retry_policy: RetryPolicy = _RETRY_POLICY,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._shape, self._model = shape, model
        self._url = base_url.rstrip("/") + "/rerank"
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client, self._retry_policy, self._monotonic = client, retry_policy, monotonic
        self._peer = Peer(f"reranking by {shape.name}", SETTING)
        self._paused_until = -math.inf

    @property
    def model(self) -> str:
        return self._model or self._shape.name

    async def relevance(self, query: str, passages: Sequence[str]) -> list[float]:
        """As the port says. A score outside 0..1 tells that the service gives logits: all of this call's are then
        brought into 0..1 by the logistic function. After a failure that may pass, calls fail at once for PAUSE seconds,
        or for as long as the service asked for."""
        if len(passages) > MAX_RERANKED:
            raise ValueError(f"{len(passages)} passages, at most {MAX_RERANKED} can be judged at once")
        if not passages:
            return []
        left = self._paused_until - self._monotonic()
        if left > 0:
            raise ProviderFailed(self._peer.name, "not asked since it just failed", retryable=True, retry_after=left)
        try:
            return _in_unit_range(await self._scores(query, passages))
        except ProviderFailed as failure:
            pause = min(max(PAUSE, failure.retry_after or 0.0), LONGEST_PAUSE) if failure.retryable else 0.0
            self._paused_until = max(self._paused_until, self._monotonic() + pause)
            log.warning("reranking failed, the order by words stands", reason=failure.log_text, pauseSeconds=pause)
            raise

    async def _scores(self, query: str, passages: Sequence[str]) -> list[float]:
        query, *shown = (sendable(text, MAX_CHARACTERS) for text in (query, *passages))
        batches = [shown[i : i + self._shape.at_once] for i in range(0, len(shown), self._shape.at_once)]
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
            self._shape.body(self._model, query, passages),
            peer=self._peer,
            headers=self._headers,
            retry_policy=self._retry_policy,
            max_bytes=_MAX_ANSWER_BYTES,
        )
        try:
            pairs = self._shape.read(response.content)
        except (msgspec.DecodeError, UnicodeDecodeError) as exc:
            raise self._unfit("its answer is not a list of scores") from exc
        by_place = dict(pairs)
        if len(pairs) != len(passages) or by_place.keys() != set(range(len(passages))):
            raise self._unfit(f"{len(passages)} passages were sent and {len(pairs)} scores came back, or not one each")
        if not all(map(math.isfinite, by_place.values())):
            raise self._unfit("a score in its answer is not a finite number")
        return [by_place[place] for place in range(len(passages))]

    def _unfit(self, message: str) -> ProviderFailed:
        return ProviderFailed(self._peer.name, message, retryable=False)


def _in_unit_range(scores: list[float]) -> list[float]:
    """Decided over all batches of a call, so that its scores stay comparable."""
    return scores if all(0.0 <= score <= 1.0 for score in scores) else [_logistic(score) for score in scores]


def _logistic(logit: float) -> float:
    """1 / (1 + e^-x), by the form that cannot overflow on either side."""
    if logit >= 0:
        return 1 / (1 + math.exp(-logit))
    grown = math.exp(logit)
    return grown / (1 + grown)
