"""Trends, as everybody may read them, on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.model import trend as model
from contentgen_core.model.trend import TrendCategory
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.trends import TrendQuery
from contentgen_core.use_cases.public.read_public import ShownTrend, ShownTrends, Statistics, TopNiche
from contentgen_http.wire.base import Answer, AnswerOf, Query
from contentgen_http.wire.radar_layout import RadarPoint

MAX_LIMIT = 100
MAX_IN_WIDGET = 20

NicheKey = Annotated[
    Annotated[str, Meta(max_length=100)] | UnsetType, Meta(description="Only trends of this niche.", examples=["ai"])
]


Format = Annotated[
    Literal["json", "html"] | UnsetType,
    Meta(description="A page or its data; unset: what Accept prefers, which is the data in a draw."),
]


class TrendSource(AnswerOf[model.TrendSource], kw_only=True):
    """A page that speaks of the trend. Its text is not passed on."""

    url: Annotated[str, Meta(description="Its address.")]
    title: Annotated[str, Meta(description="Its title.")]
    publisher: Annotated[str, Meta(description="Who published it; sources of one publisher count as one.")]
    category: Annotated[TrendCategory, Meta(description="What kind of source it is.")]
    published_at: Annotated[datetime, Meta(description="When it was published (UTC).")]
    excerpt: Annotated[str | UnsetType, Meta(description="A sentence or two of it.")] = UNSET
    engagement: Annotated[int | UnsetType, Meta(description="Comments, points or shares that the source reports.")] = (
        UNSET
    )

    @classmethod
    def of(cls, source: model.TrendSource) -> TrendSource:
        return cls.copy_from(source, excerpt=source.excerpt or None)


class TrendPoint(AnswerOf[model.TrendPoint], kw_only=True):
    """What the trend was at one time."""

    at: Annotated[datetime, Meta(description="When (UTC).")]
    score: Annotated[float, Meta(description="Its score then, 0-100.")]
    sources: Annotated[int, Meta(description="How many sources it had.")]

    @classmethod
    def of(cls, point: model.TrendPoint) -> TrendPoint:
        return cls.copy_from(point, score=round(point.score, 1))


class Trend(AnswerOf[ShownTrend], kw_only=True):
    """A topic that several sources speak of now. Lists leave out sources and history."""

    slug: Annotated[str, Meta(description="Its name in addresses.", examples=["small-language-models"])]
    title: Annotated[str, Meta(description="Its title.")]
    summary: Annotated[str, Meta(description="What it is about.")]
    niche_key: Annotated[str, Meta(description="Key of its niche.", examples=["home-energy"])]
    niche_name: Annotated[str, Meta(description="Name of its niche.", examples=["Home energy"])]
    category: Annotated[TrendCategory, Meta(description="What kind of sources speak of it most.")]
    language: Annotated[Language, Meta(description="The language of its title and summary.")]
    score: Annotated[float, Meta(description="From 0 to 100.", examples=[71.5])]
    source_count: Annotated[int, Meta(description="How many sources it has.")]
    publisher_count: Annotated[int, Meta(description="How many publishers they are of.")]
    clicks: Annotated[int, Meta(description="How often visitors followed it, each once a day.")]
    sample: Annotated[bool, Meta(description="Whether it is an invented one of the demo.")]
    first_seen_at: Annotated[datetime, Meta(description="When it was first seen (UTC).")]
    last_seen_at: Annotated[datetime, Meta(description="When a source last spoke of it (UTC).")]
    updated_at: Annotated[datetime, Meta(description="When it was last looked at (UTC).")]
    sources: Annotated[list[TrendSource] | UnsetType, Meta(description="Its sources, the newest first.")] = UNSET
    history: Annotated[list[TrendPoint] | UnsetType, Meta(description="Its scores, the oldest first.")] = UNSET

    @classmethod
    def summary_of(cls, trend: model.Trend, niche_name: str) -> Trend:
        return cls.copy_from(
            trend,
            niche_name=niche_name,
            score=round(trend.score, 1),
            source_count=len(trend.sources),
            publisher_count=trend.publishers,
            sources=UNSET,
            history=UNSET,
        )

    @classmethod
    def of(cls, shown: ShownTrend) -> Trend:
        trend = shown.trend
        return cls.copy_from(cls.summary_of(trend, shown.niche_name), sources=trend.sources, history=trend.history)


class TrendList(AnswerOf[ShownTrends], kw_only=True):
    """Trends, the highest scores first."""

    trends: Annotated[list[Trend], Meta(description="The trends.")]
    total: Annotated[int, Meta(description="How many there are beyond the limit too.")]

    @classmethod
    def of(cls, shown: ShownTrends) -> TrendList:
        return cls(
            trends=[Trend.summary_of(trend, shown.names[trend.niche_key]) for trend in shown.page.trends],
            total=shown.page.total,
        )


class TrendQueryParameters(Query, kw_only=True):
    niche_key: NicheKey = UNSET
    limit: Annotated[int, Meta(ge=1, le=MAX_LIMIT, description="How many at most.")] = 20

    def to_query(self) -> TrendQuery:
        return TrendQuery(limit=self.limit, niche_key=self.niche_key or None)


class TrendParameters(Query, kw_only=True):
    format: Format = UNSET


class RadarQuery(TrendQueryParameters, kw_only=True):
    limit: Annotated[int, Meta(ge=1, le=MAX_LIMIT, description="How many at most.")] = 40
    format: Annotated[
        Literal["json", "html", "svg"] | UnsetType,
        Meta(description="svg: a picture; html: a page with it; unset: the page where Accept prefers it, else data."),
    ] = UNSET


class RadarTrend(Trend, kw_only=True):
    """A trend and its place on the radar, without sources and history."""

    number: Annotated[int, Meta(description="Its number in the picture; the highest score is 1.")]
    angle: Annotated[float, Meta(description="Degrees clockwise from the top; a niche is a sector.")]
    distance: Annotated[float, Meta(description="From the centre (0, a score of 100) to the edge (1, a score of 0).")]

    @classmethod
    def from_place(cls, place: RadarPoint) -> RadarTrend:
        trend = Trend.summary_of(place.trend, place.niche_name)
        return cls.copy_from(trend, number=place.number, angle=round(place.angle, 2), distance=round(place.distance, 4))


class RadarNiche(Answer, kw_only=True):
    """A sector of the radar."""

    niche_key: Annotated[str, Meta(description="Key of the niche.")]
    name: Annotated[str, Meta(description="Its name.")]
    from_angle: Annotated[float, Meta(description="Where its sector begins, in degrees clockwise from the top.")]
    to_angle: Annotated[float, Meta(description="Where it ends.")]

    @classmethod
    def from_place(cls, sector: tuple[str, str, float, float]) -> RadarNiche:
        key, name, begin, end = sector
        return cls(niche_key=key, name=name, from_angle=round(begin, 2), to_angle=round(end, 2))


class Radar(Answer, kw_only=True):
    """Trends by niche and score."""

    trends: Annotated[list[RadarTrend], Meta(description="The trends, the highest scores first.")]
    niches: Annotated[list[RadarNiche], Meta(description="The sectors.")]
    total: Annotated[int, Meta(description="How many trends there are beyond the limit too.")]

    @classmethod
    def from_places(cls, places: list[RadarPoint], sectors: list[tuple[str, str, float, float]], total: int) -> Radar:
        return cls(
            trends=[RadarTrend.from_place(place) for place in places],
            niches=[RadarNiche.from_place(sector) for sector in sectors],
            total=total,
        )


class WidgetQuery(TrendQueryParameters, kw_only=True):
    limit: Annotated[int, Meta(ge=1, le=MAX_IN_WIDGET, description="How many at most.")] = 5
    format: Annotated[Literal["json", "html"], Meta(description="html: a page to put into a frame.")] = "json"
    theme: Annotated[
        Literal["auto", "light", "dark"], Meta(description="Its colours; auto: as the reader's system has them.")
    ] = "auto"


class WidgetTrend(Answer, kw_only=True):
    """What a small list shows of a trend."""

    slug: Annotated[str, Meta(description="Its name in addresses.")]
    title: Annotated[str, Meta(description="Its title.")]
    niche_name: Annotated[str, Meta(description="Name of its niche.")]
    category: Annotated[TrendCategory, Meta(description="What kind of sources speak of it most.")]
    score: Annotated[int, Meta(description="From 0 to 100.")]
    url: Annotated[str | UnsetType, Meta(description="Address of its newest source.")] = UNSET
    publisher: Annotated[str | UnsetType, Meta(description="Who published that.")] = UNSET
    sample: Annotated[bool, Meta(description="Whether it is an invented one of the demo.")]

    @classmethod
    def of(cls, trend: model.Trend, niche_name: str) -> WidgetTrend:
        newest = trend.sources[0] if trend.sources else None
        return cls.copy_from(
            trend,
            niche_name=niche_name,
            score=round(trend.score),
            url=UNSET if newest is None else newest.url,
            publisher=UNSET if newest is None else newest.publisher,
        )


class WidgetTrends(AnswerOf[ShownTrends], kw_only=True):
    """A small list of trends."""

    trends: Annotated[list[WidgetTrend], Meta(description="The trends, the highest scores first.")]
    total: Annotated[int, Meta(description="How many there are beyond the limit too.")]

    @classmethod
    def of(cls, shown: ShownTrends) -> WidgetTrends:
        return cls(
            trends=[WidgetTrend.of(trend, shown.names[trend.niche_key]) for trend in shown.page.trends],
            total=shown.page.total,
        )


class TopNichesQuery(Query, kw_only=True):
    limit: Annotated[int, Meta(ge=1, le=MAX_LIMIT, description="How many at most.")] = 10


class TopNicheAnswer(Answer, kw_only=True, rename="camel"):
    """A niche and what is going on in it."""

    niche_key: Annotated[str, Meta(description="Its key.", examples=["home-energy"])]
    name: Annotated[str, Meta(description="Its name.", examples=["Home energy"])]
    trends: Annotated[int, Meta(description="How many trends it has.")]
    score: Annotated[float, Meta(description="The sum of their scores.")]
    highest_score: Annotated[float, Meta(description="The highest of their scores.")]


class TopNiches(Answer, kw_only=True):
    """Niches by the sum of their trends' scores, the highest first."""

    niches: Annotated[list[TopNicheAnswer], Meta(description="The niches.")]
    total: Annotated[int, Meta(description="How many niches have trends.")]

    @classmethod
    def of(cls, niches: list[TopNiche], total: int) -> TopNiches:
        return cls(
            niches=[
                TopNicheAnswer(
                    niche_key=niche.trends.niche_key,
                    name=niche.name,
                    trends=niche.trends.trends,
                    score=round(niche.trends.sum, 1),
                    highest_score=round(niche.trends.highest, 1),
                )
                for niche in niches
            ],
            total=total,
        )


class PublicStatistics(AnswerOf[Statistics], kw_only=True):
    """How much there is."""

    articles: Annotated[int, Meta(description="Articles written on the platform, rounded down to two digits.")]
    public_articles: Annotated[int, Meta(description="Articles that everybody may read.")]
    trends: Annotated[int, Meta(description="Trends.")]
    niches: Annotated[int, Meta(description="Niches that have trends.")]
    languages: Annotated[int, Meta(description="Languages of the public articles.")]
