"""What a review may say, who may do what with it, and what waits for an administrator."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import AsyncIterator
from itertools import count
from statistics import fmean

import pytest
from attrs import evolve
from hypothesis import example, given
from hypothesis import strategies as st

from contentgen_core.errors import (
    AlreadyExists,
    ConcurrentChange,
    InvalidInput,
    NotFound,
    NotPermitted,
    Unauthenticated,
)
from contentgen_core.model.ids import ReviewId
from contentgen_core.model.review import MAX_AUTHOR, MAX_COMMENT, MAX_TITLE, STARS, FlagReason, Ratings, ReviewForReader
from contentgen_core.model.tenant import Caller, PlanName, Role
from contentgen_core.policies.tenancy.reviews import ReviewTexts, check_review, flags_of
from contentgen_core.ports.repositories.reviews import ReviewQuery
from contentgen_core.testing import builders
from contentgen_core.use_cases.reviews.mark import OwnReview
from contentgen_core.use_cases.reviews.write import ChangedReview, NewReview
from tests.support.house import House, open_house

SPAM = "Cheaper at https://spam.example/offer"
_numbers = count(1)


def faults(error: pytest.ExceptionInfo[InvalidInput]) -> dict[str, str]:
    return {fault.field: fault.message for fault in error.value.errors}


def flags(text: str) -> tuple[FlagReason, ...]:
    return flags_of(ReviewTexts("Fine", text))


class TestTexts:
    @pytest.mark.parametrize(
        "text", ["خدمة ممتازة", "每句话都有出处", "बहुत अच्छा", "👍🏽", "👩‍👩‍👧", "ดีมาก 555", "שירות טוב"]
    )
    def test_any_language_is_fine_and_stays_as_it_is(self, text: str) -> None:
        assert check_review(5, text, text, text) == ReviewTexts(*[unicodedata.normalize("NFC", text)] * 3)
        assert flags(text) == ()

    def test_title_and_author_are_one_line_and_a_comment_keeps_its_paragraphs(self) -> None:
        checked = check_review(3, "  Two\nlines ", "\r\n One.  \r\n\r\n\r\n\r\n  Two.\rThree. \n", "\tAda \u2028 Ohm")
        assert checked == ReviewTexts("Two lines", "One.\n\n  Two.\nThree.", "Ada Ohm")

    def test_each_faulty_field_is_named_at_once(self) -> None:
        with pytest.raises(InvalidInput) as error:
            check_review(6, "a\0b", " \u200b\n ", "x" * (MAX_AUTHOR + 1))
        assert faults(error) == {
            "rating": "from 1 to 5",
            "title": "must not contain control characters",
            "comment": "must not be empty",
            "author": "at most 100 characters",
        }

    @pytest.mark.parametrize("bad", ["\x00", "\x07", "\x1b", "\x7f", "\x85", "\x0b", "\u202e", "\ud800"])
    def test_control_characters_are_refused_wherever_they_stand(self, bad: str) -> None:
        for texts in ((f"a{bad}", "b", "c"), ("a", f"{bad}b", "c"), ("a", "b", f"c{bad}c")):
            with pytest.raises(InvalidInput, match="control characters"):
                check_review(3, *texts)

    def test_bounds_are_in_characters_of_what_is_kept(self) -> None:
        check_review(1, "é" * MAX_TITLE, " " + "界" * MAX_COMMENT + "\n", "e\u0301" * MAX_AUTHOR)
        for title, comment in (("é" * (MAX_TITLE + 1), "b"), ("a", "界" * (MAX_COMMENT + 1))):
            with pytest.raises(InvalidInput, match="at most"):
                check_review(1, title, comment)

    @given(st.integers(-10, 10), st.text(max_size=200), st.text(max_size=300), st.none() | st.text(max_size=120))
    @example(5, "\u0958" * MAX_TITLE, "a", None)  # longer in NFC
    def test_what_passes_is_within_its_bounds_and_passes_again_unchanged(
        self, rating: int, title: str, comment: str, author: str | None
    ) -> None:
        try:
            checked = check_review(rating, title, comment, author)
        except InvalidInput:
            return
        assert rating in STARS
        assert 1 <= len(checked.title) <= MAX_TITLE
        assert 1 <= len(checked.comment) <= MAX_COMMENT
        assert (checked.author is None) == (author is None)
        for text in (checked.title, checked.comment, checked.author or "a"):
            assert text.strip() == text
            assert not any(unicodedata.category(c) in ("Cc", "Cs") and c != "\n" and c != "\t" for c in text)
        assert check_review(rating, checked.title, checked.comment, checked.author) == checked


class TestWhatWaits:
    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            (SPAM, FlagReason.LINK),
            ("go to www.spam.example now", FlagReason.LINK),
            ("cheap-pills.com has it", FlagReason.LINK),
            ("ｃｈｅａｐ．ｃｏｍ", FlagReason.LINK),
            ("cheap\u200b.com", FlagReason.LINK),
            ("write to ada@example.org", FlagReason.EMAIL),
            ("write to ада@пример.рф", FlagReason.EMAIL),
            ("a\u200bda@exa\u200bmple.org", FlagReason.EMAIL),
            ("so goooooooooooood", FlagReason.REPETITION),
            ("!!!!!!!!!!", FlagReason.REPETITION),
            ("buy buy Buy BUY buy buy", FlagReason.REPETITION),
            ("哈哈哈哈哈哈哈哈哈哈", FlagReason.REPETITION),
            ("<script>alert(1)</script>", FlagReason.SUSPICIOUS),
            ("nice'; DROP TABLE reviews; --", FlagReason.SUSPICIOUS),
            ("{{constructor}}", FlagReason.SUSPICIOUS),
        ],
    )
    def test_what_looks_like_spam_or_code_waits_with_its_reason(self, text: str, reason: FlagReason) -> None:
        assert reason in flags(text)
        assert reason in flags("Good words. " * 300 + text), "wherever it stands"
        assert reason in flags_of(ReviewTexts(text, "Fine"))
        assert reason in flags_of(ReviewTexts("Fine", "Fine", text))

    @pytest.mark.parametrize(
        "text",
        [
            "Sehr gut! 5/5, e.g. for Node.js and ASP.NET posts. It cost 4.5 hours/week before.",
            "哈哈哈哈 5555 wwww",
            "I used it with a team of 12: drafts in a day... and the sources are named (all of them).",
            "It said \"select a niche from the list\"; I did. Mail @ work is quieter now.",
            "Vraiment, vraiment bien: 3 000 € d'économies par an !",
        ],
    )  # fmt: skip
    def test_ordinary_words_do_not_wait(self, text: str) -> None:
        assert flags(text) == ()

    def test_an_address_is_an_address_and_no_link(self) -> None:
        assert flags("write to ada@example.com") == (FlagReason.EMAIL,)

    @given(st.text(max_size=600), st.integers(0, 600))
    def test_a_link_is_found_whatever_stands_around_it(self, text: str, at: int) -> None:
        assert FlagReason.LINK in flags(f"{text[:at]} https://spam.example/x {text[at:]}")

    @given(st.text(max_size=400))
    def test_the_reasons_of_a_text_are_always_the_same(self, text: str) -> None:
        assert flags(text) == flags(text)
        assert len(set(flags(text))) == len(flags(text))
        assert FlagReason.MODERATOR not in flags(text)


@given(st.lists(st.sampled_from(STARS), max_size=60))
def test_the_average_is_the_mean_of_the_stars(stars: list[int]) -> None:
    one, two, three, four, five = (stars.count(star) for star in STARS)
    ratings = Ratings((one, two, three, four, five))
    assert ratings.total == len(stars)
    average = ratings.average
    assert (average is None) == (not stars)
    if average is not None:
        assert 1 <= average <= 5
        assert abs(average - fmean(stars)) <= 0.005 + 1e-9


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house(PlanName.FREE) as opened:
        yield opened


async def somebody(house: House, role: Role = Role.OWNER, *, platform_admin: bool = False) -> Caller:
    """Of a tenant of their own."""
    made = await house.services.people.tenants.create(
        f"Tenant {next(_numbers)}", PlanName.FREE, platform_admin=platform_admin
    )
    return evolve(made.caller, role=role)


async def submitted(
    house: House, by: Caller, rating: int = 4, comment: str = "It cites its sources."
) -> ReviewForReader:
    return await house.services.people.write_reviews.submit(NewReview(by, rating, "Sound", comment))


async def listed(house: House, by: Caller, **query: bool) -> list[ReviewId]:
    page = await house.services.people.reviews.page(by, ReviewQuery(by.user_id, **query))
    assert page.total == len(page.reviews)
    return [seen.review.id for seen in page.reviews]


async def change(house: House, by: Caller, seen: ReviewForReader, **changes: object) -> ReviewForReader:
    command = evolve(ChangedReview(by, seen.review.id), **changes)
    return await house.services.people.write_reviews.change(command)


class TestWhoMayDoWhat:
    @pytest.mark.parametrize("role", list(Role))
    async def test_every_role_writes_one_review_and_users_of_all_tenants_read_it(
        self, house: House, role: Role
    ) -> None:
        author, reader = await somebody(house, role), await somebody(house)
        written = await submitted(house, author)
        assert await listed(house, reader) == [written.review.id]
        with pytest.raises(AlreadyExists):
            await submitted(house, author)

    async def test_of_two_at_once_one_is_refused(self, house: House) -> None:
        author = await somebody(house)
        done = await asyncio.gather(submitted(house, author), submitted(house, author), return_exceptions=True)
        assert {type(one) for one in done} == {ReviewForReader, AlreadyExists}

    async def test_only_the_author_changes_the_words(self, house: House) -> None:
        author = await somebody(house)
        written = await submitted(house, author)
        house.clock.advance(minutes=1)
        for other in (await somebody(house), await somebody(house, platform_admin=True)):
            for changes in ({"rating": 1}, {"comment": "Bad"}, {"author": None}, {}):
                with pytest.raises(NotFound):
                    await change(house, other, written, **changes)
        changed = await change(house, author, written, rating=2, author="Ada")
        assert (changed.review.rating, changed.review.title, changed.review.author) == (2, "Sound", "Ada")
        assert (changed.review.created_at, changed.review.updated_at) == (
            written.review.created_at, house.clock.now(),
        )  # fmt: skip
        assert (await change(house, author, changed, author=None)).review.author is None
        with pytest.raises(InvalidInput):
            await change(house, author, written, comment=" ")

    async def test_a_change_that_changes_nothing_stores_nothing(self, house: House) -> None:
        author = await somebody(house)
        written = await submitted(house, author)
        house.clock.advance(minutes=1)
        assert await change(house, author, written) == written
        assert await change(house, author, written, rating=4, comment=" It cites its sources. ") == written

    async def test_author_and_platform_administrators_delete_it_and_nobody_else(self, house: House) -> None:
        author, other, admin = (
            await somebody(house), await somebody(house), await somebody(house, platform_admin=True),
        )  # fmt: skip
        for by in (author, admin):
            written = await submitted(house, author)
            with pytest.raises(NotFound):
                await house.services.people.write_reviews.delete(other, written.review.id)
            await house.services.people.write_reviews.delete(by, written.review.id)
            with pytest.raises(NotFound):
                await house.services.people.reviews.mine(author)

    async def test_whoever_was_removed_a_moment_ago_neither_writes_nor_marks(self, house: House) -> None:
        written, gone = await submitted(house, await somebody(house)), builders.caller()
        with pytest.raises(Unauthenticated):
            await submitted(house, gone)
        with pytest.raises(Unauthenticated):
            await house.services.people.mark_helpful(gone, written.review.id)

    async def test_a_review_goes_with_its_user(self, house: House) -> None:
        owner = await somebody(house)
        await house.services.people.tenants.set_plan(owner.tenant_id, PlanName.BUSINESS)
        invited = await house.services.people.invite(owner, "ada@example.org", Role.VIEWER)
        joined = await house.services.people.accept_invitation(invited.token, "Ada")
        await submitted(house, evolve(owner, user_id=joined.user.id))
        await house.services.people.team.remove(owner, joined.user.id)
        assert await listed(house, owner) == []


class TestHelpful:
    async def test_it_counts_once_a_user_also_at_once(self, house: House) -> None:
        written, readers = await submitted(house, await somebody(house)), [await somebody(house) for _ in range(2)]
        await asyncio.gather(*(house.services.people.mark_helpful(reader, written.review.id) for reader in readers * 3))
        again = await house.services.people.mark_helpful(readers[0], written.review.id)
        assert again == ReviewForReader(written.review, 2, True)

    async def test_nobody_marks_their_own_nor_one_that_is_hidden(self, house: House) -> None:
        author, reader = await somebody(house), await somebody(house)
        hidden = await submitted(house, author, comment=SPAM)
        with pytest.raises(OwnReview):
            await house.services.people.mark_helpful(author, hidden.review.id)
        for id in (hidden.review.id, ReviewId("unknown")):
            with pytest.raises(NotFound):
                await house.services.people.mark_helpful(reader, id)


class TestModeration:
    async def test_a_flagged_review_is_seen_by_its_author_and_administrators_until_one_of_these_clears_it(
        self, house: House
    ) -> None:
        author, reader, admin = (
            await somebody(house), await somebody(house), await somebody(house, platform_admin=True),
        )  # fmt: skip
        hidden = await submitted(house, author, rating=1, comment=SPAM)
        assert hidden.review.flags == (FlagReason.LINK,)
        for caller in (author, reader, admin):
            assert await listed(house, caller) == []
            page = await house.services.people.reviews.page(caller, ReviewQuery(caller.user_id))
            assert page.ratings == Ratings()
        assert await house.services.people.reviews.mine(author) == hidden
        assert await listed(house, admin, flagged=True) == [hidden.review.id]
        for caller in (author, reader):
            with pytest.raises(NotPermitted):
                await listed(house, caller, flagged=True)
            with pytest.raises(NotPermitted):
                await change(house, caller, hidden, flagged=False)
        cleared = await change(house, admin, hidden, flagged=False)
        assert cleared.review == evolve(hidden.review, flags=(), revision=1)
        assert await listed(house, reader) == [hidden.review.id]

    async def test_an_administrator_hides_a_review_and_its_authors_changes_do_not_bring_it_back(
        self, house: House
    ) -> None:
        author, admin = await somebody(house), await somebody(house, platform_admin=True)
        written = await submitted(house, author)
        hidden = await change(house, admin, written, flagged=True)
        assert hidden.review.flags == (FlagReason.MODERATOR,)
        assert (await change(house, admin, hidden, flagged=True)) == hidden
        changed = await change(house, author, hidden, comment="Other words.")
        assert changed.review.flags == (FlagReason.MODERATOR,)
        both = await change(house, author, hidden, comment=SPAM)
        assert both.review.flags == (FlagReason.LINK, FlagReason.MODERATOR)

    async def test_new_words_are_checked_anew_and_new_stars_are_not(self, house: House) -> None:
        author, admin = await somebody(house), await somebody(house, platform_admin=True)
        hidden = await submitted(house, author, comment=SPAM)
        assert (await change(house, author, hidden, rating=1)).review.flagged
        assert (await change(house, author, hidden, comment="Without a link.")).review.flags == ()
        again = await change(house, author, hidden, comment=SPAM)
        cleared = await change(house, admin, again, flagged=False)
        assert not (await change(house, author, cleared, rating=2)).review.flagged
        assert (await change(house, author, cleared, title="New")).review.flagged, "what was cleared were other words"

    async def test_of_changes_of_the_same_words_at_once_one_is_stored(self, house: House) -> None:
        author = await somebody(house)
        written = await submitted(house, author)
        done = await asyncio.gather(
            *(change(house, author, written, comment=f"Words {n}.") for n in range(3)), return_exceptions=True
        )
        assert sum(isinstance(one, ReviewForReader) for one in done) == 1
        assert sum(isinstance(one, ConcurrentChange) for one in done) == 2
