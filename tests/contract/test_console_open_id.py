"""Signing in to the console at a provider of OpenID Connect, an honest one and a hostile one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx
import pytest
from attrs import define
from litestar.testing import AsyncTestClient

from contentgen_adapters.shared.http import tls
from contentgen_core.model.tenant import Caller, PlanName, Role
from contentgen_core.use_cases.sign_in.open_id import SignInByOpenId
from contentgen_grounded.bootstrap.open_id import open_id_provider, open_id_rules
from contentgen_grounded.settings import BadSetting, Settings
from tests.support.browser import Browser
from tests.support.changed import changed
from tests.support.house import House, open_house
from tests.support.http import Api, Generous, open_api
from tests.support.open_id_server import CLIENT, SECRET, OpenIdServer
from tests.support.prepared_app import create_app
from tests.support.team import joined

BEGIN: Final = "/console/sign-in/open-id"
Change = Callable[[OpenIdServer], object]


@define
class Company:
    """A provider, and a service that signs members in there. `member`: whose address the provider vouches for."""

    api: Api
    provider: OpenIdServer
    member: Caller

    def browser(self) -> Browser:
        return Browser(self.api, {})

    async def led_back(self, browser: Browser, **query: str) -> str:
        """The address that the provider leads a browser back to, by way of the page on which it signs in."""
        begun = await browser.get(BEGIN, params=query)
        assert begun.status_code == 303, begun.text
        async with httpx.AsyncClient(verify=tls()) as client:
            there = (await client.get(begun.headers["location"])).headers["location"]
        return there.removeprefix("http://testserver.local")

    async def sign_in(self, browser: Browser, **query: str) -> httpx.Response:
        return await browser.get(await self.led_back(browser, **query))


def settings(provider: OpenIdServer, **changes: Any) -> Settings:
    chosen = Settings(
        oidc_issuer=provider.issuer,
        oidc_client_id=CLIENT,
        oidc_client_secret=SECRET,
        oidc_domains="example.org, EXAMPLE.com",
        allowed_private_hosts=provider.host,
    )
    return Settings(**{name: changes.get(name, getattr(chosen, name)) for name in Settings.__struct_fields__})


@asynccontextmanager
async def a_company(**changes: Any) -> AsyncIterator[Company]:
    async with open_house() as house:
        with OpenIdServer(house.clock.now) as provider:
            chosen = settings(provider, **changes)
            async with open_id_provider(chosen, house.clock) as open_id:
                assert open_id is not None
                people, ports = house.services.people, house.services.ports
                by_open_id = SignInByOpenId(
                    ports.unit_of_work,
                    open_id,
                    ports.addresses,
                    people.request_sign_in,
                    people.web_sessions,
                    open_id_rules(chosen),
                )
                services = changed(house.services, people={"open_id": by_open_id}, ports={"rate_limiter": Generous()})
                application = create_app(services, mcp_allowed_hosts="testserver.local")
                async with AsyncTestClient(application) as client:
                    yield await _with_member(Api(house, application, client, Generous(), ""), provider)


async def _with_member(api: Api, provider: OpenIdServer) -> Company:
    done, caller = await joined(api.house, Role.EDITOR)
    provider.claims["email"] = str(done.user.email)
    return Company(api, provider, caller)


@pytest.fixture
async def company() -> AsyncIterator[Company]:
    async with a_company() as opened:
        yield opened


async def user_of(house: House, browser: Browser) -> str:
    session = await house.services.people.web_sessions.identify(browser.cookies["contentgen_session"])
    return session.user.id


async def test_a_member_signs_in_and_goes_on_to_the_page(company: Company) -> None:
    browser = company.browser()
    shown = await browser.get("/console/sign-in", params={"next": "/console/articles"})
    assert f'href="{BEGIN}?next=%2Fconsole%2Farticles"' in shown.text
    answer = await company.sign_in(browser, next="/console/articles?status=draft")
    assert answer.status_code == 303, answer.text
    assert answer.headers["location"] == "/console/articles?status=draft"
    assert await user_of(company.api.house, browser) == company.member.user_id
    assert (await browser.follow(answer)).status_code == 200


async def test_what_the_browser_keeps_is_for_the_way_back_alone(company: Company) -> None:
    browser = company.browser()
    begun = await browser.get(BEGIN)
    cookie = begun.headers["set-cookie"].lower()
    for part in ("httponly", "samesite=lax", f"path={BEGIN}", "max-age=600"):
        assert part in cookie
    back = await browser.get(await company.led_back(browser))
    ended = [header for header in back.headers.get_list("set-cookie") if "contentgen_open_id" in header]
    assert 'contentgen_open_id=""' in ended[0] or "contentgen_open_id=;" in ended[0]


async def test_the_way_back_leads_to_our_own_pages_alone(company: Company) -> None:
    for next in ("https://evil.example", "//evil.example", "/docs", "/console\n//x", "http://["):
        assert (await company.sign_in(company.browser(), next=next)).headers["location"] == "/console"


async def _refused(company: Company, words: str, status: int = 401) -> None:
    browser = company.browser()
    answer = await company.sign_in(browser)
    assert answer.status_code == status, answer.text
    assert words in answer.text
    assert "contentgen_session" not in browser.cookies


async def test_an_id_token_that_is_not_for_this_sign_in_is_refused(company: Company) -> None:
    changes: list[dict[str, Any]] = [
        {"nonce": "another"},
        {"nonce": None},
        {"aud": "another"},
        {"aud": None},
        {"aud": [CLIENT, "another"], "azp": "another"},
        {"iss": "https://another.example"},
        {"iss": None},
        {"exp": 1},
        {"exp": None},
        {"iat": 32_503_680_000},
        {"sub": None},
        {"at_hash": "another"},
    ]
    for company.provider.changes in changes:
        await _refused(company, "does not prove who you are")


async def test_an_id_token_that_the_provider_did_not_sign_is_refused(company: Company) -> None:
    provider = company.provider
    forgers: list[Callable[[dict[str, Any]], str]] = [
        provider.unsigned,
        provider.signed_with(SECRET.encode()),
        provider.signed_with(provider.key.as_pem(private=False)),
        provider.signed_by_another,
        lambda _: "no token",
        lambda _: "ä.ö.ü",
        lambda _: "",
    ]
    for provider.forge in forgers:
        await _refused(company, "does not prove who you are")


async def test_algorithms_that_the_provider_offers_do_not_widen_ours(company: Company) -> None:
    company.provider.metadata = {"id_token_signing_alg_values_supported": ["none", "HS256"]}
    company.provider.forge = company.provider.unsigned
    await _refused(company, "does not prove who you are")


async def test_an_address_that_nobody_vouches_for_signs_nobody_in(company: Company) -> None:
    for verified in (False, None, "false", 1.5, "yes"):
        company.provider.changes = {"email_verified": verified}
        await _refused(company, "has not verified your email address")


async def test_some_providers_send_texts_for_truth(company: Company) -> None:
    company.provider.changes = {"email_verified": "true"}
    assert (await company.sign_in(company.browser())).status_code == 303


async def test_what_is_no_address_signs_nobody_in(company: Company) -> None:
    company.provider.metadata = {"userinfo_endpoint": None}
    for email in ("nobody", 7, "", "a@b@c"):
        company.provider.changes = {"email": email}
        await _refused(company, "has not verified your email address")


async def test_an_address_in_capitals_is_the_same(company: Company) -> None:
    company.provider.changes = {"email": company.provider.claims["email"].replace("example.org", "EXAMPLE.org")}
    assert (await company.sign_in(company.browser())).status_code == 303


async def test_the_address_may_be_at_userinfo(company: Company) -> None:
    company.provider.thin = True
    browser = company.browser()
    assert (await company.sign_in(browser)).status_code == 303
    assert await user_of(company.api.house, browser) == company.member.user_id
    company.provider.info = {"sub": "another"}
    await _refused(company, "does not prove who you are")


async def test_a_domain_that_the_provider_may_not_vouch_for_is_refused(company: Company) -> None:
    company.provider.changes = {"email": "ada@example.net"}
    await _refused(company, "whose address is in this domain")
    company.provider.changes = {"email": "ada@sub.example.org"}
    await _refused(company, "whose address is in this domain")


async def test_nobody_becomes_a_member_by_signing_in(company: Company) -> None:
    company.provider.changes = {"email": "stranger@example.com"}
    await _refused(company, "not a member of a team here")
    team = await company.api.house.services.people.team.list(company.api.house.caller)
    assert "stranger@example.com" not in [member.user.email for member in team.members]


async def test_members_of_other_tenants_are_not_signed_in_where_one_is_named() -> None:
    async with a_company(oidc_tenant="another") as company:
        await _refused(company, "not a member of a team here")


async def test_every_domain_can_be_allowed() -> None:
    async with a_company(oidc_domains="*") as company:
        company.provider.changes = {"email": "ada@example.net"}
        await _refused(company, "not a member of a team here")


async def test_a_code_works_once(company: Company) -> None:
    browser = company.browser()
    back = await company.led_back(browser)
    kept = dict(browser.cookies)
    assert (await browser.get(back)).status_code == 303
    again = await Browser(company.api, kept).get(back)
    assert again.status_code == 401
    assert "was already used" in again.text


async def test_the_answer_to_another_browser_signs_nobody_in(company: Company) -> None:
    """Somebody is made to open a link with which the sender would be signed in."""
    back = await company.led_back(company.browser())
    victim = company.browser()
    assert "Start again" in (await victim.get(back)).text
    await victim.get(BEGIN)
    assert "Start again" in (await victim.get(back)).text
    assert "contentgen_session" not in victim.cookies
    assert company.provider.paths.count("/token") == 0


async def test_a_cookie_that_we_did_not_sign_is_none(company: Company) -> None:
    browser = company.browser()
    back = await company.led_back(browser)
    for cookie in ("", "x", "W10.aa.bb", "." * 5_000):
        answer = await Browser(company.api, {"contentgen_open_id": cookie}).get(back)
        assert answer.status_code == 401
        assert "Start again" in answer.text


async def test_a_cookie_of_an_hour_ago_is_none(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = company.browser()
    back = await company.led_back(browser)
    monkeypatch.setattr("contentgen_adapters.open_id.requests.SECONDS", -1)
    assert "Start again" in (await browser.get(back)).text


async def test_what_the_provider_denies_is_told(company: Company) -> None:
    company.provider.denies = True
    refused = await company.sign_in(company.browser(), next="/console/articles")
    assert 'name="next" value="/console/articles"' in refused.text
    await _refused(company, "did not sign you in")


async def test_a_suspended_team_is_told(company: Company) -> None:
    await company.api.house.services.people.tenants.suspend(company.member.tenant_id)
    await _refused(company, "This team is suspended", 403)


async def test_whoever_has_several_teams_chooses_one(company: Company) -> None:
    house = company.api.house
    made = await house.services.people.tenants.create("Second <b>team</b>", PlanName.PRO)
    invited = await house.services.people.invite(made.caller, company.provider.claims["email"], Role.VIEWER)
    other = await house.services.people.accept_invitation(invited.token, "Ada")
    browser = company.browser()
    shown = await company.sign_in(browser)
    assert shown.status_code == 200
    assert "Second &lt;b&gt;team&lt;/b&gt;" in shown.text
    assert "contentgen_session" not in browser.cookies
    tokens = [part.partition('"')[0] for part in shown.text.split('name="token" value="')[1:]]
    assert len(tokens) == 2
    chosen = await browser.post("/console/sign-in/link", {"token": tokens[1]}, token=False)
    assert chosen.status_code == 303
    assert await user_of(house, browser) == other.user.id


async def test_new_keys_of_the_provider_are_fetched(company: Company) -> None:
    assert (await company.sign_in(company.browser())).status_code == 303
    assert (await company.sign_in(company.browser())).status_code == 303
    assert company.provider.paths.count("/jwks") == 1
    assert company.provider.paths.count("/.well-known/openid-configuration") == 1


async def test_a_provider_that_is_down_is_told(company: Company) -> None:
    company.provider.down = True
    answer = await company.browser().get(BEGIN)
    assert answer.status_code == 503
    assert "is not answering as expected" in answer.text


async def test_metadata_that_cannot_be_is_told(company: Company) -> None:
    wrong: list[dict[str, Any]] = [
        {"issuer": "https://another.example"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"token_endpoint": 7},
    ]
    for company.provider.metadata in wrong:
        assert "is not answering as expected" in (await company.browser().get(BEGIN)).text


async def test_private_addresses_that_metadata_names_are_not_called(company: Company) -> None:
    company.provider.metadata = {"token_endpoint": "http://127.0.0.1:1/token", "jwks_uri": "http://169.254.169.254/"}
    await _refused(company, "is not answering as expected", 503)


async def test_without_a_provider_there_is_no_such_way() -> None:
    async with open_api() as api:
        browser = Browser(api, {})
        assert BEGIN not in (await browser.get("/console/sign-in")).text
        assert (await browser.get(BEGIN)).status_code == 404
        assert (await browser.get(f"{BEGIN}/callback", params={"code": "x", "state": "y"})).status_code == 404


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"oidc_client_id": None}, "CONTENTGEN_OIDC_CLIENT_ID"),
        ({"oidc_domains": " , "}, "CONTENTGEN_OIDC_DOMAINS"),
        ({"oidc_issuer": "http://login.example.org", "allowed_private_hosts": ""}, "CONTENTGEN_OIDC_ISSUER"),
    ],
)
async def test_settings_that_cannot_be_are_named(company: Company, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(BadSetting, match=words):
        async with open_id_provider(settings(company.provider, **changes), company.api.house.clock):
            pass
