"""Assign a query to a queue, with the expected gain and the reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import frozen

from contentgen_core.model.coverage import CoverageLevel
from contentgen_core.model.search_demand import Decision, Figures, QueryDemand, SearchQueue, ShownPage
from contentgen_core.policies.searches.click_curve import ClickCurve
from contentgen_core.policies.topics.seeds import is_covered

MONTH: Final = 30
"""Days."""
FEWEST_IMPRESSIONS: Final = 10
"""A month, of a query that something is to be done about."""
FIRST_PAGE: Final = 10
"""Positions among which a page of the site answers a query, whether it is an article of ours or not."""
REACHED: Final = 5.0
"""The position that is expected of a new article, where the site has no better one yet."""
DOMINANT: Final = 0.7
"""The share of impressions from which on a page is the one that answers a query."""
SHARING: Final = 0.15
"""The least share of a second page that competes with it."""
LOST_SHARE: Final = 0.2
LOST_CLICKS: Final = 5.0
"""A month: who loses this many clicks, and LOST_SHARE of them, is losing."""
LOST_PLACES: Final = 2.0


@frozen
class Compared:
    """The number of days of the figures, and of those before them; and the share that is clicked by position."""

    days: int
    days_before: int
    curve: ClickCurve


def decide(demand: QueryDemand, compared: Compared) -> Decision | None:
    """Return the queue of a query; None where there is nothing to do, or nothing is known. Each query is in one at
    most: the first that fits of merging, refreshing, enriching and writing. The gain is at least 0, and grows with the
    impressions."""
    shared = competing_pages(demand.pages)
    if shared and _is_asked_for(demand.now, compared):
        return _merge(demand, shared, compared)
    if demand.articles or _on_first_page(demand.pages):
        return _refresh(demand, compared)
    if not _is_asked_for(demand.now, compared) or demand.begun:
        return None
    return _write(demand, compared)


def competing_pages(pages: Sequence[ShownPage]) -> tuple[ShownPage, ...]:
    """Return the pages that compete for a query, the one with most impressions first; none where one of them clearly
    leads."""
    shown = sorted(((p.figures.impressions or 0, p) for p in pages), key=lambda one: -one[0])
    total = sum(times for times, _ in shown)
    if len(shown) < 2 or not total or shown[0][0] >= DOMINANT * total or shown[1][0] < SHARING * total:
        return ()
    return tuple(page for times, page in shown if times >= SHARING * total)


def _merge(demand: QueryDemand, shared: Sequence[ShownPage], compared: Compared) -> Decision | None:
    places = [page.figures.position for page in shared if page.figures.position is not None]
    if not places:
        return None
    best, total = min(places), sum(page.figures.impressions or 0 for page in demand.pages)
    first = (shared[0].figures.impressions or 0) / total
    gain, ctr = _gain(demand.now, best, compared)
    if not gain:
        return None
    reason = (
        f"{len(shared)} pages share its impressions, and the most shown one has {first:.0%} of them: keep one, and "
        f"lead the others to it. {_as_shown(demand.now, compared)}"
    )
    return Decision(SearchQueue.MERGE, gain, reason, best, ctr)


def _refresh(demand: QueryDemand, compared: Compared) -> Decision | None:
    """Decide on refreshing the page that answers the query, where it loses clicks or is stale."""
    losses = _losses(demand, compared)
    stale = [article.title for article in demand.articles if article.stale]
    if not losses and not stale:
        return None
    said = [f"It {' and '.join(losses)}."] if losses else []
    if stale:
        said.append(f"“{stale[0]}” rests on sources that changed.")
    now, before = demand.now, demand.before
    places = [f.position for f in (now, before) if f is not None and f.position is not None]
    if not now.impressions or not places:
        lost = 0.0 if before is None else _a_month(before.clicks, compared.days_before) - _clicks(now, compared)
        return Decision(SearchQueue.REFRESH, round(max(0.0, lost), 1), " ".join(said))
    gain, ctr = _gain(now, min(places), compared)
    return Decision(SearchQueue.REFRESH, gain, " ".join((*said, _as_shown(now, compared))), min(places), ctr)


def _losses(demand: QueryDemand, compared: Compared) -> list[str]:
    now, before = demand.now, demand.before
    if before is None:
        return []
    had, has = _a_month(before.clicks, compared.days_before), _clicks(now, compared)
    losses: list[str] = []
    if had - has >= max(LOST_CLICKS, LOST_SHARE * had):
        losses.append(f"lost {had - has:,.0f} of {had:,.0f} clicks a month")
    fell = None if now.position is None or before.position is None else now.position - before.position
    if fell is not None and fell >= LOST_PLACES and _is_asked_for(now, compared):
        losses.append(f"fell from position {before.position:.1f} to {now.position:.1f}")
    return losses


def _write(demand: QueryDemand, compared: Compared) -> Decision | None:
    """Decide on writing where nothing answers the query: an article, or first the sources for it."""
    place = REACHED if demand.now.position is None else min(REACHED, demand.now.position)
    gain, ctr = _gain(demand.now, place, compared)
    if not gain:
        return None
    level = demand.coverage.level
    shown = _as_shown(demand.now, compared)
    if is_covered(level):
        reason = f"{shown} The knowledge base covers it ({level.value}), and nothing of yours answers it."
        return Decision(SearchQueue.WRITE, gain, reason, place, ctr)
    lacks = "covers it hardly" if level is CoverageLevel.LOW else "does not cover it"
    words = ", ".join(demand.coverage.missing)
    reason = f"{shown} The knowledge base {lacks}{f'; it says nothing of: {words}' if words else ''}."
    return Decision(SearchQueue.ENRICH, gain, reason, place, ctr)


def _gain(now: Figures, position: float, compared: Compared) -> tuple[float, float]:
    """Clicks a month more than now if it was shown as often at this position, and the share that is clicked there."""
    ctr = compared.curve.at(position)
    more = ctr * (now.impressions or 0) - now.clicks
    return round(max(0.0, _a_month(more, compared.days)), 1), ctr


def _is_asked_for(now: Figures, compared: Compared) -> bool:
    return _a_month(now.impressions or 0, compared.days) >= FEWEST_IMPRESSIONS


def _on_first_page(pages: Sequence[ShownPage]) -> bool:
    return any(page.figures.position is not None and page.figures.position <= FIRST_PAGE for page in pages)


def _clicks(figures: Figures, compared: Compared) -> float:
    return _a_month(figures.clicks, compared.days)


def _a_month(count: float, days: int) -> float:
    return count * MONTH / days


def _as_shown(now: Figures, compared: Compared) -> str:
    place = "" if now.position is None else f" at position {now.position:.1f}"
    clicks = f"{now.clicks:,} {'click' if now.clicks == 1 else 'clicks'}"
    return f"Shown {now.impressions or 0:,} times in {compared.days} days{place}, with {clicks}."
