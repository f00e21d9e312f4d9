"""Which search the settings choose, and what happens when the premium one fails or dawdles."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from contentgen_adapters.memory.web_search import MemoryPage, MemoryWebSearch
from contentgen_adapters.shared.http import make_client
from contentgen_adapters.web_search.catalog import PROVIDERS, SETTINGS
from contentgen_adapters.web_search.fallback import FallbackSearch
from contentgen_core.errors import NotConfigured, ProviderFailed
from contentgen_core.ports.web_search import ConfiguredWebSearches, WebFindings, WebQuery
from contentgen_grounded.bootstrap.providers import web_search
from contentgen_grounded.settings import Settings, load
from contentgen_grounded.settings_in_force import table

STANDARD = MemoryWebSearch({"https://s.example/": MemoryPage("Standard", "heat")}, "standard")
PREMIUM = MemoryWebSearch({"https://p.example/": MemoryPage("Premium", "heat")}, "premium")
QUERY = WebQuery("heat")


class Failing:
    def __init__(self, provider: str, *, retryable: bool, retry_after: float | None = None) -> None:
        self.provider = provider
        self.retryable, self.retry_after = retryable, retry_after

    async def search(self, query: WebQuery) -> WebFindings:
        raise ProviderFailed(self.provider, "is away", retryable=self.retryable, retry_after=self.retry_after)


class Slow:
    provider = "slow"

    def __init__(self, gives: BaseException | None = None) -> None:
        self.cancelled = False
        self.gives = gives

    async def search(self, query: WebQuery) -> WebFindings:
        if self.gives:
            raise self.gives
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        raise AssertionError("nobody waits so long")


async def test_the_premium_search_answers_where_it_can() -> None:
    search = FallbackSearch(PREMIUM, STANDARD)
    findings = await search.search(QUERY)
    assert (search.provider, findings.provider) == ("premium", "premium")
    assert [result.url for result in findings.results] == ["https://p.example/"]


@pytest.mark.parametrize("retryable", [True, False])
async def test_the_standard_search_stands_in_for_a_failure(retryable: bool) -> None:
    search = FallbackSearch(Failing("premium", retryable=retryable), STANDARD)
    findings = await search.search(QUERY)
    assert (search.provider, findings.provider) == ("premium", "standard")


async def test_the_standard_search_stands_in_for_a_slow_one_which_is_given_up() -> None:
    slow = Slow()
    findings = await FallbackSearch(slow, STANDARD, seconds=0.01).search(QUERY)
    assert (findings.provider, slow.cancelled) == ("standard", True)


async def test_only_the_budgets_own_timeout_means_slow() -> None:
    with pytest.raises(TimeoutError, match="of something else"):
        await FallbackSearch(Slow(TimeoutError("of something else")), STANDARD).search(QUERY)


async def test_whoever_gives_up_waiting_ends_the_search() -> None:
    slow = Slow()
    task = asyncio.create_task(FallbackSearch(slow, STANDARD).search(QUERY))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert slow.cancelled


@pytest.mark.parametrize(
    ("premium", "standard", "retryable"),
    [(True, True, True), (True, False, True), (False, True, True), (False, False, False)],
)
async def test_both_failing_is_retryable_when_either_is(premium: bool, standard: bool, retryable: bool) -> None:
    search = FallbackSearch(
        Failing("premium", retryable=premium, retry_after=9.0), Failing("standard", retryable=standard, retry_after=4.0)
    )
    with pytest.raises(ProviderFailed) as raised:
        await search.search(QUERY)
    assert raised.value.retryable is retryable
    assert str(raised.value) == "standard: is away (before it, premium: is away)"
    waits = [wait for wait, counts in ((9.0, premium), (4.0, standard)) if counts]
    assert raised.value.retry_after == min(waits, default=None)


async def chosen(**environ: str) -> ConfiguredWebSearches:
    async with make_client(transport=httpx.MockTransport(lambda _: httpx.Response(500))) as client:
        return web_search(load({f"CONTENTGEN_{name}": value for name, value in environ.items()}), client)


def ids(searches: ConfiguredWebSearches) -> tuple[str | None, str | None]:
    standard, premium = searches.standard, searches.premium
    return standard and standard.provider, premium and premium.provider


KEYS = {
    "serper": {"SERPER_API_KEY": "k"},
    "brave": {"BRAVE_API_KEY": "k"},
    "tavily": {"TAVILY_API_KEY": "k"},
    "searxng": {"SEARXNG_BASE_URL": "http://127.0.0.1:8888"},
}


async def test_without_settings_there_is_no_search() -> None:
    assert ids(await chosen()) == (None, None)


@pytest.mark.parametrize("id", KEYS)
async def test_auto_takes_the_one_that_is_configured(id: str) -> None:
    assert ids(await chosen(**KEYS[id])) == (id, None)
    assert ids(await chosen(**KEYS[id], WEB_SEARCH=id)) == (id, None)


async def test_auto_takes_the_first_that_is_configured() -> None:
    assert ids(await chosen(**KEYS["searxng"], **KEYS["tavily"], **KEYS["brave"])) == ("brave", None)


async def test_a_named_one_wins_over_the_order() -> None:
    assert ids(await chosen(**KEYS["serper"], **KEYS["searxng"], WEB_SEARCH="searxng")) == ("searxng", None)


@pytest.mark.parametrize("id", KEYS)
async def test_a_named_one_that_is_not_configured_says_what_to_set(id: str) -> None:
    (name,) = KEYS[id]
    others = {k: v for other, keys in KEYS.items() if other != id for k, v in keys.items()}
    with pytest.raises(NotConfigured, match=f"Set CONTENTGEN_{name}"):
        await chosen(WEB_SEARCH=id, **others)


@pytest.mark.parametrize("address", ["localhost:8888", "ftp://x.example", "http://"])
async def test_an_address_that_is_none_is_said_at_the_start(address: str) -> None:
    with pytest.raises(NotConfigured, match="Set CONTENTGEN_SEARXNG_BASE_URL"):
        await chosen(SEARXNG_BASE_URL=address)
    with pytest.raises(NotConfigured, match="Set CONTENTGEN_BRAVE_BASE_URL"):
        await chosen(BRAVE_API_KEY="k", BRAVE_BASE_URL=address)


async def test_a_key_of_openai_brings_the_premium_search_with_the_standard_one_behind_it() -> None:
    searches = await chosen(OPENAI_API_KEY="k", **KEYS["serper"])
    assert ids(searches) == ("serper", "gpt_premium")
    assert isinstance(searches.premium, FallbackSearch)
    alone = await chosen(OPENAI_API_KEY="k")
    assert ids(alone) == (None, "gpt_premium")
    assert not isinstance(alone.premium, FallbackSearch)


async def test_a_server_of_ones_own_searches_only_with_a_model_that_is_named_for_it() -> None:
    own = {"OPENAI_BASE_URL": "http://127.0.0.1:8000/v1"}
    assert ids(await chosen(**own, OPENAI_API_KEY="k")) == (None, None)
    assert ids(await chosen(**own, PREMIUM_SEARCH_MODEL="m")) == (None, "gpt_premium")


async def test_a_premium_model_without_a_server_says_what_to_set() -> None:
    with pytest.raises(NotConfigured, match="Set CONTENTGEN_OPENAI_API_KEY"):
        await chosen(PREMIUM_SEARCH_MODEL="m")


def test_the_settings_that_are_named_exist() -> None:
    variables = {variable for variable, _, _ in table()}
    assert {provider.setting for provider in PROVIDERS} <= variables
    assert SETTINGS == (
        "CONTENTGEN_SERPER_API_KEY, CONTENTGEN_BRAVE_API_KEY, CONTENTGEN_TAVILY_API_KEY or CONTENTGEN_SEARXNG_BASE_URL"
    )
    assert Settings().web_search == "auto"
