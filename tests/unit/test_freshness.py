"""An article whose sources change: what is found, what is proposed, and what a patch does."""

from __future__ import annotations

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_core.errors import ConcurrentChange, InvalidInput, NotFound, NotPermitted
from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.freshness import FreshnessLevel, SentenceState
from contentgen_core.model.grounding import Verdict
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.tenant import Role
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.dated_words import dated_words
from contentgen_core.policies.articles.freshness import revised_sentence
from contentgen_core.policies.articles.patching import Patch, patched
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.use_cases.articles.patch import AcceptedPatch, NothingToPatch
from tests.support.changing_sources import EFFICIENCY, GRANT, TEXTS, changed, compared, written
from tests.support.house import NICHE, open_house

ANALYSIS = IcuTextAnalysis()


async def test_an_article_is_fresh_as_long_as_its_words_stand_in_its_sources() -> None:
    async with open_house() as house:
        article = await written(house)
        found = await compared(house, article)
        assert (found.level, found.stale, found.sentences) == (
            FreshnessLevel.FRESH,
            (),
            len(article.grounding.sentences),
        )  # type: ignore[union-attr]
        await changed(house, 0, f"Quite another beginning stands here now. {EFFICIENCY}")
        assert (await compared(house, article)).level is FreshnessLevel.FRESH


async def test_another_figure_is_found_with_the_old_and_the_new_words_and_proposed() -> None:
    async with open_house() as house:
        article = await written(house)
        present = GRANT.replace("4,000", "2,500")
        await changed(house, 1, present)
        found = await compared(house, article)
        [stale] = found.stale
        assert found.level is FreshnessLevel.STALE
        assert (stale.text, stale.state, stale.was, stale.now) == (GRANT, SentenceState.CHANGED, GRANT, present)
        assert stale.proposal == present
        assert stale.changed_at is not None
        assert found.dated == ()


async def test_what_a_source_no_longer_says_is_to_be_left_out() -> None:
    async with open_house() as house:
        article = await written(house)
        await changed(house, 1, "Nothing of this stands here any longer, since the page was written anew.")
        [stale] = (await compared(house, article)).stale
        assert (stale.state, stale.now, stale.proposal) == (SentenceState.GONE, None, "")


async def test_a_document_that_is_gone_takes_its_sentences_along() -> None:
    async with open_house() as house:
        article = await written(house)
        [gone] = [s for s in article.grounding.sentences if s.text == GRANT]  # type: ignore[union-attr]
        assert gone.support is not None
        async with house.services.ports.unit_of_work() as tx:
            await tx[Knowledge].remove([gone.support.source.document_id])  # type: ignore[list-item]
        [stale] = (await compared(house, article)).stale
        assert (stale.text, stale.state) == (GRANT, SentenceState.GONE)


async def test_no_sentence_is_gone_while_another_document_says_it() -> None:
    async with open_house() as house:
        article = await written(house)
        await changed(house, 7, f"Boats float on water, and so do ducks. {GRANT}")
        await changed(house, 1, "Nothing of this stands here any longer, since the page was written anew.")
        found = await compared(house, article)
        [stale] = found.stale
        assert found.level is FreshnessLevel.REWORDED
        assert (stale.text, stale.state, stale.now, stale.proposal) == (GRANT, SentenceState.REWORDED, GRANT, GRANT)
        patched = await house.services.writing.patch(house.caller, article.id, [AcceptedPatch(stale.position)])
        assert patched.left.stale == ()
        after = await house.article(article.id)
        [source] = [source for source in after.sources if GRANT in source.quotes]
        assert source.title.endswith(" 7")
        assert GRANT.removesuffix(".") in after.content


async def test_what_another_document_says_in_other_figures_or_another_tenant_says_saves_no_sentence() -> None:
    async with open_house() as house:
        article = await written(house)
        other = await house.other_tenant()
        stranger = SourceText("https://kb.example.org/9", "Grants", GRANT, None, Language.EN)
        await house.services.knowledge.import_sources(KbScope(NICHE, other.tenant_id), [stranger])
        await changed(house, 7, GRANT.replace("4,000", "2,500"))
        await changed(house, 1, "Nothing of this stands here any longer, since the page was written anew.")
        [stale] = (await compared(house, article)).stale
        assert (stale.text, stale.state, stale.proposal) == (GRANT, SentenceState.GONE, "")


async def test_a_patch_changes_the_sentences_it_names_and_nothing_else() -> None:
    async with open_house() as house:
        article = await written(house)
        present = GRANT.replace("4,000", "2,500")
        await changed(house, 1, present)
        [stale] = (await compared(house, article)).stale
        patched = await house.services.writing.patch(house.caller, article.id, [AcceptedPatch(stale.position)])
        left = patched.left
        assert (left.level, left.stale) == (FreshnessLevel.FRESH, ())
        after = await house.article(article.id)
        assert after.content == article.content.replace("4,000", "2,500")
        assert [s.number for s in after.sources] == [s.number for s in article.sources]
        assert [s.author for s in after.sources] == [s.author for s in article.sources]
        assert present in {quote for s in after.sources for quote in s.quotes}
        before, now = article.grounding, after.grounding
        assert before is not None
        assert now is not None
        assert [s.verdict for s in now.sentences] == [Verdict.SUPPORTED] * len(before.sentences)
        others = [s for s in before.sentences if s.text != GRANT]
        assert [s for s in now.sentences if s.text != present] == others
        assert (await compared(house, article)).level is FreshnessLevel.FRESH


async def test_a_sentence_can_be_left_out_or_written_by_hand() -> None:
    async with open_house() as house:
        article = await written(house)
        await changed(house, 1, "The grant ended.")
        await changed(house, 0, EFFICIENCY.replace("3.4", "2.9"))
        patch = house.services.writing.patch
        gone, figure = sorted((await compared(house, article)).stale, key=lambda s: s.state is not SentenceState.GONE)
        own = "The efficiency is 2.9 in winter where the flow temperature is low."
        accepted = [AcceptedPatch(gone.position), AcceptedPatch(figure.position, own)]
        assert (await patch(house.caller, article.id, accepted)).left.level is FreshnessLevel.FRESH
        after = await house.article(article.id)
        assert GRANT not in after.content
        assert own.removesuffix(".") in after.content
        assert after.grounding is not None
        assert {s.text for s in after.grounding.sentences} == {own} | {
            s.text
            for s in article.grounding.sentences
            if s.text not in (GRANT, EFFICIENCY)  # type: ignore[union-attr]
        }
        cited = {number for s in after.grounding.sentences for number in s.citations}
        assert {s.number for s in after.sources} == cited


async def test_only_stale_sentences_are_patched() -> None:
    async with open_house() as house:
        article = await written(house)
        await changed(house, 1, "The grant ended.")
        [gone] = (await compared(house, article)).stale
        fresh = next(n for n in range(len(TEXTS)) if n != gone.position)
        patch = house.services.writing.patch
        for wrong in (
            [],
            [AcceptedPatch(fresh)],
            [AcceptedPatch(999)],
            [AcceptedPatch(gone.position, "Something that nothing says.")],
            [AcceptedPatch(gone.position, "x" * 2_001)],
            [AcceptedPatch(gone.position)] * 2,
        ):
            with pytest.raises(InvalidInput):
                await patch(house.caller, article.id, wrong)
        assert await house.article(article.id) == article


async def test_others_neither_see_nor_patch_it_and_viewers_only_look() -> None:
    async with open_house() as house:
        article = await written(house)
        other = await house.other_tenant()
        viewer = evolve(house.caller, role=Role.VIEWER)
        assert (await house.services.writing.freshness(viewer, article.id)).level is FreshnessLevel.FRESH
        with pytest.raises(NotPermitted):
            await house.services.writing.patch(viewer, article.id, [AcceptedPatch(0)])
        for call in (
            house.services.writing.freshness(other, article.id),
            house.services.writing.patch(other, article.id, [AcceptedPatch(0)]),
        ):
            with pytest.raises(NotFound):
                await call


async def test_an_article_without_a_receipt_has_nothing_to_patch() -> None:
    async with open_house() as house:
        article = await written(house)
        async with house.services.ports.unit_of_work() as tx:
            stored = await tx[Articles].get(house.caller.tenant_id, article.id)
            await tx[Articles].save(evolve(stored, grounding=None, status=ArticleStatus.DRAFT))
        assert (await compared(house, article)).level is FreshnessLevel.UNKNOWN
        with pytest.raises(NothingToPatch):
            await house.services.writing.patch(house.caller, article.id, [AcceptedPatch(0)])


async def test_a_change_by_somebody_else_meanwhile_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_house() as house:
        article = await written(house)
        await changed(house, 1, "The grant ended.")
        [gone] = (await compared(house, article)).stale
        plain_text = house.services.ports.renderer.plain_text

        async def edited() -> None:
            async with house.services.ports.unit_of_work() as tx:
                stored = await tx[Articles].get(house.caller.tenant_id, article.id)
                await tx[Articles].save(evolve(stored, title="Edited"))

        async def check(*arguments: object, **more: object) -> object:
            await edited()
            return await check_text(*arguments, **more)  # type: ignore[arg-type]

        check_text = house.services.writing.patch.check_text
        patch = evolve(house.services.writing.patch, check_text=check)
        with pytest.raises(ConcurrentChange):
            await patch(house.caller, article.id, [AcceptedPatch(gone.position)])
        assert plain_text is not None
        assert (await house.article(article.id)).title == "Edited"


@pytest.mark.parametrize(("text", "was", "now", "expected"), [
    ("It costs 300 euros.", "It costs 300 euros.", "It costs 280 euros now.", "It costs 280 euros now."),
    ("For owners, the price is 300 euros.", "It costs 300 euros.", "It costs 280 euros.",
     "For owners, the price is 280 euros."),
    ("The office moved from Leeds.", "The office of Leeds is open.", "The office of New York is open.",
     "The office moved from New York."),
    ("300 of 300 owners agree.", "It costs 300 euros.", "It costs 280 euros.", None),
    ("Owners like it.", "It costs 300 euros.", "It costs 280 euros.", None),
])  # fmt: skip
def test_a_sentence_in_other_words_exchanges_what_the_source_exchanged(
    text: str, was: str, now: str, expected: str | None
) -> None:
    assert revised_sentence(text, was, now, ANALYSIS, Language.EN) == expected


@pytest.mark.parametrize(("content", "text", "new", "expected"), [
    ("One is so [1]. Two is so [2].", "Two is so.", "Two was so.", "One is so [1]. Two was so [7]."),
    ("One is so [1]. “Two is so” [2]. Three.", "Two is so.", "Two was so.", "One is so [1]. “Two was so” [7]. Three."),
    ("# Two\n\nTwo is so [2][3].\n\nEnd [1].", "Two is so.", "", "# Two\n\nEnd [1]."),
    ("- One [1].\n- Two is so [2].\n- Three [3].", "Two is so.", "", "- One [1].\n- Three [3]."),
    ("One [1]. Two is so [2]. Three [3].", "Two is so.", "", "One [1]. Three [3]."),
    ("Two is so [2]. Three [3].", "Two is so.", "", "Three [3]."),
    ("Two is \\*so\\* [2].", "Two is *so*.", "2. Two", "2\\. Two [7]."),
    ("Two is so [1]. Two is so [2].", "Two is so.", "Two was so.", "Two was so [7]. Two is so [2]."),
    ("Nothing [1].", "Two is so.", "Two was so.", None),
])  # fmt: skip
def test_one_sentence_of_the_markdown_changes(content: str, text: str, new: str, expected: str | None) -> None:
    assert patched(content, Patch(text, new, 7, verbatim=True), Language.EN) == expected


def test_of_a_sentence_that_stands_twice_either_can_be_changed() -> None:
    content = "Two is so [1]. One is so [1].\n\nTwo is so [2]."
    second = Patch("Two is so.", "Two was so.", 7, occurrence=1)
    assert patched(content, second, Language.EN) == "Two is so [1]. One is so [1].\n\nTwo was so [7]."
    assert patched(content, evolve(second, occurrence=2), Language.EN) is None


_words = st.lists(st.sampled_from(("alpha", "beta", "gamma", "delta", "omega")), min_size=3, max_size=6)


@settings(max_examples=50)
@given(st.lists(_words.map(" ".join), min_size=2, max_size=5, unique=True), st.data())
def test_a_patch_touches_no_other_sentence(sentences: list[str], data: st.DataObject) -> None:
    numbered = [f"S{n} {sentence}" for n, sentence in enumerate(sentences)]
    content = "\n\n".join(f"{sentence} [{n + 1}]." for n, sentence in enumerate(numbered))
    chosen = data.draw(st.integers(0, len(numbered) - 1))
    new = data.draw(st.sampled_from(("", "Quite new words stand here.")))
    found = patched(content, Patch(f"{numbered[chosen]}.", new, 9), Language.EN)
    expected = [f"{s} [{n + 1}]." for n, s in enumerate(numbered)]
    expected[chosen : chosen + 1] = ["Quite new words stand here [9]."] if new else []
    assert found == "\n\n".join(expected)


@pytest.mark.parametrize(("language", "sentence", "words"), [
    (Language.EN, "The grant rises this year.", "this year"),
    (Language.EN, "The year 2024 was warm.", None),
    (Language.FR, "La prime augmente cette année.", "cette année"),
    (Language.DE, "Die Prämie steigt in diesem Jahr.", "in diesem Jahr"),
    (Language.DE, "Die Messung beginnt am Morgen.", None),
    (Language.ES, "La ayuda sube este año.", "este año"),
    (Language.JA, "今年は上がる。", None),
])  # fmt: skip
def test_words_that_age_by_themselves_are_found(language: Language, sentence: str, words: str | None) -> None:
    assert dated_words(sentence, language) == words


async def test_an_unknown_article_is_not_found() -> None:
    async with open_house() as house:
        with pytest.raises(NotFound):
            await house.services.writing.freshness(house.caller, ArticleId("nope"))


async def test_what_stood_beside_a_sentence_all_along_is_not_what_became_of_it() -> None:
    async with open_house() as house:
        article = await written(house)
        await changed(house, 0, "Boats float on water, and so do ducks.")
        [stale] = (await compared(house, article)).stale
        assert (stale.text, stale.state, stale.now, stale.proposal) == (EFFICIENCY, SentenceState.GONE, None, "")


async def test_where_the_former_words_are_not_known_any_more_the_sentence_itself_is_looked_for() -> None:
    async with open_house() as house:
        article = await written(house)
        assert article.grounding is not None
        forgotten = tuple(
            evolve(s, support=evolve(s.support, content_hash="forgotten")) if s.support else s
            for s in article.grounding.sentences
        )
        async with house.services.ports.unit_of_work() as tx:
            await tx[Articles].save(evolve(article, grounding=evolve(article.grounding, sentences=forgotten)))
        assert (await compared(house, article)).level is FreshnessLevel.FRESH
        present = GRANT.replace("4,000", "2,500")
        await changed(house, 1, present)
        await changed(house, 0, "Boats float on water, and so do ducks.")
        grant, gone = sorted((await compared(house, article)).stale, key=lambda s: s.text != GRANT)
        assert (grant.was, grant.now, grant.proposal, grant.state) == ("", present, None, SentenceState.CHANGED)
        assert (gone.text, gone.was, gone.proposal) == (EFFICIENCY, "", None)
        left = await house.services.writing.patch(
            house.caller, article.id, [AcceptedPatch(grant.position, present), AcceptedPatch(gone.position, "")]
        )
        assert left.left.level is FreshnessLevel.FRESH


async def test_an_article_that_was_patched_is_not_listed_any_more() -> None:
    async with open_house() as house:
        article = await written(house)
        house.clock.advance(hours=1)
        await changed(house, 1, GRANT.replace("4,000", "2,500"))

        async def listed() -> list[FreshnessLevel]:
            found = await house.services.writing.list_freshness(house.caller)
            return [one.freshness.level for one in found.articles]

        assert await listed() == [FreshnessLevel.STALE]
        house.clock.advance(hours=1)
        [stale] = (await compared(house, article)).stale
        await house.services.writing.patch(house.caller, article.id, [AcceptedPatch(stale.position)])
        assert await listed() == []
        house.clock.advance(hours=1)
        await changed(house, 1, GRANT)
        assert await listed() == [FreshnessLevel.STALE]
