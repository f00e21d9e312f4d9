"""Pages whose server shows something else in their place: what is believed, and what stays as it was."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from contentgen_core.errors import NotPermitted
from contentgen_core.model.synced_source import ItemState, SkipReason, SourceKind, SyncedSource, SyncOutcome
from contentgen_core.model.tenant import Role
from contentgen_core.use_cases.synced_sources.manage_sources import NothingDoubtful
from tests.support.followed_place import WebPages, again, followed, held, synced
from tests.support.house import House, open_house

STORIES = {
    "fan": "The fan makes most of the noise of a heat pump. A larger fan turns slower and is heard less. It is cleaned "
    "each spring with a soft brush, and its bearings are replaced after ten years of work.",
    "grant": "The grant pays 4,000 pounds for each heat pump in a house that was built before 1990. Owners send the "
    "invoice of the installer to the council within three months, with a photograph of the unit.",
    "wall": "A wall between the unit and the neighbour takes ten decibels of the noise, a hedge takes none. The wall "
    "is built of brick, stands half a metre from the unit, and is as high as its upper edge.",
    "cellar": "Cellars with a damp floor need a drain below the hot water tank. Old tanks lose a tenth of their warmth "
    "in a night, so that a jacket of wool pays within two winters for most families.",
    "meter": "A second meter counts what the heat pump takes, and the night tariff applies to it alone. Its reading is "
    "sent to the grid company in January, by post or on the page of the company.",
    "valve": "The valve of the buffer closes below five degrees, so that nothing freezes when the current fails. "
    "An engineer turns it once a year, since a valve that never moves is stuck when it is needed.",
}
MAINTENANCE = (
    "We will be back soon. Our website is being looked after at the moment and cannot show what you asked for. Please "
    "try again in a few minutes or call our desk. Request {n:08x}-{n} at 2026-11-28T{n:02}:17:42Z for /stories/{key}."
)
WARTUNG = (
    "Wartungsarbeiten. Unsere Seiten sind zurzeit nicht erreichbar, wir arbeiten daran. Bitte versuchen Sie es später "
    "noch einmal. Vorgang {n:06} um {n:02}:00 Uhr."
)
LOGIN = (
    "Sign in to your account. Enter the address of your mail and your password, or ask for a new one. {key}?next={n}"
)


def shown(page: str, key: str, n: int) -> str:
    return page.format(key=key, n=n)


async def ids(house: House, source: SyncedSource) -> dict[str, str | None]:
    items = await house.services.knowledge.sources.items(house.caller, source.id, None, None, 100)
    return {item.key: item.document_id for item in items if item.document_id is not None}


@pytest.mark.parametrize("grace_days", [0, 1, 7])
@pytest.mark.parametrize("down", [tuple(STORIES), ("fan", "grant", "wall")], ids=["all", "half"])
@pytest.mark.parametrize(
    "page",
    [
        MAINTENANCE,
        WARTUNG,
        LOGIN,
        MAINTENANCE.partition("Request")[0],
        "Stories: The fan. The grant. A wall. Cellars. A second meter. The valve. " + MAINTENANCE,
        "{key} – Heat pumps of the county. " + MAINTENANCE,
    ],
    ids=["varying", "german", "login", "constant", "with titles of all", "with the title of each"],
)
async def test_an_error_page_in_the_place_of_pages_touches_nothing(
    page: str, down: tuple[str, ...], grace_days: int
) -> None:
    async with open_house() as house:
        reader = WebPages(dict(STORIES), tells=False)
        source = await followed(house, reader, kind=SourceKind.SITEMAP, grace_days=grace_days)
        before, documents = await held(house), await ids(house, source)
        for n in range(3):
            reader.texts = STORIES | {key: shown(page, key, 7 * n + i) for i, key in enumerate(down)}
            report = await synced(house, source)
            assert (report.outcome, report.changed, report.missing) == (SyncOutcome.DOUBTFUL, 0, 0)
            assert report.skipped == {SkipReason.DOUBTFUL: len(down)}
            assert (await held(house), await ids(house, source)) == (before, documents)
        reader.texts = dict(STORIES)
        report = await synced(house, source)
        assert (report.outcome, report.unchanged, report.changed, report.added) == (SyncOutcome.DONE, 6, 0, 0)
        assert (await held(house), await ids(house, source)) == (before, documents)


async def test_error_pages_of_unknown_addresses_are_not_stored() -> None:
    async with open_house() as house:
        reader = WebPages(dict(STORIES), shown_for_nothing=shown(MAINTENANCE, "x", 1))
        reader.texts |= {f"new {n}": shown(MAINTENANCE, "new", n) for n in range(5)}
        source = await followed(house, reader, kind=SourceKind.SITEMAP)
        assert set(await held(house)) == set(STORIES)
        assert source.last is not None
        assert (source.last.outcome, source.last.skipped) == (SyncOutcome.DONE, {SkipReason.DOUBTFUL: 5})
        reader.texts["new 1"] = "The pump of the third house was replaced in May, and its pipes were kept."
        assert (await synced(house, source)).added == 1


async def test_a_page_that_shows_what_its_site_shows_for_any_address_is_not_there() -> None:
    """A soft 404: one page, and status 200."""
    async with open_house() as house:
        missing = "We could not find this page. It may have been moved, or its address was mistyped. Search our site."
        reader = WebPages(STORIES | {"fan": missing}, tells=False)
        reader.texts["fan"] = STORIES["fan"]
        source = await followed(house, reader, kind=SourceKind.PAGES, grace_days=0)
        reader.shown_for_nothing = missing
        reader.texts["fan"] = missing
        report = await synced(house, source)
        assert (report.outcome, report.skipped) == (SyncOutcome.DOUBTFUL, {SkipReason.DOUBTFUL: 1})
        assert (await held(house))["fan"] == STORIES["fan"]
        await house.services.knowledge.sources.accept(house.caller, source.id)
        await house.work()
        assert set(await held(house)) == set(STORIES) - {"fan"}


async def test_pages_are_left_out_where_half_of_a_site_lost_its_text_in_different_ways() -> None:
    async with open_house() as house:
        reader = WebPages(dict(STORIES), tells=False)
        source = await followed(house, reader, kind=SourceKind.SITEMAP, grace_days=0)
        before = await held(house)
        notes = ("Oops", "Server busy", "Please wait outside", "Out of order today", "Coffee break", "Nothing works")
        reader.texts = {key: f"{note}, {key}." for key, note in zip(STORIES, notes, strict=True)}
        report = await synced(house, source)
        assert (report.outcome, report.changed) == (SyncOutcome.DOUBTFUL, 0)
        assert await held(house) == before


@pytest.mark.parametrize(
    "redesigned",
    [
        lambda key, text: f"{text}\n\nHeat Pumps of the County, 12 Mill Lane. Imprint, privacy and terms of use.",
        lambda key, text: f"# {key}\n\nYou are here: home, stories, {key}\n\n" + text.replace(". ", ".\n\n"),
        lambda key, text: text.replace("The ", "Each "),
        lambda key, text: text.upper(),
    ],
    ids=["footer", "layout", "edits", "capitals"],
)
async def test_a_change_of_all_pages_that_keeps_their_texts_is_taken_over(
    redesigned: Callable[[str, str], str],
) -> None:
    async with open_house() as house:
        reader = WebPages(dict(STORIES))
        source = await followed(house, reader, kind=SourceKind.SITEMAP, grace_days=0)
        documents = await ids(house, source)
        reader.texts = {key: redesigned(key, story) for key, story in STORIES.items()}
        report = await synced(house, source)
        assert (report.outcome, report.skipped) == (SyncOutcome.DONE, {})
        assert await ids(house, source) == documents
        assert set(await held(house)) == set(STORIES)


async def test_a_page_that_is_written_anew_is_taken_over() -> None:
    async with open_house() as house:
        reader = WebPages(dict(STORIES))
        source = await followed(house, reader, kind=SourceKind.SITEMAP, grace_days=0)
        reader.texts["fan"] = "Boats float on water. " + STORIES["cellar"].replace("Cellars", "Barns").upper()
        reader.texts["wall"] = "Ducks swim on ponds in parks, where children feed them with old bread on Sundays."
        report = await synced(house, source)
        assert (report.outcome, report.changed) == (SyncOutcome.DONE, 2)


async def test_a_person_accepts_what_is_doubtful() -> None:
    async with open_house() as house:
        manage = house.services.knowledge.sources
        reader = WebPages(dict(STORIES))
        source = await followed(house, reader, kind=SourceKind.SITEMAP, grace_days=0)
        documents = await ids(house, source)
        with pytest.raises(NothingDoubtful):
            await manage.accept(house.caller, source.id)
        note = (
            "This page is now a part of the handbook of the council, where you find all that stood here before: {key}."
        )
        reader.texts = {key: note.format(key=key) for key in STORIES}
        assert (await synced(house, source)).outcome is SyncOutcome.DOUBTFUL
        with pytest.raises(NotPermitted):
            await manage.accept(
                type(house.caller)(
                    house.caller.tenant_id, house.caller.user_id, role=Role.VIEWER, plan=house.caller.plan
                ),
                source.id,
            )
        accepted = await manage.accept(house.caller, source.id)
        assert accepted.accepts
        await house.work()
        found = await again(house, source)
        assert found.last is not None
        assert (found.last.outcome, found.last.changed, found.accepts) == (SyncOutcome.DONE, 6, False)
        assert await held(house) == reader.texts
        assert await ids(house, source) == documents
        reader.texts = dict.fromkeys(STORIES, shown(LOGIN, "x", 1))
        assert (await synced(house, source)).outcome is SyncOutcome.DOUBTFUL, "accepting holds for one sync"


async def test_a_person_accepts_that_most_items_are_gone() -> None:
    async with open_house() as house:
        reader = WebPages(dict(STORIES))
        source = await followed(house, reader, kind=SourceKind.SITEMAP, grace_days=0)
        for key in ("fan", "grant", "wall", "meter"):
            del reader.texts[key]
        assert (await synced(house, source)).outcome is SyncOutcome.DOUBTFUL
        await house.services.knowledge.sources.accept(house.caller, source.id)
        await house.work()
        assert set(await held(house)) == {"cellar", "valve"}
        missing = await house.services.knowledge.sources.items(house.caller, source.id, ItemState.MISSING, None, 10)
        assert missing == []


@pytest.mark.parametrize("tells", [False, True])
async def test_error_pages_of_new_addresses_are_withdrawn_once_known_pages_show_the_same(tells: bool) -> None:
    """The site says properly that other addresses have no page."""
    async with open_house() as house:
        reader = WebPages(dict(STORIES), tells=tells)
        source = await followed(house, reader, kind=SourceKind.SITEMAP, grace_days=0)
        before, documents = await held(house), await ids(house, source)
        reader.texts |= {f"new {n}": shown(MAINTENANCE, "new", n) for n in range(30)}
        reader.texts |= {
            key: shown(MAINTENANCE, key, 60 + n) for n, key in enumerate(list(STORIES)[: 2 if tells else 6])
        }
        reader.texts["honest"] = "Ducks swim on ponds in parks, where children feed them with old bread on Sundays."
        report = await synced(house, source)
        assert (report.outcome, report.added, report.changed) == (SyncOutcome.DOUBTFUL, 1, 0)
        assert await held(house) == before | {"honest": reader.texts["honest"]}
        assert {key: id for key, id in (await ids(house, source)).items() if key != "honest"} == documents
        reader.texts |= {f"new {n}": f"{story} Part {n}." for n, story in enumerate(STORIES.values())}
        reader.texts = {k: v for k, v in reader.texts.items() if not str(v).startswith("We will")} | STORIES
        report = await synced(house, source)
        assert (report.outcome, report.added) == (SyncOutcome.DONE, 6)
