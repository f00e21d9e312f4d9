"""The writer over a program's own model, a function from text to text."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from inspect import isawaitable
from typing import Final

from contentgen_adapters.llm.conversation import Message, OutputSchema, Reply, with_schema
from contentgen_adapters.llm.structured import StructuredWriter
from contentgen_core.errors import ContentgenError, ProviderFailed
from contentgen_core.ports.content_model import ContentModel, TextModel

PROVIDER: Final = "The model"
_TURNS: Final = {"user": "", "assistant": "You answered:\n\n"}


class TextModelWriter(StructuredWriter):
    """The content model port over a `TextModel`. `planner`: see `StructuredWriter`.

    Articles name the model by its attribute `name`, where it has one, else by its class.
    """

    def __init__(self, model: TextModel, planner: ContentModel | None = None) -> None:
        super().__init__(_TextChat(model), planner)


class _TextChat:
    """A chat of which each turn is one text: the system prompt with the schema, then all that was said before."""

    prices = None
    """What an answer takes is not known."""

    def __init__(self, model: TextModel) -> None:
        self._model = model

    @property
    def provider(self) -> str:
        return PROVIDER

    @property
    def model(self) -> str:
        return str(getattr(self._model, "name", type(self._model).__name__))

    async def complete(self, system: str, messages: Sequence[Message], output: OutputSchema) -> Reply:
        said = "\n\n".join(_TURNS[message.role] + message.whole for message in messages)
        try:
            answer = await asyncio.to_thread(self._model.answer, f"{with_schema(system, output)}\n{said}")
            if isawaitable(answer):
                answer = await answer
        except ContentgenError:
            raise
        except Exception as error:
            passing = isinstance(error, OSError)  # a connection that broke, a time-out
            raise ProviderFailed(PROVIDER, f"raised {type(error).__name__}: {error}", retryable=passing) from error
        if not isinstance(answer, str):
            raise ProviderFailed(PROVIDER, f"answered with a {type(answer).__name__}, not a text", retryable=False)
        return Reply(answer)
