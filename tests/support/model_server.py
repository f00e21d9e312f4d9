"""An OpenAI-compatible model on a real port: it answers every shape that is asked of it from the sources in the prompt,
takes as long as it is told to, remembers who asked for what, and can be told to fail."""

from __future__ import annotations

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from attrs import define, field

_SOURCE = re.compile(r"^<<<BEGIN SOURCE (S\d+)>>>\n(.*?)\n<<<END SOURCE \1>>>$", re.MULTILINE | re.DOTALL)


@define
class Call:
    """`part`: the heading of a section, else empty. `answered`: when (time.monotonic), None while under way."""

    kind: str
    topic: str
    part: str
    answered: float | None = None

    @property
    def work(self) -> tuple[str, str, str]:
        """Return the request of the call; the same for a repetition."""
        return self.kind, self.topic, self.part


@define
class ModelServer:
    """`delay`: seconds an answer takes. `failing`: decides by a call with which (status, headers) it fails; None: it
    does not. `translate`: one text. `key`: the Authorization that it was last called with. `sections`: of a plan, at
    most. `sentences`: taken from the beginning of each source of a section. `all_sources`: whether a plan deals out
    all of them among its sections, instead of one to each. `port`: to listen on; 0: a free one."""

    delay: float = 0.0
    failing: Callable[[Call], tuple[int, dict[str, str]] | None] = lambda call: None
    translate: Callable[[str], str] = lambda text: text.upper()
    translated: list[str] = field(factory=list)
    calls: list[Call] = field(factory=list)
    key: str = ""
    sections: int = 3
    sentences: int = 1
    all_sources: bool = False
    port: int = 0
    _released: threading.Event = field(factory=threading.Event)
    _http: ThreadingHTTPServer | None = None

    def __enter__(self) -> Self:
        self._http = _Server(("127.0.0.1", self.port), _handler(self))
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._released.set()
        assert self._http is not None
        self._http.shutdown()
        self._http.server_close()

    @property
    def base_url(self) -> str:
        assert self._http is not None
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def environment(self) -> dict[str, str]:
        """Settings of a service that writes with this model."""
        return {
            "CONTENTGEN_CONTENT_MODEL": "openai",
            "CONTENTGEN_OPENAI_BASE_URL": self.base_url,
            "CONTENTGEN_OPENAI_API_KEY": "sk-the-models-own-key-0123456789",
        }

    def count(self, kind: str) -> int:
        return sum(call.kind == kind for call in list(self.calls))

    def answered(self, kind: str) -> int:
        return sum(call.kind == kind and call.answered is not None for call in list(self.calls))

    def under_way(self) -> int:
        return sum(call.answered is None for call in list(self.calls))

    def work(self) -> Counter[tuple[str, str, str]]:
        """Count how often each request was made."""
        return Counter(call.work for call in list(self.calls))

    def answer(self, body: dict[str, Any], key: str) -> tuple[int, dict[str, str], dict[str, Any]]:
        """Return (status, headers, JSON) of one chat completion."""
        self.key = key
        asked = body["messages"][1]["content"]
        shape = body["response_format"]["json_schema"]["name"]
        call = _call(shape, asked)
        self.calls.append(call)
        failure = self.failing(call)
        if failure is not None:
            call.answered = time.monotonic()
            return failure[0], failure[1], {"error": {"message": "not now"}}
        self._released.wait(self.delay)
        call.answered = time.monotonic()
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": json.dumps(self._content(shape, asked))},
            "finish_reason": "stop",
        }
        usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
        return 200, {}, {"object": "chat.completion", "choices": [choice], "usage": usage}

    def _content(self, shape: str, asked: str) -> dict[str, Any]:
        if shape == "PlanAnswer":
            return _plan(asked, self.sections, self.all_sources)
        if shape == "SectionAnswer":
            return _section(asked, self.sentences)
        if shape != "TranslationAnswer":
            return _ANSWERS[shape](asked)
        texts = [line.partition(". ")[2] for line in _fenced(asked, "TEXTS").splitlines()]
        self.translated += texts
        return {"translations": [{"number": n, "text": self.translate(text)} for n, text in enumerate(texts, start=1)]}


def _call(shape: str, asked: str) -> Call:
    topic = _line(asked, "Topic: ")
    if shape != "SectionAnswer":
        return Call(shape.removesuffix("Answer").lower(), topic, "")
    kind = "rewrite" if "<<<BEGIN REFUSED>>>" in asked else "section"
    return Call(kind, topic, _line(asked, "Heading: ") or "questions")


def _line(asked: str, start: str) -> str:
    found = re.search(rf"^{re.escape(start)}(.*)$", asked, re.MULTILINE)
    return found[1].strip() if found else ""


def _fenced(asked: str, label: str) -> str:
    found = re.search(rf"^<<<BEGIN {label}>>>\n(.*?)\n<<<END {label}>>>$", asked, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def _sources(asked: str) -> dict[str, str]:
    """The text of each source by its label."""
    return {label: shown.partition("\n\n")[2] for label, shown in _SOURCE.findall(asked)}


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?])\s", text.strip())


def _plan(asked: str, most: int, all_sources: bool) -> dict[str, Any]:
    labels = list(_sources(asked))
    sections = [
        {
            "heading": f"Part {n}",
            "goal": "Tell what the source says.",
            "keyPoints": [f"What source {n} says"],
            "sources": labels[n - 1 :: most] if all_sources else [label],
            "targetWords": 100,
        }
        for n, label in enumerate(labels[:most], start=1)
    ] or [
        {
            "heading": f"Outline {n}",
            "goal": "Outline it.",
            "keyPoints": [f"Part {n} of it"],
            "sources": [],
            "targetWords": 100,
        }
        for n in range(1, most + 1)
    ]
    return {
        "title": f"On {_line(asked, 'Topic: ')}"[:120],
        "angle": "Plain facts",
        "audience": "Everybody",
        "sections": sections,
        "faq": [{"question": "What is known?", "sources": labels[:1]}] if labels else [],
        "seo": {"metaTitle": "A title", "metaDescription": "A description", "keywords": ["sample"]},
    }


def _section(asked: str, most: int) -> dict[str, Any]:
    sources = _sources(asked).items()
    said = [{"text": said, "sources": [label]} for label, text in sources for said in _sentences(text)[:most]]
    said = said or [{"text": "This part is an outline.", "sources": []}]
    return {"paragraphs": [{"sentences": [s | {"quotation": False} for s in said], "bullets": False}]}


_ANSWERS: dict[str, Callable[[str], dict[str, Any]]] = {
    "RevisionAnswer": lambda asked: {"leaveOut": False, "text": _fenced(asked, "NEW WORDS")},
    "TopicsAnswer": lambda asked: {"topics": [{"topic": "A topic of the sources", "reason": "It is", "score": 0.5}]},
    "JudgementAnswer": lambda asked: {"valid": True, "confidence": 0.9, "reason": "It fits."},
}


def _events(answer: dict[str, Any]) -> bytes:
    """The answer as a stream of one piece."""
    choices = [{**choice, "delta": choice["message"]} for choice in answer["choices"]]
    piece = {**answer, "object": "chat.completion.chunk", "choices": choices}
    return f"data: {json.dumps(piece)}\n\ndata: [DONE]\n\n".encode()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256


def _handler(model: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle(self) -> None:
            with suppress(ConnectionError):  # whoever asked was killed
                super().handle()

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, headers, answer = model.answer(body, self.headers.get("Authorization", ""))
            content, kind = json.dumps(answer).encode(), "application/json"
            if body.get("stream"):
                content, kind = _events(answer), "text/event-stream"
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """Tests say what went wrong."""

    return Handler
