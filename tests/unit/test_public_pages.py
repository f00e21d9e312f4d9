"""The radar, the widget and the keeping of ready answers."""

from __future__ import annotations

import asyncio
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from math import hypot
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_core.errors import NotFound, RateLimited
from contentgen_core.model.trend import Trend, TrendCategory
from contentgen_core.ports.repositories.trends import TrendPage
from contentgen_core.testing.runtime import ManualClock
from contentgen_core.use_cases.public.read_public import ShownTrends, rounded_down
from contentgen_http.public import representations, widget
from contentgen_http.public.addresses import wants_page
from contentgen_http.public.radar_picture import picture
from contentgen_http.public.representations import Representation, RepresentationCache, RepresentationResponse
from contentgen_http.server.client_addresses import ClientAddresses
from contentgen_http.server.concurrency_limit import RequestLimits
from contentgen_http.server.rate_limit import Limits
from contentgen_http.telemetry.context import Trace, put_trace, trace_of
from contentgen_http.wire.radar_layout import MOST_SECTORS, radar_points
from tests.support.http import Generous
from tests.support.public import EVIL, a_trend

TITLES = st.text(max_size=80) | st.just(EVIL)


@st.composite
def trend_lists(draw: st.DrawFn) -> list[Trend]:
    slugs = draw(st.lists(st.text("abc-", min_size=1, max_size=8), max_size=30, unique=True))
    return [
        a_trend(
            slug,
            draw(st.floats(0, 100)),
            title=draw(TITLES),
            niche_key=draw(st.sampled_from([f"niche-{n:02}" for n in range(20)])),
            category=draw(st.sampled_from(TrendCategory)),
        )
        for slug in slugs
    ]


def names(trends: list[Trend]) -> dict[str, str]:
    return {trend.niche_key: f"Niche <{trend.niche_key}>" for trend in trends}


@given(trend_lists(), st.randoms())
def test_a_place_depends_on_the_trends_and_not_on_their_order(trends: list[Trend], random: Any) -> None:
    places, sectors = radar_points(trends, names(trends))
    shuffled = list(trends)
    random.shuffle(shuffled)
    assert radar_points(shuffled, names(trends)) == (places, sectors)
    assert picture(*radar_points(shuffled, names(trends))) == picture(places, sectors)


@given(trend_lists())
def test_every_trend_lies_in_the_sector_of_its_niche_as_far_out_as_its_score_is_low(trends: list[Trend]) -> None:
    places, sectors = radar_points(trends, names(trends))
    assert sorted(place.number for place in places) == list(range(1, len(trends) + 1))
    assert len(sectors) <= MOST_SECTORS
    by_key = {key: (begin, end) for key, _, begin, end in sectors}
    for place in places:
        begin, end = by_key.get(place.trend.niche_key) or by_key[""]
        assert begin < place.angle < end
        assert place.distance == pytest.approx(1 - place.trend.score / 100)


@given(trend_lists())
def test_the_picture_is_well_formed_whatever_titles_are(trends: list[Trend]) -> None:
    svg = "{http://www.w3.org/2000/svg}"
    tree = ET.fromstring(picture(*radar_points(trends, names(trends))))
    assert tree.findtext(f"{svg}title") == "Trend radar"
    assert f"{len(trends)} trends" in (tree.findtext(f"{svg}desc") or "")
    dots = tree.findall(f"{svg}g")
    assert len(dots) == len(trends)
    assert {element.tag for element in tree.iter()} <= {
        f"{svg}{tag}" for tag in ("svg", "title", "desc", "style", "circle", "line", "text", "tspan", "g")
    }
    for dot in dots:
        circle = dot.find(f"{svg}circle")
        assert circle is not None
        assert hypot(float(circle.attrib["cx"]) - 510, float(circle.attrib["cy"]) - 400) <= 300.2


def test_the_higher_score_is_nearer_to_the_centre() -> None:
    places, _ = radar_points([a_trend("low", 10), a_trend("high", 90)], {"home-energy": "Home energy"})
    assert [place.trend.slug for place in sorted(places, key=lambda place: place.distance)] == ["high", "low"]


@given(TITLES, st.sampled_from(["auto", "light", "dark"]))
def test_no_text_becomes_markup_in_the_widget(text: str, theme: Any) -> None:
    source = evolve(a_trend("x").sources[0], publisher=text, url=f"https://example.org/{text}")
    trends = (a_trend("heat", title=text, sources=(source,)), a_trend("noise", title=text, sources=()))
    plain = widget.page(ShownTrends(TrendPage(trends, 2), {"home-energy": text}), theme)
    calm = tuple(evolve(trend, title="T") for trend in trends)
    reference = widget.page(ShownTrends(TrendPage(calm, 2), {"home-energy": "N"}), theme)
    assert plain.count("<") <= reference.count("<") + 2, "at most the link of a source's address"
    assert "<script" not in plain


@given(st.integers(0, 10**9))
def test_a_rounded_count_is_never_more_and_seldom_tells_of_one(count: int) -> None:
    rounded = rounded_down(count)
    assert rounded <= count
    assert count < 10 or rounded > count * 0.9 - 1
    assert rounded == rounded_down(rounded) or rounded < 10
    assert len(str(rounded).rstrip("0")) <= 2


@pytest.mark.parametrize(
    ("accept", "page"),
    [
        ("", False),
        ("*/*", False),
        ("text/*", False),
        ("text/html;q=0.001", True),
        ("TEXT/HTML ; Q=1", True),
        ("application/json,text/html", True),
        ("application/json,text/html;q=0.9", False),
        ("x" * 9999, False),
    ],
)
def test_pages_are_for_whoever_names_them(accept: str, page: bool) -> None:
    assert wants_page(accept) is page


class Time:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Kitchen:
    """Ready answers over a time that the test holds; `made` counts."""

    def __init__(self, limiter: Generous | None = None, max_bytes: int = 1_000) -> None:
        self.time, self.made = Time(), 0
        self.limiter = limiter or Generous()
        limits = Limits(self.limiter, ManualClock(), 1, MemoryUnitOfWork())
        self.answers = RepresentationCache(limits, ClientAddresses(()), RequestLimits.of(8), 2.0, max_bytes, self.time)
        self.gate: asyncio.Event | None = None
        self.fault: Exception | None = None

    async def ask(self, key: str = "k", size: int = 10, address: str = "192.0.2.1") -> RepresentationResponse:
        async def make() -> Representation:
            self.made += 1
            if self.gate is not None:
                await self.gate.wait()
            if self.fault is not None:
                raise self.fault
            return Representation.of(b"x" * size, "text/plain")

        scope = asked(key)
        scope |= {"client": (address, 1), "path_template": "/{key}"}
        request: Any = SimpleNamespace(scope=scope)
        return await self.answers.answer(request, key, make)

    async def ready(self, scope: Any) -> tuple[int, bytes] | None:
        """Status and body of what is sent without routing."""
        application, sent = self.answers.ready(scope), list[Any]()
        if application is None:
            return None

        async def send(message: Any) -> None:
            sent.append(message)

        await application(scope, None, send)  # type: ignore[arg-type]
        return sent[0]["status"], sent[1]["body"]


def asked(key: str, method: str = "GET", query: bytes = b"", headers: Sequence[tuple[bytes, bytes]] = ()) -> Any:
    scope = {"method": method, "raw_path": f"/{key}".encode(), "query_string": query, "headers": list(headers)}
    put_trace(scope, Trace("r"))
    return scope


async def test_an_answer_is_made_anew_when_its_time_is_over() -> None:
    kitchen = Kitchen()
    for now, made in ((0.0, 1), (1.99, 1), (2.0, 2), (3.9, 2), (4.1, 3)):
        kitchen.time.now = now
        await kitchen.ask()
        assert kitchen.made == made


async def test_the_time_of_an_answer_begins_before_it_is_made() -> None:
    kitchen = Kitchen()
    kitchen.gate = asyncio.Event()
    asking = asyncio.create_task(kitchen.ask())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    kitchen.time.now = 1.5
    kitchen.gate.set()
    await asking
    kitchen.time.now = 2.1
    await kitchen.ask()
    assert kitchen.made == 2


async def test_those_who_come_together_wait_for_one() -> None:
    kitchen = Kitchen()
    kitchen.gate = asyncio.Event()
    asking = [asyncio.create_task(kitchen.ask()) for _ in range(50)]
    await asyncio.sleep(0.01)
    asking[0].cancel()
    kitchen.gate.set()
    answers = await asyncio.gather(*asking, return_exceptions=True)
    assert kitchen.made == 1, "also when the first one went away"
    assert sum(isinstance(answer, RepresentationResponse) for answer in answers) == 49


async def test_a_failure_is_everybodys_and_is_not_kept() -> None:
    kitchen = Kitchen()
    kitchen.fault = NotFound("trend", "x")
    answers = await asyncio.gather(*(kitchen.ask() for _ in range(3)), return_exceptions=True)
    assert [type(answer) for answer in answers] == [NotFound] * 3
    kitchen.fault = None
    assert isinstance(await kitchen.ask(), RepresentationResponse)


async def test_whoever_waits_is_not_refused_for_another() -> None:
    class OneRefused(Generous):
        async def take(self, subject: str, per_minute: int) -> Any:
            await asyncio.sleep(0.01)
            if "192.0.2.66" in subject:
                self.allowed, allowed = 0, self.allowed
                try:
                    return await super().take(subject, per_minute)
                finally:
                    self.allowed = allowed
            return await super().take(subject, per_minute)

    kitchen = Kitchen(OneRefused())
    flooding, other = await asyncio.gather(
        kitchen.ask(address="192.0.2.66"), kitchen.ask(address="192.0.2.1"), return_exceptions=True
    )
    assert isinstance(flooding, RateLimited)
    assert isinstance(other, RepresentationResponse)


async def test_what_is_kept_is_bounded_and_the_least_used_goes_first() -> None:
    kitchen = Kitchen(max_bytes=100)
    for key in ("a", "b", "a", "c"):
        await kitchen.ask(key, 40)
    assert (kitchen.answers._bytes, list(kitchen.answers._entries)) == (80, ["a", "c"])
    await kitchen.ask("huge", 101)
    assert "huge" not in kitchen.answers._entries
    assert kitchen.answers._bytes == 80


async def test_what_is_ready_is_sent_without_routing() -> None:
    kitchen = Kitchen()
    assert await kitchen.ready(asked("k")) is None
    await kitchen.ask("k")
    scope = asked("k", headers=[(b"user-agent", b"any")])
    assert await kitchen.ready(scope) == (200, b"x" * 10)
    assert scope["path_template"] == "/{key}"
    assert trace_of(scope).headers == ((b"access-control-allow-origin", b"*"),)
    kitchen.time.now = 2.0
    assert await kitchen.ready(asked("k")) is None
    assert kitchen.made == 1


async def test_who_has_what_is_ready_is_told_so() -> None:
    kitchen = Kitchen()
    etag = (await kitchen.ask("k"))._representation.etag
    assert await kitchen.ready(asked("k", headers=[(b"if-none-match", etag)])) == (304, b"")


@pytest.mark.parametrize(
    "other",
    [
        {"key": "K"},
        {"method": "HEAD"},
        {"method": "POST"},
        {"query": b"format=html"},
        {"headers": [(b"accept", b"text/html")]},
        {"headers": [(b"host", b"not a host")]},
    ],
    ids=str,
)
async def test_what_is_asked_in_other_words_is_routed(other: dict[str, Any]) -> None:
    kitchen = Kitchen()
    await kitchen.ask("k")
    assert await kitchen.ready(asked(**{"key": "k", **other})) is None


async def test_words_that_are_remembered_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(representations, "MAX_TARGETS", 2)
    kitchen = Kitchen()
    for key in ("a", "b", "c", "x" * (representations.MAX_TARGET + 1)):
        await kitchen.ask(key)
    assert [await kitchen.ready(asked(key)) is not None for key in ("a", "b", "c")] == [False, True, True]
    assert len(kitchen.answers._targets) == 2
