"""Anthropic's Messages API, with a forced tool call for structured output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import httpx
import msgspec

from contentgen_adapters.llm.conversation import Message, OutputSchema, Reply, model_retry_policy
from contentgen_adapters.llm.structured import StructuredWriter
from contentgen_adapters.shared.http import Peer, RetryPolicy, post_json
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.prices import PricedModel, TokenPrices
from contentgen_core.ports.content_model import ContentModel

ANTHROPIC: Final = "https://api.anthropic.com"
SETTING: Final = "CONTENTGEN_ANTHROPIC_API_KEY"
VERSION: Final = "2023-06-01"
MAX_OUTPUT_TOKENS: Final = 8_000


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

        super().__init__(chat(PricedModel(model, prices)), planner, None if planning is None else chat(planning))


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
        self._url = base_url.rstrip("/") + "/v1/messages"
        self._headers = {"x-api-key": api_key, "anthropic-version": VERSION}
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
        return self._reply(response)

    def _body(self, system: str, messages: Sequence[Message], output: OutputSchema, *, keeps: bool) -> dict[str, Any]:
        return {
            "model": self._model,
            "max_tokens": self._max_output_tokens,
            "system": system,
            "messages": [{"role": message.role, "content": _content(message, keeps=keeps)} for message in messages],
            "tools": [{"name": output.name, "description": "Give the answer.", "input_schema": output.schema}],
            "tool_choice": {"type": "tool", "name": output.name, "disable_parallel_tool_use": True},
        }

    def _reply(self, response: httpx.Response) -> Reply:
        try:
            message = msgspec.json.decode(response.content, type=_Message)
        except msgspec.DecodeError as exc:
            raise ProviderFailed(self.provider, "the answer is no message", retryable=True) from exc
        match message.stop_reason:
            case "refusal":
                raise ProviderFailed(self.provider, f"{self._model} refused to answer", retryable=False)
            case "max_tokens" | "model_context_window_exceeded":
                cut = f"the answer of {self._model} was cut off at {message.usage.output_tokens} tokens"
                advice = "ask for a shorter article or use a model with longer answers"
                raise ProviderFailed(self.provider, f"{cut}; {advice}", retryable=False)
        used = [block.input for block in message.content if block.type == "tool_use" and block.input]
        said = "".join(block.text or "" for block in message.content if block.type == "text")
        text = bytes(used[0]).decode() if used else said
        used_up = message.usage
        return Reply(
            text,
            used_up.read,
            used_up.output_tokens,
            used_up.cache_read_input_tokens or 0,
            used_up.cache_creation_input_tokens or 0,
        )


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
