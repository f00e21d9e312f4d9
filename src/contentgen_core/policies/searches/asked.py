"""Build the queries of a period and of the one before, from the reports of a niche."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from contentgen_core.model.search_demand import Figures
from contentgen_core.model.search_report import Period, ReportAbout, SearchFigures, SearchReport
from contentgen_core.policies.searches.grouping import sum_figures


@frozen
class Chosen:
    """The reports to compare: `now` and `before` are of the same kind, so that what one counts the other counts;
    `pages`: that of the present period which names queries and pages."""

    now: SearchReport
    before: SearchReport | None
    pages: SearchReport | None

    @property
    def periods(self) -> tuple[Period, Period | None]:
        return self.now.period, None if self.before is None else self.before.period


def chosen_reports(reports: Sequence[SearchReport]) -> Chosen | None:
    """The newest period that names queries, and the newest that ended before it; figures of queries rather than of
    queries and pages, which count a search twice where it showed two pages. None where no report names queries.

    `reports`: the newest period first."""
    of_queries = [report for report in reports if report.about is not ReportAbout.PAGES]
    if not of_queries:
        return None
    period = of_queries[0].period
    present = {report.about: report for report in of_queries if report.period == period}
    kinds = [about for about in (ReportAbout.QUERIES, ReportAbout.BOTH) if about in present]
    earlier = [r for r in of_queries if r.period.ends_on < period.starts_on and r.about in kinds]
    before = next((r for about in kinds for r in earlier if r.about is about and r.period == earlier[0].period), None)
    about = kinds[0] if before is None else before.about
    return Chosen(present[about], before, present.get(ReportAbout.BOTH))


def by_query(figures: Iterable[SearchFigures]) -> dict[str, Figures]:
    """The figures of each query, of all its pages together."""
    parts: dict[str, list[SearchFigures]] = {}
    for row in figures:
        if row.query:
            parts.setdefault(row.query, []).append(row)
    return {query: sum_figures(own) for query, own in parts.items()}


def pages_of(figures: Iterable[SearchFigures]) -> Mapping[str, Sequence[SearchFigures]]:
    """The rows of each query that name a page."""
    pages: dict[str, list[SearchFigures]] = {}
    for row in figures:
        if row.query and row.page:
            pages.setdefault(row.query, []).append(row)
    return pages
