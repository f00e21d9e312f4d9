"""The order in which the figures of a report of searches are kept, whichever store keeps them."""

from __future__ import annotations

from collections.abc import Sequence

from contentgen_core.model.search_report import SearchFigures


def most_shown_first(figures: Sequence[SearchFigures]) -> tuple[SearchFigures, ...]:
    """Sort by impressions, most first and unknown ones last; then by clicks, query and page."""

    def rank(row: SearchFigures) -> tuple[int, int, str, str]:
        shown = -1 if row.impressions is None else row.impressions
        return -shown, -row.clicks, row.query, row.page

    return tuple(sorted(figures, key=rank))
