"""Updates of articles whose sources changed: proposed, decided, and looked for by a policy."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from contentgen_core.errors import InvalidInput, NotFound, NotPermitted, Unavailable
from contentgen_core.model.article import Article
from contentgen_core.model.article_update import ArticleUpdate, RefreshMode, RefreshPolicy, UpdateState
from contentgen_core.model.freshness import FreshnessLevel
from contentgen_core.model.ids import ArticleUpdateId
from contentgen_core.model.tenant import PlanName, Role
from contentgen_core.ports.repositories.article_updates import ArticleUpdates, RefreshPolicies
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.use_cases.article_updates.decide import UpdateDecided
from contentgen_core.use_cases.articles.follow_original import KEPT
from contentgen_core.use_cases.articles.freshness import CheckFreshness
from contentgen_core.use_cases.articles.patch import AcceptedPatch
from tests.support.changing_sources import EFFICIENCY, GRANT, changed, compared, written
from tests.support.house import NICHE, House, open_house

CHEAPER = GRANT.replace("4,000", "2,500")


async def proposed(house: House, article: Article, **more: Any) -> ArticleUpdate:
    update = await house.services.writing.propose_update(house.caller, article.id, **more)
    assert update is not None
    return update


async def waiting(house: House) -> list[ArticleUpdate]:
    return await house.services.writing.updates.page(house.caller, UpdateState.PROPOSED, None, 50)


async def policy(house: House, mode: RefreshMode, *, publish: bool = False) -> RefreshPolicy:
    return await house.services.writing.refresh.set(house.caller, NICHE, mode, 24, publish=publish)


async def test_an_article_that_is_fresh_needs_no_update() -> None:
    async with open_house() as house:
        article = await written(house)
        assert await house.services.writing.propose_update(house.caller, article.id) is None
        assert await waiting(house) == []


async def test_the_same_changes_are_proposed_once_and_others_replace_them() -> None:
    async with open_house() as house:
        article = await written(house)
        await changed(house, 1, CHEAPER)
        first = await proposed(house, article)
        assert await proposed(house, article) == first
        [change] = first.changes
        assert (change.text, change.proposal) == (GRANT, CHEAPER)
        await changed(house, 1, GRANT.replace("4,000", "3,000"))
        second = await proposed(house, article)
        assert second.id != first.id
        assert await waiting(house) == [second]
        assert (await house.services.writing.updates.get(house.caller, first.id)).state is UpdateState.OUTDATED
        await changed(house, 1, GRANT)
        assert await house.services.writing.propose_update(house.caller, article.id) is None
        assert await waiting(house) == []


async def test_accepted_the_article_says_it_and_nothing_else_changed() -> None:
    async with open_house() as house:
        article = await written(house)
        await changed(house, 1, CHEAPER)
        update = await proposed(house, article)
        applied = await house.services.writing.updates.accept(house.caller, update.id)
        assert (applied.state, applied.applied) == (UpdateState.APPLIED, (update.changes[0].position,))
        assert (applied.decided_by, applied.automatic) == (house.caller.user_id, False)
        assert (await house.article(article.id)).content == article.content.replace("4,000", "2,500")
        assert (await compared(house, article)).level is FreshnessLevel.FRESH
        for again in (house.services.writing.updates.accept, house.services.writing.updates.reject):
            with pytest.raises(UpdateDecided):
                await again(house.caller, update.id)


async def test_a_part_may_be_accepted_with_words_of_ones_own() -> None:
    async with open_house() as house:
        article = await written(house)
        await changed(house, 1, CHEAPER)
        await changed(house, 0, EFFICIENCY.replace("3.4", "2.9"))
        update = await proposed(house, article)
        [grant] = [change for change in update.changes if change.text == GRANT]
        own = "The grant pays 2,500 pounds for each efficient heat pump."
        await house.services.writing.updates.accept(house.caller, update.id, [AcceptedPatch(grant.position, own)])
        after = await house.article(article.id)
        assert "2,500" in after.content
        assert "3.4" in after.content
        rest = await proposed(house, article)
        assert {change.text for change in rest.changes} == {EFFICIENCY}


async def test_what_changed_again_before_the_decision_is_not_written() -> None:
    async with open_house() as house:
        article = await written(house)
        await changed(house, 1, CHEAPER)
        update = await proposed(house, article)
        await changed(house, 1, GRANT.replace("4,000", "1,000"))
        with pytest.raises(UpdateDecided, match="changed since"):
            await house.services.writing.updates.accept(house.caller, update.id)
        assert (await house.article(article.id)).content == article.content
        assert (await house.services.writing.updates.get(house.caller, update.id)).state is UpdateState.OUTDATED


async def test_what_was_rejected_is_proposed_again_on_request_alone() -> None:
    async with open_house() as house:
        article = await written(house)
        await changed(house, 1, CHEAPER)
        update = await proposed(house, article)
        rejected = await house.services.writing.updates.reject(house.caller, update.id)
        assert (rejected.state, (await house.article(article.id)).content) == (UpdateState.REJECTED, article.content)
        await policy(house, RefreshMode.AUTO)
        await house.work()
        assert await waiting(house) == []
        assert (await house.article(article.id)).content == article.content
        assert (await proposed(house, article)).changes == update.changes


async def test_only_so_many_updates_of_an_article_are_kept() -> None:
    async with open_house() as house:
        article = await written(house)
        for price in range(KEPT + 3):
            await changed(house, 1, GRANT.replace("4,000", f"{1000 + price}"))
            await proposed(house, article)
        async with house.services.ports.unit_of_work() as tx:
            assert len(await tx[ArticleUpdates].newest(house.caller.tenant_id, article.id, 100)) == KEPT


async def test_viewers_look_and_others_see_nothing() -> None:
    async with open_house() as house:
        article = await written(house)
        await changed(house, 1, CHEAPER)
        update = await proposed(house, article)
        viewer, other = evolve(house.caller, role=Role.VIEWER), await house.other_tenant(PlanName.PRO)
        writing = house.services.writing
        assert await writing.updates.get(viewer, update.id) == update
        for refused in (
            writing.propose_update(viewer, article.id),
            writing.updates.accept(viewer, update.id),
            writing.updates.reject(viewer, update.id),
            writing.refresh.set(viewer, NICHE, RefreshMode.AUTO, 24, publish=True),
            writing.refresh.run(viewer, NICHE),
            writing.refresh.delete(viewer, NICHE),
        ):
            with pytest.raises(NotPermitted):
                await refused
        for unknown in (
            writing.propose_update(other, article.id),
            writing.updates.get(other, update.id),
            writing.updates.accept(other, update.id),
            writing.updates.reject(house.caller, ArticleUpdateId("nope")),
            writing.refresh.get(house.caller, NICHE),
            writing.refresh.run(house.caller, NICHE),
            writing.refresh.set(house.caller, "nope", RefreshMode.AUTO, 24, publish=True),
        ):
            with pytest.raises(NotFound):
                await unknown
        with pytest.raises(InvalidInput):
            await writing.refresh.set(house.caller, NICHE, RefreshMode.AUTO, 0, publish=True)


@pytest.mark.parametrize("mode", RefreshMode)
async def test_a_policy_proposes_or_applies_what_is_found(mode: RefreshMode) -> None:
    async with open_house() as house:
        article = await written(house)
        made = await policy(house, mode)
        assert made.job_id is not None
        await house.work()
        looked = await house.services.writing.refresh.get(house.caller, NICHE)
        assert looked.last is not None
        assert (looked.job_id, looked.last.examined) == (None, 0)
        house.clock.advance(hours=1)
        await changed(house, 1, CHEAPER)
        await house.services.upkeep.refresh.fire_due()
        await house.work()
        assert await waiting(house) == []
        house.clock.advance(hours=23)
        await house.services.upkeep.refresh.fire_due()
        await house.services.upkeep.refresh.fire_due()
        await house.work()
        last = (await house.services.writing.refresh.get(house.caller, NICHE)).last
        assert last is not None
        automatic = mode is RefreshMode.AUTO
        assert (last.examined, last.proposed, last.applied, last.failed) == (1, not automatic, automatic, 0)
        assert ("2,500" in (await house.article(article.id)).content) is automatic
        assert len(await waiting(house)) == (not automatic)
        if automatic:
            [update] = await house.services.writing.updates.page(house.caller, UpdateState.APPLIED, None, 5)
            assert (update.automatic, update.decided_by) == (True, None)
        await house.services.writing.refresh.delete(house.caller, NICHE)
        with pytest.raises(NotFound):
            await house.services.writing.refresh.get(house.caller, NICHE)


async def test_no_policy_takes_most_of_an_article_away() -> None:
    async with open_house() as house:
        article = await written(house)
        house.clock.advance(hours=1)
        for number in range(3):
            await changed(house, number, "Nothing of it stands here any more, and what does is on boats.")
        await policy(house, RefreshMode.AUTO)
        await house.work()
        [update] = await waiting(house)
        assert not update.leaves_out_little
        assert (await house.article(article.id)).content == article.content


async def test_a_look_that_was_interrupted_counts_what_all_attempts_found(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_house() as house:
        for _ in range(3):
            article = await written(house)
            async with house.services.ports.unit_of_work() as tx:
                await tx[Articles].save(evolve(article, topic_key=f"{article.id}"))
        house.clock.advance(hours=1)
        await changed(house, 1, CHEAPER)
        await policy(house, RefreshMode.AUTO)
        compare, calls = CheckFreshness.compare, 0

        async def interrupted(self: CheckFreshness, *asked: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == 4:
                raise Unavailable("The database is away.")
            return await compare(self, *asked)

        monkeypatch.setattr(CheckFreshness, "compare", interrupted)
        with pytest.raises(Unavailable):
            await house.work()
        house.clock.advance(minutes=5)
        await house.work()
        last = (await house.services.writing.refresh.get(house.caller, NICHE)).last
        assert last is not None
        assert (last.examined, last.applied) == (3, 3)
        assert last.finished_at > last.started_at


async def test_settings_that_are_not_named_stay_as_they_are() -> None:
    async with open_house() as house:
        refresh = house.services.writing.refresh
        first = await refresh.set(house.caller, NICHE, publish=True)
        assert (first.mode, first.every_hours, first.publish) == (RefreshMode.REVIEW, 24, True)
        await refresh.set(house.caller, NICHE, RefreshMode.AUTO)
        changed = await refresh.set(house.caller, NICHE, every_hours=6)
        assert (changed.mode, changed.every_hours, changed.publish) == (RefreshMode.AUTO, 6, True)


async def test_a_look_that_ends_meanwhile_refuses_no_request() -> None:
    async with open_house() as house:
        await policy(house, RefreshMode.REVIEW)
        refresh = house.services.writing.refresh
        looks = 0

        async def ending(*_: object) -> RefreshPolicy:
            nonlocal looks
            looks += 1
            async with house.services.ports.unit_of_work() as tx:
                found = await tx[RefreshPolicies].of_niche(house.caller.tenant_id, NICHE)
                assert found is not None
                if looks == 1:
                    await tx[RefreshPolicies].save(evolve(found, job_id=None))
                return found

        assert (await refresh._begun(ending)).job_id is not None
        assert looks == 2
