"""Charts and rows of the pages of insight."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Final

from attrs import frozen

from contentgen_core.model.writing import FiguresBy, StageRecord, WritingFigures
from contentgen_core.use_cases.insight.read_insights import Insights
from contentgen_http.console.charts import Chart, Point, bar_chart
from contentgen_http.texts import Texts

BREAK: Final = timedelta(seconds=1)
"""A pause between stages that is left out of the picture: the job, or a person, had something else to do."""
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_COLUMNS: Final = (
    "written", "failed", "words", "coverage", "support", "inputTokens", "outputTokens", "cost", "currency",
    "cachedTokens",
)  # fmt: skip


@frozen
class ShownChart:
    """`name`: the id of its title's text; `chart`: None where nothing is known at all."""

    name: str
    chart: Chart | None


def charts(insights: Insights, texts: Texts) -> list[ShownChart]:
    """A picture for each figure of the months."""
    currency = main_currency(insights.total)

    def cost(figures: WritingFigures) -> float | None:
        return float(amount_of(figures, currency)) if currency else None

    def shown(
        name: str,
        value: Callable[[WritingFigures], float | None],
        figure: Callable[[float], str],
        most: float | None = None,
        *,
        whole: bool = False,
    ) -> ShownChart:
        points = []
        for month, figures in insights.months:
            found = value(figures)
            words = texts("insight-unknown") if found is None else figure(found)
            points.append(Point(texts.short_month(month), found, f"{texts.month(month)}: {words}"))
        known = any(point.value is not None for point in points)
        return ShownChart(name, bar_chart(points, figure, most, whole=whole) if known else None)

    return [
        shown("articles", lambda figures: figures.written, texts.compact, whole=True),
        shown("words", lambda figures: figures.words, texts.compact, whole=True),
        shown("coverage", lambda figures: figures.mean_coverage, lambda value: texts.number(round(value, 1)), 100),
        shown("support", lambda figures: figures.support, texts.percent, 1),
        shown("tokens", lambda figures: figures.tokens, texts.compact, whole=True),
        shown("cost", cost, lambda value: texts.money(Decimal(str(value)), currency or "")),
    ]


def main_currency(figures: WritingFigures) -> str | None:
    """That of the largest sum; None where no price is known."""
    return max(figures.costs, key=lambda cost: cost.micros).currency if figures.costs else None


def amount_of(figures: WritingFigures, currency: str) -> Decimal:
    """In units of this currency."""
    return next((cost.amount for cost in figures.costs if cost.currency == currency), Decimal(0))


def costs_in_words(figures: WritingFigures, texts: Texts) -> str:
    """All sums; where no price is known a dash."""
    return " + ".join(texts.money(cost.amount, cost.currency) for cost in figures.costs) or "–"


def table(insights: Insights) -> str:
    """CSV of the parts, or of the months where there are none: figures as they are, not as a language writes them."""
    by = insights.by
    rows = insights.parts if by is not FiguresBy.MONTH else [(m.isoformat(), figures) for m, figures in insights.months]
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow((by.value, *_COLUMNS))
    for key, figures in rows:
        for line in _lines(figures):
            writer.writerow((_harmless(key), *line))
    return out.getvalue()


def _lines(figures: WritingFigures) -> Iterator[tuple[object, ...]]:
    """One, and one more for each further currency."""
    known = (
        figures.written,
        figures.failed,
        figures.words,
        "" if figures.mean_coverage is None else round(figures.mean_coverage, 2),
        "" if figures.support is None else round(figures.support, 4),
        figures.input_tokens,
        figures.output_tokens,
    )
    first, *others = figures.costs or (None,)
    yield (*known, *((first.amount, first.currency) if first else ("", "")), figures.cached_tokens)
    for cost in others:
        if cost is not None:
            yield (*("" for _ in known), cost.amount, cost.currency, "")


def _harmless(text: str) -> str:
    """Not read as a formula by programs for tables."""
    return f"'{text}" if text.startswith(_FORMULA) else text


@frozen
class ShownStage:
    """A stage with its place on the axis of working time, in hundredths of it."""

    record: StageRecord
    start: float
    width: float


@frozen
class ShownTrace:
    """`work`: how long somebody worked on the article, pauses left out; `passed`: from the first stage to the end of
    the last one."""

    stages: Sequence[ShownStage]
    work: timedelta
    passed: timedelta


def shown_trace(stages: Sequence[StageRecord]) -> ShownTrace:
    """The stages on one axis, from which the pauses between them are left out."""
    if not stages:
        return ShownTrace((), timedelta(), timedelta())
    ordered = sorted(stages, key=lambda stage: stage.started_at)
    first, end, left_out = ordered[0].started_at, ordered[0].started_at, timedelta()
    places: list[tuple[StageRecord, timedelta, timedelta]] = []
    for stage in ordered:
        if stage.started_at - end > BREAK:
            left_out += stage.started_at - end
        took = timedelta(seconds=stage.seconds)
        places.append((stage, stage.started_at - first - left_out, took))
        end = max(end, stage.started_at + took)
    work = end - first - left_out
    whole = work.total_seconds() or 1.0
    shown = [
        ShownStage(stage, 100 * start.total_seconds() / whole, 100 * took.total_seconds() / whole)
        for stage, start, took in places
    ]
    return ShownTrace(shown, work, end - first)
