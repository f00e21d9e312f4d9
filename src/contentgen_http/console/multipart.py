"""Forms with files."""

from __future__ import annotations

import os
from http import HTTPStatus
from typing import Any

from attrs import field, frozen
from litestar import Request
from litestar.datastructures import UploadFile
from litestar.exceptions import ClientException

from contentgen_core.errors import InvalidInput


@frozen
class SentFile:
    """A file of a form. `size`: in bytes."""

    name: str
    size: int
    _upload: UploadFile = field(repr=False, eq=False)

    async def content(self) -> bytes:
        return await self._upload.read()


def is_multipart(request: Request[Any, Any, Any]) -> bool:
    kind = request.headers.get("content-type", "").partition(";")[0]
    return kind.strip().lower() == "multipart/form-data"


async def read_multipart(request: Request[Any, Any, Any]) -> tuple[list[tuple[str, str]], list[SentFile]]:
    """The text fields and the files of a form; a field for files without one is left out. Large files wait on the disk.
    Raises InvalidInput, and the framework's 413."""
    try:
        sent = list((await request.form()).multi_items())
    except (ValueError, ClientException) as exc:
        if getattr(exc, "status_code", None) == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            raise
        raise InvalidInput.of("form", "is not a valid form") from exc
    texts = [(name, value) for name, value in sent if isinstance(value, str)]
    files = [SentFile(value.filename, _size(value), value) for _, value in sent if isinstance(value, UploadFile)]
    return texts, files


def _size(upload: UploadFile) -> int:
    place = upload.file.tell()
    size = upload.file.seek(0, os.SEEK_END)
    upload.file.seek(place)
    return size
