"""Comments stay with the words of their sentence; reviews are of these words, too."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.errors import Conflict, InvalidInput, NotPermitted
from contentgen_core.model.article_comment import MAX_COMMENT, MAX_COMMENTS, MAX_REPLIES, ArticleComment
from contentgen_core.model.ids import ArticleCommentId, ArticleId, TenantId, UserId
from contentgen_core.model.tenant import Role
from contentgen_core.ports.repositories.article_comments import ArticleComments
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from tests.support.changing_sources import written
from tests.support.house import NICHE, House, open_house
from tests.support.team import joined

TEXT = "Heat moves. It is warm.\n\nHeat moves. It is cold.\n"


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


async def an_article(house: House, content: str = TEXT) -> ArticleId:
    article = builders.article(tenant_id=house.caller.tenant_id, niche_key=NICHE, content=content)
    async with house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(article)
    return article.id


async def edited(house: House, article_id: ArticleId, content: str) -> None:
    await house.services.writing.edit(EditArticleCommand(house.caller, article_id, content=content))


async def positions(house: House, article_id: ArticleId) -> list[int | None]:
    """Of the comments, oldest first."""
    page = house.services.writing.comments.page
    return [c.position for c in (await page(house.caller, article_id, resolved=None, before=None, limit=100))[::-1]]


@given(st.lists(st.sampled_from("abc")), st.sampled_from("abc"), st.integers(0, 3))
def test_a_comment_stands_where_its_words_do(sentences: list[str], words: str, occurrence: int) -> None:
    comment = ArticleComment(
        ArticleCommentId("c"), TenantId("t"), ArticleId("a"), words, "Why?", UserId("u"), MOMENT, occurrence
    )
    position = comment.position_in(sentences)
    assert (position is None) == (words not in sentences)
    if position is not None:
        assert sentences[position] == words
        assert sentences[:position].count(words) == min(occurrence, sentences.count(words) - 1)


async def test_a_comment_survives_edits_elsewhere_and_says_when_its_sentence_is_gone(house: House) -> None:
    comments, id = house.services.writing.comments, await an_article(house)
    warm = await comments.add(house.caller, id, "It is warm.", " Who says that? ")
    second = await comments.add(house.caller, id, "Heat moves.", "Again?", occurrence=1)
    assert (warm.position, second.position, warm.comment.text) == (1, 2, "Who says that?")
    await edited(house, id, f"A new beginning.\n\n{TEXT}")
    assert await positions(house, id) == [2, 3]
    await edited(house, id, "Heat moves. It is cold.\n")
    assert await positions(house, id) == [None, 0]
    await edited(house, id, TEXT)
    assert await positions(house, id) == [1, 2]


async def test_a_comment_is_answered_resolved_and_opened_again(house: House) -> None:
    comments, id = house.services.writing.comments, await an_article(house)
    _, editor = await joined(house, Role.EDITOR)
    made = (await comments.add(editor, id, "It is warm.", "Who says that?")).comment
    replied = (await comments.reply(house.caller, made.id, "The manual.")).comment
    assert [(reply.by, reply.text) for reply in replied.replies] == [(house.caller.user_id, "The manual.")]
    resolved = (await comments.resolve(editor, made.id, resolved=True)).comment
    assert (resolved.resolved_by, resolved.resolved_at) == (editor.user_id, house.clock.now())
    assert await comments.page(house.caller, id, resolved=False, before=None, limit=9) == []
    opened = (await comments.resolve(house.caller, made.id, resolved=False)).comment
    assert (opened.resolved, opened.resolved_by) == (False, None)


async def test_comments_are_for_editors_and_approvers(house: House) -> None:
    comments, id = house.services.writing.comments, await an_article(house)
    _, viewer = await joined(house, Role.VIEWER)
    _, editor = await joined(house, Role.EDITOR)
    made = (await comments.add(house.caller, id, "It is warm.", "Why?")).comment
    for refused in (
        comments.add(viewer, id, "It is warm.", "Why?"),
        comments.reply(viewer, made.id, "So."),
        comments.resolve(viewer, made.id, resolved=True),
        comments.delete(viewer, made.id),
        comments.delete(editor, made.id),
        house.services.writing.reviewed.mark(viewer, id, [0]),
    ):
        with pytest.raises(NotPermitted):
            await refused
    await house.services.writing.approval_policies.set(house.caller, NICHE, user_ids=(viewer.user_id,))
    own = (await comments.add(viewer, id, "It is warm.", "Why?")).comment
    await comments.delete(viewer, own.id)
    await comments.delete(house.caller, made.id)
    assert await positions(house, id) == []


async def test_what_is_no_comment_is_refused(house: House) -> None:
    comments, id = house.services.writing.comments, await an_article(house)
    for sentence, occurrence in (("It is hot.", 0), ("It is warm.", 1), ("It is warm.", -1)):
        with pytest.raises(Conflict):
            await comments.add(house.caller, id, sentence, "Why?", occurrence)
    for text in ("", " ", "x" * (MAX_COMMENT + 1), "a\0b"):
        with pytest.raises(InvalidInput):
            await comments.add(house.caller, id, "It is warm.", text)
    made = (await comments.add(house.caller, id, "It is warm.", "Why?")).comment
    async with house.services.ports.unit_of_work() as tx:
        for _ in range(MAX_COMMENTS - 1):
            await tx[ArticleComments].add(evolve(made, id=ArticleCommentId(house.services.ports.ids.new())))
    with pytest.raises(Conflict):
        await comments.add(house.caller, id, "It is warm.", "Why?")
    for _ in range(MAX_REPLIES):
        await comments.reply(house.caller, made.id, "So.")
    with pytest.raises(Conflict):
        await comments.reply(house.caller, made.id, "So.")


async def test_reviews_are_of_the_words_of_sentences(house: House) -> None:
    reviewed, id = house.services.writing.reviewed, await an_article(house)
    _, editor = await joined(house, Role.EDITOR)
    marked = await reviewed.mark(editor, id, [1])
    assert [[review.by for review in sentence.reviews] for sentence in marked] == [[], [editor.user_id], [], []]
    with pytest.raises(InvalidInput):
        await reviewed.mark(editor, id, [])
    for wrong in ([0, 4], [-1]):
        with pytest.raises(Conflict):
            await reviewed.mark(editor, id, wrong)
    await edited(house, id, f"A new beginning. {TEXT}")
    found = await reviewed.read(house.caller, id)
    assert [sentence.text for sentence in found if sentence.reviews] == ["It is warm."]
    house.clock.advance(hours=1)
    await house.services.writing.approval.approve(house.caller, id)
    found = await reviewed.read(house.caller, id)
    assert not any(house.caller.user_id in {review.by for review in sentence.reviews} for sentence in found)
    [warm] = [sentence for sentence in found if sentence.text == "It is warm."]
    assert [(review.by, review.at) for review in warm.reviews] == [(editor.user_id, MOMENT)]


async def test_the_sentences_are_those_of_the_receipt(house: House) -> None:
    article = await written(house)
    assert article.grounding is not None
    found = await house.services.writing.reviewed.read(house.caller, article.id)
    assert [sentence.text for sentence in found] == [sentence.text for sentence in article.grounding.sentences]
