"""Asking a model for an answer of a given shape, and asking again when what comes back cannot be used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, Protocol, TypeVar

import msgspec
from attrs import frozen

from contentgen_adapters.llm.prompts import prompt
from contentgen_adapters.llm.wire import schema
from contentgen_adapters.shared.http import LONGEST_WAIT, RetryPolicy
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.article import Usage
from contentgen_core.ports.content_model import Answer

MAX_REPAIRS: Final = 2
MAX_FAULT: Final = 600

T = TypeVar("T")
W = TypeVar("W", bound=msgspec.Struct)


def model_retry_policy(call: float = 120.0) -> RetryPolicy:
    """For models, which are silent until the whole answer is there. `call`: seconds one call may take; a second one
    fits in, and the wait a busy service asks for."""
    return RetryPolicy(total=2 * call + LONGEST_WAIT, silence=call)


@frozen
class Message:
    role: Literal["user", "assistant"]
    text: str


@frozen
class OutputSchema:
    """The answer asked for: a name of [A-Za-z0-9_-] and its JSON schema."""

    name: str
    schema: dict[str, Any]


@frozen
class Reply:
    """JSON text as the model gave it, and the tokens it took; counts that a server leaves out are 0."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0


class ChatBackend(Protocol):
    """One vendor's way of asking. Raises ProviderFailed, also for an answer that was cut off or refused."""

    @property
    def provider(self) -> str: ...

    @property
    def model(self) -> str: ...

    async def complete(self, system: str, messages: Sequence[Message], output: OutputSchema) -> Reply: ...


class InvalidAnswer(Exception):
    """An answer of the right form that breaks a rule; the message tells the model which."""


async def ask(
    backend: ChatBackend, text: str, answer: type[W], read: Callable[[W, bool], T], *, repairs: int = MAX_REPAIRS
) -> Answer[T]:
    """Ask, check with `read`, and tell the model what is wrong, at most `repairs` times. `read` gets the answer and
    whether it is the last; on the last it may drop what it would otherwise refuse. The usage is that of all turns.

    Raises ProviderFailed: the backend's, or a retryable one when no answer was usable.
    """
    output = OutputSchema(answer.__name__, schema(answer))
    system = prompt("system").fill()
    messages = [Message("user", text)]
    usage = Usage(backend.model)
    fault = ""
    for left in range(repairs, -1, -1):
        reply = await backend.complete(system, messages, output)
        usage = usage.plus(Usage(backend.model, reply.input_tokens, reply.output_tokens))
        try:
            return Answer(read(decoded(reply.text, answer), left == 0), usage)
        except InvalidAnswer as exc:
            fault = str(exc)[:MAX_FAULT]
        messages += [Message("assistant", reply.text or "{}"), Message("user", prompt("repair").fill(fault=fault))]
    message = f"{backend.model} gave no usable answer in {repairs + 1} tries: {fault}"
    raise ProviderFailed(backend.provider, message, retryable=True)


def decoded(text: str, answer: type[W]) -> W:
    """The answer in a model's text; models without structured output like to put a fence or a word around it.

    Raises Unusable.
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
