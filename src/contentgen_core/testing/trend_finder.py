"""The contract of `TrendFinder`. Inherit `TrendFinderContract` with a fixture `newsroom`: a `Newsroom` over the finder,
which searches for `NICHE`, with a clock that stands at MOMENT."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, Protocol

from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.topics.trends import publisher_of
from contentgen_core.ports.trends import MAX_CANDIDATES, TrendFinder
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT

KEYWORD: Final = "pump"
"""Every title of this suite has it, for finders that search."""
NICHE: Final = builders.niche(niche_key=builders.NICHE_KEY, name="Home energy", tenant_id=None, keywords=(KEYWORD,))
WEEK: Final = timedelta(days=7)


class Newsroom(Protocol):
    """Publishes the pages that a finder is to find."""

    @property
    def finder(self) -> TrendFinder: ...

    async def publish(self, path: str, title: str, text: str, published: datetime) -> str:
        """Publish a page on NICHE; returns its address."""
        ...

    async def elsewhere(self, path: str, title: str, text: str, published: datetime) -> None:
        """Publish a page where no finder searches for NICHE."""
        ...


class TrendFinderContract:
    async def test_what_is_published_is_found_as_it_is(self, newsroom: Newsroom) -> None:
        title, text = "Every heat pump gets a grant", "The government pays half of each new heat pump from May on."
        published = MOMENT - timedelta(days=1)
        url = await newsroom.publish("/grant", title, text, published)
        findings = await newsroom.finder.find(NICHE, MOMENT - WEEK)
        assert findings.faults == ()
        [page] = findings.candidates
        assert (page.source.url, page.source.title, page.source.excerpt) == (url, title, text)
        assert page.source.publisher == publisher_of(url)
        assert published - timedelta(days=1) < page.source.published_at <= published
        assert page.source.found_at == MOMENT
        assert page.language is Language.EN

    async def test_nothing_published_is_nothing_found_and_no_fault(self, newsroom: Newsroom) -> None:
        findings = await newsroom.finder.find(NICHE, MOMENT - WEEK)
        assert (findings.candidates, findings.faults) == ((), ())

    async def test_what_is_older_is_left_out_and_what_is_dated_ahead_is_of_now(self, newsroom: Newsroom) -> None:
        await newsroom.publish("/old", "An old pump", "Long ago.", MOMENT - timedelta(days=9))
        await newsroom.publish("/ahead", "A pump from the future", "Not yet.", MOMENT + timedelta(days=90))
        found = (await newsroom.finder.find(NICHE, MOMENT - WEEK)).candidates
        assert [(page.source.title, page.source.published_at) for page in found] == [("A pump from the future", MOMENT)]

    async def test_the_newest_come_first_and_each_page_once(self, newsroom: Newsroom) -> None:
        for days in (3, 1, 5, 2):
            published = MOMENT - timedelta(days=days)
            await newsroom.publish(f"/{days}", f"The pump {days} days ago", "It pumps.", published)
        for _ in range(2):
            found = (await newsroom.finder.find(NICHE, MOMENT - WEEK)).candidates
            assert [page.source.title for page in found] == [f"The pump {days} days ago" for days in (1, 2, 3, 5)]
        assert len({page.source.url for page in found}) == len(found) <= MAX_CANDIDATES

    async def test_titles_and_excerpts_are_one_bounded_line(self, newsroom: Newsroom) -> None:
        await newsroom.publish("/long", "The pump\n goes on " * 40, "And on\n\n and on. " * 200, MOMENT)
        [page] = (await newsroom.finder.find(NICHE, MOMENT - WEEK)).candidates
        for text, most in ((page.source.title, 300), (page.source.excerpt, 400)):
            assert 0 < len(text) <= most
            assert text == " ".join(text.split())

    async def test_what_is_of_another_niche_is_not_found(self, newsroom: Newsroom) -> None:
        await newsroom.elsewhere("/bees", "Bees in spring", "They fly.", MOMENT - timedelta(days=1))
        assert (await newsroom.finder.find(NICHE, MOMENT - WEEK)).candidates == ()
