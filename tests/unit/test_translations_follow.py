"""What a patch of an article does to its translations."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from contentgen_adapters.memory.publishing import TOKEN
from contentgen_core.errors import InvalidInput, NotConfigured, ProviderFailed
from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.article_update import (
    ArticleUpdate,
    RefreshMode,
    UpdateState,
)
from contentgen_core.model.freshness import Proposer, SentenceState
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.article_updates import ArticleUpdates
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.use_cases.article_updates.decide import UpdateDecided
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.articles.follow_original import BEING_TRANSLATED, EDITED
from contentgen_core.use_cases.articles.patch import AcceptedPatch
from contentgen_core.use_cases.integrations.manage_integrations import NewIntegration
from tests.support.changing_sources import EFFICIENCY, GRANT, changed, written
from tests.support.house import NICHE, House, open_house
from tests.support.translations import translated

CHEAPER = GRANT.replace("4,000", "2,500")
LESS = EFFICIENCY.replace("3.4", "2.9")
GONE = "Nothing of it stands here any more, and what does is on boats."


async def published(house: House) -> Article:
    article = await written(house)
    async with house.services.ports.unit_of_work() as tx:
        return await tx[Articles].save(evolve(article, status=ArticleStatus.PUBLISHED))


async def both(house: House, target: Language = Language.FR) -> tuple[Article, Article]:
    """An article, and its translation."""
    article = await published(house)
    begun = await translated(house, article, target)
    await house.work()
    assert begun.translation.made_article_id is not None
    translation = await house.article(begun.translation.made_article_id)
    assert translation.status is ArticleStatus.GENERATED
    house.model.translations.clear()
    return article, translation


async def accepted(house: House, article: Article, **more: Any) -> ArticleUpdate:
    update = await house.services.writing.propose_update(house.caller, article.id)
    assert update is not None
    return await house.services.writing.updates.accept(house.caller, update.id, **more)


async def following_of(house: House, update: ArticleUpdate) -> ArticleUpdate:
    found = await house.services.writing.updates.of_translations(house.caller, [update])
    [one] = found[update.id]
    return one


async def newest(house: House, article: Article) -> ArticleUpdate:
    async with house.services.ports.unit_of_work() as tx:
        [update] = await tx[ArticleUpdates].newest(house.caller.tenant_id, article.id, 1)
        return update


async def test_a_translation_is_proposed_what_changed_and_nothing_else_changes() -> None:
    async with open_house() as house:
        article, translation = await both(house)
        await changed(house, 1, CHEAPER)
        update = await accepted(house, article)
        assert (await following_of(house, update)).state is UpdateState.TRANSLATING
        await house.work()
        follower = await following_of(house, update)
        assert (follower.state, follower.article_id, follower.reason) == (UpdateState.PROPOSED, translation.id, None)
        [change] = follower.changes
        assert (change.text, change.was, change.now) == (GRANT.upper(), GRANT, CHEAPER)
        assert (change.proposal, change.proposed_by) == (CHEAPER.upper(), Proposer.MODEL)
        assert follower.usage == house.model.usage
        [asked] = house.model.translations
        assert (asked.segments, asked.source, asked.target) == ((CHEAPER,), Language.EN, Language.FR)
        assert (await house.article(translation.id)).content == translation.content
        applied = await house.services.writing.updates.accept(house.caller, follower.id)
        assert (applied.state, applied.decided_by) == (UpdateState.APPLIED, house.caller.user_id)
        after = await house.article(translation.id)
        assert after.content == translation.content.replace("4,000", "2,500")
        assert [s.number for s in after.sources] == [s.number for s in translation.sources]
        assert any("2,500" in quote for source in after.sources for quote in source.quotes)
        assert await house.services.writing.propose_update(house.caller, translation.id) is None


async def test_what_the_original_leaves_out_is_left_out_and_no_model_asked() -> None:
    async with open_house() as house:
        article, translation = await both(house)
        await changed(house, 1, GONE)
        update = await accepted(house, article)
        await house.work()
        follower = await following_of(house, update)
        [change] = follower.changes
        assert (change.state, change.proposal, change.proposed_by) == (SentenceState.GONE, "", Proposer.RULES)
        assert (house.model.translations, follower.usage) == ([], None)
        await house.services.writing.updates.accept(house.caller, follower.id)
        after = (await house.article(translation.id)).content
        assert GRANT.upper().rstrip(".") not in after
        assert EFFICIENCY.upper().rstrip(".") in after


async def test_with_publish_the_translation_changes_and_its_posts_are_read_back() -> None:
    async with open_house() as house:
        article, translation = await both(house)
        credentials = {"token": TOKEN, "blog": "heat"}
        publishing = house.services.publishing
        await publishing.integrations.create(
            NewIntegration(house.caller, "memory", "A blog", enabled=True, credentials=credentials, settings={})
        )
        for one in (article, translation):
            await publishing.publish.article(house.caller, one.id, None)
        await house.work()
        await changed(house, 1, CHEAPER)
        update = await accepted(house, article, publish=True)
        for _ in range(3):
            await house.work()
        follower = await following_of(house, update)
        assert (follower.state, follower.decided_by) == (UpdateState.APPLIED, house.caller.user_id)
        assert len(follower.updating) == 1
        assert all("4,000" not in post.markdown for post in house.target.posts.values())
        assert sum("2,500 POUNDS" in post.markdown for post in house.target.posts.values()) == 1


async def test_nothing_of_a_translation_goes_out_unapproved() -> None:
    async with open_house() as house:
        article, translation = await both(house)
        publishing, credentials = house.services.publishing, {"token": TOKEN, "blog": "heat"}
        await publishing.integrations.create(
            NewIntegration(house.caller, "memory", "A blog", enabled=True, credentials=credentials, settings={})
        )
        await publishing.publish.article(house.caller, translation.id, None)
        await house.work()
        await changed(house, 1, CHEAPER)
        update = await accepted(house, article, publish=True)
        await house.services.writing.approval_policies.set(house.caller, NICHE, required=True)
        await house.work()
        follower = await following_of(house, update)
        assert (follower.state, bool(follower.reason)) == (UpdateState.PROPOSED, True)
        assert (await house.article(translation.id)).content == translation.content


async def test_by_policy_a_translation_follows_by_itself() -> None:
    async with open_house() as house:
        _, translation = await both(house)
        house.clock.advance(hours=1)
        await changed(house, 1, CHEAPER)
        await house.services.writing.refresh.set(house.caller, NICHE, RefreshMode.AUTO, 24)
        await house.work()
        await house.work()
        follower = await newest(house, translation)
        assert (follower.state, follower.automatic, follower.updating) == (UpdateState.APPLIED, True, ())
        assert (await house.article(translation.id)).content == translation.content.replace("4,000", "2,500")


@pytest.mark.parametrize("answer", ["", "Elle paie 9.999 livres.", CHEAPER, "[1](http://evil) 2,500", "a\x00 2,500"])
async def test_what_is_no_translation_is_left_to_a_person(answer: str) -> None:
    async with open_house() as house:
        article, translation = await both(house)
        house.model.translation = lambda text, request: answer
        await changed(house, 1, CHEAPER)
        update = await accepted(house, article, publish=True)
        await house.work()
        follower = await following_of(house, update)
        assert (follower.state, follower.changes[0].proposal) == (UpdateState.PROPOSED, None)
        assert len(house.model.translations) == 2
        assert all(house.model.translations[1].faults)
        with pytest.raises(InvalidInput):
            await house.services.writing.updates.accept(house.caller, follower.id)
        own = AcceptedPatch(follower.changes[0].position, "La prime paie 2 500 livres.")
        await house.services.writing.updates.accept(house.caller, follower.id, [own])
        assert "La prime paie 2 500 livres" in (await house.article(translation.id)).content


async def test_a_second_patch_before_the_first_is_decided_makes_one_update() -> None:
    async with open_house() as house:
        article, translation = await both(house)
        await changed(house, 1, CHEAPER)
        await accepted(house, article)
        await house.work()
        first = await newest(house, translation)
        await changed(house, 1, GRANT.replace("4,000", "1,000"))
        await changed(house, 0, GONE)
        await accepted(house, article)
        await house.work()
        second = await newest(house, translation)
        async with house.services.ports.unit_of_work() as tx:
            assert (await tx[ArticleUpdates].get(house.caller.tenant_id, first.id)).state is UpdateState.OUTDATED
        assert {(change.was, change.now) for change in second.changes} == {
            (GRANT, GRANT.replace("4,000", "1,000")),
            (EFFICIENCY, None),
        }
        await house.services.writing.updates.accept(house.caller, second.id)
        after = (await house.article(translation.id)).content
        assert "1,000" in after
        assert "3.4" not in after


async def test_a_patch_that_takes_back_another_leaves_nothing_to_follow() -> None:
    async with open_house() as house:
        article, translation = await both(house)
        await changed(house, 1, CHEAPER)
        await accepted(house, article)
        await changed(house, 1, GRANT)
        update = await accepted(house, article)
        assert await house.services.writing.updates.of_translations(house.caller, [update]) == {}
        assert (await newest(house, translation)).state is UpdateState.OUTDATED
        await house.work()
        assert house.model.translations == []


async def edited(house: House, article: Article, content: str) -> Article:
    await house.services.writing.edit(EditArticleCommand(house.caller, article.id, content=content))
    return await house.article(article.id)


async def test_a_translation_that_a_person_restructured_is_skipped_with_the_reason() -> None:
    async with open_house() as house:
        article, translation = await both(house)
        after = await edited(house, translation, f"## More\n\n{translation.content}")
        await changed(house, 1, CHEAPER)
        update = await accepted(house, article)
        await house.work()
        follower = await following_of(house, update)
        assert (follower.state, follower.changes) == (UpdateState.SKIPPED, ())
        assert "other headings or paragraphs" in (follower.reason or "")
        await edited(house, after, translation.content)
        again = await house.services.writing.propose_update(house.caller, translation.id)
        assert again is not None
        assert again.state is UpdateState.TRANSLATING
        await house.work()
        assert (await newest(house, translation)).changes[0].proposal == CHEAPER.upper()


async def test_a_paragraph_with_another_number_of_sentences_is_skipped() -> None:
    async with open_house() as house:
        article, translation = await both(house)
        grant = GRANT.upper().rstrip(".")
        await edited(house, translation, translation.content.replace(grant, f"{grant} [1]. IT IS SO. AND HERE"))
        await changed(house, 1, CHEAPER)
        update = await accepted(house, article)
        await house.work()
        assert "another number of sentences" in ((await following_of(house, update)).reason or "")


async def test_a_translation_that_was_edited_keeps_the_edit_and_has_its_receipt_follow() -> None:
    async with open_house() as house:
        article, translation = await both(house)
        mine = await edited(house, translation, translation.content.replace("THE SIZE OF", "THE OWN SIZE OF"))
        assert mine.grounding is not None
        await changed(house, 1, CHEAPER)
        await accepted(house, article)
        await house.work()
        follower = await newest(house, translation)
        await house.services.writing.updates.accept(house.caller, follower.id)
        after = await house.article(translation.id)
        assert after.content == mine.content.replace("4,000", "2,500")
        assert after.grounding is not None
        assert [s.text for s in after.grounding.sentences] == [
            s.text.replace("4,000", "2,500") for s in mine.grounding.sentences
        ]


async def test_an_edit_after_the_proposal_is_not_overwritten() -> None:
    async with open_house() as house:
        article, translation = await both(house)
        await changed(house, 1, CHEAPER)
        await accepted(house, article)
        await house.work()
        follower = await newest(house, translation)
        await edited(house, translation, translation.content.replace("4,000", "4,001"))
        with pytest.raises(UpdateDecided):
            await house.services.writing.updates.accept(house.caller, follower.id)
        assert "4,001" in (await house.article(translation.id)).content


async def test_an_edit_of_the_original_in_between_is_said() -> None:
    async with open_house() as house:
        article, translation = await both(house)
        await changed(house, 1, CHEAPER)
        await accepted(house, article)
        await house.work()
        present = await house.article(article.id)
        await edited(house, present, f"{present.content}\n\nOne more paragraph.")
        await changed(house, 0, LESS)
        await accepted(house, article)
        assert (await newest(house, translation)).reason == EDITED


async def test_what_is_being_translated_is_skipped_and_followed_on_request() -> None:
    async with open_house() as house:
        article = await published(house)
        begun = await translated(house, article)
        await changed(house, 1, CHEAPER)
        update = await accepted(house, article)
        follower = await following_of(house, update)
        assert (follower.state, follower.reason) == (UpdateState.SKIPPED, BEING_TRANSLATED)
        await house.work()
        made = begun.translation.made_article_id
        assert made is not None
        assert "4,000" in (await house.article(made)).content
        assert (await house.services.writing.propose_update(house.caller, made)) is not None
        await house.work()
        follower = await following_of(house, update)
        await house.services.writing.updates.accept(house.caller, follower.id)
        assert "2,500" in (await house.article(made)).content


@pytest.mark.parametrize(
    "error", [NotConfigured("It cannot.", "CONTENTGEN_X"), ProviderFailed("scripted", "no", retryable=False)]
)
async def test_without_a_model_the_translation_is_skipped_with_the_reason(error: Exception) -> None:
    async with open_house() as house:
        article, translation = await both(house)

        def fail(method: str, position: int) -> None:
            if method == "translate":
                raise error

        house.model.before = fail
        await changed(house, 1, CHEAPER)
        update = await accepted(house, article)
        await house.work()
        follower = await following_of(house, update)
        assert follower.state is UpdateState.SKIPPED
        assert follower.reason
        assert (await house.article(translation.id)).content == translation.content


async def test_rejected_the_translation_stays_and_later_patches_are_followed_alone() -> None:
    async with open_house() as house:
        article, translation = await both(house)
        await changed(house, 1, CHEAPER)
        await accepted(house, article)
        await house.work()
        await house.services.writing.updates.reject(house.caller, (await newest(house, translation)).id)
        await changed(house, 0, LESS)
        await accepted(house, article)
        await house.work()
        assert [change.was for change in (await newest(house, translation)).changes] == [EFFICIENCY]
