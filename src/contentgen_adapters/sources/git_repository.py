"""Talk to a Git server and read its answers without a connection: the result is the next request to send.

Runs in a process of its own (see `shared.processes`), repeatedly with one more answer, until it has all that it needs.
The protocol and the objects, which a hostile server may craft, are read by dulwich in a process that can be killed; the
requests are sent by the process that may connect.
"""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import msgspec
from attrs import define

from contentgen_adapters.shared.processes.pool import Parser
from contentgen_adapters.sources.names import readable_name
from contentgen_core.model.document import MAX_BYTES
from contentgen_core.model.synced_source import MAX_ITEMS, MAX_KEY
from contentgen_core.policies.text.storable import is_storable

if TYPE_CHECKING:
    from dulwich.object_store import BaseObjectStore
    from dulwich.objects import ObjectID

MARKDOWN: Final = (".md", ".markdown", ".mdown", ".mkd")
MAX_ENTRIES: Final = 500_000
"""Files and folders that are looked at: a few objects can make billions of them."""
MAX_DEPTH: Final = 50
MAX_UNPACKED: Final = 500 * 1024 * 1024


class Answered(msgspec.Struct, frozen=True):
    """An answer of the server: its body is in a file."""

    url: str
    content_type: str
    body: str


class GitJob(msgspec.Struct, frozen=True):
    """The files to read and the answers so far. `place`: address of the repository; `branch`: "" for the default one;
    `folder`: "" or a path in it; `answers`: to the requests so far; `out`: a folder for the contents of the files.
    """

    place: str
    branch: str
    folder: str
    answers: list[Answered]
    out: str


class Asks(msgspec.Struct, frozen=True, tag=True):
    """The next request. `body`: None for a GET."""

    url: str
    headers: dict[str, str]
    body: bytes | None = None


class MarkdownFile(msgspec.Struct, frozen=True):
    """A Markdown file. `path`: below the folder; `blob`: the name of its content, and of the file in `out` with the
    content unless it is too large.
    """

    path: str
    blob: str


class Checkout(msgspec.Struct, frozen=True, tag=True):
    """The Markdown files of the newest commit, by path; at most one more than the limit. `left_out`: how many names of
    files and folders are left out; `example`: one of them.
    """

    files: list[MarkdownFile]
    left_out: int = 0
    example: str = ""


class GitRefused(msgspec.Struct, frozen=True, tag=True):
    """The repository cannot be read. `message`: the reason, in words for a person."""

    message: str


@define
class _LeftOut:
    """Names that are not followed: how many, and one."""

    count: int = 0
    example: str = ""

    def add(self, path: str) -> None:
        self.count += 1
        self.example = self.example or readable_name(path)


class _NoAnswerYet(BaseException):
    """Ends what dulwich does, which handles exceptions."""

    def __init__(self, request: Asks) -> None:
        super().__init__()
        self.request = request


class _Refused(Exception):
    pass


def read_repository(job: GitJob) -> Asks | Checkout | GitRefused:
    """CPU-bound; a hostile repository can make it run for hours."""
    from dulwich.repo import Repo

    try:
        with TemporaryDirectory(prefix="contentgen-") as folder, Repo.init_bare(folder) as repo:
            commit = _fetch(job, repo)
            left_out = _LeftOut()
            files = list(_files(repo.object_store, commit, job, left_out))
            return Checkout(files, left_out.count, left_out.example)
    except _NoAnswerYet as asked:
        return asked.request
    except _Refused as error:
        return GitRefused(str(error))
    except (MemoryError, OSError):
        raise
    except Exception as error:  # dulwich raises anything for what is no Git server or a damaged object
        return GitRefused(f"The address does not answer as a Git repository does ({type(error).__name__}).")


def _fetch(job: GitJob, repo: Any) -> ObjectID:
    """Fetch and return the newest commit of the branch, without its history."""
    wanted: list[ObjectID] = []

    def determine_wants(refs: dict[bytes, ObjectID], depth: int | None = None) -> list[ObjectID]:
        name = f"refs/heads/{job.branch}".encode() if job.branch else b"HEAD"
        if name not in refs:
            raise _Refused(f"The repository has no branch {job.branch}." if job.branch else "The repository is empty.")
        wanted.append(refs[name])
        return wanted[-1:]

    prefix = f"refs/heads/{job.branch}".encode() if job.branch else b"HEAD"
    _client(job).fetch("", repo, determine_wants, depth=1, ref_prefix=[prefix])
    if not wanted:
        raise _Refused("The repository is empty.")
    return wanted[-1]


def _client(job: GitJob) -> Any:
    """A client whose requests were answered before, or end it."""
    from dulwich.client import AbstractHttpGitClient

    class Replaying(AbstractHttpGitClient):
        answered = 0

        def _http_request(
            self,
            url: str,
            headers: dict[str, str] | None = None,
            data: bytes | Iterator[bytes] | None = None,
            raise_for_status: bool = True,
        ) -> Any:
            if self.answered == len(job.answers):
                body = data if data is None or isinstance(data, bytes) else b"".join(data)
                raise _NoAnswerYet(Asks(url, dict(headers or {}), body))
            found = job.answers[self.answered]
            self.answered += 1
            response = _Response(found)
            return response, response.read

    return Replaying(job.place.rstrip("/") + "/", quiet=True)


class _Response:
    """The parts of a response that dulwich reads."""

    redirect_location = ""
    status = 200

    def __init__(self, answered: Answered) -> None:
        self._body: BinaryIO = Path(answered.body).open("rb")  # noqa: SIM115 - dulwich closes it
        self.read: Callable[[int], bytes] = self._body.read
        self.content_type = answered.content_type
        self.headers = {"Content-Type": answered.content_type}

    def close(self) -> None:
        self._body.close()


def _files(store: BaseObjectStore, commit: ObjectID, job: GitJob, left_out: _LeftOut) -> Iterator[MarkdownFile]:
    from dulwich.objects import Commit

    found = store[commit]
    if not isinstance(found, Commit):
        raise _Refused("The branch names no commit.")
    folder = _below(store, found.tree, [part for part in job.folder.split("/") if part])
    written: set[str] = set()
    size = 0
    for path, blob in islice(_markdown(store, folder, left_out), MAX_ITEMS + 1):
        name = blob.decode("ascii")
        if name not in written:
            _, content = store.get_raw(blob)
            size += len(content)
            if size > MAX_UNPACKED:
                limit = MAX_UNPACKED // 1024 // 1024
                raise _Refused(f"The repository has more than {limit} MB of Markdown. Follow a folder of it.")
            if len(content) <= MAX_BYTES:
                Path(job.out, name).write_bytes(content)
            written.add(name)
        yield MarkdownFile(path, name)


def _below(store: BaseObjectStore, tree: ObjectID, parts: list[str]) -> ObjectID:
    for part in parts:
        entries = {name: (mode, id) for name, mode, id in _entries(store, tree)}
        mode, inner = entries.get(part.encode(), (0, tree))
        if not stat.S_ISDIR(mode):
            raise _Refused(f"The repository has no folder {'/'.join(parts)}.")
        tree = inner
    return tree


def _markdown(store: BaseObjectStore, root: ObjectID, left_out: _LeftOut) -> Iterator[tuple[str, ObjectID]]:
    """Return the paths and contents of the Markdown files below a tree; hidden files and links are only counted."""
    waiting: list[tuple[str, ObjectID, int]] = [("", root, 0)]
    seen = 0
    while waiting:
        above, tree, depth = waiting.pop()
        inner: list[tuple[str, ObjectID, int]] = []
        for raw, mode, id in _entries(store, tree):
            seen += 1
            if seen > MAX_ENTRIES:
                raise _Refused(f"The repository has more than {MAX_ENTRIES:,} files. Follow a folder of it.")
            path = above + raw.decode("utf-8", "replace")
            if not stat.S_ISDIR(mode) and not path.lower().endswith(MARKDOWN):
                continue
            if raw.startswith(b".") or len(path) > MAX_KEY or not is_storable(path):
                left_out.add(path)
            elif stat.S_ISDIR(mode) and depth < MAX_DEPTH:
                inner.append((f"{path}/", id, depth + 1))
            elif stat.S_ISREG(mode):
                yield path, id
            else:
                left_out.add(path)
        waiting.extend(reversed(inner))


def _entries(store: BaseObjectStore, tree: ObjectID) -> Iterator[tuple[bytes, int, ObjectID]]:
    from dulwich.objects import Tree

    found = store[tree]
    if not isinstance(found, Tree):
        raise _Refused("The repository is damaged: a folder is none.")
    for entry in found.iteritems():
        yield entry.path, entry.mode, entry.sha


REPOSITORY: Final[Parser[GitJob, Asks | Checkout | GitRefused]] = Parser(
    read_repository,
    msgspec.msgpack.Decoder(Asks | Checkout | GitRefused),
    GitJob("https://git.example/a.git", "", "", [], "/nowhere"),
)
