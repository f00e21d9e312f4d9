"""Structured output from chat models, with repair turns when an answer is invalid."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal, Protocol, TypeVar

import msgspec
from attrs import frozen

from contentgen_adapters.llm.prompts import prompt
from contentgen_adapters.llm.wire import schema
from contentgen_adapters.shared.http import LONGEST_WAIT, RetryPolicy
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.article import Usage
from contentgen_core.model.model_batch import ModelAnswer
from contentgen_core.model.prices import TokenPrices
from contentgen_core.ports.content_model import Answer
from contentgen_core.ports.lost_usage import note_lost_usage

MAX_REPAIRS: Final = 2
MAX_FAULT: Final = 600
CHARACTERS_A_TOKEN: Final = 4
"""About, of European languages; of others a token has fewer."""

T = TypeVar("T")
W = TypeVar("W", bound=msgspec.Struct)


def model_retry_policy(call: float = 120.0, calls: int | None = None) -> RetryPolicy:
    """The retry policy for models, which send nothing until the answer is complete.

    `call`: seconds per call; the total allows a second one and the wait that a busy service asks for. `calls`: under
    way at a time; None: as many as the client has connections, and who waits too long for one fails.
    """
    places = None if calls is None else asyncio.Semaphore(calls)
    return RetryPolicy(total=2 * call + LONGEST_WAIT, attempt=call, silence=call, places=places)


@frozen
class Message:
    """A turn of a conversation with a model. `shared`: what stands before `text` and begins other requests, too."""

    role: Literal["user", "assistant"]
    text: str
    shared: str = ""

    @property
    def whole(self) -> str:
        return self.shared + self.text


@frozen
class Question:
    """A question to a model. `shared`: the beginning that it has in common with requests that will soon follow; "" if
    there are none.
    """

    text: str
    shared: str = ""


@frozen
class OutputSchema:
    """The structured output to produce. `name`: of [A-Za-z0-9_-]; `schema`: a JSON schema."""

    name: str
    schema: dict[str, Any]


@frozen
class Reply:
    """A model's answer as JSON text, and the tokens used; 0 where the server does not report them. Of those read,
    `cached_tokens` were kept from earlier requests, and `cache_written_tokens` will be kept for later ones."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cache_written_tokens: int = 0


def with_schema(system: str, output: OutputSchema) -> str:
    """Return the system prompt with the schema in words, for a model that cannot take a schema apart from the text."""
    text = msgspec.json.encode(output.schema).decode()
    return f"{system}\nAnswer with one JSON object of this JSON schema and nothing else:\n{text}\n"


class ChatBackend(Protocol):
    """A vendor's chat API. `complete` raises ProviderFailed, also for an answer that was cut off or refused."""

    @property
    def provider(self) -> str: ...

    @property
    def model(self) -> str: ...

    @property
    def prices(self) -> TokenPrices | None:
        """The prices of its tokens, if known."""
        ...

    async def complete(self, system: str, messages: Sequence[Message], output: OutputSchema) -> Reply: ...


class BatchedChat(ChatBackend, Protocol):
    """A chat API that also takes many questions at once, see `BatchedModel`."""

    def batched_question(self, system: str, messages: Sequence[Message], output: OutputSchema) -> str:
        """The body of a request, as JSON, that does not pay for anything to be kept for later ones."""
        ...

    async def submit(self, batch_id: str, questions: Mapping[str, str]) -> str: ...

    async def find(self, batch_id: str, parts: int, since: datetime, known: Collection[str]) -> str | None: ...

    async def replies(self, vendor_id: str) -> dict[str, Reply] | None: ...

    async def cancel(self, vendor_id: str) -> None: ...

    async def forget(self, vendor_id: str) -> None: ...


class InvalidAnswer(Exception):
    """An answer that breaks a rule; the message explains it to the model."""


class AnswerLost(ProviderFailed):
    """A model's answer is of no use: it is cut off, or a refusal. `reply`: the reply, with the tokens it took."""

    def __init__(self, provider: str, message: str, reply: Reply) -> None:
        super().__init__(provider, message, retryable=False)
        self.reply = reply


class NoUsableAnswer(ProviderFailed):
    """No answer of a model was valid, the corrected ones included. `usage`: the tokens that they consumed; `asked`: the
    part of them that was consumed here, which the code that catches this counts or notes as lost.
    """

    def __init__(self, backend: ChatBackend, tries: int, fault: str, usage: Usage, asked: Usage) -> None:
        message = f"{backend.model} gave no usable answer in {tries} tries: {fault}"
        super().__init__(backend.provider, message, retryable=True)
        self.usage, self.asked = usage, asked


@frozen
class Opening:
    """The beginning of a conversation."""

    system: str
    message: Message
    output: OutputSchema

    @classmethod
    def of(cls, question: Question, answer: type[msgspec.Struct]) -> Opening:
        """Build the beginning of a conversation. `answer`: the struct to decode."""
        output = OutputSchema(answer.__name__, schema(answer))
        return cls(prompt("system").fill(), Message("user", question.text, question.shared), output)


async def ask(
    backend: ChatBackend,
    question: Question,
    answer: type[W],
    read: Callable[[W, bool], T],
    *,
    repairs: int = MAX_REPAIRS,
    first: ModelAnswer | None = None,
    replaceable: bool = False,
) -> Answer[T]:
    """Ask a model, and have it correct invalid answers.

    `answer`: the struct to decode. `read(answer, last)`: converts an answer or raises InvalidAnswer; with `last` it may
    drop invalid parts instead. `repairs`: most corrections. `first`: an answer that the model gave already. The usage
    is that of all turns; the tokens of turns before a failure are noted as lost, except for NoUsableAnswer with
    `replaceable`, where the caller counts them. Raises the backend's ProviderFailed, and NoUsableAnswer, which is
    retryable.
    """
    opening = Opening.of(question, answer)
    messages = [opening.message]
    usage = asked = Usage(backend.model)
    fault = ""
    for left in range(repairs, -1, -1):
        if first is not None:
            given, first = first, None
        else:
            try:
                given = await _complete(backend, opening, messages)
            except BaseException:
                note_lost_usage(asked)
                raise
            asked = asked.plus(given.usage)
        usage = usage.plus(given.usage)
        try:
            return Answer(read(decode(given.text, answer), left == 0), usage)
        except InvalidAnswer as exc:
            fault = str(exc)[:MAX_FAULT]
        messages += [Message("assistant", given.text or "{}"), Message("user", prompt("repair").fill(fault=fault))]
    if not replaceable:
        note_lost_usage(asked)
    raise NoUsableAnswer(backend, repairs + 1, fault, usage, asked)


async def _complete(backend: ChatBackend, opening: Opening, messages: Sequence[Message]) -> ModelAnswer:
    try:
        reply = await backend.complete(opening.system, messages, opening.output)
    except AnswerLost as error:
        note_lost_usage(usage_of(backend.model, backend.prices, error.reply))
        raise
    except asyncio.CancelledError:
        note_lost_usage(usage_of(backend.model, backend.prices, _read_at_least(opening, messages)))
        raise
    return ModelAnswer(reply.text, usage_of(backend.model, backend.prices, reply))


def _read_at_least(opening: Opening, messages: Sequence[Message]) -> Reply:
    """Estimate the tokens of a cancelled call, which vendors do not report: those of the question by its length, none
    for the answer.
    """
    characters = len(opening.system) + sum(len(message.whole) for message in messages)
    return Reply("", -(-characters // CHARACTERS_A_TOKEN))


def usage_of(model: str, prices: TokenPrices | None, reply: Reply) -> Usage:
    """Return the tokens and cost of a reply at these prices."""
    read, written = reply.input_tokens, reply.output_tokens
    cached = min(reply.cached_tokens, read)
    kept = min(reply.cache_written_tokens, read - cached)
    cost = prices.cost(read, written, cached, kept) if prices and (read or written) else None
    return Usage(model, read, written, cost, cached, kept)


def decode(text: str, answer: type[W]) -> W:
    """Decodes the JSON object in a model's text; models without structured output often add a fence or words around it.

    Raises InvalidAnswer.
    """
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        raise InvalidAnswer("it is not a JSON object.")
    try:
        return msgspec.json.decode(text[start : end + 1], type=answer, strict=False)
    except msgspec.ValidationError as exc:
        raise InvalidAnswer(f"it does not follow the schema: {exc}.") from exc
    except msgspec.DecodeError as exc:
        raise InvalidAnswer(f"it is not valid JSON: {exc}.") from exc
