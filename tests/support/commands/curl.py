"""The options of curl that the documentation uses (see `_options`). The output of `-w` goes to standard error."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path

import httpx

HTTP_ERROR = 22
NOT_CONNECTED = 7


def main() -> int:
    options = _options()
    try:
        return _answered(options, _request(options))
    except httpx.TransportError as error:
        sys.stderr.write(f"curl: {error}\n")
        return NOT_CONNECTED


def _request(options: argparse.Namespace) -> httpx.Request:
    url = options.url if "://" in options.url else f"http://{options.url}"
    headers = httpx.Headers([line.split(": ", 1) for line in options.header])
    encoded = httpx.QueryParams([pair.split("=", 1) for pair in options.data_urlencode])
    if options.get:
        return httpx.Request(options.request or "GET", httpx.URL(url, params=encoded), headers=headers)
    if options.form:
        parts = dict(map(_part, options.form))
        return httpx.Request(options.request or "POST", url, headers=headers, files=parts)
    content = "&".join([*map(_read, options.data), *([str(encoded)] if encoded else [])])
    if content:
        headers.setdefault("Content-Type", "application/x-www-form-urlencoded")
    method = options.request or ("POST" if content else "GET")
    return httpx.Request(method, url, headers=headers, content=content.encode() or None)


def _part(pair: str) -> tuple[str, tuple[str | None, bytes]]:
    name, value = pair.split("=", 1)
    if value.startswith("@"):
        file = Path(value[1:])
        return name, (file.name, file.read_bytes())
    return name, (None, value.encode())


def _answered(options: argparse.Namespace, request: httpx.Request) -> int:
    with httpx.Client(timeout=httpx.Timeout(None, connect=options.connect_timeout)) as client:
        answer = client.send(request, stream=True)
        refused = options.fail and answer.is_error
        if not refused:
            with ExitStack() as stack:
                to = stack.enter_context(open(options.output, "wb")) if options.output else sys.stdout.buffer
                for part in answer.iter_bytes():
                    to.write(part)
                    to.flush()
    if options.write_out:
        said = options.write_out.removeprefix("%{stderr}").replace("%{http_code}", str(answer.status_code))
        sys.stderr.write(said.replace("\\n", "\n"))
    return HTTP_ERROR if refused else 0


def _read(text: str) -> str:
    """Read `@file`, or standard input for `@-`; else return the text."""
    if not text.startswith("@"):
        return text
    return (sys.stdin.read() if text == "@-" else Path(text[1:]).read_text("utf-8")).replace("\n", "")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="curl")
    for flag in ("-s", "-S", "-N"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("-f", "--fail", action="store_true")
    parser.add_argument("-G", "--get", action="store_true")
    parser.add_argument("-X", "--request")
    parser.add_argument("-o", "--output")
    parser.add_argument("-w", "--write-out")
    parser.add_argument("--connect-timeout", type=float, default=60)
    for repeated in (("-H", "--header"), ("-d", "--data"), ("-F", "--form"), ("--data-urlencode",)):
        parser.add_argument(*repeated, action="append", default=[])
    parser.add_argument("url")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
