"""A provider of OpenID Connect: authorization code with PKCE, by authlib and joserfc."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import httpx
import msgspec
from attrs import define, field, frozen
from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from contentgen_adapters.shared.http import BadStatus, Peer, RetryPolicy, send
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.web_address import is_web_address
from contentgen_core.ports.open_id import OpenIdPerson, OpenIdRefused, OpenIdRequest, Refusal
from contentgen_core.ports.runtime import Clock

T = TypeVar("T")

PEER: Final = Peer("The provider of sign-ins", "CONTENTGEN_OIDC_CLIENT_SECRET")
ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Of ID tokens: with a key of the provider alone. `none`, and keys that both know, prove nothing."""
SCOPES: Final = "openid email"
LEEWAY: Final = 60
"""Seconds that two clocks may differ."""
DISCOVERED_FOR: Final = 3_600.0
KEYS_AGAIN_AFTER: Final = 60.0
"""Seconds before keys are fetched again for a token whose key is unknown."""
MAX_BYTES: Final = 256 * 1024
MAX_CODE: Final = 4_000
_ONCE: Final = RetryPolicy(total=20.0, attempts=1)
_TWICE: Final = RetryPolicy(total=20.0, attempts=2)


@frozen
class OpenIdClient:
    """Our identity at the provider. `secret`: None for a public client."""

    issuer: str
    id: str
    secret: str | None = field(repr=False)


class Discovery(msgspec.Struct, frozen=True):
    """The fields that we read of a provider's metadata (OpenID Connect Discovery 1.0)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    id_token_signing_alg_values_supported: tuple[str, ...] = ()
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)

    @property
    def algorithms(self) -> list[str]:
        offered = self.id_token_signing_alg_values_supported
        return [algorithm for algorithm in ALGORITHMS if not offered or algorithm in offered]


class Tokens(msgspec.Struct, frozen=True):
    """The fields that we read of a token answer."""

    id_token: str
    access_token: str = ""


@define
class HttpOpenIdProvider:
    """An OpenID provider over HTTP. `client`: guarded, since a provider's metadata names the addresses that are
    called.
    """

    client: httpx.AsyncClient
    us: OpenIdClient
    clock: Clock
    monotonic: Callable[[], float] = time.monotonic
    _discovery: tuple[float, Discovery] | None = None
    _keys: tuple[float, KeySet] | None = None

    async def address(self, request: OpenIdRequest, redirect: str) -> str:
        discovery = await self._discover()
        address: str = prepare_grant_uri(
            discovery.authorization_endpoint,
            self.us.id,
            "code",
            redirect_uri=redirect,
            scope=SCOPES,
            state=request.state,
            nonce=request.nonce,
            code_challenge=create_s256_code_challenge(request.verifier),
            code_challenge_method="S256",
        )
        return address

    async def person(self, code: str, request: OpenIdRequest, redirect: str) -> OpenIdPerson:
        if not code or len(code) > MAX_CODE:
            raise OpenIdRefused(Refusal.INVALID, "no code came back")
        discovery = await self._discover()
        tokens = await self._tokens(discovery, code, request, redirect)
        claims = await self._verify(discovery, tokens, request)
        if not claims.get("email") and discovery.userinfo_endpoint and tokens.access_token:
            claims = await self._with_userinfo(discovery.userinfo_endpoint, tokens, claims)
        email = claims.get("email")
        return OpenIdPerson(
            subject=str(claims["sub"]),
            email=email if isinstance(email, str) else "",
            email_verified=claims.get("email_verified") in (True, "true"),  # some providers send texts
        )

    async def _discover(self) -> Discovery:
        if self._discovery is None or self.monotonic() - self._discovery[0] > DISCOVERED_FOR:
            request = self.client.build_request("GET", f"{self.us.issuer}/.well-known/openid-configuration")
            answer = await send(self.client, request, peer=PEER, retry_policy=_TWICE, max_bytes=MAX_BYTES)
            found = _read(answer, Discovery)
            if found.issuer.rstrip("/") != self.us.issuer:
                raise ProviderFailed(PEER.name, "its metadata names another issuer", retryable=False)
            if not is_web_address(found.authorization_endpoint):
                raise ProviderFailed(PEER.name, "its metadata names no address to sign in at", retryable=False)
            self._discovery = (self.monotonic(), found)
        return self._discovery[1]

    async def _tokens(self, discovery: Discovery, code: str, request: OpenIdRequest, redirect: str) -> Tokens:
        """The tokens for a code, which works once. Raises OpenIdRefused, ProviderFailed."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect,
            "code_verifier": request.verifier,
        }
        auth = None
        if self.us.secret is not None and "client_secret_basic" in discovery.token_endpoint_auth_methods_supported:
            auth = httpx.BasicAuth(_encode_credential(self.us.id), _encode_credential(self.us.secret))
        else:
            form["client_id"] = self.us.id
            if self.us.secret is not None:
                form["client_secret"] = self.us.secret
        asked = self.client.build_request("POST", discovery.token_endpoint, data=form)
        if auth is not None:
            asked = next(auth.auth_flow(asked))
        try:
            answer = await send(self.client, asked, peer=PEER, retry_policy=_ONCE, max_bytes=MAX_BYTES)
        except BadStatus as exc:
            if exc.response.status_code == httpx.codes.BAD_REQUEST:  # a code that was used, or has expired
                raise OpenIdRefused(Refusal.EXPIRED, "the provider takes the code not (any more)") from exc
            raise
        return _read(answer, Tokens)

    async def _verify(self, discovery: Discovery, tokens: Tokens, request: OpenIdRequest) -> Mapping[str, Any]:
        """The claims of an ID token of this provider, for us and for this request. Raises OpenIdRefused,
        ProviderFailed."""
        algorithms = discovery.algorithms
        try:
            try:
                token = jwt.decode(tokens.id_token, await self._key_set(discovery), algorithms=algorithms)
            except (JoseError, ValueError):
                token = jwt.decode(tokens.id_token, await self._key_set(discovery, anew=True), algorithms=algorithms)
            claims = CodeIDToken(
                token.claims,
                token.header,
                {"iss": _only(discovery.issuer), "aud": _only(self.us.id)},
                {"nonce": request.nonce, "client_id": self.us.id, "access_token": tokens.access_token},
            )
            claims.validate(now=int(self.clock.now().timestamp()), leeway=LEEWAY)
        except (JoseError, ValueError, TypeError, KeyError) as exc:
            raise OpenIdRefused(Refusal.INVALID, f"ID token: {type(exc).__name__}") from exc
        found: Mapping[str, Any] = claims
        return found

    async def _key_set(self, discovery: Discovery, *, anew: bool = False) -> KeySet:
        """The provider's keys. `anew`: fetched again, unless that was just done."""
        lasts = KEYS_AGAIN_AFTER if anew else DISCOVERED_FOR
        if self._keys is None or self.monotonic() - self._keys[0] > lasts:
            request = self.client.build_request("GET", discovery.jwks_uri)
            answer = await send(self.client, request, peer=PEER, retry_policy=_TWICE, max_bytes=MAX_BYTES)
            found: Any = _read(answer, dict[str, Any])
            try:
                self._keys = (self.monotonic(), KeySet.import_key_set(found))
            except (JoseError, ValueError, TypeError, KeyError) as exc:
                raise ProviderFailed(PEER.name, "its keys cannot be read", retryable=False) from exc
        return self._keys[1]

    async def _with_userinfo(self, url: str, tokens: Tokens, claims: Mapping[str, Any]) -> Mapping[str, Any]:
        """The claims with the address that the provider keeps apart. Raises OpenIdRefused, ProviderFailed."""
        headers = {"Authorization": f"Bearer {tokens.access_token}"}
        request = self.client.build_request("GET", url, headers=headers)
        answer = await send(self.client, request, peer=PEER, retry_policy=_TWICE, max_bytes=MAX_BYTES)
        info = _read(answer, dict[str, Any])
        if info.get("sub") != claims["sub"]:
            raise OpenIdRefused(Refusal.INVALID, "userinfo is of another subject")
        return {**claims, "email": info.get("email"), "email_verified": info.get("email_verified")}


def _only(value: str) -> dict[str, object]:
    """A claim that has to be there with this value."""
    return {"essential": True, "value": value}


def _read(answer: httpx.Response, kind: type[T]) -> T:
    """Raises ProviderFailed."""
    try:
        return msgspec.json.decode(answer.content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as exc:
        raise ProviderFailed(PEER.name, "its answer cannot be read", retryable=False) from exc


def _encode_credential(text: str) -> str:
    """Encode a credential as RFC 6749, 2.3.1 requires before Basic authentication."""
    return str(httpx.QueryParams({"": text})).removeprefix("=")
