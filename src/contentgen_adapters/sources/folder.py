"""A folder on the server, below the folders that the operator allows."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from attrs import frozen

from contentgen_adapters.sources.files import text_of_file
from contentgen_adapters.sources.names import readable_name
from contentgen_core.model.document import MAX_BYTES
from contentgen_core.model.synced_source import MAX_KEY, LeftOut, ListedItem, SkipReason, SyncedSource
from contentgen_core.policies.text.storable import is_storable
from contentgen_core.ports.documents import SourceText, UploadReader
from contentgen_core.ports.source_reading import ItemGone, ItemSkipped, ItemText, SourceUnavailable

BATCH: Final = 200
MAX_DEPTH: Final = 50
_NOT_ALLOWED: Final = "the operator allows no such folder (CONTENTGEN_SOURCE_FOLDERS)"


@frozen
class FolderReader:
    """`roots`: the folders that may be followed, with all below them. Hidden files, symbolic links and files with names
    that no database holds are left out."""

    roots: tuple[Path, ...]
    uploads: UploadReader

    def fault_of(self, source: SyncedSource) -> str | None:
        folder = Path(source.place)
        if "\0" in source.place or not folder.is_absolute() or ".." in folder.parts:
            return "needs an absolute path"
        return None if any(folder.is_relative_to(root) for root in self.roots) else _NOT_ALLOWED

    async def items(self, source: SyncedSource) -> AsyncIterator[Sequence[ListedItem | LeftOut]]:
        folder = await asyncio.to_thread(self._folder, source)
        files = _files(folder, "", 0)
        while batch := await asyncio.to_thread(lambda: list(islice(files, BATCH))):
            yield batch

    async def read(self, source: SyncedSource, key: str, known: str | None = None) -> ItemText:
        content = await asyncio.to_thread(self._content, source, key)
        return await text_of_file(self.uploads, content, key.rpartition("/")[2], key, source.tenant_id)

    async def moved_to(self, source: SyncedSource, key: str) -> str | None:
        return None

    async def error_page(self, source: SyncedSource, key: str) -> SourceText | None:
        return None

    def _folder(self, source: SyncedSource) -> Path:
        """Raises SourceUnavailable, also where a link leads out of what is allowed."""
        try:
            folder = Path(source.place).resolve(strict=True)
        except OSError as error:
            raise SourceUnavailable("The folder is not there, or cannot be read.") from error
        if not any(folder.is_relative_to(root.resolve()) for root in self.roots):
            raise SourceUnavailable(f"Of the folder, {_NOT_ALLOWED}.")
        if not folder.is_dir():
            raise SourceUnavailable("It is no folder.")
        return folder

    def _content(self, source: SyncedSource, key: str) -> bytes:
        folder = self._folder(source)
        path = folder / key
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except FileNotFoundError as error:
            raise ItemGone from error
        except OSError as error:
            raise ItemSkipped(SkipReason.UNREADABLE) from error
        if not stat.S_ISREG(os.fstat(descriptor).st_mode) or not path.resolve().is_relative_to(folder):
            os.close(descriptor)
            raise ItemSkipped(SkipReason.UNREADABLE)
        with os.fdopen(descriptor, "rb") as file:
            return file.read(MAX_BYTES + 1)


def _files(folder: Path, above: str, depth: int) -> Iterator[ListedItem | LeftOut]:
    """The files below a folder, in the order of their names, and what is left out. Raises SourceUnavailable."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise SourceUnavailable(f"The folder {above or '.'} cannot be read.") from error
    for entry in entries:
        key = f"{above}{entry.name}"
        if entry.name.startswith(".") or entry.is_symlink() or len(key) > MAX_KEY or not is_storable(key):
            yield LeftOut(readable_name(key))
            continue
        try:
            if entry.is_dir(follow_symlinks=False):
                if depth >= MAX_DEPTH:
                    yield LeftOut(readable_name(key))
                else:
                    yield from _files(folder / entry.name, f"{key}/", depth + 1)
            elif entry.is_file(follow_symlinks=False):
                status = entry.stat(follow_symlinks=False)
                yield ListedItem(key, f"{status.st_mtime_ns}-{status.st_size}-{status.st_ino}")
        except FileNotFoundError:  # since it was listed
            continue
