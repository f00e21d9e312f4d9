"""OpenAI's chat completions, which many servers offer too (vLLM, Ollama, llama.cpp, Mistral)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any, Final
from urllib.parse import quote

import httpx
import msgspec

from contentgen_adapters.llm.batched import BatchCalls, BatchedWriter, done_already, usable
from contentgen_adapters.llm.conversation import (
    AnswerLost,
    Message,
    OutputSchema,
    Reply,
    model_retry_policy,
    with_schema,
)
from contentgen_adapters.llm.structured import StructuredWriter
from contentgen_adapters.shared.http import BadStatus, Peer, RetryPolicy, post_json
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.prices import PricedModel, TokenPrices
from contentgen_core.ports.content_model import ContentModel

OPENAI: Final = "https://api.openai.com/v1"
SETTING: Final = "CONTENTGEN_OPENAI_API_KEY"
MAX_OUTPUT_TOKENS: Final = 8_000
_FORMATS: Final = ("json_schema", "json_object", "none")

_OUR_ID: Final = "contentgen_batch"
"""In the metadata of a batch."""
_ENDED: Final = frozenset({"completed", "failed", "expired", "cancelled"})
_LISTED: Final = 100


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


class _File(msgspec.Struct):
    id: str


class _Batch(msgspec.Struct):
    id: str
    status: str = ""
    metadata: dict[str, str] | None = None
    input_file_id: str | None = None
    output_file_id: str | None = None
    error_file_id: str | None = None


class _Batches(msgspec.Struct):
    data: list[_Batch]


class _Outcome(msgspec.Struct):
    status_code: int = 0
    body: msgspec.Raw = msgspec.Raw()


class _Line(msgspec.Struct):
    """A line of a file of answers."""

    custom_id: str
    response: _Outcome | None = None


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

        writes = chat(PricedModel(model, prices))
        plans = writes if planning is None else chat(planning)
        super().__init__(writes, planner, plans)
        self.batched_plans, self.batched_parts = BatchedWriter(self, plans), BatchedWriter(self, writes)


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
        base = base_url.rstrip("/")
        self._url = base + "/chat/completions"
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._batches = BatchCalls(client, base, self._headers, _PEER)
        self._model = model.name
        self._client = client
        self._max_output_tokens = max_output_tokens
        self._retry_policy = retry_policy
        self._format = _FORMATS[0]
        self._at_vendor = base == OPENAI
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
                return self._reply(response.content)
        raise ProviderFailed(self.provider, "refused every form of the request", retryable=False)

    def batched_question(self, system: str, messages: Sequence[Message], output: OutputSchema) -> str:
        return msgspec.json.encode(self._body(system, messages, output, self._format, self._limit_name)).decode()

    async def submit(self, batch_id: str, questions: Mapping[str, str]) -> str:
        lines = (
            {"custom_id": id, "method": "POST", "url": "/v1/chat/completions", "body": msgspec.Raw(body.encode())}
            for id, body in questions.items()
        )
        content = b"\n".join(map(msgspec.json.encode, lines))
        upload = {"data": {"purpose": "batch"}, "files": {"file": (f"{batch_id}.jsonl", content, "application/jsonl")}}
        file = await self._batches.read("POST", "/files", _File, **upload)
        order = {
            "input_file_id": file.id,
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "metadata": {_OUR_ID: batch_id},
        }
        return (await self._batches.read("POST", "/batches", _Batch, json=order)).id

    async def find(self, batch_id: str, parts: int, since: datetime, known: Collection[str]) -> str | None:
        """Among the newest: a batch has our id in its metadata."""
        newest = await self._batches.read("GET", f"/batches?limit={_LISTED}", _Batches)
        return next((batch.id for batch in newest.data if (batch.metadata or {}).get(_OUR_ID) == batch_id), None)

    async def replies(self, vendor_id: str) -> dict[str, Reply] | None:
        batch = await self._batches.read("GET", f"/batches/{quote(vendor_id, safe='')}", _Batch)
        if batch.status not in _ENDED:
            return None
        if batch.output_file_id is None:
            return {}
        lines = await self._batches.lines(f"/files/{quote(batch.output_file_id, safe='')}/content", _Line)
        answered = {
            line.custom_id: bytes(line.response.body)
            for line in lines
            if line.response and line.response.status_code == 200
        }
        return usable(answered, self._reply)

    async def cancel(self, vendor_id: str) -> None:
        with done_already():
            await self._batches.send("POST", f"/batches/{quote(vendor_id, safe='')}/cancel")

    async def forget(self, vendor_id: str) -> None:
        with done_already():
            batch = await self._batches.read("GET", f"/batches/{quote(vendor_id, safe='')}", _Batch)
            for file in filter(None, (batch.input_file_id, batch.output_file_id, batch.error_file_id)):
                with done_already():
                    await self._batches.send("DELETE", f"/files/{quote(file, safe='')}")

    def _body(
        self, system: str, conversation: Sequence[Message], output: OutputSchema, form: str, limit_name: str
    ) -> dict[str, Any]:
        if form != "json_schema":
            system = with_schema(system, output)
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

    def _reply(self, content: bytes) -> Reply:
        try:
            completion = msgspec.json.decode(content, type=_Completion)
            choice = completion.choices[0]
        except (msgspec.DecodeError, IndexError) as exc:
            raise ProviderFailed(self.provider, "the answer is no chat completion", retryable=True) from exc
        tokens = completion.usage or _Tokens()
        kept = tokens.prompt_tokens_details or _Details()
        reply = Reply(
            choice.message.content or "",
            tokens.prompt_tokens,
            tokens.completion_tokens,
            kept.cached_tokens or 0,
            kept.cache_write_tokens or 0,
        )
        if choice.message.refusal or choice.finish_reason == "content_filter":
            text = f": {choice.message.refusal[:200]}" if choice.message.refusal else ""
            raise AnswerLost(self.provider, f"{self._model} refused to answer{text}", reply)
        if choice.finish_reason == "length":
            message = f"the answer of {self._model} was cut off at {tokens.completion_tokens or 'its limit of'} tokens"
            advice = "ask for a shorter article or use a model with longer answers"
            raise AnswerLost(self.provider, f"{message}; {advice}", reply)
        return reply
