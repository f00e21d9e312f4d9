"""An article that rests on the weaker side of a conflict: what is found, what is proposed, and what no policy does."""

from __future__ import annotations

from datetime import date

import pytest
from attrs import evolve

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.model.article import Article
from contentgen_core.model.article_update import RefreshMode, UpdateState
from contentgen_core.model.conflict import Conflict, Decision, SideName
from contentgen_core.model.freshness import FreshnessLevel, SentenceState, StaleSentence
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.similar_article import SimilarArticle, Suggestion
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.freshness import rests_on
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.use_cases.article_updates.decide import UpdateDecided
from contentgen_core.use_cases.articles.patch import AcceptedPatch
from tests.support.changing_sources import EFFICIENCY, GRANT, changed, compared, source, written
from tests.support.house import NICHE, House, findable, open_house

CHEAPER = GRANT.replace("4,000", "2,500")
DEARER = GRANT.replace("4,000", "5,000")
OLDER, NEWER = date(2020, 1, 1), date(2030, 1, 1)


async def told(house: House, key: str, text: str, published: date | None) -> None:
    """Another source with the title of the one that has the grant says this."""
    said = evolve(source(1, text), source_key=f"https://{key}.example/", url=f"https://{key}.example/", text=text)
    await house.services.knowledge.import_sources(KbScope(NICHE), [evolve(said, published=published)])
    await findable(house.services)


async def searched(house: House) -> list[Conflict]:
    await house.services.knowledge.conflicts.run(house.caller, NICHE)
    await house.work()
    page = await house.services.knowledge.conflicts.page(house.caller, NICHE, None, None, 50)
    return [shown.conflict for shown in page.conflicts]


async def decide(house: House, conflict: Conflict, decision: Decision, sentence: str | None = None) -> None:
    named = SideName.ONE if conflict.one.sentence == sentence else SideName.OTHER
    prefer = None if sentence is None else named
    await house.services.knowledge.conflicts.decide(house.caller, NICHE, conflict.id, decision, prefer)


async def in_conflict(house: House, published: date | None = NEWER) -> tuple[Article, Conflict]:
    """An article and a source that contradicts its sentence of the grant."""
    article = await written(house)
    await findable(house.services)
    await told(house, "council", f"Owners apply for it before the work begins. {CHEAPER}", published)
    [conflict] = await searched(house)
    return article, conflict


async def contradicted(house: House, article: Article) -> StaleSentence:
    [stale] = (await compared(house, article)).stale
    return stale


async def listed(house: House) -> list[str]:
    return [found.article.id for found in (await house.services.writing.list_freshness(house.caller)).articles]


async def test_a_newer_source_contradicts_a_sentence_until_somebody_decides() -> None:
    async with open_house() as house:
        article, conflict = await in_conflict(house)
        found = await compared(house, article)
        [stale] = found.stale
        assert found.level is FreshnessLevel.STALE
        assert (stale.text, stale.state) == (GRANT, SentenceState.CONTRADICTED)
        assert (stale.was, stale.now, stale.proposal) == (GRANT, CHEAPER, CHEAPER)
        assert stale.changed_at == conflict.found_at
        assert stale.undecided
        assert stale.contradiction is not None
        assert (stale.contradiction.conflict_id, stale.contradiction.decided) == (conflict.id, False)
        assert (stale.contradiction.url, stale.contradiction.published) == ("https://council.example/", NEWER)
        assert await listed(house) == [article.id]
        for decision, sentence in (
            (Decision.BOTH, None),
            (Decision.DISMISS, None),
            (Decision.PREFER, GRANT),
        ):
            await decide(house, conflict, decision, sentence)
            assert (await compared(house, article)).stale == ()
            assert await listed(house) == []
        await decide(house, conflict, Decision.PREFER, CHEAPER)
        stale = await contradicted(house, article)
        assert (stale.state, stale.undecided) == (SentenceState.CONTRADICTED, False)
        assert await listed(house) == [article.id]


async def test_an_older_source_casts_no_doubt_unless_somebody_prefers_it() -> None:
    async with open_house() as house:
        article, conflict = await in_conflict(house, OLDER)
        assert (await compared(house, article)).level is FreshnessLevel.FRESH
        assert await listed(house) == []
        await decide(house, conflict, Decision.PREFER, CHEAPER)
        assert (await contradicted(house, article)).proposal == CHEAPER
        assert await listed(house) == [article.id]


async def test_of_two_of_one_day_the_more_independent_one_is_stronger() -> None:
    async with open_house() as house:
        article, _ = await in_conflict(house, None)
        assert (await compared(house, article)).level is FreshnessLevel.FRESH
        await told(house, "press", f"Nothing else is paid. {CHEAPER} Ask the council.", None)
        await searched(house)
        assert (await contradicted(house, article)).now == CHEAPER


async def test_a_patch_takes_the_other_side_with_its_source() -> None:
    async with open_house() as house:
        article, _ = await in_conflict(house)
        stale = await contradicted(house, article)
        patched = await house.services.writing.patch(house.caller, article.id, [AcceptedPatch(stale.position)])
        assert (patched.left.level, patched.left.stale) == (FreshnessLevel.FRESH, ())
        after = await house.article(article.id)
        [new] = [s for s in after.sources if s.url == "https://council.example/"]
        assert new.quotes == (CHEAPER,)
        assert all(GRANT not in source.quotes for source in after.sources)
        assert CHEAPER in {s.text for s in after.grounding.sentences if new.number in s.citations}  # type: ignore[union-attr]
        assert GRANT not in after.content
        assert await listed(house) == []
        page = await house.services.knowledge.conflicts.page(house.caller, NICHE, None, None, 50)
        sides = {c.conflict.one.sentence: c.citing[SideName.ONE] for c in page.conflicts}
        sides |= {c.conflict.other.sentence: c.citing[SideName.OTHER] for c in page.conflicts}
        assert ([a.id for a in sides[CHEAPER]], sides[GRANT]) == ([article.id], [])


async def test_a_sentence_in_other_words_is_changed_where_it_says_what_differs() -> None:
    own = "Each efficient heat pump in a house gets 4,000 pounds in winter 2024 from the grant."
    silent = "In winter 2024 the grant pays for each efficient heat pump in a house."
    async with open_house() as house:
        article, _ = await in_conflict(house)
        receipts = article.grounding.sentences if article.grounding else ()
        for text, proposal in ((own, own.replace("4,000", "2,500")), (silent, None)):
            said = tuple(evolve(r, text=text) if r.text == GRANT else r for r in receipts)
            async with house.services.ports.unit_of_work() as tx:
                stored = await tx[Articles].get(house.caller.tenant_id, article.id)
                await tx[Articles].save(evolve(stored, grounding=evolve(stored.grounding, sentences=said)))  # type: ignore[type-var]
            assert [s.proposal for s in (await compared(house, article)).stale] == ([proposal] if proposal else [])


async def test_what_lost_itself_or_is_no_longer_said_is_not_proposed() -> None:
    async with open_house() as house:
        article, conflict = await in_conflict(house)
        await decide(house, conflict, Decision.PREFER, CHEAPER)
        await told(house, "office", DEARER, date(2031, 1, 1))
        conflicts = await searched(house)
        between = next(c for c in conflicts if {c.one.sentence, c.other.sentence} == {CHEAPER, DEARER})
        await decide(house, between, Decision.PREFER, DEARER)
        stale = await contradicted(house, article)
        assert (stale.now, stale.undecided) == (DEARER, True)
        against = next(c for c in conflicts if {c.one.sentence, c.other.sentence} == {GRANT, DEARER})
        await decide(house, against, Decision.PREFER, GRANT)  # a circle: nobody knows what holds
        assert (await compared(house, article)).stale == ()
        await decide(house, against, Decision.PREFER, DEARER)
        await told(house, "office", "Nothing of it stands here any longer.", date(2031, 1, 1))
        assert (await compared(house, article)).stale == ()


async def test_no_policy_settles_what_nobody_has_decided() -> None:
    async with open_house() as house:
        article, conflict = await in_conflict(house)
        await changed(house, 0, EFFICIENCY.replace("3.4", "2.9"))
        refresh, updates = house.services.writing.refresh, house.services.writing.updates
        await refresh.set(house.caller, NICHE, RefreshMode.AUTO, 24)

        async def refreshed() -> str:
            await refresh.run(house.caller, NICHE)
            await house.work()
            return (await house.article(article.id)).content

        content = await refreshed()
        assert content == article.content.replace("3.4", "2.9")
        assert await refreshed() == content
        [waiting] = await updates.page(house.caller, UpdateState.PROPOSED, None, 50)
        assert [(c.text, c.proposal, c.undecided) for c in waiting.changes] == [(GRANT, CHEAPER, True)]
        assert waiting.checked == ()
        await decide(house, conflict, Decision.PREFER, CHEAPER)
        with pytest.raises(UpdateDecided):
            await updates.accept(house.caller, waiting.id)
        after = await refreshed()
        assert (CHEAPER.removesuffix(".") in after, GRANT.removesuffix(".") in after) == (True, False)
        assert await listed(house) == []


async def test_a_rejected_contradiction_waits_for_the_decision() -> None:
    async with open_house() as house:
        article, conflict = await in_conflict(house)
        refresh, updates = house.services.writing.refresh, house.services.writing.updates
        await refresh.set(house.caller, NICHE, RefreshMode.REVIEW, 24)
        update = await house.services.writing.propose_update(house.caller, article.id)
        assert update is not None
        await updates.reject(house.caller, update.id)
        await refresh.run(house.caller, NICHE)
        await house.work()
        assert await updates.page(house.caller, UpdateState.PROPOSED, None, 50) == []
        await decide(house, conflict, Decision.PREFER, CHEAPER)
        await refresh.run(house.caller, NICHE)
        await house.work()
        [again] = await updates.page(house.caller, UpdateState.PROPOSED, None, 50)
        assert not again.changes[0].undecided


async def test_what_was_fresh_is_listed_after_the_next_conflict() -> None:
    async with open_house() as house:
        article, conflict = await in_conflict(house)
        await decide(house, conflict, Decision.PREFER, CHEAPER)
        async with house.services.ports.unit_of_work() as tx:
            await tx[Articles].mark_fresh(house.caller.tenant_id, article.id, house.clock.now())
        assert await listed(house) == []
        house.clock.advance(seconds=60)
        await told(house, "office", DEARER, date(2031, 1, 1))
        await searched(house)
        assert await listed(house) == [article.id]


async def test_an_article_on_the_topic_whose_source_is_contradicted_is_to_be_updated() -> None:
    async with open_house() as house:
        article = await written(house)
        await findable(house.services)

        async def similar() -> SimilarArticle:
            [found] = await house.services.writing.similar(house.caller, article.title)
            assert found.article.id == article.id
            return found

        before = await similar()
        await told(house, "council", f"Owners apply for it before the work begins. {CHEAPER}", NEWER)
        await searched(house)
        after = await similar()
        assert (before.sources_changed, after.sources_changed) == (False, True)
        assert (before.suggestion, after.suggestion) == (Suggestion.UPDATE, Suggestion.UPDATE)
        assert after.reason == f"{before.reason} Sources of it changed since it was written."


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("It pays 4 pounds.", "It pays 4 pounds.", True),
        ("Owners get 4 pounds.", "It pays 4 pounds. Owners apply in March.", True),
        ("Owners apply in March.", "It pays 4 pounds. Owners apply in March.", False),
        ("It pays 4 pounds, and owners apply in March.", "It pays 4 pounds. Owners apply in March.", True),
        ("Owners apply in March.", "Owners apply in March.", False),
    ],
)
def test_of_several_sentences_that_one_counts_which_is_said(text: str, words: str, expected: bool) -> None:
    assert rests_on(text, words, "It pays 4 pounds.", IcuTextAnalysis(), Language.EN) is expected
