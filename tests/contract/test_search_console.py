"""Search Console by its API, against a stand-in: nobody's property is asked."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import date
from typing import Any
from urllib.parse import parse_qs, unquote

import httpx
import pytest
from attrs import define, field
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from contentgen_adapters.search_exports import console
from contentgen_adapters.search_exports.console import HttpSearchConsole
from contentgen_adapters.shared.http import RetryPolicy, make_client
from contentgen_core.errors import InvalidInput, ProviderFailed
from contentgen_core.model.search_report import Period, SearchFigures
from contentgen_core.ports.search_console import ConsoleRefused
from contentgen_core.testing.runtime import MOMENT, ManualClock

KEY = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
PEM = KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
EMAIL = "reader@project.iam.gserviceaccount.com"
ACCOUNT = json.dumps(
    {
        "type": "service_account",
        "client_email": EMAIL,
        "private_key": PEM,
        "private_key_id": "k1",
        "token_uri": "https://evil.example.org/token",
    }
)
SITE = "sc-domain:example.org"
PERIOD = Period(date(2026, 2, 1), date(2026, 2, 28))

Answer = Callable[[httpx.Request], httpx.Response]


async def no_wait(seconds: float) -> None:
    pass


@define
class Google:
    """A stand-in: gives tokens for assertions, and rows for tokens."""

    rows: list[dict[str, Any]] = field(factory=list)
    answers: list[httpx.Response] = field(factory=list)
    requests: list[httpx.Request] = field(factory=list)
    bodies: list[dict[str, Any]] = field(factory=list)
    token: httpx.Response | None = None

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if request.url.path == "/token":
            return self.token or httpx.Response(200, json={"access_token": "t0ken", "expires_in": 3599})
        if self.answers:
            return self.answers.pop(0)
        body = json.loads(request.content)
        self.bodies.append(body)
        return httpx.Response(200, json={"rows": self.rows[body["startRow"] :][: body["rowLimit"]]})

    def reader(self) -> HttpSearchConsole:
        client = make_client(transport=httpx.MockTransport(self))
        return HttpSearchConsole(client, ManualClock(), retry_policy=RetryPolicy(sleep=no_wait))


def row(query: str, page: str = "https://example.org/a", **figures: float) -> dict[str, Any]:
    return {"keys": [query, page], "clicks": 1.0, "impressions": 9.0, "ctr": 0.1, "position": 3.5} | figures


def failure(status: int, reason: str = "forbidden") -> httpx.Response:
    return httpx.Response(status, json={"error": {"code": status, "message": "no", "errors": [{"reason": reason}]}})


async def test_rows_are_asked_for_with_a_signed_assertion_and_a_token() -> None:
    google = Google([row("Heat  Pump"), row("heat pump", clicks=2, impressions=11, position=1.5), row("")])
    found = await google.reader().figures(ACCOUNT, SITE, PERIOD, 50_000)
    assert found == [SearchFigures("heat pump", "https://example.org/a", 3, 20, 2.4)]
    token, query = google.requests
    assert str(token.url) == console.TOKEN_ADDRESS
    form = parse_qs(token.content.decode())
    assert form["grant_type"] == ["urn:ietf:params:oauth:grant-type:jwt-bearer"]
    signed, _, signature = form["assertion"][0].rpartition(".")
    KEY.public_key().verify(_bytes(signature), signed.encode(), PKCS1v15(), SHA256())
    header, claims = (json.loads(_bytes(part)) for part in signed.split("."))
    assert header == {"alg": "RS256", "typ": "JWT", "kid": "k1"}
    issued = int(MOMENT.timestamp())
    assert claims == {
        "iss": EMAIL, "scope": console.SCOPE, "aud": console.TOKEN_ADDRESS, "iat": issued, "exp": issued + 3_600,
    }  # fmt: skip
    assert unquote(query.url.raw_path.decode()) == f"/webmasters/v3/sites/{SITE}/searchAnalytics/query"
    assert query.headers["Authorization"] == "Bearer t0ken"
    assert google.bodies[0] == {
        "startDate": "2026-02-01", "endDate": "2026-02-28", "dimensions": ["query", "page"], "type": "web",
        "dataState": "final", "rowLimit": 25_000, "startRow": 0,
    }  # fmt: skip


async def test_pages_of_rows_are_read_to_the_end_or_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "ROWS_AT_ONCE", 2)
    google = Google([row(f"query {n}") for n in range(5)])
    assert len(await google.reader().figures(ACCOUNT, SITE, PERIOD, 9)) == 5
    assert [(body["startRow"], body["rowLimit"]) for body in google.bodies] == [(0, 2), (2, 2), (4, 2)]
    google.bodies.clear()
    assert len(await google.reader().figures(ACCOUNT, SITE, PERIOD, 3)) == 3
    assert [(body["startRow"], body["rowLimit"]) for body in google.bodies] == [(0, 2), (2, 1)]


async def test_a_property_without_figures_has_none() -> None:
    google = Google(answers=[httpx.Response(200, json={"responseAggregationType": "byPage"})])
    assert await google.reader().figures(ACCOUNT, SITE, PERIOD, 9) == []


@pytest.mark.parametrize("status", [400, 401])
async def test_an_account_whose_key_was_revoked_is_refused(status: int) -> None:
    google = Google(token=httpx.Response(status, json={"error": "invalid_grant", "error_description": "Invalid JWT"}))
    with pytest.raises(ConsoleRefused, match=EMAIL) as refused:
        await google.reader().figures(ACCOUNT, SITE, PERIOD, 9)
    assert not refused.value.retryable
    assert "PRIVATE" not in str(refused.value)


@pytest.mark.parametrize("status", [401, 403, 404])
async def test_a_property_that_is_not_shared_is_refused(status: int) -> None:
    google = Google(answers=[failure(status)])
    with pytest.raises(ConsoleRefused, match="add its address to the property's users"):
        await google.reader().figures(ACCOUNT, SITE, PERIOD, 9)


async def test_a_used_up_quota_passes() -> None:
    google = Google([row("a")], answers=[failure(429), failure(503)])
    assert len(await google.reader().figures(ACCOUNT, SITE, PERIOD, 9)) == 1
    google = Google(answers=[failure(403, "quotaExceeded")])
    with pytest.raises(ProviderFailed) as busy:
        await google.reader().figures(ACCOUNT, SITE, PERIOD, 9)
    assert (type(busy.value), busy.value.retryable) == (ProviderFailed, True)


async def test_an_answer_that_is_none_is_no_figures() -> None:
    google = Google(answers=[httpx.Response(200, text="<html>")])
    with pytest.raises(ProviderFailed, match="cannot be read"):
        await google.reader().figures(ACCOUNT, SITE, PERIOD, 9)


def test_only_key_files_of_service_accounts_are_taken() -> None:
    reader = Google().reader()
    assert reader.client_email(ACCOUNT) == EMAIL
    curve = ec.generate_private_key(ec.SECP256R1())
    other = curve.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    known = json.loads(ACCOUNT)
    for bad in ("", "{}", "[]", "\ud800", *(json.dumps(known | change) for change in (
        {"type": "authorized_user"}, {"private_key": "x"}, {"private_key": other}, {"client_email": "nobody"},
    ))):  # fmt: skip
        with pytest.raises(InvalidInput) as refused:
            reader.client_email(bad)
        assert refused.value.errors[0].field == "serviceAccount"


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
