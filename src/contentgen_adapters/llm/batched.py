"""The port of batches over a vendor's chat API."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any, Final, TypeVar

import httpx
import msgspec
from attrs import field, frozen

from contentgen_adapters.llm import wire
from contentgen_adapters.llm.conversation import BatchedChat, Opening, Reply, usage_of
from contentgen_adapters.llm.structured import StructuredWriter, plan_question, section_question
from contentgen_adapters.shared.http import BadStatus, Peer, RetryPolicy, send
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.article_plan import ArticlePlan
from contentgen_core.model.drafting import SectionDraft
from contentgen_core.model.ids import BatchedPartId, ModelBatchId
from contentgen_core.model.model_batch import BatchedAnswers, ModelAnswer
from contentgen_core.policies.text.storable import is_storable
from contentgen_core.ports.content_model import Answer, PlanRequest, SectionRequest

S = TypeVar("S")

CALL: Final = 120.0
"""Seconds of one request about a batch, which may carry some megabytes."""
MAX_ANSWERS: Final = 64 * 1024 * 1024
"""Bytes of the answers of a batch."""


class BatchedWriter:
    """Write in batches. `chat`: of the model of `writer` that writes, or of the one that plans. `writer`: reads the
    answers, and has them corrected.
    """

    def __init__(self, writer: StructuredWriter, chat: BatchedChat) -> None:
        self._writer, self._chat = writer, chat

    @property
    def name(self) -> str:
        return self._chat.model

    @property
    def provider(self) -> str:
        return self._chat.provider

    def plan_question(self, request: PlanRequest) -> str:
        return self._question(Opening.of(plan_question(request), wire.PlanAnswer))

    def section_question(self, request: SectionRequest) -> str:
        return self._question(Opening.of(section_question(request), wire.SectionAnswer))

    def _question(self, opening: Opening) -> str:
        return self._chat.batched_question(opening.system, [opening.message], opening.output)

    async def submit(self, batch_id: ModelBatchId, questions: Mapping[BatchedPartId, str]) -> str:
        return await self._chat.submit(batch_id, {str(id): question for id, question in questions.items()})

    async def find(self, batch_id: ModelBatchId, parts: int, since: datetime, known: Collection[str]) -> str | None:
        return await self._chat.find(batch_id, parts, since, known)

    async def answers(self, vendor_id: str) -> BatchedAnswers | None:
        replies = await self._chat.replies(vendor_id)
        if replies is None:
            return None
        prices = None if self._chat.prices is None else self._chat.prices.in_a_batch
        return {
            BatchedPartId(id): ModelAnswer(reply.text, usage_of(self.name, prices, reply))
            for id, reply in replies.items()
        }

    async def cancel(self, vendor_id: str) -> None:
        await self._chat.cancel(vendor_id)

    async def forget(self, vendor_id: str) -> None:
        await self._chat.forget(vendor_id)

    async def read_plan(self, request: PlanRequest, answer: ModelAnswer) -> Answer[ArticlePlan]:
        return await self._writer.read_plan(request, answer)

    async def read_section(self, request: SectionRequest, answer: ModelAnswer) -> SectionDraft:
        return await self._writer.read_section(request, answer)


@frozen
class BatchCalls:
    """Requests about batches to a vendor's API. `base`: its address, to which paths are added."""

    client: httpx.AsyncClient
    base: str
    headers: Mapping[str, str] = field(repr=False)
    peer: Peer

    async def read(self, method: str, path: str, kind: type[S], **request: Any) -> S:
        """The answer. `request`: more of it, as httpx's `build_request` takes it. Raises ProviderFailed."""
        return self._decode(await self.send(method, path, **request), kind)

    async def lines(self, path: str, kind: type[S]) -> list[S]:
        """The values of an answer that has one a line. Raises ProviderFailed."""
        return [self._decode(line, kind) for line in (await self.send("GET", path)).splitlines() if line.strip()]

    async def send(self, method: str, path: str, **request: Any) -> bytes:
        """The answer. What only reads is repeated, what has an effect is not: each batch is charged. Raises
        ProviderFailed."""
        attempts = 3 if method == "GET" else 1
        policy = RetryPolicy(total=2 * CALL, attempt=CALL, attempts=attempts)
        built = self.client.build_request(method, self.base + path, headers=self.headers, timeout=CALL, **request)
        return (await send(self.client, built, peer=self.peer, retry_policy=policy, max_bytes=MAX_ANSWERS)).content

    def _decode(self, content: bytes, kind: type[S]) -> S:
        try:
            return msgspec.json.decode(content, type=kind)
        except msgspec.DecodeError as error:
            reason = f"its answer about a batch cannot be read: {error}"
            raise ProviderFailed(self.peer.name, reason, retryable=True) from error


def usable(answered: Mapping[str, bytes], reply: Callable[[bytes], Reply]) -> dict[str, Reply]:
    """The replies, without those that were refused, cut off, or cannot be stored."""
    replies: dict[str, Reply] = {}
    for id, content in answered.items():
        with suppress(ProviderFailed):
            replies[id] = reply(content)
    return {id: given for id, given in replies.items() if is_storable(given.text)}


@contextmanager
def done_already() -> Iterator[None]:
    """Ignore the failure to cancel or delete a batch that has ended or is gone by now."""
    try:
        yield
    except BadStatus as error:
        if error.response.status_code not in (400, 404, 409):
            raise
