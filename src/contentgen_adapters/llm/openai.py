"""OpenAI's chat completions, which many servers offer too (vLLM, Ollama, llama.cpp, Mistral)."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

import httpx
import msgspec

from contentgen_adapters.llm.conversation import Message, OutputSchema, Reply, model_retry_policy
from contentgen_adapters.llm.structured import StructuredWriter
from contentgen_adapters.shared.http import BadStatus, Peer, RetryPolicy, post_json
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.prices import PricedModel, TokenPrices
from contentgen_core.ports.content_model import ContentModel

OPENAI: Final = "https://api.openai.com/v1"
SETTING: Final = "CONTENTGEN_OPENAI_API_KEY"
MAX_OUTPUT_TOKENS: Final = 8_000
_FORMATS: Final = ("json_schema", "json_object", "none")


class _Message(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Details(msgspec.Struct):
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None


class _Tokens(msgspec.Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt_tokens_details: _Details | None = None


class _Completion(msgspec.Struct):
    choices: list[_Choice]
    usage: _Tokens | None = None


class _Detail(msgspec.Struct):
    message: str | None = None
    code: str | int | None = None
    param: str | None = None


class _Failure(msgspec.Struct):
    error: _Detail | str | None = None


def _detail(response: httpx.Response) -> _Detail:
    try:
        error = msgspec.json.decode(response.content, type=_Failure).error
    except msgspec.DecodeError:
        return _Detail(response.text)
    return error if isinstance(error, _Detail) else _Detail(error)


def _credit_is_used_up(response: httpx.Response) -> bool:
    return response.status_code == 429 and _detail(response).code == "insufficient_quota"


_PEER: Final = Peer("OpenAI", SETTING, also_retryable=frozenset({409}), permanent=_credit_is_used_up)


class OpenAIWriter(StructuredWriter):
    """The content model port over `{base_url}/chat/completions`.

    `api_key`: None for a server without keys. `client`: closed by the caller. `max_output_tokens`: of one answer.
    `retry_policy`: of one completion. `prices`: of the model's tokens, where they are known. `planner`: see
    `StructuredWriter`. `planning`: another model, which plans.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
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

        def chat(model: PricedModel) -> _OpenAIChat:
            return _OpenAIChat(base_url, api_key, model, client, max_output_tokens, policy)

        super().__init__(chat(PricedModel(model, prices)), planner, None if planning is None else chat(planning))


class _OpenAIChat:
    """Servers do not declare which output formats and parameters they support: a refusal is remembered, and later
    requests use the simpler form."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        model: PricedModel,
        client: httpx.AsyncClient,
        max_output_tokens: int,
        retry_policy: RetryPolicy,
    ) -> None:
        self.prices = model.prices
        self._url = base_url.rstrip("/") + "/chat/completions"
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._model = model.name
        self._client = client
        self._max_output_tokens = max_output_tokens
        self._retry_policy = retry_policy
        self._format = _FORMATS[0]
        self._at_vendor = base_url.rstrip("/") == OPENAI
        self._limit_name = "max_completion_tokens" if self._at_vendor else "max_tokens"

    @property
    def provider(self) -> str:
        return _PEER.name

    @property
    def model(self) -> str:
        return self._model

    async def complete(self, system: str, conversation: Sequence[Message], output: OutputSchema) -> Reply:
        for _ in range(len(_FORMATS) + 2):  # every format, and the other name of the token limit
            sent = (self._format, self._limit_name)
            body = self._body(system, conversation, output, *sent)
            try:
                response = await post_json(
                    self._client, self._url, body, peer=_PEER, headers=self._headers, retry_policy=self._retry_policy
                )
            except BadStatus as exc:
                if not self._downgrade(exc.response, sent):
                    raise
            else:
                return self._reply(response)
        raise ProviderFailed(self.provider, "refused every form of the request", retryable=False)

    def _body(
        self, system: str, conversation: Sequence[Message], output: OutputSchema, form: str, limit_name: str
    ) -> dict[str, Any]:
        if form != "json_schema":
            text = msgspec.json.encode(output.schema).decode()
            system = f"{system}\nAnswer with one JSON object of this JSON schema and nothing else:\n{text}\n"
        turns = ({"role": turn.role, "content": turn.whole} for turn in conversation)
        messages = [{"role": "system", "content": system}, *turns]
        body: dict[str, Any] = {"model": self._model, "messages": messages, limit_name: self._max_output_tokens}
        if self._at_vendor and (shared := conversation[0].shared):
            # Requests of one key go to the same machine, which has kept what they begin with.
            body["prompt_cache_key"] = sha256(shared.encode()).hexdigest()[:32]
        if form == "json_schema":
            schema = {"name": output.name, "strict": True, "schema": output.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif form == "json_object":
            body["response_format"] = {"type": "json_object"}
        return body

    def _downgrade(self, response: httpx.Response, sent: tuple[str, str]) -> bool:
        """Switches to a simpler format or the other name of the token limit after a refusal; False when the refusal is
        about something else.

        `sent`: format and limit name of the refused request.
        """
        if response.status_code not in (400, 422):
            return False
        detail = _detail(response)
        text = f"{detail.param or ''} {detail.message or ''}".casefold()
        form, limit_name = sent
        if limit_name == "max_tokens" and "max_tokens" in text and "max_completion_tokens" in text:
            self._limit_name = "max_completion_tokens"
        elif any(name in text for name in ("response_format", "json_schema", "json_object", "schema", "grammar")):
            if form == _FORMATS[-1]:
                return False
            self._format = _FORMATS[_FORMATS.index(form) + 1]
        else:
            return False
        return True

    def _reply(self, response: httpx.Response) -> Reply:
        try:
            completion = msgspec.json.decode(response.content, type=_Completion)
            choice = completion.choices[0]
        except (msgspec.DecodeError, IndexError) as exc:
            raise ProviderFailed(self.provider, "the answer is no chat completion", retryable=True) from exc
        tokens = completion.usage or _Tokens()
        if choice.message.refusal or choice.finish_reason == "content_filter":
            text = f": {choice.message.refusal[:200]}" if choice.message.refusal else ""
            raise ProviderFailed(self.provider, f"{self._model} refused to answer{text}", retryable=False)
        if choice.finish_reason == "length":
            message = f"the answer of {self._model} was cut off at {tokens.completion_tokens or 'its limit of'} tokens"
            advice = "ask for a shorter article or use a model with longer answers"
            raise ProviderFailed(self.provider, f"{message}; {advice}", retryable=False)
        kept = tokens.prompt_tokens_details or _Details()
        return Reply(
            choice.message.content or "",
            tokens.prompt_tokens,
            tokens.completion_tokens,
            kept.cached_tokens or 0,
            kept.cache_write_tokens or 0,
        )
