"""Google's Search Console by its API: a signed assertion of a service account, a token for it, and pages of rows.

https://developers.google.com/identity/protocols/oauth2/service-account,
https://developers.google.com/webmaster-tools/v1/searchanalytics/query"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Sequence
from typing import Final, TypeVar
from urllib.parse import quote

import httpx
import msgspec
from attrs import field, frozen

from contentgen_adapters.search_exports.table import figures_of, merge
from contentgen_adapters.shared.http import BadStatus, Peer, RetryPolicy, post_json, send
from contentgen_core.errors import InvalidInput, ProviderFailed
from contentgen_core.model.search_report import Period, SearchFigures
from contentgen_core.ports.runtime import Clock
from contentgen_core.ports.search_console import ConsoleRefused

SCOPE: Final = "https://www.googleapis.com/auth/webmasters.readonly"
TOKEN_ADDRESS: Final = "https://oauth2.googleapis.com/token"  # noqa: S105 - an address
API_ADDRESS: Final = "https://searchconsole.googleapis.com/webmasters/v3"
TOKEN_SECONDS: Final = 3_600
ROWS_AT_ONCE: Final = 25_000
"""As many as one answer has at most."""
MAX_ANSWER: Final = 64 * 1024 * 1024
_T = TypeVar("_T")
_PEER: Final = Peer("Search Console")
_GRANT: Final = "urn:ietf:params:oauth:grant-type:jwt-bearer"
_BUSY: Final = frozenset({"rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "dailyLimitExceeded"})
"""Why a 403 is no refusal: the quota is used up for now."""


class _Account(msgspec.Struct):
    type: str
    client_email: str
    private_key: str
    private_key_id: str = ""


class _Token(msgspec.Struct):
    access_token: str


class _Row(msgspec.Struct):
    keys: list[str]
    clicks: float = 0.0
    impressions: float = 0.0
    position: float = 0.0


class _Rows(msgspec.Struct):
    rows: list[_Row] = []


class _Reason(msgspec.Struct):
    reason: str = ""


class _Error(msgspec.Struct):
    errors: list[_Reason] = []


class _Failure(msgspec.Struct):
    error: _Error | str


@frozen
class HttpSearchConsole:
    """The address of tokens in a key file is not followed: whoever sends the file chooses it."""

    client: httpx.AsyncClient
    clock: Clock
    token_address: str = TOKEN_ADDRESS
    api_address: str = API_ADDRESS
    retry_policy: RetryPolicy = field(factory=RetryPolicy)

    def client_email(self, account: str) -> str:
        read = _account(account)
        _sign(b"", read.private_key)
        return read.client_email

    async def figures(self, account: str, site: str, period: Period, limit: int) -> Sequence[SearchFigures]:
        token = await self._token(_account(account))
        found: list[SearchFigures] = []
        start = 0
        while start < limit:
            rows = await self._rows(token, site, period, start, min(ROWS_AT_ONCE, limit - start))
            found += await asyncio.to_thread(_figures, rows)
            start += len(rows)
            if len(rows) < ROWS_AT_ONCE:
                break
        return await asyncio.to_thread(merge, found)

    async def _token(self, account: _Account) -> str:
        assertion = await asyncio.to_thread(self._assertion, account)
        form = {"grant_type": _GRANT, "assertion": assertion}
        request = self.client.build_request("POST", self.token_address, data=form)
        try:
            answer = await send(self.client, request, peer=_PEER, retry_policy=self.retry_policy)
        except BadStatus as error:
            if error.retryable:
                raise
            message = f"does not know the service account {account.client_email}, or its key was revoked"
            raise ConsoleRefused(_PEER.name, message, retryable=False) from error
        return _decode(answer.content, _Token).access_token

    def _assertion(self, account: _Account) -> str:
        issued = int(self.clock.now().timestamp())
        header = {"alg": "RS256", "typ": "JWT", "kid": account.private_key_id}
        claims = {
            "iss": account.client_email,
            "scope": SCOPE,
            "aud": self.token_address,
            "iat": issued,
            "exp": issued + TOKEN_SECONDS,
        }
        signed = b".".join(_encode(msgspec.json.encode(part)) for part in (header, claims))
        return b".".join((signed, _encode(_sign(signed, account.private_key)))).decode()

    async def _rows(self, token: str, site: str, period: Period, start: int, limit: int) -> list[_Row]:
        body = {
            "startDate": period.starts_on,
            "endDate": period.ends_on,
            "dimensions": ["query", "page"],
            "type": "web",
            "dataState": "final",
            "rowLimit": limit,
            "startRow": start,
        }
        address = f"{self.api_address}/sites/{quote(site, safe='')}/searchAnalytics/query"
        headers = {"Authorization": f"Bearer {token}"}
        try:
            answer = await post_json(
                self.client,
                address,
                body,
                peer=_PEER,
                headers=headers,
                retry_policy=self.retry_policy,
                max_bytes=MAX_ANSWER,
            )
        except BadStatus as error:
            if error.response.status_code not in (401, 403, 404):
                raise
            if _is_busy(error.response):
                raise ProviderFailed(_PEER.name, "its quota is used up for now", retryable=True) from error
            message = f"does not show {site} to the service account: add its address to the property's users"
            raise ConsoleRefused(_PEER.name, message, retryable=False) from error
        return (await asyncio.to_thread(_decode, answer.content, _Rows)).rows


def _account(text: str) -> _Account:
    """Raises InvalidInput."""
    try:
        account = msgspec.json.decode(text, type=_Account)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise InvalidInput.of("serviceAccount", "is no key file of a service account") from error
    if account.type != "service_account" or "@" not in account.client_email:
        raise InvalidInput.of("serviceAccount", "is no key file of a service account")
    return account


def _sign(content: bytes, private_key: str) -> bytes:
    """Sign by RSA with SHA-256. Raises InvalidInput."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(private_key.encode(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise InvalidInput.of("serviceAccount", "has a private key that cannot be read") from error
    if not isinstance(key, RSAPrivateKey):
        raise InvalidInput.of("serviceAccount", "has a private key that is none of RSA")
    return key.sign(content, PKCS1v15(), SHA256())


def _encode(content: bytes) -> bytes:
    return base64.urlsafe_b64encode(content).rstrip(b"=")


def _decode(content: bytes, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise ProviderFailed(_PEER.name, "its answer cannot be read", retryable=True) from error


def _is_busy(response: httpx.Response) -> bool:
    try:
        error = msgspec.json.decode(response.content, type=_Failure).error
    except (msgspec.DecodeError, UnicodeError):
        return False
    return isinstance(error, _Error) and any(one.reason in _BUSY for one in error.errors)


def _figures(rows: Sequence[_Row]) -> list[SearchFigures]:
    """Rows that name no query or no page are left out, as the console leaves out rare queries."""
    found = (
        figures_of(row.keys[0], row.keys[1], int(row.clicks), int(row.impressions), row.position)
        for row in rows
        if len(row.keys) == 2
    )
    return [one for one in found if one is not None]
