"""Download large files with known digests. A partial download is kept and continued, and checked before it is
renamed.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Final

import httpx
from attrs import frozen

from contentgen_adapters.shared.http import RETRYABLE, Peer, retry_after, translate_error
from contentgen_core.errors import Conflict, ProviderFailed

MAX_REDIRECTS: Final = 5
ATTEMPTS: Final = 5
"""In a row that bring nothing new."""
LONGEST_WAIT: Final = 60.0
_RANGE: Final = re.compile(r"bytes (\d{1,15})-\d{1,15}/(\d{1,15})")

Progress = Callable[[int], None]
"""Is told how many bytes of the file are there."""


@frozen
class KnownFile:
    """A file with a known digest. `address`: to download it from. `size`: in bytes."""

    address: str
    size: int
    sha256: str


class _Wrong(Exception):
    """The downloaded content is not the file; the partial download is useless."""


@frozen
class Downloader:
    """Downloads known files. `client`: guarded, follows no redirects. `sleep`: waits between attempts."""

    client: httpx.AsyncClient
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def fetch(self, file: KnownFile, target: Path, progress: Progress = lambda _: None) -> bool:
        """Make `target` the file; False where it is already. What an earlier call left is gone on with, as far as the
        server can. Raises ProviderFailed, after which another call goes on; Conflict where the disk refuses, or another
        process fetches the same file."""
        with _disk(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            if await asyncio.to_thread(_digest, target) == file.sha256:
                progress(file.size)
                return False
            part = target.with_name(f".{target.name}.{file.sha256[:12]}.part")
            with part.open("a+b") as opened, _alone(opened, target):
                await self._fill(file, opened, progress)
                if await asyncio.to_thread(_digest, part) != file.sha256:
                    opened.truncate(0)
                    raise _failure(
                        file, "what came is not the published file: its digest is another one. Nothing was kept"
                    )
                os.fsync(opened.fileno())
            try:
                part.replace(target)
            except FileNotFoundError:  # another process was as far, and faster
                if await asyncio.to_thread(_digest, target) != file.sha256:
                    raise
        return True

    async def _fill(self, file: KnownFile, opened: IO[bytes], progress: Progress) -> None:
        """Continue until the partial file is as large as the file. Raises ProviderFailed."""
        furthest, failures = _size(opened), 0
        while _size(opened) != file.size:
            try:
                await self._more(file, opened, progress)
                continue
            except _Wrong as error:
                opened.truncate(0)
                raise _failure(file, str(error)) from error
            except ProviderFailed as error:
                failures = failures + 1 if _size(opened) <= furthest else 1
                furthest = max(furthest, _size(opened))
                if not error.retryable or failures >= ATTEMPTS:
                    raise
                wait = 2.0 ** (failures - 2) if error.retry_after is None else error.retry_after
            await self.sleep(min(wait, LONGEST_WAIT))

    async def _more(self, file: KnownFile, opened: IO[bytes], progress: Progress) -> None:
        """Append one answer, or replace all if the server does not support ranges. Raises ProviderFailed, _Wrong."""
        start = _size(opened)
        if start > file.size:
            raise _Wrong("the part that an earlier call left is too large. Nothing was kept")
        response = await self._request(file, start)
        try:
            if response.status_code == 206:
                _check_part(response, start, file)
            else:
                _check_whole(response, file)
                opened.truncate(0)
                start = 0
            async for piece in response.aiter_raw():
                start += len(piece)
                if start > file.size:
                    raise _Wrong("it sends more than the published file has. Nothing was kept")
                opened.write(piece)
                progress(start)
        except httpx.HTTPError as error:
            raise translate_error(error, _peer(file)) from error
        finally:
            await response.aclose()
        if start < file.size:
            raise _failure(file, "the answer ended too early", retryable=True)

    async def _request(self, file: KnownFile, start: int) -> httpx.Response:
        """Return an answer of 200 or 206, whose body is not read yet. Raises ProviderFailed."""
        headers = {"Accept-Encoding": "identity", **({"Range": f"bytes={start}-"} if start else {})}
        at = httpx.URL(file.address)
        for _ in range(MAX_REDIRECTS + 1):
            try:
                response = await self.client.send(self.client.build_request("GET", at, headers=headers), stream=True)
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise translate_error(error, _peer(file)) from error
            if response.status_code in (200, 206):
                return response
            await response.aclose()
            if response.status_code == 416:
                raise _Wrong("it has less than was kept of the file already. Nothing was kept")
            if not response.has_redirect_location:
                raise _refusal(file, response)
            with suppress(httpx.InvalidURL):
                there = at.join(response.headers["location"])
                if there.scheme == "https" or there.scheme == at.scheme:
                    at = there
                    continue
            raise _failure(file, "it redirects to an address that is not safe")
        raise _failure(file, "it redirects too often")


def _check_whole(response: httpx.Response, file: KnownFile) -> None:
    length = response.headers.get("content-length")
    encoded = response.headers.get("content-encoding", "identity") != "identity"
    if encoded or (length is not None and length != str(file.size)):
        raise _failure(
            file,
            f"it answers with something else than the published file of {file.size:,} bytes; is there a login or a"
            " filter in front of it?",
        )


def _check_part(response: httpx.Response, start: int, file: KnownFile) -> None:
    found = _RANGE.fullmatch(response.headers.get("content-range", ""))
    if found is None or (int(found[1]), int(found[2])) != (start, file.size):
        raise _Wrong("it answers with another part than the one that was asked for. Nothing was kept")


def _refusal(file: KnownFile, response: httpx.Response) -> ProviderFailed:
    status = response.status_code
    if status in (404, 410):
        return _failure(file, f"it does not have {httpx.URL(file.address).path} (HTTP {status})")
    again = status in RETRYABLE or status >= 500
    return _failure(file, f"HTTP {status}", retryable=again, wait=retry_after(response) if again else None)


def _failure(file: KnownFile, message: str, *, retryable: bool = False, wait: float | None = None) -> ProviderFailed:
    return ProviderFailed(_peer(file).name, message, retryable=retryable, retry_after=wait)


def _peer(file: KnownFile) -> Peer:
    try:
        return Peer(httpx.URL(file.address).host or "the address")
    except httpx.InvalidURL:
        return Peer("the address")


def _size(opened: IO[bytes]) -> int:
    return opened.seek(0, os.SEEK_END)


def _digest(path: Path) -> str | None:
    try:
        with path.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except FileNotFoundError:
        return None


@contextmanager
def _disk(target: Path) -> Iterator[None]:
    """A block that writes files: errors of the disk are raised with the folder's name."""
    try:
        yield
    except OSError as error:
        raise Conflict(f"{target.parent} cannot be written to: {error.strerror or error}.") from error


@contextmanager
def _alone(opened: IO[bytes], target: Path) -> Iterator[None]:
    """Keep other processes from downloading the same file meanwhile, on systems with such locks."""
    with suppress(ImportError):
        fcntl = import_module("fcntl")
        try:
            fcntl.flock(opened.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Conflict(f"Another process is fetching {target}. Wait for it to end.") from error
    yield
