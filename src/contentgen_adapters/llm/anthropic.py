"""Anthropic's Messages API, with a forced tool call for structured output."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import quote

import httpx
import msgspec

from contentgen_adapters.llm.batched import BatchCalls, BatchedWriter, done_already, usable
from contentgen_adapters.llm.conversation import AnswerLost, Message, OutputSchema, Reply, model_retry_policy
from contentgen_adapters.llm.structured import StructuredWriter
from contentgen_adapters.shared.http import Peer, RetryPolicy, post_json
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.prices import PricedModel, TokenPrices
from contentgen_core.ports.content_model import ContentModel

ANTHROPIC: Final = "https://api.anthropic.com"
SETTING: Final = "CONTENTGEN_ANTHROPIC_API_KEY"
VERSION: Final = "2023-06-01"
MAX_OUTPUT_TOKENS: Final = 8_000
_BATCHES: Final = "/v1/messages/batches"
_LISTED: Final = 100
_CLOCKS: Final = timedelta(minutes=1)
"""How far the vendor's clock may be behind ours."""


class _Block(msgspec.Struct):
    type: str
    text: str | None = None
    input: msgspec.Raw = msgspec.Raw()


class _Tokens(msgspec.Struct):
    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None

    @property
    def read(self) -> int:
        """All tokens of the prompt, cached ones included."""
        return self.input_tokens + (self.cache_creation_input_tokens or 0) + (self.cache_read_input_tokens or 0)


class _Message(msgspec.Struct):
    content: list[_Block]
    stop_reason: str | None = None
    usage: _Tokens = msgspec.field(default_factory=_Tokens)


class _Counts(msgspec.Struct):
    processing: int = 0
    succeeded: int = 0
    errored: int = 0
    canceled: int = 0
    expired: int = 0

    @property
    def all(self) -> int:
        return self.processing + self.succeeded + self.errored + self.canceled + self.expired


class _Batch(msgspec.Struct):
    id: str
    processing_status: str = ""
    created_at: datetime | None = None
    request_counts: _Counts = msgspec.field(default_factory=_Counts)


class _Batches(msgspec.Struct):
    data: list[_Batch]


class _Result(msgspec.Struct):
    type: str
    message: msgspec.Raw = msgspec.Raw()


class _Line(msgspec.Struct):
    """A line of a batch's answers."""

    custom_id: str
    result: _Result


def _is_spend_limit(response: httpx.Response) -> bool:
    """Whether a response is the enforced spend limit: a 429 without a header that names a time to wait."""
    return response.status_code == 429 and not any(
        name.startswith(("retry-after", "anthropic-ratelimit")) for name in response.headers
    )


_PEER: Final = Peer("Anthropic", SETTING, also_retryable=frozenset({409}), permanent=_is_spend_limit)


class AnthropicWriter(StructuredWriter):
    """The content model port over `{base_url}/v1/messages`.

    `client`: closed by the caller. `max_output_tokens`: of one answer. `retry_policy`: of one message.
    `prices`: of the model's tokens, where they are known. `planner`: see `StructuredWriter`. `planning`: another
    model, which plans.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        model: str,
        client: httpx.AsyncClient,
        *,
        max_output_tokens: int = MAX_OUTPUT_TOKENS,
        retry_policy: RetryPolicy | None = None,
        prices: TokenPrices | None = None,
        planner: ContentModel | None = None,
        planning: PricedModel | None = None,
    ) -> None:
        policy = retry_policy or model_retry_policy()

        def chat(model: PricedModel) -> _AnthropicChat:
            return _AnthropicChat(base_url, api_key, model, client, max_output_tokens, policy)

        writes = chat(PricedModel(model, prices))
        plans = writes if planning is None else chat(planning)
        super().__init__(writes, planner, plans)
        self.batched_plans, self.batched_parts = BatchedWriter(self, plans), BatchedWriter(self, writes)


class _AnthropicChat:
    def __init__(
        self,
        base_url: str,
        api_key: str,
        model: PricedModel,
        client: httpx.AsyncClient,
        max_output_tokens: int,
        retry_policy: RetryPolicy,
    ) -> None:
        self.prices = model.prices
        base = base_url.rstrip("/")
        self._url = base + "/v1/messages"
        self._headers = {"x-api-key": api_key, "anthropic-version": VERSION}
        self._batches = BatchCalls(client, base, {"Content-Type": "application/json", **self._headers}, _PEER)
        self._model = model.name
        self._client = client
        self._max_output_tokens = max_output_tokens
        self._retry_policy = retry_policy
        self._first: set[str] = set()
        """Beginnings of requests that nobody has answered yet."""

    @property
    def provider(self) -> str:
        return _PEER.name

    @property
    def model(self) -> str:
        return self._model

    async def complete(self, system: str, messages: Sequence[Message], output: OutputSchema) -> Reply:
        """A beginning is kept once its first request is answered. Those that are sent until then do not ask for it:
        each would pay for keeping it, and find nothing kept."""
        shared = messages[0].shared
        keeps = bool(shared) and shared not in self._first
        body = self._body(system, messages, output, keeps=keeps)
        if keeps:
            self._first.add(shared)
        try:
            response = await post_json(
                self._client, self._url, body, peer=_PEER, headers=self._headers, retry_policy=self._retry_policy
            )
        finally:
            if keeps:
                self._first.discard(shared)
        return self._reply(response.content)

    def batched_question(self, system: str, messages: Sequence[Message], output: OutputSchema) -> str:
        return msgspec.json.encode(self._body(system, messages, output, keeps=False)).decode()

    async def submit(self, batch_id: str, questions: Mapping[str, str]) -> str:
        requests = [{"custom_id": id, "params": msgspec.Raw(body.encode())} for id, body in questions.items()]
        content = msgspec.json.encode({"requests": requests})
        return (await self._batches.read("POST", _BATCHES, _Batch, content=content)).id

    async def find(self, batch_id: str, parts: int, since: datetime, known: Collection[str]) -> str | None:
        """Return the oldest unknown batch with as many requests that was created since then. A batch does not carry our
        id, and its requests show theirs only with the answers. If it is the wrong one, its answers match none of our
        requests.
        """
        newest = await self._batches.read("GET", f"{_BATCHES}?limit={_LISTED}", _Batches)
        alike = [
            (batch.created_at, batch.id)
            for batch in newest.data
            if batch.request_counts.all == parts
            and batch.id not in known
            and batch.created_at is not None
            and batch.created_at >= since - _CLOCKS
        ]
        return min(alike)[1] if alike else None

    async def replies(self, vendor_id: str) -> dict[str, Reply] | None:
        path = f"{_BATCHES}/{quote(vendor_id, safe='')}"
        batch = await self._batches.read("GET", path, _Batch)
        if batch.processing_status != "ended":
            return None
        results = await self._batches.lines(f"{path}/results", _Line)
        answered = {r.custom_id: bytes(r.result.message) for r in results if r.result.type == "succeeded"}
        return usable(answered, self._reply)

    async def cancel(self, vendor_id: str) -> None:
        with done_already():
            await self._batches.send("POST", f"{_BATCHES}/{quote(vendor_id, safe='')}/cancel")

    async def forget(self, vendor_id: str) -> None:
        with done_already():
            await self._batches.send("DELETE", f"{_BATCHES}/{quote(vendor_id, safe='')}")

    def _body(self, system: str, messages: Sequence[Message], output: OutputSchema, *, keeps: bool) -> dict[str, Any]:
        return {
            "model": self._model,
            "max_tokens": self._max_output_tokens,
            "system": system,
            "messages": [{"role": message.role, "content": _content(message, keeps=keeps)} for message in messages],
            "tools": [{"name": output.name, "description": "Give the answer.", "input_schema": output.schema}],
            "tool_choice": {"type": "tool", "name": output.name, "disable_parallel_tool_use": True},
        }

    def _reply(self, content: bytes) -> Reply:
        try:
            message = msgspec.json.decode(content, type=_Message)
        except msgspec.DecodeError as exc:
            raise ProviderFailed(self.provider, "the answer is no message", retryable=True) from exc
        used = [block.input for block in message.content if block.type == "tool_use" and block.input]
        said = "".join(block.text or "" for block in message.content if block.type == "text")
        used_up = message.usage
        reply = Reply(
            bytes(used[0]).decode() if used else said,
            used_up.read,
            used_up.output_tokens,
            used_up.cache_read_input_tokens or 0,
            used_up.cache_creation_input_tokens or 0,
        )
        match message.stop_reason:
            case "refusal":
                raise AnswerLost(self.provider, f"{self._model} refused to answer", reply)
            case "max_tokens" | "model_context_window_exceeded":
                cut = f"the answer of {self._model} was cut off at {message.usage.output_tokens} tokens"
                advice = "ask for a shorter article or use a model with longer answers"
                raise AnswerLost(self.provider, f"{cut}; {advice}", reply)
        return reply


def _content(message: Message, *, keeps: bool) -> list[dict[str, Any]]:
    """The blocks of a message. `keeps`: whether the vendor is to keep what its shared beginning ends, tools and system
    prompt included."""
    own = {"type": "text", "text": message.text}
    if not message.shared:
        return [own]
    shared: dict[str, Any] = {"type": "text", "text": message.shared}
    if keeps:
        shared["cache_control"] = {"type": "ephemeral"}
    return [shared, own]
