"""The Markdown files of a Git repository, over HTTP."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlsplit

import httpx
from attrs import field, frozen

from contentgen_adapters.shared.content_coding import (
    ACCEPT_ENCODING,
    CorruptBody,
    UnsupportedContentCoding,
    decode,
)
from contentgen_adapters.shared.http import Peer, retry_after, translate_error
from contentgen_adapters.shared.outgoing.errors import AddressRefused
from contentgen_adapters.shared.outgoing.guard import AddressGuard
from contentgen_adapters.shared.processes.pool import Limits, NotParsed, PoolBusy
from contentgen_adapters.sources.files import text_of_file
from contentgen_adapters.sources.git_repository import REPOSITORY, Answered, Asks, Checkout, GitJob, GitRefused
from contentgen_adapters.sources.provider import Connection, SourceProvider
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.publishing_target import SettingField
from contentgen_core.model.synced_source import (
    LeftOut,
    ListedItem,
    SkipReason,
    SourceKind,
    SourceKindInfo,
    SyncedSource,
)
from contentgen_core.ports.source_reading import (
    ItemGone,
    ItemSkipped,
    ItemText,
    OpenSource,
    SourceUnavailable,
    WithoutAddresses,
)

NAME: Final = "The Git server"
MAX_PACK: Final = 100 * 1024 * 1024
FETCHING: Final = 600.0
"""Seconds until the newest state is here, all requests and their reading included."""
READING: Final = Limits(cpu=120.0, memory=1536 * 1024 * 1024)
_MOST_REQUESTS: Final = 6
_BATCH: Final = 500
_MAX_NAME: Final = 250


@frozen
class GitFolder(WithoutAddresses):
    """A fetched folder. `files`: the contents' names by path; `folder`: where the contents are; `left_out`: how many
    names are left out.
    """

    connection: Connection
    files: Mapping[str, str]
    folder: Path
    left_out: LeftOut

    async def items(self) -> AsyncIterator[Sequence[ListedItem | LeftOut]]:
        if self.left_out.count:
            yield [self.left_out]
        items = [ListedItem(path, blob) for path, blob in self.files.items()]
        for start in range(0, len(items), _BATCH):
            yield items[start : start + _BATCH]

    async def read(self, key: str, known: str | None = None) -> ItemText:
        if key not in self.files:
            raise ItemGone
        try:
            content = await asyncio.to_thread((self.folder / self.files[key]).read_bytes)
        except FileNotFoundError as error:
            raise ItemSkipped(SkipReason.TOO_LARGE) from error
        tenant, uploads = self.connection.source.tenant_id, self.connection.around.uploads
        return await text_of_file(uploads, content, key.rpartition("/")[2], key, tenant)


@frozen
class _Fetching:
    """Fetches the newest state of a repository. `folder`: for the server's answers."""

    connection: Connection
    folder: Path
    headers: Mapping[str, str] = field(repr=False)

    async def checkout(self) -> Checkout:
        """Raises SourceUnavailable, ProviderFailed."""
        contents = self.folder / "contents"
        await asyncio.to_thread(contents.mkdir)
        try:
            async with asyncio.timeout(FETCHING):
                return await self._conversation(contents)
        except TimeoutError as error:
            raise SourceUnavailable(f"The Git server did not send the repository within {FETCHING:g} s.") from error

    async def _conversation(self, contents: Path) -> Checkout:
        """Exchange requests and answers until the files are there. `contents`: an empty folder for the files. Raises
        SourceUnavailable, ProviderFailed, TimeoutError.
        """
        settings, source = self.connection.settings, self.connection.source
        answers: list[Answered] = []
        for number in range(_MOST_REQUESTS):
            branch, folder = str(settings.get("branch") or ""), str(settings.get("folder") or "")
            job = GitJob(source.place, branch, folder, answers, str(contents))
            try:
                found = await self.connection.around.pool.run(REPOSITORY, job, source.tenant_id, READING)
            except (NotParsed, PoolBusy) as error:
                raise SourceUnavailable(f"The repository {error}.") from error
            match found:
                case Checkout():
                    return found
                case GitRefused():
                    raise SourceUnavailable(found.message)
                case Asks():
                    answers.append(await self._request(found, self.folder / str(number)))
        raise SourceUnavailable("The address does not answer as a Git repository does.")

    async def _request(self, asked: Asks, file: Path) -> Answered:
        """Raises SourceUnavailable, ProviderFailed."""
        if not asked.url.startswith(self.connection.source.place.rstrip("/") + "/"):
            raise SourceUnavailable("The Git server leads elsewhere. Enter the address where the repository is.")
        client, peer = self.connection.around.client, Peer(NAME)
        headers = {**asked.headers, **self.headers, "Accept-Encoding": ACCEPT_ENCODING}
        method = "GET" if asked.body is None else "POST"
        try:
            request = client.build_request(method, asked.url, headers=headers, content=asked.body)
            response = await client.send(request, stream=True)
            try:
                _check(response)
                await _save(response, file)
            finally:
                await response.aclose()
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            raise translate_error(error, peer) from error
        except (UnsupportedContentCoding, CorruptBody) as error:
            raise SourceUnavailable("The answer of the Git server cannot be unpacked.") from error
        return Answered(asked.url, response.headers.get("content-type", "")[:200], str(file))


def _check(response: httpx.Response) -> None:
    """Raises SourceUnavailable, ProviderFailed."""
    status = response.status_code
    if status == httpx.codes.OK:
        return
    if status in (401, 403):
        remedy = "See that the token was not revoked, and that it may read the repository."
        raise SourceUnavailable(f"{NAME} refuses the credentials (HTTP {status}). {remedy}")
    if status in (404, 410):
        raise SourceUnavailable("There is no repository at this address, or the token may not read it.")
    if response.is_redirect:
        raise SourceUnavailable(f"{NAME} redirects to another address (HTTP {status}). Enter that one.")
    busy = status >= 500 or status in (408, 425, 429)
    raise ProviderFailed(NAME, f"HTTP {status}", retryable=busy, retry_after=retry_after(response) if busy else None)


async def _save(response: httpx.Response, file: Path) -> None:
    """Raises SourceUnavailable for a body that is too large."""
    size = 0
    with await asyncio.to_thread(file.open, "wb") as opened:
        async for piece in decode(response):
            size += len(piece)
            if size > MAX_PACK:
                limit = f"{MAX_PACK // 1024 // 1024} MB"
                raise SourceUnavailable(
                    f"The newest state of the repository is larger than the {limit} that are fetched."
                    " Follow a repository that has the Markdown alone."
                )
            await asyncio.to_thread(opened.write, piece)


def _fault_of(source: SyncedSource, guard: AddressGuard) -> str | None:
    place = urlsplit(source.place)
    if len(source.place.split()) != 1 or place.query or place.fragment or not place.path.strip("/"):
        return "needs the address of a repository, such as https://git.example.org/handbook.git"
    try:
        target = guard.check(source.place)
    except AddressRefused as error:
        return str(error)
    if place.scheme != "https" and not guard.is_allowed(target):
        return "needs an https address"
    names = (str(source.settings.get("branch") or ""), str(source.settings.get("folder") or ""))
    if any(len(name) > _MAX_NAME or not name.isprintable() for name in names):
        return f"needs names of a branch and a folder of at most {_MAX_NAME} characters"
    return None


@asynccontextmanager
async def _open(connection: Connection) -> AsyncIterator[OpenSource]:
    token, user = connection.settings.get("token"), connection.settings.get("username")
    login = base64.b64encode(f"{user}:{token}".encode()).decode()
    headers = {"Authorization": f"Basic {login}"} if token else {}
    temporary = await asyncio.to_thread(TemporaryDirectory, prefix="contentgen-")
    try:
        folder = Path(temporary.name)
        found = await _Fetching(connection, folder, headers).checkout()
        left_out = LeftOut(found.example, found.left_out)
        yield GitFolder(connection, {file.path: file.blob for file in found.files}, folder / "contents", left_out)
    finally:
        await asyncio.to_thread(temporary.cleanup)


PROVIDER: Final = SourceProvider(
    SourceKindInfo(
        SourceKind.GIT,
        "Git",
        "The https address of a repository; its Markdown files are followed.",
        (
            SettingField("branch", "Branch", help="Else the one that the repository names."),
            SettingField("folder", "Folder", help="Only what is below it."),
            SettingField("username", "User name", default="git", help="As the server wants it beside a token."),
            SettingField("token", "Token", secret=True, help="Of an account that may read. None for a public one."),
        ),
        unverified=("Tried against dulwich's server, not against GitHub, GitLab and others.",),
    ),
    _fault_of,
    _open,
)
