"""A small provider of OpenID Connect on a real port, with keys of its own, which can also be hostile."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import threading
from collections.abc import Callable
from datetime import datetime
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, Self
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

from attrs import define, field, frozen
from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT: Final = "contentgen"
SECRET: Final = "a secret of the client: with signs & 32 characters"


@frozen
class Code:
    """The request that a code was issued for."""

    redirect: str
    challenge: str
    nonce: str


@define
class OpenIdServer:
    """Use it as a context manager. `claims`: of whoever signs in; `changes`: to the claims of the next tokens, None
    takes one away. `forge`: makes the ID token in place of the provider; `thin`: the address is at userinfo alone.
    `denies`: it signs nobody in; `down`: it answers nothing of use. `paths`: what was asked for."""

    now: Callable[[], datetime]
    claims: dict[str, Any] = field(factory=lambda: {"sub": "ada", "email_verified": True})
    changes: dict[str, Any] = field(factory=dict)
    info: dict[str, Any] = field(factory=dict)
    forge: Callable[[dict[str, Any]], str] | None = None
    thin: bool = False
    denies: bool = False
    down: bool = False
    metadata: dict[str, Any] = field(factory=dict)
    key: RSAKey = field(factory=lambda: _key("first"))
    paths: list[str] = field(factory=list)
    _codes: dict[str, Code] = field(factory=dict)
    _server: ThreadingHTTPServer | None = None

    def __enter__(self) -> Self:
        server, provider = ThreadingHTTPServer(("127.0.0.1", 0), _Handler), self
        server.provider = provider  # type: ignore[attr-defined]
        self._server = server
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        assert self._server is not None
        self._server.shutdown()
        self._server.server_close()

    @property
    def host(self) -> str:
        assert self._server is not None
        return f"127.0.0.1:{self._server.server_port}"

    @property
    def issuer(self) -> str:
        return f"http://{self.host}"

    def rotate(self) -> None:
        self.key = _key("second")

    def discovery(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize?realm=a%20b",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            **self.metadata,
        }

    def authorize(self, asked: dict[str, str]) -> str:
        """Return the address that the person is sent back to."""
        assert (asked["response_type"], asked["client_id"], asked["realm"]) == ("code", CLIENT, "a b")
        assert "openid" in asked["scope"].split()
        assert asked["code_challenge_method"] == "S256"
        answer = {"state": asked["state"]}
        if self.denies:
            answer["error"] = "access_denied"
        else:
            answer["code"] = secrets.token_urlsafe(16)
            self._codes[answer["code"]] = Code(asked["redirect_uri"], asked["code_challenge"], asked["nonce"])
        return f"{asked['redirect_uri']}?{urlencode(answer)}"

    def tokens(self, asked: dict[str, str], authorization: str) -> dict[str, Any] | None:
        """Return tokens; None for an unknown code, or one whose verifier, address or client differs."""
        code = self._codes.pop(asked.get("code", ""), None)
        name, _, secret = base64.b64decode(authorization.removeprefix("Basic ")).decode().partition(":")
        if code is None or (unquote(name), unquote(secret.replace("+", " "))) != (CLIENT, SECRET):
            return None
        challenge = _base64(hashlib.sha256(asked["code_verifier"].encode()).digest())
        if (challenge, asked["redirect_uri"]) != (code.challenge, code.redirect):
            return None
        access = secrets.token_urlsafe(16)
        at = int(self.now().timestamp())
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": at, "exp": at + 300, "nonce": code.nonce, **self.claims}
        if self.thin:
            claims = {name: value for name, value in claims.items() if not name.startswith("email")}
        claims = {name: value for name, value in {**claims, **self.changes}.items() if value is not None}
        header = {"alg": "RS256", "kid": self.key.kid}
        token = self.forge(claims) if self.forge else jwt.encode(header, claims, self.key)
        return {"access_token": access, "token_type": "Bearer", "id_token": token}

    def unsigned(self, claims: dict[str, Any]) -> str:
        """Return a token of the algorithm `none`."""
        return f"{_part({'alg': 'none'})}.{_part(claims)}."

    def signed_with(self, key: bytes) -> Callable[[dict[str, Any]], str]:
        """Tokens signed with a key that others know too, such as the provider's public key as a text."""

        def sign(claims: dict[str, Any]) -> str:
            text = f"{_part({'alg': 'HS256'})}.{_part(claims)}"
            return f"{text}.{_base64(hmac.digest(key, text.encode(), 'sha256'))}"

        return sign

    def signed_by_another(self, claims: dict[str, Any]) -> str:
        """Return a token of a key that only claims to be the provider's."""
        return jwt.encode({"alg": "RS256", "kid": self.key.kid}, claims, _key("another"))


@cache
def _key(name: str) -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": name})


def _part(content: dict[str, Any]) -> str:
    return _base64(json.dumps(content).encode())


def _base64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        provider: OpenIdServer = self.server.provider  # type: ignore[attr-defined]
        parts = urlsplit(self.path)
        provider.paths.append(parts.path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if provider.down:
            self._answer(503, {})
        elif parts.path == "/.well-known/openid-configuration":
            self._answer(200, provider.discovery())
        elif parts.path == "/jwks":
            self._answer(200, {"keys": [provider.key.as_dict(private=False)]})
        elif parts.path == "/authorize":
            self._answer(302, {}, Location=provider.authorize(asked))
        elif parts.path == "/userinfo" and self.headers["Authorization"].startswith("Bearer "):
            self._answer(200, {**provider.claims, **provider.info})
        else:
            self._answer(404, {})

    def do_POST(self) -> None:
        provider: OpenIdServer = self.server.provider  # type: ignore[attr-defined]
        provider.paths.append(self.path)
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        asked = {name: values[0] for name, values in parse_qs(body).items()}
        tokens = provider.tokens(asked, self.headers.get("Authorization", ""))
        self._answer(400, {"error": "invalid_grant"}) if tokens is None else self._answer(200, tokens)

    def _answer(self, status: int, body: dict[str, Any], **headers: str) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Type": "application/json", "Content-Length": str(len(content))}.items():
            self.send_header(name, quote(value, safe=":/?&=%#;.,+-_~ ") if name == "Location" else value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Silent."""
