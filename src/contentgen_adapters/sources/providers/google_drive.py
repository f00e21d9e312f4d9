"""Google Drive: the files below a folder, read by a service account that it is shared with."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any, Final

import httpx
import jwt
import msgspec
from attrs import define, field

from contentgen_adapters.shared.http import BadStatus, Peer, send
from contentgen_adapters.shared.outgoing.guard import AddressGuard
from contentgen_adapters.sources.files import text_of_file
from contentgen_adapters.sources.provider import Connection, SourceProvider
from contentgen_adapters.sources.service import Cursors, Service
from contentgen_core.model.document import MAX_BYTES
from contentgen_core.model.publishing_target import SettingField
from contentgen_core.model.synced_source import ListedItem, SkipReason, SourceKind, SourceKindInfo, SyncedSource
from contentgen_core.policies.text.storable import is_storable
from contentgen_core.ports.source_reading import (
    ItemGone,
    ItemSkipped,
    ItemText,
    OpenSource,
    SourceUnavailable,
    WithoutAddresses,
)

NAME: Final = "Google Drive"
BASE: Final = "https://www.googleapis.com/drive/v3"
TOKENS: Final = "https://oauth2.googleapis.com/token"
SCOPE: Final = "https://www.googleapis.com/auth/drive.readonly"
TOKEN_LIFE: Final = timedelta(minutes=50)
"""Of the hour that a token is valid for."""
PAUSE: Final = 0.1
MAX_FOLDERS: Final = 2_000
_FOLDER: Final = "application/vnd.google-apps.folder"
_OFFICE: Final = "application/vnd.openxmlformats-officedocument"
_EXPORTS: Final = {
    "application/vnd.google-apps.document": (f"{_OFFICE}.wordprocessingml.document", ".docx"),
    "application/vnd.google-apps.spreadsheet": (f"{_OFFICE}.spreadsheetml.sheet", ".xlsx"),
    "application/vnd.google-apps.presentation": (f"{_OFFICE}.presentationml.presentation", ".pptx"),
}
_ID: Final = re.compile(r"[A-Za-z0-9_-]{10,100}")
_ADDRESS: Final = re.compile(r"https://drive\.google\.com/drive/(?:u/\d+/)?folders/([A-Za-z0-9_-]{10,100})(?:\?\S*)?")
_BUSY: Final = frozenset({"rateLimitExceeded", "userRateLimitExceeded", "dailyLimitExceeded"})
_FIELDS: Final = "nextPageToken,incompleteSearch,files(id,name,mimeType,modifiedTime,md5Checksum,size,webViewLink)"
_REMEDY: Final = "Share the folder with the service account's address, and see that its key was not revoked."


class _File(msgspec.Struct, rename="camel"):
    id: str
    name: str = ""
    mime_type: str = ""
    modified_time: str = ""
    md5_checksum: str | None = None
    size: str | None = None
    web_view_link: str | None = None


class _Files(msgspec.Struct, rename="camel"):
    files: list[_File]
    next_page_token: str | None = None
    incomplete_search: bool = False


class _Token(msgspec.Struct):
    access_token: str


@define
class DriveFolder(WithoutAddresses):
    service: Service
    connection: Connection
    folder: str
    _found: dict[str, _File] = field(factory=dict, init=False)
    _token_since: datetime | None = field(default=None, init=False)

    async def items(self) -> AsyncIterator[Sequence[ListedItem]]:
        waiting, known = deque([self.folder]), {self.folder}
        while waiting:
            folder = waiting.popleft()
            cursors, token = Cursors(NAME), None
            while True:
                answer = await self._listing(folder, token)
                files = [each for each in answer.files if _ID.fullmatch(each.id)]
                inner = [each.id for each in files if each.mime_type == _FOLDER and each.id not in known]
                if len(known) + len(inner) > MAX_FOLDERS:
                    raise SourceUnavailable(f"There are more than {MAX_FOLDERS} folders below it.")
                known.update(inner)
                waiting.extend(inner)
                others = [each for each in files if each.mime_type != _FOLDER]
                self._found |= {each.id: each for each in others}
                yield [ListedItem(each.id, _fingerprint(each), each.name or None) for each in others]
                token = cursors.following(answer.next_page_token)
                if token is None:
                    break

    async def read(self, key: str, known: str | None = None) -> ItemText:
        file = self._found.get(key)
        if file is None:
            raise ItemGone
        if int(file.size or 0) > MAX_BYTES:
            raise ItemSkipped(SkipReason.TOO_LARGE)
        export = _EXPORTS.get(file.mime_type)
        if export is None and file.mime_type.startswith("application/vnd.google-apps."):
            raise ItemSkipped(SkipReason.UNSUPPORTED)
        await self._authorise()
        if export is None:
            path, params, name = f"/files/{key}", {"alt": "media", "supportsAllDrives": "true"}, file.name
        else:
            path, params, name = f"/files/{key}/export", {"mimeType": export[0]}, f"{file.name}{export[1]}"
        content = (await self.service.item(path, params=params)).content
        tenant, uploads = self.connection.source.tenant_id, self.connection.around.uploads
        return await text_of_file(uploads, content, name or "file", key, tenant, url=file.web_view_link)

    async def _listing(self, folder: str, token: str | None) -> _Files:
        """Raises SourceUnavailable, also where Google says that it did not look everywhere."""
        await self._authorise()
        params: dict[str, Any] = {
            "q": f"'{folder}' in parents and trashed = false",
            "fields": _FIELDS,
            "pageSize": 1_000,
            "supportsAllDrives": "true",
            "includeItemsFromAllDrives": "true",
        }
        answer = await self.service.listed(_Files, "/files", params=params | ({"pageToken": token} if token else {}))
        if answer.incomplete_search:
            raise SourceUnavailable("Google Drive did not list all of the folder. It is tried again.")
        return answer

    async def _authorise(self) -> None:
        """See that the token is valid for the next request. Raises SourceUnavailable, ProviderFailed."""
        now = self.connection.around.now()
        if self._token_since is not None and timedelta() <= now - self._token_since < TOKEN_LIFE:
            return
        client = self.connection.around.client
        grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
        data = {"grant_type": grant, "assertion": _assertion(str(self.connection.settings["serviceAccount"]), now)}
        try:
            answer = await send(client, client.build_request("POST", TOKENS, data=data), peer=Peer(NAME))
        except BadStatus as error:
            if error.response.status_code in (400, 401, 403):
                raise SourceUnavailable(f"Google refuses the key of the service account. {_REMEDY}") from error
            raise
        token = self.service.decoded(_Token, answer).access_token
        self.service.headers = {"Authorization": f"Bearer {token}"}
        self._token_since = now


def _assertion(account: str, now: datetime) -> str:
    """Return the assertion that proves who asks (RFC 7523). Raises SourceUnavailable."""
    try:
        key = json.loads(account)
        issued = int(now.timestamp())
        claims = {"iss": key["client_email"], "scope": SCOPE, "aud": TOKENS, "iat": issued, "exp": issued + 3_600}
        return jwt.encode(claims, key["private_key"], algorithm="RS256", headers={"kid": key.get("private_key_id")})
    except (ValueError, TypeError, KeyError, jwt.PyJWTError) as error:
        message = "The setting serviceAccount is no key of a service account: send the JSON file as Google gave it."
        raise SourceUnavailable(message) from error


def _fingerprint(file: _File) -> str | None:
    """Return a fingerprint of the content, if it has one, and of the name: a renamed file may get another title."""
    content = file.md5_checksum or file.modified_time
    stamp = f"{content} {file.name}"[:300]
    return stamp if content and is_storable(stamp) else None


def _reason_in(response: httpx.Response) -> str:
    try:
        error = json.loads(response.content)["error"]
        return str(error["errors"][0]["reason"])
    except (ValueError, TypeError, KeyError, IndexError):
        return ""


def _is_busy(response: httpx.Response) -> bool:
    return _reason_in(response) in _BUSY


def _skip_reason(response: httpx.Response) -> SkipReason:
    return SkipReason.TOO_LARGE if _reason_in(response) == "exportSizeLimitExceeded" else SkipReason.REFUSED


def _folder_of(place: str) -> str | None:
    found = _ADDRESS.fullmatch(place)
    return found[1] if found else place if _ID.fullmatch(place) else None


def _fault_of(source: SyncedSource, guard: AddressGuard) -> str | None:
    return None if _folder_of(source.place) else "needs the address of a folder of Google Drive, or its id"


@asynccontextmanager
async def _open(connection: Connection) -> AsyncIterator[OpenSource]:
    service = Service(NAME, BASE, connection, _REMEDY, pause=PAUSE, is_busy=_is_busy, reason=_skip_reason)
    folder = _folder_of(connection.source.place)
    assert folder is not None
    yield DriveFolder(service, connection, folder)


PROVIDER: Final = SourceProvider(
    SourceKindInfo(
        SourceKind.GOOGLE_DRIVE,
        NAME,
        "The address of a folder, or its id. The folders below it are followed, too.",
        (
            SettingField(
                "serviceAccount",
                "Key of a service account",
                required=True,
                secret=True,
                help="The JSON file as Google gave it. Share the folder with the account's e-mail address.",
            ),
        ),
        unverified=(
            "Tried against a server that behaves as Google's documentation says, not against Google Drive.",
            "Shortcuts, forms and drawings are counted as not supported.",
        ),
    ),
    _fault_of,
    _open,
)
