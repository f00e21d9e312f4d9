"""The process that embeds for a whole service. Apart from `embedding`, since whoever starts it loads no model."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from socket import socket
from typing import Final

from contentgen_adapters.embeddings.semantic.starting import OnDeath, shared_program

_MOST_THREADS: Final = 8
"""Tokens and rounding are Python's work, which one thread does at a time."""


@asynccontextmanager
async def embedding_process(cores: int, on_death: OnDeath | None = None) -> AsyncIterator[socket | None]:
    """Return the socket (`askers`) through which processes of the service use one embedding process during the block.
    That process starts with the first request, and `on_death` is called when it has ended. None except on Linux,
    where each has its own: macOS may lose a connection that nobody has received yet.
    """
    if sys.platform == "linux":
        async with shared_program(min(_MOST_THREADS, cores), on_death) as askers:
            yield askers
    else:
        yield None
