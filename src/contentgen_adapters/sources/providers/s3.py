"""Files in a bucket of S3, or of what speaks its protocol."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.parse import quote, urlsplit

import httpx
from attrs import frozen

from contentgen_adapters.shared.fetched_document import RawDocument
from contentgen_adapters.shared.http import BadStatus, Peer, RetryPolicy, send
from contentgen_adapters.shared.masking import mask
from contentgen_adapters.shared.outgoing.errors import AddressRefused
from contentgen_adapters.shared.outgoing.guard import AddressGuard
from contentgen_adapters.shared.processes.pool import Limits, NotParsed, PoolBusy
from contentgen_adapters.sources.files import text_of_file
from contentgen_adapters.sources.names import readable_name
from contentgen_adapters.sources.provider import Connection, SourceProvider
from contentgen_adapters.sources.s3_listing import LISTING, Listing
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.document import MAX_BYTES
from contentgen_core.model.publishing_target import FieldType, SettingField
from contentgen_core.model.synced_source import (
    MAX_KEY,
    LeftOut,
    ListedItem,
    SkipReason,
    SourceKind,
    SourceKindInfo,
    SyncedSource,
)
from contentgen_core.policies.text.storable import is_storable
from contentgen_core.ports.source_reading import (
    ItemGone,
    ItemSkipped,
    ItemText,
    OpenSource,
    SourceUnavailable,
    WithoutAddresses,
)

MAX_LISTING: Final = 8 * 1024 * 1024
"""Bytes of a thousand objects as a server lists them."""
PARSING: Final = Limits(10.0, 256 * 1024 * 1024)
_NAME: Final = "The storage"
_BUCKET: Final = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_REGION: Final = re.compile(r"[a-z0-9-]{1,40}")
_HASH_OF_NOTHING: Final = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
_RETRIES: Final = RetryPolicy(total=180.0, attempts=4)
_REMEDY: Final = "Check the keys, what they may read, and the region."


@frozen
class S3Folder(WithoutAddresses):
    """A folder of a bucket. `endpoint`: without a trailing slash; `prefix`: "" or a path that ends with a slash."""

    connection: Connection
    endpoint: str
    bucket: str
    prefix: str

    async def items(self) -> AsyncIterator[Sequence[ListedItem | LeftOut]]:
        token: str | None = None
        seen: set[str] = set()
        while True:
            listing = await self._listing(token)
            yield [item for item in map(self._item, listing.objects) if item is not None]
            token = listing.next_token
            if token is None:
                return
            if token in seen:
                raise SourceUnavailable(f"{_NAME} lists the same objects over and over.")
            seen.add(token)

    async def read(self, key: str, known: str | None = None) -> ItemText:
        try:
            found = await self._get(self.prefix + key, {}, MAX_BYTES)
        except BadStatus as error:
            if error.response.status_code == 404:
                raise ItemGone from error
            if error.response.status_code == 403:
                raise ItemSkipped(SkipReason.REFUSED) from error
            raise self._unavailable(error) from error
        except ProviderFailed as error:
            if "larger than" in error.message:
                raise ItemSkipped(SkipReason.TOO_LARGE, MAX_BYTES) from error
            raise
        source = self.connection.source
        name = key.rpartition("/")[2]
        return await text_of_file(self.connection.around.uploads, found.content, name, key, source.tenant_id)

    def _item(self, found: tuple[str, str]) -> ListedItem | LeftOut | None:
        """Return the item of an object; None for an object that stands for a folder."""
        path, etag = found
        key = path.removeprefix(self.prefix)
        if not path.startswith(self.prefix) or not key or key.endswith("/"):
            return None
        if any(part.startswith(".") for part in key.split("/")) or len(key) > MAX_KEY or not is_storable(key):
            return LeftOut(readable_name(key))
        return ListedItem(key, etag if etag and is_storable(etag) else None)

    async def _listing(self, token: str | None) -> Listing:
        """Raises SourceUnavailable, ProviderFailed."""
        query = {"list-type": "2", "max-keys": "1000", "prefix": self.prefix}
        try:
            found = await self._get("", query | ({"continuation-token": token} if token else {}), MAX_LISTING)
            raw = RawDocument(found.content, self.endpoint)
            tenant = self.connection.source.tenant_id
            listing = await self.connection.around.pool.run(LISTING, raw, tenant, PARSING)
        except BadStatus as error:
            raise self._unavailable(error) from error
        except (NotParsed, PoolBusy) as error:
            raise SourceUnavailable(f"The listing of the bucket {error}.") from error
        if listing is None:
            raise SourceUnavailable(f"{_NAME} does not answer as S3 does: is the endpoint right?")
        return listing

    async def _get(self, key: str, query: Mapping[str, str], most: int) -> httpx.Response:
        """Raises BadStatus, ProviderFailed."""
        address = f"{self.endpoint}/{self.bucket}/{quote(key, safe='/~')}"
        if query:
            address += "?" + "&".join(f"{name}={quote(value, safe='')}" for name, value in sorted(query.items()))
        client = self.connection.around.client
        try:
            request = client.build_request("GET", address, headers=self._sign(address))
        except httpx.InvalidURL as error:
            raise ItemSkipped(SkipReason.UNREADABLE) from error
        return await send(client, request, peer=Peer(_NAME), retry_policy=_RETRIES, max_bytes=most)

    def _sign(self, address: str) -> dict[str, str]:
        """Return the headers that prove who asks (AWS Signature Version 4)."""
        from botocore.auth import S3SigV4Auth  # type: ignore[import-untyped]
        from botocore.awsrequest import AWSRequest  # type: ignore[import-untyped]
        from botocore.credentials import Credentials  # type: ignore[import-untyped]

        settings = self.connection.settings
        request = AWSRequest("GET", address, headers={"X-Amz-Content-SHA256": _HASH_OF_NOTHING})
        credentials = Credentials(settings["accessKeyId"], settings["secretAccessKey"])
        S3SigV4Auth(credentials, "s3", settings["region"]).add_auth(request)
        return dict(request.headers.items())

    def _unavailable(self, error: BadStatus) -> Exception:
        status = error.response.status_code
        if status in (301, 307, 400, 401, 403):
            return SourceUnavailable(f"{_NAME} refuses the request (HTTP {status}). {_REMEDY}")
        if status == 404:
            return SourceUnavailable(f"There is no bucket {self.bucket}.")
        message = mask(error.message, self.connection.secrets)
        return ProviderFailed(_NAME, message, retryable=error.retryable, retry_after=error.retry_after)


def _fault_of(source: SyncedSource, guard: AddressGuard) -> str | None:
    place = urlsplit(source.place)
    if place.scheme != "s3" or not _BUCKET.fullmatch(place.netloc) or len(source.place.split()) != 1:
        return "needs s3://bucket or s3://bucket/prefix"
    if place.query or place.fragment:
        return "needs s3://bucket/prefix without ? and #"
    if not _REGION.fullmatch(str(source.settings.get("region", "us-east-1"))):
        return "the region is no name of one, such as eu-central-1"
    try:
        guard.check(_endpoint(source.settings))
    except AddressRefused as error:
        return f"the endpoint: {error}"
    return None


def _endpoint(settings: Mapping[str, Any]) -> str:
    given = settings.get("endpoint")
    return str(given or f"https://s3.{settings.get('region', 'us-east-1')}.amazonaws.com").rstrip("/")


@asynccontextmanager
async def _open(connection: Connection) -> AsyncIterator[OpenSource]:
    place = urlsplit(connection.source.place)
    prefix = place.path.strip("/")
    yield S3Folder(connection, _endpoint(connection.settings), place.netloc, f"{prefix}/" if prefix else "")


PROVIDER: Final = SourceProvider(
    SourceKindInfo(
        SourceKind.S3,
        "S3",
        "s3://bucket, or s3://bucket/prefix for the files below a prefix.",
        (
            SettingField("accessKeyId", "Access key ID", required=True, help="Of a user who may list and read."),
            SettingField("secretAccessKey", "Secret access key", required=True, secret=True),
            SettingField("region", "Region", default="us-east-1"),
            SettingField("endpoint", "Endpoint", FieldType.URL, help="Of a storage that is not Amazon's."),
        ),
        unverified=("Tried against a server that behaves like S3, not against Amazon's.",),
    ),
    _fault_of,
    _open,
)
