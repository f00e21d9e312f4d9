"""A chat model for tests: answers any schema with plausible content, speaks both vendors' protocols, and can be told to
answer otherwise first."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import httpx

from contentgen_adapters.llm.anthropic import AnthropicWriter
from contentgen_adapters.llm.openai import OpenAIWriter
from contentgen_adapters.llm.text_model import TextModelWriter
from contentgen_adapters.shared.http import RetryPolicy, make_client
from contentgen_core.ports.content_model import ContentModel

KEY = "key-abcdef-123456"


async def no_sleep(seconds: float) -> None:
    """Time passes without being waited for."""


def fenced_part(text: str, label: str) -> str:
    """What stands between the marks of a label in a prompt; empty where there is none."""
    found = re.search(rf"^<<<BEGIN {label}>>>\n(.*?)\n<<<END {label}>>>$", text, re.MULTILINE | re.DOTALL)
    return found.group(1) if found else ""


def said(content: str | list[dict[str, Any]]) -> str:
    """The text of a message, which is one or comes in blocks."""
    return content if isinstance(content, str) else "".join(block["text"] for block in content)


def _asked(body: dict[str, Any]) -> str:
    return "\n".join(said(m["content"]) for m in body["messages"] if m["role"] == "user")


class ModelServer:
    """`first`: answers to give before the usual ones, one a request; a string is the text of the model's answer.
    `together`: how many requests there have to be before the first one is answered."""

    def __init__(self, *first: httpx.Response | Exception | str, together: int = 1) -> None:
        self.first = list(first)
        self._together, self._there = together, asyncio.Event()
        self.requests: list[httpx.Request] = []
        self.waits: list[float] = []
        self._count = 0

    def openai(self, **given: Any) -> OpenAIWriter:
        return OpenAIWriter("https://models.example/v1", KEY, "sample-model", self.client(), **self._patient(given))

    def anthropic(self, **given: Any) -> AnthropicWriter:
        return AnthropicWriter("https://models.example", KEY, "sample-model", self.client(), **self._patient(given))

    def text(self) -> ContentModel:
        return TextModelWriter(_Speaking(self))

    def answer_in_words(self, prompt: str) -> str:
        """Return the answer to a prompt that has its schema in words."""
        schema, _ = json.JSONDecoder().raw_decode(prompt, prompt.index("{", prompt.index("JSON schema")))
        return json.dumps(self._made(schema, prompt, ""))

    def body(self, number: int = -1) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(self.requests[number].content)
        return body

    def prompt(self, number: int = -1) -> str:
        return _asked(self.body(number))

    def client(self) -> httpx.AsyncClient:
        return make_client(transport=httpx.MockTransport(self._answer))

    def _patient(self, given: dict[str, Any]) -> dict[str, Any]:
        return {"retry_policy": RetryPolicy(sleep=self._sleep)} | given

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if len(self.requests) >= self._together:
            self._there.set()
        await self._there.wait()
        return self._handle(request)

    def _handle(self, request: httpx.Request) -> httpx.Response:
        given = self.first.pop(0) if self.first else None
        if isinstance(given, Exception):
            raise given
        if isinstance(given, httpx.Response):
            return given
        body = json.loads(request.content)
        text = given if given is not None else json.dumps(self._made(_schema(body), _asked(body), ""))
        return _as_anthropic(text) if "tools" in body else _as_openai(text)

    def _made(self, schema: dict[str, Any], prompt: str, name: str) -> Any:
        match schema["type"]:
            case "object":
                return {key: self._made(part, prompt, key) for key, part in schema["properties"].items()}
            case "array":
                return self._list(schema["items"], prompt, name)
            case "string":
                self._count += 1
                return _text(name, prompt, self._count)
            case "integer":
                return 100
            case "number":
                return 0.5
            case "boolean":
                return False
        raise AssertionError(f"unexpected schema {schema}")

    def _list(self, items: dict[str, Any], prompt: str, name: str) -> list[Any]:
        labels = re.findall(r"^<<<BEGIN SOURCE (S\d+)>>>$", prompt, re.MULTILINE)
        match name:
            case "sources":
                return labels[:2]
            case "faq" if not labels:
                return []
            case "sections":
                return [self._made(items, prompt, name) for _ in range(5)]
            case "paragraphs":
                questions = fenced_part(prompt, "QUESTIONS").splitlines()
                return [self._made(items, prompt, "") for _ in questions or range(2)]
            case "topics":
                taken = fenced_part(prompt, "TOPICS").splitlines()
                again = [{"topic": topic, "reason": "It exists.", "score": 0.9} for topic in taken]
                return again + [self._made(items, prompt, "") for _ in range(3)]
            case "entities":
                return [{"members": [1, 2], "type": "organisation"}, {"members": [3, 99, 1], "type": "law"}]
            case "translations":
                texts = fenced_part(prompt, "TEXTS").splitlines()
                return [{"number": n, "text": text.partition(". ")[2]} for n, text in enumerate(texts, start=1)]
            case _:
                return [self._made(items, prompt, name) for _ in range(2)]


class _Speaking:
    """The least that a program brings: a method that answers a text with a text."""

    name = "sample-model"

    def __init__(self, server: ModelServer) -> None:
        self._server = server

    async def answer(self, prompt: str) -> str:
        return self._server.answer_in_words(prompt)


WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "islet", "jetty", "kiosk", "larch")


def _text(name: str, prompt: str, number: int) -> str:
    marks = " ".join(WORDS[(number * step + step) % len(WORDS)] + str(number) for step in (3, 5, 7))
    return f"The {name or 'sample'} {marks}" + ("." if name == "text" else "")


def _schema(body: dict[str, Any]) -> dict[str, Any]:
    if "tools" in body:
        schema: dict[str, Any] = body["tools"][0]["input_schema"]
    elif body.get("response_format", {}).get("type") == "json_schema":
        schema = body["response_format"]["json_schema"]["schema"]
    else:
        schema = json.loads(re.findall(r"^\{.*\}$", body["messages"][0]["content"], re.MULTILINE)[-1])
    return schema


def _as_openai(text: str) -> httpx.Response:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    return httpx.Response(200, json={"object": "chat.completion", "choices": [choice], "usage": usage})


def _as_anthropic(text: str) -> httpx.Response:
    try:
        block: dict[str, Any] = {"type": "tool_use", "id": "t1", "name": "answer", "input": json.loads(text)}
    except ValueError:
        block = {"type": "text", "text": text}
    usage = {"input_tokens": 100, "output_tokens": 20}
    return httpx.Response(200, json={"type": "message", "content": [block], "stop_reason": "tool_use", "usage": usage})
