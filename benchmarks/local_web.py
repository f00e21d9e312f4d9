"""Ten pages of 100 KB and a search that finds them, in a process of their own: `python -m benchmarks.local_web PORT`.

Answers at once, and says nothing else of what it is asked."""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Final

from benchmarks.corpus import Corpus

PAGES: Final = 10
PAGE_BYTES: Final = 100_000
TOPIC_SEED: Final = 11
_LINKS: Final = 150
_SCRIPT: Final = 30_000  # bytes of a page that are no text, as on the web


def pages() -> tuple[str, list[bytes]]:
    """The topic, and the pages on it: main text of some 45 KB amid navigation, scripts and styles."""
    corpus = Corpus(seed=TOPIC_SEED)
    theme = corpus.theme()
    topic = f"Heat pump {' '.join(theme[:3])}"
    return topic, [_page(corpus, [*theme, "heat", "pump"], Random(number)) for number in range(PAGES)]


def _page(corpus: Corpus, theme: list[str], random: Random) -> bytes:
    title = corpus.heading(theme)
    cooccurrences = "".join(
        f'<li><a href="/go/{n}" class="nav-item level-2">{corpus.title()}</a></li>' for n in range(_LINKS)
    )
    script = " ".join(f"var v{n}={random.random()};" for n in range(_SCRIPT // 28))
    head = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<script>{script}</script></head><body><header><nav><ul>{cooccurrences}</ul></nav></header><main><article>"
        f"<h1>{title}</h1>"
    )
    foot = "</article></main><footer><p>Contact and imprint</p></footer></body></html>"
    parts, size = [], len(head) + len(foot)
    while size < PAGE_BYTES:
        words = random.randint(60, 140)
        part = f'<p class="text">{corpus.passage(words, theme)}</p>'
        if random.random() < 0.25:
            part = f"<h2>{corpus.heading(theme)}</h2>{part}"
        parts.append(part)
        size += len(part)
    return (head + "".join(parts) + foot).encode()


def main(port: int) -> None:
    _, bodies = pages()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            number = self.path.removeprefix("/page/")
            if number.isdecimal() and int(number) < len(bodies):
                self._answer(200, bodies[int(number)], "text/html; charset=utf-8")
            elif self.path == "/health":
                self._answer(200, b"fine", "text/plain")
            else:
                self._answer(404, b"none", "text/plain")

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            organic = [
                {"title": f"Page {n}", "link": f"http://127.0.0.1:{port}/page/{n}", "snippet": "…"}
                for n in range(len(bodies))
            ]
            answer = {"searchParameters": asked, "organic": organic}
            self._answer(200, json.dumps(answer).encode(), "application/json")

        def _answer(self, status: int, body: bytes, content_type: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()


if __name__ == "__main__":
    main(int(sys.argv[1]))
