"""Unit tests do no network I/O: a test that opens a socket fails."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_socket import disable_socket, enable_socket


@pytest.fixture(autouse=True)
def no_sockets() -> Iterator[None]:
    disable_socket(allow_unix_socket=True)  # the event loop wakes itself through one
    yield
    enable_socket()
