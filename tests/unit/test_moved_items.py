"""Items that a source lists under another name: their documents stay, and no true sentence is called gone."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.synced_source import SkipReason, SourceKind, SyncedSource, SyncOutcome
from contentgen_core.policies.text.moved_texts import FormerTexts, TextProfile
from tests.support.followed_place import FakeReader, WebPages, followed, held, reads_at_most, synced
from tests.support.house import House, open_house
from tests.unit.test_doubtful_pages import STORIES, ids

ANALYSIS = IcuTextAnalysis()
WEB = (SourceKind.SITEMAP, SourceKind.PAGES)
FILES = (SourceKind.FOLDER, SourceKind.GIT, SourceKind.S3)


def edited(story: str) -> str:
    """The story with its first sentence in other words."""
    _, _, rest = story.partition(". ")
    return f"What stood here first was written anew in spring. {rest} This is new."


def words_of_its_own(n: int) -> str:
    """A sentence of twenty words that no other number has."""
    syllables = ("ba", "ke", "li", "mo", "nu", "pra", "sto", "vi", "wel", "zu")
    return " ".join("".join(syllables[int(d)] for d in f"{(n + 3) * (i + 7) * 7919}") for i in range(20)) + "."


async def documents_of(house: House, source: SyncedSource) -> dict[str, str | None]:
    return await ids(house, source)


@pytest.mark.parametrize("kind", [*WEB, *FILES])
@pytest.mark.parametrize("with_edit", [False, True])
@pytest.mark.parametrize("grace_days", [0, 7])
async def test_an_item_with_another_name_keeps_its_document(kind: SourceKind, with_edit: bool, grace_days: int) -> None:
    async with open_house() as house:
        reader = (WebPages if kind in WEB else FakeReader)(dict(STORIES))
        source = await followed(house, reader, kind=kind, grace_days=grace_days)
        before = await documents_of(house, source)
        for key in ("fan", "grant", "wall", "meter"):
            story = reader.texts.pop(key)
            assert isinstance(story, str)
            reader.texts[f"new/{key}"] = edited(story) if with_edit else story
        report = await synced(house, source)
        changed = 4 if with_edit else 0
        assert (report.outcome, report.added, report.missing, report.removed) == (SyncOutcome.DONE, 0, 0, 0)
        assert (report.changed, report.unchanged) == (changed, 6 - changed)
        after = await documents_of(house, source)
        assert after == {(f"new/{key}" if f"new/{key}" in reader.texts else key): id for key, id in before.items()}
        assert set(await held(house)) == set(reader.texts)
        assert (await synced(house, source)).unchanged == 6


async def test_a_redirect_tells_where_a_page_is_whatever_it_says_now() -> None:
    async with open_house() as house:
        reader = WebPages(dict(STORIES))
        source = await followed(house, reader, kind=SourceKind.SITEMAP, grace_days=0)
        before = await documents_of(house, source)
        del reader.texts["fan"]
        reader.texts["quite/another"] = "Ducks swim on ponds in parks, where children feed them with bread on Sundays."
        reader.moved["fan"] = "quite/another"
        report = await synced(house, source)
        assert (report.added, report.changed, report.missing) == (0, 1, 0)
        assert (await documents_of(house, source))["quite/another"] == before["fan"]


async def test_pages_that_are_all_sent_to_one_are_not_all_that_one() -> None:
    async with open_house() as house:
        reader = WebPages(dict(STORIES))
        source = await followed(house, reader, kind=SourceKind.SITEMAP, grace_days=0)
        before = await documents_of(house, source)
        reader.texts["all"] = STORIES["wall"] + " Hedges are dealt with elsewhere."
        for key in ("fan", "grant", "wall"):
            del reader.texts[key]
            reader.moved[key] = "all"
        report = await synced(house, source)
        assert (report.added, report.removed) == (0, 2)
        assert (await documents_of(house, source))["all"] == before["wall"]


async def test_pages_of_one_template_that_differ_in_their_figures_are_others() -> None:
    page = (
        "The rule numbered {n} says that a heat pump of class {n} may make {m} decibels at the border of plot {n}, "
        "measured by an engineer of office {m}. Whoever builds within {n} metres of it asks department {m} first."
    )
    async with open_house() as house:
        reader = WebPages({f"rule/{n}": page.format(n=n, m=n * 7) for n in range(1, 9)})
        source = await followed(house, reader, kind=SourceKind.SITEMAP, grace_days=0)
        del reader.texts["rule/1"]
        reader.texts["rule/30"] = page.format(n=30, m=210)
        report = await synced(house, source)
        assert (report.added, report.removed) == (1, 1)


async def test_of_many_addresses_those_that_one_sync_did_not_ask_are_asked_by_the_next() -> None:
    async with open_house() as house:
        reader = WebPages(STORIES | {f"other {n}": words_of_its_own(200 + n) for n in range(40)}, tells=False)
        reads_at_most(house, 20)
        source = await followed(house, reader, kind=SourceKind.SITEMAP, grace_days=0)
        for _ in range(3):
            await synced(house, source, days=0.01)
        before = await documents_of(house, source)
        assert len(before) == 46
        for n in range(40):
            del reader.texts[f"other {n}"]
            reader.texts[f"moved {n}"] = words_of_its_own(n)
            reader.moved[f"other {n}"] = f"moved {n}"
        reader.texts |= {f"more {n}": words_of_its_own(100 + n) for n in range(30)}
        outcomes = []
        for _ in range(12):
            report = await synced(house, source, days=0.01)
            assert report.removed == 0
            outcomes.append(report.outcome)
        assert SyncOutcome.DONE in outcomes
        after = await documents_of(house, source)
        assert {key: after[key.replace("other", "moved")] for key in before} == before


_steps = st.lists(
    st.one_of(
        st.tuples(st.just("move"), st.sampled_from(sorted(STORIES)), st.integers(0, 3)),
        st.tuples(st.just("edit"), st.sampled_from(sorted(STORIES)), st.integers(0, 3)),
        st.tuples(st.just("move and edit"), st.sampled_from(sorted(STORIES)), st.integers(0, 3)),
        st.tuples(st.just("outage"), st.sampled_from(("all", "half")), st.integers(0, 9)),
    ),
    min_size=1,
    max_size=6,
)


@settings(deadline=None, max_examples=25)
@given(_steps, st.booleans(), st.sampled_from((0, 1)), st.booleans())
async def test_after_any_moves_edits_and_outages_every_story_has_its_document(
    steps: list[Any], tells: bool, grace_days: int, redirects: bool
) -> None:
    async with open_house() as house:
        reader = WebPages(dict(STORIES), tells=tells)
        source = await followed(house, reader, kind=SourceKind.SITEMAP, grace_days=grace_days)
        first = await documents_of(house, source)
        at, pages = {key: key for key in STORIES}, dict(STORIES)
        for what, which, n in steps:
            if what == "outage":
                down = sorted(pages)[: 3 if which == "half" else None]
                error = "The server is resting, nothing can be shown, come again later. Number {n}{i} of {key}."
                reader.texts = pages | {key: error.format(n=n, i=i, key=key) for i, key in enumerate(down)}
            else:
                key = at[which]
                story = pages.pop(key)
                if "edit" in what:
                    sentences = [s for s in story.split(". ") if not s.startswith("Edit")]
                    story = ". ".join([*sentences[:-1], f"Edit number {n}", sentences[-1]])
                if "move" in what:
                    at[which] = f"{n}/{which}" if key != f"{n}/{which}" else which
                    reader.moved = {key: at[which]} if redirects else {}
                pages[at[which]] = story
                reader.texts = dict(pages)
            report = await synced(house, source)
            assert (report.added, report.missing, report.removed) == (0, 0, 0)
            assert {which: (await documents_of(house, source))[at[which]] for which in first} == first
            assert {key: said.split(". ")[0] for key, said in (await held(house)).items()} == {
                at[which]: story.split(". ")[0] for which, story in STORIES.items()
            }


async def test_an_address_of_a_feed_with_other_parameters_is_the_same_entry() -> None:
    async with open_house() as house:
        reader = WebPages({f"{key}?from=1": story for key, story in STORIES.items()})
        source = await followed(house, reader, kind=SourceKind.FEED)
        before = await documents_of(house, source)
        reader.texts = {f"{key}?from=2": story for key, story in STORIES.items()}
        report = await synced(house, source)
        assert (report.added, report.skipped) == (0, {})
        assert set((await documents_of(house, source)).values()) == set(before.values())
        reader.texts["fan?from=2"] = edited(STORIES["fan"])
        assert (await synced(house, source)).changed == 1


async def test_an_item_that_came_back_under_its_name_within_the_grace_period_is_the_same() -> None:
    async with open_house() as house:
        reader = WebPages(dict(STORIES))
        source = await followed(house, reader, kind=SourceKind.SITEMAP, grace_days=7)
        before = await documents_of(house, source)
        del reader.texts["fan"]
        assert (await synced(house, source)).missing == 1
        reader.texts["late"] = edited(STORIES["fan"])
        assert (await synced(house, source)).missing == 0
        assert (await documents_of(house, source))["late"] == before["fan"]


def profile(text: str, title: str = "") -> TextProfile:
    return TextProfile.of(title, text)


def test_what_all_pages_have_in_common_says_nothing_of_who_a_text_is() -> None:
    common = (
        "Imprint of the county. All rights reserved by the council. Call our desk on weekdays. We are glad to help. "
    )
    former = FormerTexts({"a": profile(f"{common} The fan is loud.")}, [profile(f"{common} The grant pays well.")])
    assert former.edited(profile(f"{common} Ducks swim on ponds."), ["a"]) is None
    assert former.edited(profile(f"{common} The fan is loud. It turns."), ["a"]) == "a"


def test_a_text_that_may_be_one_of_two_is_none_of_them() -> None:
    story = STORIES["fan"]
    former = FormerTexts({"a": profile(story), "b": profile(story)})
    assert former.same(profile(story), ["a", "b"]) is None
    assert former.same(profile(story), ["b"]) == "b"
    assert former.same(profile(" "), ["a", "b"]) is None


def test_a_text_of_the_same_title_with_another_figure_is_the_same_one() -> None:
    former = FormerTexts({"a": profile("The grant pays 4,000 pounds.", "Grants"), "b": profile("The fan.", "Fans")})
    assert former.edited(profile("The grant pays 2,500 pounds.", "Grants"), ["a", "b"]) == "a"
    assert former.edited(profile("The grant pays 2,500 pounds.", "Rules"), ["a", "b"]) is None
    beside = evolve(former, others=[profile("What others say.", "Grants")])
    assert beside.edited(profile("The grant pays 2,500 pounds.", "Grants"), ["a", "b"]) is None


async def test_what_a_feed_no_longer_lists_is_not_taken_for_what_is_like_it() -> None:
    async with open_house() as house:
        reader = WebPages(dict(STORIES))
        source = await followed(house, reader, kind=SourceKind.FEED)
        reader.texts = {"next": edited(STORIES["fan"])}
        report = await synced(house, source)
        assert (report.added, report.skipped) == (1, {})
        assert SkipReason.DUPLICATE not in report.skipped
