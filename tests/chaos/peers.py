"""Servers of others that the service calls: a model, a blog, pictures. Each can be told to spoil its next answers."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import httpx
from attrs import define, field

from tests.contract.publishing.wordpress_support import Site
from tests.process.web import Web, a_web
from tests.support.mail_server import Post, mail_server
from tests.support.model_server import ModelServer

FLOOD_BYTES: Final = 64 * 2**20
_SITE: Final = "https://blog.example"
_NUMBERED: Final = re.compile(r"^(\d+)\. (.*)$", re.MULTILINE)


class Mood(StrEnum):
    """How an answer is spoilt."""

    HANGS = "hangs"  # it works, and never answers
    TRICKLES = "trickles"  # a byte now and then
    FLOODS = "floods"  # an answer without end
    LIES = "lies"  # 200, and something else
    CUTS = "cuts"  # it works, and the connection ends
    REFUSES = "refuses"  # 503, without having worked


@define
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


Reply = tuple[int, dict[str, str], bytes]


@define
class Peer:
    """`answer`: what it does when it is well. `spoilt`: moods of answers to come. `held_seconds`: how long one that
    hangs or trickles keeps at it. `met`: answers that were spoilt."""

    answer: Callable[[Request], Reply]
    held_seconds: float = 15.0
    spoilt: list[Mood] = field(factory=list)
    met: int = 0
    _ended: threading.Event = field(factory=threading.Event)
    _http: ThreadingHTTPServer | None = None

    @contextmanager
    def running(self) -> Iterator[None]:
        self._http = _Server(("127.0.0.1", 0), _handler(self))
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        try:
            yield
        finally:
            self._ended.set()
            self._http.shutdown()
            self._http.server_close()

    @property
    def host(self) -> str:
        assert self._http is not None
        return f"127.0.0.1:{self._http.server_address[1]}"

    def spoil(self, mood: Mood, times: int) -> None:
        self.spoilt.extend([mood] * times)

    def heal(self) -> None:
        self.spoilt.clear()

    def next_mood(self) -> Mood | None:
        with suppress(IndexError):
            mood = self.spoilt.pop(0)
            self.met += 1
            return mood
        return None

    def wait(self, seconds: float) -> bool:
        """False when the peer has ended meanwhile."""
        return not self._ended.wait(seconds)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256


def _handler(peer: Peer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle(self) -> None:
            with suppress(ConnectionError, TimeoutError):  # whoever asked was killed
                super().handle()

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            headers = {name.lower(): value for name, value in self.headers.items()}
            mood = peer.next_mood()
            if mood is Mood.REFUSES:
                self._send((503, {}, b"<html>Service Unavailable</html>"))
                return
            reply = peer.answer(Request(self.command, self.path, headers, body))
            match mood:
                case None:
                    self._send(reply)
                case Mood.LIES:
                    self._send((200, {"Content-Type": "application/json"}, b'{"id": [], "choices": "none"}'))
                case _:
                    self.close_connection = True
                    _spoil(mood, peer, reply, self.wfile.write)

        do_GET = do_PUT = do_PATCH = do_DELETE = do_POST

        def _send(self, reply: Reply) -> None:
            status, headers, content = reply
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """The campaign says what went wrong."""

    return Handler


def _spoil(mood: Mood, peer: Peer, reply: Reply, write: Callable[[bytes], object]) -> None:
    end = time.monotonic() + peer.held_seconds
    if mood is Mood.HANGS:
        peer.wait(peer.held_seconds)
    elif mood is Mood.TRICKLES:
        write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n")
        while time.monotonic() < end and peer.wait(0.2):
            write(b" ")
    elif mood is Mood.FLOODS:
        write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
        for _ in range(FLOOD_BYTES // 65_536):
            write(b" " * 65_536)


def a_model(server: ModelServer) -> Peer:
    """Answers from the sources, as `server` does, and translates into capitals."""

    def answer(request: Request) -> Reply:
        body = json.loads(request.body)
        if body["response_format"]["json_schema"]["name"] == "TranslationAnswer":
            return _json(200, _chat(_translated(body["messages"][1]["content"])))
        status, headers, content = server.answer(body, request.headers.get("authorization", ""))
        return status, headers | {"Content-Type": "application/json"}, json.dumps(content).encode()

    return Peer(answer)


def _translated(asked: str) -> dict[str, Any]:
    texts = asked.partition("<<<BEGIN TEXTS>>>")[2].partition("<<<END TEXTS>>>")[0]
    return {"translations": [{"number": int(n), "text": text.upper()} for n, text in _NUMBERED.findall(texts)]}


def _chat(content: dict[str, Any]) -> dict[str, Any]:
    message = {"role": "assistant", "content": json.dumps(content)}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    return {"object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": usage}  # fmt: skip


def _json(status: int, content: object) -> Reply:
    return status, {"Content-Type": "application/json"}, json.dumps(content).encode()


@define
class Blog:
    """A WordPress, as the contract of publishing has it, on a real port."""

    site: Site = field(factory=Site)
    peer: Peer = field(init=False)
    _lock: Any = field(factory=threading.Lock)

    def __attrs_post_init__(self) -> None:
        self.peer = Peer(self._answer)

    @property
    def credentials(self) -> dict[str, Any]:
        return {**self.site.credentials, "siteUrl": f"http://{self.peer.host}/news/"}

    def posts(self) -> list[str]:
        """The titles of its posts."""
        with self._lock:
            return [post.title for post in self.site.posts()]

    def _answer(self, request: Request) -> Reply:
        asked = httpx.Request(
            request.method, _SITE + request.path, headers={**request.headers, "host": "blog.example"},
            content=request.body,
        )  # fmt: skip
        with self._lock:
            answered = self.site.answer(asked)
        kept = {name: value for name, value in answered.headers.items() if name.lower() == "content-type"}
        return answered.status_code, kept, answered.content.replace(_SITE.encode(), f"http://{self.peer.host}".encode())


def pictures() -> Peer:
    """A Pexels that finds the same two pictures for everything."""
    photos = [
        {"src": {"large": f"https://pictures.example/{n}"}, "url": "https://pictures.example/", "alt": "A picture",
         "photographer": "Ada", "photographer_url": "https://people.example/@ada"}
        for n in range(2)
    ]  # fmt: skip
    return Peer(lambda request: _json(200, {"photos": photos}))


@define
class Peers:
    """All of them. `delay`: seconds that the model takes for an answer."""

    delay: float = 0.3
    model_server: ModelServer = field(factory=ModelServer)
    blog: Blog = field(factory=Blog)
    pictures: Peer = field(factory=pictures)
    model: Peer = field(init=False)
    web: Web = field(init=False)
    mail: Post = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.model = a_model(self.model_server)
        self.model_server.delay = self.delay

    @contextmanager
    def running(self) -> Iterator[None]:
        with ExitStack() as stack:
            stack.enter_context(self.model_server)
            self.web = stack.enter_context(a_web())
            self.mail = stack.enter_context(mail_server())
            for peer in (self.model, self.blog.peer, self.pictures):
                stack.enter_context(peer.running())
            yield

    @property
    def environment(self) -> dict[str, str]:
        """Settings of a service that uses them."""
        return {
            **self.model_server.environment,
            "CONTENTGEN_OPENAI_BASE_URL": f"http://{self.model.host}/v1",
            **self.web.environment,
            "CONTENTGEN_ALLOWED_PRIVATE_HOSTS": f"{self.blog.peer.host},{self.web.server.host}",
            "CONTENTGEN_SMTP_URL": f"smtp://127.0.0.1:{self.mail.port}",
            "CONTENTGEN_MAIL_FROM": "Contentgen <no-reply@example.org>",
            "CONTENTGEN_PUBLIC_URL": "https://cg.example.org",
            "CONTENTGEN_PEXELS_API_KEY": "key-abcdef-123456",
            "CONTENTGEN_PEXELS_BASE_URL": f"http://{self.pictures.host}",
        }

    def heal(self) -> None:
        for peer in (self.model, self.blog.peer, self.pictures):
            peer.heal()
