"""The port `ObjectStore` over Arrow's file systems: a folder, or `s3://bucket/prefix` with AWS's variables."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import tempfile
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

from contentgen_adapters.shared.loading import load
from contentgen_core.errors import NotFound, Unavailable

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

_KEY: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*")
_MAX_KEY: Final = 500
_LIBRARY_ERRORS: Final = (
    OSError,
    ValueError,
)  # pyarrow.lib's ArrowInvalid is a ValueError, its ArrowIOError an OSError

T = TypeVar("T")


class ArrowObjects:
    """Objects in a folder or an S3 bucket. Arrow is imported at the first use; its blocking calls run in threads.

    `location`: a folder, created at the first use, or `s3://bucket/prefix`, optionally with Arrow's options
    (`?region=…&endpoint_override=…&scheme=…`). Raises ValueError for another scheme.
    """

    def __init__(self, location: str) -> None:

        if "://" in location and not location.startswith("s3://"):
            raise ValueError(f"{location.partition('://')[0]}:// is no place for objects; give a folder or s3://bucket")
        self._location = location
        self._opened: tuple[FileSystem, str] | None = None

    async def put(self, key: str, content: bytes) -> None:
        path = _check_key(key)
        await self._run_in_thread(lambda: self._put(path, content))

    async def get(self, key: str) -> bytes:
        path = _check_key(key)
        try:
            return await self._run_in_thread(lambda: self._get(path))
        except FileNotFoundError:
            raise NotFound("object", key) from None

    async def delete(self, key: str) -> None:
        path = _check_key(key)
        await self._run_in_thread(lambda: self._delete(path))

    async def check(self) -> None:
        """Check that objects can be stored. In a folder a file is written, since a full disk or read-only files can
        still be read. An object store is only asked whether it exists: writes to it are charged.
        """
        await self._run_in_thread(self._try)

    def _try(self) -> None:
        system, base = self._system()
        system.get_file_info(base)
        if not self._is_remote:
            os.makedirs(base, mode=0o700, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=base, prefix=".ready-") as file:
                file.write(bytes(4_096))
                file.flush()

    def _put(self, key: str, content: bytes) -> None:
        system, base = self._system()
        path = f"{base}/{key}"
        if self._is_remote:  # a PUT is atomic
            with system.open_output_stream(path) as stream:
                stream.write(content)
            return
        system.create_dir(os.path.dirname(path), recursive=True)
        temporary = f"{path}.{secrets.token_hex(8)}"
        try:
            with system.open_output_stream(temporary) as stream:
                stream.write(content)
            os.replace(temporary, path)
        except BaseException:
            if system.get_file_info(temporary).is_file:
                system.delete_file(temporary)
            raise

    def _get(self, key: str) -> bytes:
        system, base = self._system()
        with system.open_input_file(f"{base}/{key}") as file:
            return bytes(file.read())

    def _delete(self, key: str) -> None:
        system, base = self._system()
        try:
            system.delete_file(f"{base}/{key}")
        except FileNotFoundError:
            return

    def _system(self) -> tuple[FileSystem, str]:
        if self._opened is None:
            load("pyarrow.fs")
            from pyarrow.fs import FileSystem, LocalFileSystem

            if self._is_remote:
                system, base = FileSystem.from_uri(self._location)
            else:
                os.makedirs(self._location, mode=0o700, exist_ok=True)
                system, base = LocalFileSystem(), os.path.abspath(self._location)
            self._opened = (system, base.rstrip("/"))
        return self._opened

    @property
    def _is_remote(self) -> bool:
        return self._location.startswith("s3://")

    async def _run_in_thread(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.to_thread(work)
        except FileNotFoundError:
            raise
        except _LIBRARY_ERRORS as exc:
            raise Unavailable("The store of uploaded files cannot be read or written.") from exc


def _check_key(key: str) -> str:
    if len(key) > _MAX_KEY or _KEY.fullmatch(key) is None:
        raise ValueError(f"{key[:80]!r} is no key of an object")
    return key
