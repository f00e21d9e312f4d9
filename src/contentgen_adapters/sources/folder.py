"""A folder on the server, below the folders that the operator allows.

Each folder on the way is opened within the one above it, without following a link, and what was opened is looked at:
who may write there could swap a path that was checked for a link before it is opened.
"""

from __future__ import annotations

import asyncio
import errno
import os
import stat
from collections.abc import AsyncIterator, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
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
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


@frozen
class FolderReader:
    """Read folders. `roots`: the folders that may be followed, with all below them. Hidden files, symbolic links and
    files with names that no database can store are left out.
    """

    roots: tuple[Path, ...]
    uploads: UploadReader

    def fault_of(self, source: SyncedSource) -> str | None:
        folder = Path(source.place)
        if "\0" in source.place or not folder.is_absolute() or ".." in folder.parts:
            return "needs an absolute path"
        return None if self._root(folder) else _NOT_ALLOWED

    async def items(self, source: SyncedSource) -> AsyncIterator[Sequence[ListedItem | LeftOut]]:
        with closing(self._files(source)) as files:
            while batch := await asyncio.to_thread(lambda: list(islice(files, BATCH))):
                yield batch

    async def read(self, source: SyncedSource, key: str, known: str | None = None) -> ItemText:
        content = await asyncio.to_thread(self._content, source, key)
        return await text_of_file(self.uploads, content, key.rpartition("/")[2], key, source.tenant_id)

    async def moved_to(self, source: SyncedSource, key: str) -> str | None:
        return None

    async def error_page(self, source: SyncedSource, key: str) -> SourceText | None:
        return None

    def _root(self, folder: Path) -> Path | None:
        """The folder of the operator's in which this one is."""
        return next((root for root in self.roots if folder.is_relative_to(root)), None)

    @contextmanager
    def _open_folder(self, source: SyncedSource) -> Iterator[int]:
        """Open the folder and yield its descriptor. Links on the way to the operator's folder are the operator's; links
        below it are not followed. Raises SourceUnavailable.
        """
        folder = Path(source.place)
        root = self._root(folder)
        if root is None:
            raise SourceUnavailable(f"Of the folder, {_NOT_ALLOWED}.")
        try:
            descriptor = os.open(root, _FOLDER)
            for part in folder.relative_to(root).parts:
                descriptor = _within(descriptor, part, _FOLDER)
        except OSError as error:
            raise SourceUnavailable("The folder is not there, cannot be read, or is reached by a link.") from error
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def _files(self, source: SyncedSource) -> Generator[ListedItem | LeftOut]:
        with self._open_folder(source) as descriptor:
            yield from _files(descriptor, "", 0)

    def _content(self, source: SyncedSource, key: str) -> bytes:
        """Raises ItemGone, ItemSkipped, SourceUnavailable."""
        *folders, name = key.split("/")
        if any(part in ("", ".", "..") for part in (*folders, name)):
            raise ItemSkipped(SkipReason.UNREADABLE)
        with self._open_folder(source) as folder:
            try:
                descriptor = os.dup(folder)
                for part in folders:
                    descriptor = _within(descriptor, part, _FOLDER)
                descriptor = _within(descriptor, name, _FILE)
            except FileNotFoundError as error:
                raise ItemGone from error
            except OSError as error:  # a link, a folder in the place of a file
                raise ItemSkipped(SkipReason.UNREADABLE) from error
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise ItemSkipped(SkipReason.UNREADABLE)
        with os.fdopen(descriptor, "rb") as file:
            return file.read(MAX_BYTES + 1)


def _within(folder: int, name: str, flags: int) -> int:
    """Open what has this name in a folder, never through a link, and close the folder. Raises OSError."""
    try:
        return os.open(name, flags | os.O_NOFOLLOW, dir_fd=folder)
    finally:
        os.close(folder)


def _files(folder: int, above: str, depth: int) -> Iterator[ListedItem | LeftOut]:
    """The files below a folder, in the order of their names, and what is left out. Raises SourceUnavailable."""
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
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
                    yield from _files_of(folder, entry.name, f"{key}/", depth + 1)
            elif entry.is_file(follow_symlinks=False):
                status = entry.stat(follow_symlinks=False)
                yield ListedItem(key, f"{status.st_mtime_ns}-{status.st_size}-{status.st_ino}")
        except FileNotFoundError:  # since it was listed
            continue


def _files_of(folder: int, name: str, above: str, depth: int) -> Iterator[ListedItem | LeftOut]:
    """The files below a folder in a folder. One that is a link since it was listed is left out. Raises
    SourceUnavailable."""
    try:
        descriptor = os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=folder)
    except FileNotFoundError:
        return
    except OSError as error:
        if error.errno not in (errno.ELOOP, errno.ENOTDIR):
            raise SourceUnavailable(f"The folder {above} cannot be read.") from error
        yield LeftOut(readable_name(above.rstrip("/")))
        return
    try:
        yield from _files(descriptor, above, depth)
    finally:
        os.close(descriptor)
