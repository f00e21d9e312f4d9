"""The page reader without a network: rules of robots.txt, host throttle, content coding, addresses, hidden text."""

from __future__ import annotations

import asyncio
import gzip
import time
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.pages.addresses import address_of_page
from contentgen_adapters.pages.fetching import Answer, FetchFailed
from contentgen_adapters.pages.host_throttle import HostThrottle
from contentgen_adapters.pages.reader import FetchPolicy
from contentgen_adapters.pages.robots import LIFETIME, LIFETIME_OF_FAILURE, MAX_CRAWL_DELAY, Robots, Rules, parse
from contentgen_adapters.shared.content_coding import ContentDecoder, CorruptBody, UnsupportedContentCoding
from contentgen_adapters.shared.parsing.consent import asks_for_consent
from contentgen_adapters.shared.parsing.html import read_page
from contentgen_adapters.shared.parsing.visible import without_invisible
from contentgen_adapters.shared.text.tracking import strip_tracking
from contentgen_core.page_errors import PageFault

SITE = "https://example.com"


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)


def rules(text: str, *tokens: str) -> Rules:
    names = tokens or ("contentgen",)
    return Rules(parse(text.encode(), names), names)


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("", "/a", True),
        ("User-agent: *\nDisallow: /", "/a", False),
        ("User-agent: *\nDisallow: /\nUser-agent: ContentGen\nDisallow:", "/a", True),
        ("User-agent: contentgen/1.0\nUser-agent: contentgen\nDisallow: /a", "/a", False),
        ("User-agent: otherbot\nDisallow: /", "/a", True),
        ("User-agent: otherbot\nUser-agent: *\nDisallow: /", "/a", False),
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("User-agent: *\nDisallow: /*.php$", "/x/y.php", False),
        ("User-agent: *\nDisallow: /*.php$", "/x/y.php?z", True),
        ("\ufeffUser-agent: *\r\nDisallow: /a # not this\r\n", "/a", False),
        ("<html><body>Not found</body></html>", "/a", True),
    ],
)
def test_rules_are_those_of_our_name_else_of_everybody(text: str, path: str, allowed: bool) -> None:
    assert rules(text).allow(SITE + path) is allowed


def test_another_name_does_not_get_around_the_rules_for_ours() -> None:
    tokens = FetchPolicy(user_agent="AcmeReader/2.0 (+https://acme.example)").tokens
    assert tokens == ("contentgen", "AcmeReader")
    for name in tokens:
        assert not rules(f"User-agent: {name}\nDisallow: /", *tokens).allow(f"{SITE}/a")


def test_the_wish_for_a_pause_is_bounded() -> None:
    assert rules("User-agent: *\nCrawl-delay: 2.5").crawl_delay == 2.5
    assert rules("User-agent: *\nCrawl-delay: 86400").crawl_delay == MAX_CRAWL_DELAY
    assert rules("User-agent: *\nCrawl-delay: -3").crawl_delay == 0.0
    assert rules("").crawl_delay == 0.0


def test_rules_made_to_be_slow_are_read_in_a_moment() -> None:
    groups = "".join(f"User-agent: bot{n}\n" for n in range(5_000)) + "Disallow: /x\n" * 20_000
    stars = "User-agent: *\nDisallow: /" + "*a" * 2_000 + "$\n"
    begun = time.monotonic()
    assert rules(groups + stars).allow(f"{SITE}/{'a' * 1_800}b")
    assert time.monotonic() - begun < 5


@given(st.text(max_size=300))
def test_any_text_is_read_as_rules(text: str) -> None:
    assert rules(text).allow(f"{SITE}/robots.txt")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("User-agent: *\n" + "".join(f"Disallow: /p{n}\n" for n in range(30_000)), "q"),
        ("User-agent: *\n" + "".join(f"Disallow: /*a*a*a*{n}b\n" for n in range(20_000)), "a" * 1_500),
        ("User-agent: *\nDisallow: /" + "*a" * 1_900 + "$\n", "a" * 1_500 + "b"),
        ("User-agent: *\nDisallow: /" + "*a" * 30 + "*c\n", "b" + "ac" * 30 + "d"),
        ("".join(f"User-agent: contentgen\nUser-agent: *\nDisallow: /{n}\n" for n in range(9_000)), "q"),
        ("User-agent: c\n" * 40_000 + "Disallow: /x\n", "q"),
    ],
    ids=["rules", "wildcards", "long", "back and forth", "groups", "names"],
)
def test_no_robots_txt_takes_long(text: str, path: str) -> None:
    started = time.process_time()
    read = rules(text)
    parsed = time.process_time()
    read.allow(f"{SITE}/{path}")
    assert parsed - started < 3  # a tenth of it on an idle machine
    assert time.process_time() - parsed < 1


async def test_rules_are_believed_for_an_hour_and_a_failure_for_a_minute() -> None:
    clock, asked = Time(), list[str]()
    answers: list[Answer | FetchFailed] = [
        FetchFailed(PageFault.TOO_SLOW, "slow", retryable=True),
        Answer(200, b"User-agent: *\nDisallow: /a"),
        Answer(404),
    ]

    async def get(url: str) -> Answer:
        asked.append(url)
        answer = answers[len(asked) - 1]
        if isinstance(answer, FetchFailed):
            raise answer
        return answer

    robots = Robots(get, monotonic=clock)
    for _ in range(3):
        with pytest.raises(FetchFailed, match="slow"):
            await robots.of(SITE)
    clock.now += LIFETIME_OF_FAILURE
    for _ in range(3):
        assert not (await robots.of(SITE)).allow(f"{SITE}/a")
    clock.now += LIFETIME
    assert (await robots.of(SITE)).allow(f"{SITE}/a")
    assert asked == [f"{SITE}/robots.txt"] * 3


async def test_few_sites_are_remembered() -> None:
    asked: list[str] = []

    async def get(url: str) -> Answer:
        asked.append(url)
        return Answer(404)

    robots = Robots(get, max_sites=2)
    for number in (1, 2, 3, 3, 2, 1):
        await robots.of(f"https://{number}.example.com")
    assert len(asked) == 4, "the first was forgotten when the third came"


async def test_a_host_is_called_once_at_a_time_with_a_pause_and_others_meanwhile() -> None:
    clock, calls = Time(), list[tuple[float, str]]()
    throttle = HostThrottle(clock, clock.sleep)

    async def call(host: str) -> None:
        async with throttle.of(host, 1.0, 60.0):
            calls.append((clock.now, host))

    await asyncio.gather(call("a"), call("b"), call("a"), call("a"))
    assert [at for at, host in calls if host == "a"] == [0.0, 1.0, 2.0]
    assert next(at for at, host in calls if host == "b") == 0.0


async def test_who_waits_too_long_for_a_turn_is_told_and_who_fails_gives_it_back() -> None:
    throttle = HostThrottle()

    async def call(failing: bool) -> None:
        async with throttle.of("a", 0.0, 0.01):
            if failing:
                raise ZeroDivisionError

    async with throttle.of("a", 0.0, 1.0):
        with pytest.raises(FetchFailed) as caught:
            await call(failing=False)
    with pytest.raises(ZeroDivisionError):
        await call(failing=True)
    assert (caught.value.reason, caught.value.retryable) == (PageFault.TOO_SLOW, True)
    await call(failing=False)


async def test_a_host_that_somebody_waits_for_is_not_forgotten() -> None:
    throttle = HostThrottle(max_hosts=1)
    async with throttle.of("a", 0.0, 1.0):
        async with throttle.of("b", 0.0, 1.0):
            pass
        with pytest.raises(FetchFailed):
            async with throttle.of("a", 0.0, 0.01):
                pass


@given(st.binary(max_size=5_000), st.integers(1, 700), st.sampled_from(["", "identity", "gzip", "deflate", "bare"]))
def test_what_was_packed_comes_out_however_it_was_cut(data: bytes, step: int, coding: str) -> None:
    bare = zlib.compressobj(wbits=-15)
    encoded = {
        "gzip": gzip.compress(data), "deflate": zlib.compress(data), "bare": bare.compress(data) + bare.flush(),
    }.get(coding, data)  # fmt: skip
    if coding == "bare" and encoded[0] & 0x0F == 8 and int.from_bytes(encoded[:2]) % 31 == 0:
        return  # looks like the format with a header, for any reader
    decoder = ContentDecoder("deflate" if coding == "bare" else coding)
    step = max(step, 2)
    out = b"".join(p for at in range(0, len(encoded), step) for p in decoder.decode(encoded[at : at + step]))
    decoder.finish()
    assert out == data


def test_a_bomb_comes_in_pieces_that_one_need_not_ask_for() -> None:
    decoder = ContentDecoder("gzip")
    pieces = decoder.decode(gzip.compress(bytes(50_000_000)))
    assert [len(next(pieces)) for _ in range(3)] == [262_144] * 3


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "compress", "x" * 5_000])
def test_a_packing_that_was_not_asked_for_is_refused(encoding: str) -> None:
    with pytest.raises(UnsupportedContentCoding):
        ContentDecoder(encoding)


@pytest.mark.parametrize(
    "body", [b"no gzip at all", gzip.compress(b"text" * 99, mtime=0)[:-9]], ids=["none", "cut off"]
)
def test_a_damaged_body_is_told(body: bytes) -> None:
    def read() -> None:
        decoder = ContentDecoder("gzip")
        list(decoder.decode(body))
        decoder.finish()

    with pytest.raises(CorruptBody):
        read()


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://Example.com/a?utm_source=x&id=7&UTM_Medium=y#part", "https://example.com/a?id=7"),
        ("https://example.com?fbclid=1", "https://example.com/"),
        ("https://example.com/a?gclid=1&b=%20c&b=d&empty=", "https://example.com/a?b=%20c&b=d&empty="),
        ("https://example.com/a?source=wire&ref=12&page=2", "https://example.com/a?source=wire&ref=12&page=2"),
        ("https://example.com/a?mc_cid=1&_hsenc=2&msclkid=3&ttclid=4", "https://example.com/a"),
    ],
)
def test_tracking_parameters_go_and_the_rest_stays_in_its_order(url: str, kept: str) -> None:
    assert strip_tracking(url) == kept
    assert strip_tracking(kept) == kept


@pytest.mark.parametrize(
    ("canonical", "address"),
    [
        ("https://www.example.com/a", "https://www.example.com/a"),
        ("http://m.example.com/a?utm_source=x", "http://m.example.com/a"),
        ("https://example.com/", "https://example.com/a?page=2"),
        ("https://example.com.evil.org/a", "https://example.com/a?page=2"),
        ("https://sub.example.com/a", "https://example.com/a?page=2"),
        ("https://user@example.com/b", "https://example.com/a?page=2"),
        ("https://example.com:99999/b", "https://example.com/a?page=2"),
        (None, "https://example.com/a?page=2"),
    ],
)
def test_a_page_names_its_address_on_its_own_site_only(canonical: str | None, address: str) -> None:
    assert address_of_page("https://example.com/a?page=2&gclid=x", canonical) == address


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=200))
def test_nothing_invisible_is_left_and_nothing_visible_lost(text: str) -> None:
    seen = without_invisible(text)
    assert not set(seen) & set("\u200b\u202e\u2066\ufeff\u00ad\U000e0041\x00\x1b")
    assert [c for c in seen if c.isalnum()] == [c for c in text if c.isalnum() and c not in "\u3164\uffa0\u115f\u1160"]
    assert without_invisible(seen) == seen


def test_a_message_in_variation_selectors_is_gone_and_an_emoji_stays() -> None:
    smuggled = "😀" + "".join(chr(0xE0100 + b) for b in b"obey me")
    assert len(without_invisible(smuggled)) <= 2
    assert without_invisible("🏳\ufe0f\u200d🌈 葛\U000e0100") == "🏳\ufe0f\u200d🌈 葛\U000e0100"


@pytest.mark.parametrize("page", ["<body" * 100_000, "<title " * 70_000, "<html><body>" + "<div>" * 20_000 + "x"])
def test_a_page_of_torn_tags_is_read_in_a_moment(page: str) -> None:
    begun = time.monotonic()
    assert isinstance(read_page(page).text, str)
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize(
    "text",
    [
        "We use cookies to improve your experience. Accept all?", "Ce site utilise des cookies. Tout refuser",
        "Utilizamos cookies propias. Puede aceptarlas o rechazarlas.", "Używamy plików cookie. Akceptuję",
        "Мы используем файлы cookie. Принять все", "当サイトはクッキーを使用します。同意する",
        "本网站使用 Cookie。接受全部",
        "웹사이트는 쿠키를 사용합니다. 동의", "نستخدم ملفات تعريف الارتباط. قبول الكل",
    ],
)  # fmt: skip
def test_a_request_for_consent_is_known_in_many_languages(text: str) -> None:
    assert asks_for_consent(text)


@pytest.mark.parametrize(
    "text", ["Bake the cookies for ten minutes.", "The board accepted the offer.", "Cookies were invented in 1994."]
)
def test_an_ordinary_sentence_asks_for_no_consent(text: str) -> None:
    assert not asks_for_consent(text)
