"""An entailment model behind POST /predict of Hugging Face's Text Embeddings Inference."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from typing import Final

import httpx
import msgspec
import structlog

from contentgen_adapters.entailment.labels import InvalidOutput, Labels
from contentgen_adapters.shared.http import Peer, RetryPolicy, post_json
from contentgen_adapters.shared.text.model_input import sendable
from contentgen_core.concurrency import run_concurrently
from contentgen_core.errors import ProviderFailed
from contentgen_core.ports.entailment import MAX_HYPOTHESIS, MAX_PREMISE, Judgement, Pair, require_bounded

SETTING: Final = "CONTENTGEN_ENTAILMENT_API_KEY"
PAIRS_AT_ONCE: Final = 32
"""Per request: the server's default of --max-client-batch-size."""
COOLDOWN: Final = 30.0
"""Seconds without calls after a retryable failure: otherwise every section would wait for a service that is down."""
MAX_COOLDOWN: Final = 300.0

_CONCURRENT: Final = 4
_MAX_ANSWER_BYTES: Final = 1024 * 1024
_RETRY_POLICY: Final = RetryPolicy(total=60.0)

log = structlog.get_logger("contentgen.entailment")


class _Class(msgspec.Struct):
    label: str
    score: float


_DECODER: Final = msgspec.json.Decoder(list[list[_Class]])


class TeiEntailment:
    """The entailment port over a TEI server.

    `base_url`: without `/predict`. `api_key`: None for a server without keys. `model`: its name in receipts. `client`:
    closed by the caller. `labels`: the operator's order of classes with numbered names. `monotonic`: clock, in seconds.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        model: str,
        client: httpx.AsyncClient,
        *,
        labels: Labels | None = None,
        retry_policy: RetryPolicy = _RETRY_POLICY,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._url = base_url.rstrip("/") + "/predict"
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._model, self._labels = model, labels or Labels()
        self._client, self._retry_policy, self._monotonic = client, retry_policy, monotonic
        self._peer = Peer("entailment", SETTING)
        self._places = asyncio.Semaphore(_CONCURRENT)
        self._cooldown_until = -math.inf

    @property
    def model(self) -> str:
        return self._model

    async def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Implement the port. After a retryable failure calls fail at once for COOLDOWN seconds, or for as long as the
        server's Retry-After asks for, at most MAX_COOLDOWN.
        """
        require_bounded(pairs)
        left = self._cooldown_until - self._monotonic()
        if pairs and left > 0:
            raise ProviderFailed(self._peer.name, "not asked since it just failed", retryable=True, retry_after=left)
        batches = [pairs[start : start + PAIRS_AT_ONCE] for start in range(0, len(pairs), PAIRS_AT_ONCE)]
        try:
            answers = await run_concurrently(self._batch(batch) for batch in batches)
        except ProviderFailed as failure:
            cooldown = min(max(COOLDOWN, failure.retry_after or 0.0), MAX_COOLDOWN) if failure.retryable else 0.0
            self._cooldown_until = max(self._cooldown_until, self._monotonic() + cooldown)
            log.warning("judging failed, the verdicts by rules stand", reason=failure.log_text, pauseSeconds=cooldown)
            raise
        return [judgement for answer in answers for judgement in answer]

    async def _batch(self, pairs: Sequence[Pair]) -> list[Judgement]:
        inputs = [[sendable(pair.premise, MAX_PREMISE), sendable(pair.hypothesis, MAX_HYPOTHESIS)] for pair in pairs]
        async with self._places:
            response = await post_json(
                self._client,
                self._url,
                {"inputs": inputs, "truncate": True, "raw_scores": False},
                peer=self._peer,
                headers=self._headers,
                retry_policy=self._retry_policy,
                max_bytes=_MAX_ANSWER_BYTES,
            )
        try:
            found = _DECODER.decode(response.content)
        except (msgspec.DecodeError, UnicodeDecodeError) as exc:
            raise self._invalid_output("its answer is not a list of classes with scores for each pair") from exc
        if len(found) != len(pairs):
            raise self._invalid_output(f"{len(pairs)} pairs were sent and {len(found)} answers came back")
        try:
            return [self._labels.judgement([(one.label, one.score) for one in classes]) for classes in found]
        except InvalidOutput as exc:
            raise self._invalid_output(str(exc)) from exc

    def _invalid_output(self, message: str) -> ProviderFailed:
        return ProviderFailed(self._peer.name, message, retryable=False)
