"""Reads at even intervals: `python -m benchmarks.steady_reads PORT` takes a key on standard input, and prints what the
reads took once that input ends.

In a process of its own: within the one that answers for models, a read would wait for that one's threads."""

from __future__ import annotations

import http.client
import json
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

EVERY_SECONDS: Final = 0.02
MOST: Final = 50_000


@contextmanager
def reads(port: int, key: str) -> Iterator[list[float]]:
    """Reads GET /articles on one connection while the block runs; then the list has the seconds of each.

    Raises RuntimeError where one was not answered with 200.
    """
    took: list[float] = []
    program = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.steady_reads", str(port)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert program.stdin is not None
        program.stdin.write(key + "\n")
        program.stdin.flush()
        yield took
        printed, said = program.communicate()
        if program.returncode:
            raise RuntimeError(f"a read failed: {said[-2000:]}")
        took.extend(json.loads(printed))
    finally:
        program.kill()
        program.wait()


def _read(port: int, key: str) -> list[float]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    took: list[float] = []
    while len(took) < MOST:
        begun = time.perf_counter()
        connection.request("GET", "/articles", headers={"X-API-Key": key})
        answer = connection.getresponse()
        answer.read()
        took.append(time.perf_counter() - begun)
        if answer.status != 200:
            raise RuntimeError(f"status {answer.status}")
        if select.select([sys.stdin], [], [], max(0.0, EVERY_SECONDS - took[-1]))[0]:
            break
    return took


if __name__ == "__main__":
    print(json.dumps(_read(int(sys.argv[1]), sys.stdin.readline().strip())))
