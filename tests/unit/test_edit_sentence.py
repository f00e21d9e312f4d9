"""Editing one sentence: it alone changes and is checked, and nobody's other change is lost."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.errors import EditOvertaken, InvalidInput, NotFound, NotPermitted
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import Role
from contentgen_core.policies.articles.patching import replace_span, written_span
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.testing import builders
from contentgen_core.use_cases.articles.edit import EditArticleCommand
from contentgen_core.use_cases.articles.edit_sentence import (
    MAX_WRITTEN,
    EditSentenceCommand,
    NotEditedAlone,
    WrittenSentence,
)
from tests.support.changing_sources import written
from tests.support.house import NICHE, House, open_house
from tests.support.team import joined

TEXT = "## Heat\n\nHeat moves [1]. It is warm.\n\n- Heat moves [2].\n- “Pumps are quiet machines,” they say [3].\n"


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


async def an_article(house: House, content: str = TEXT) -> ArticleId:
    article = builders.article(tenant_id=house.caller.tenant_id, niche_key=NICHE, content=content)
    async with house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(article)
    return article.id


async def content(house: House, article_id: ArticleId) -> str:
    return (await house.services.writing.articles.one(house.caller, article_id)).content


async def read(house: House, article_id: ArticleId, position: int) -> WrittenSentence:
    return await house.services.writing.edit_sentence.read(house.caller, article_id, position)


def changing(house: House, article_id: ArticleId, seen: WrittenSentence, new: str) -> EditSentenceCommand:
    return EditSentenceCommand(
        house.caller, article_id, seen.text, seen.occurrence, seen.occurrences, seen.written or "", new
    )


async def change(house: House, article_id: ArticleId, position: int, new: str) -> str:
    seen = await read(house, article_id, position)
    return (await house.services.writing.edit_sentence(changing(house, article_id, seen, new))).content


@pytest.mark.parametrize(
    ("position", "markdown", "new", "there"),
    [
        (0, "Heat moves [1].", "Heat flows [1].", "Heat flows [1]. It is warm."),
        (1, "It is warm.", "It is hot", "Heat moves [1]. It is hot.\n"),
        (2, "Heat moves [2].", "Heat stays [2].", "- Heat stays [2].\n"),
        (2, "Heat moves [2].", "", "It is warm.\n\n- “Pumps"),
        (0, "Heat moves [1].", "Heat\nmoves. And\tflows [1].", "Heat moves. And flows [1]. It is warm."),
        (0, "Heat moves [1].", "# Heat [1].", "\n\n\\# Heat [1]. It is warm."),
    ],
)
async def test_a_sentence_changes_and_nothing_else(
    house: House, position: int, markdown: str, new: str, there: str
) -> None:
    article = await an_article(house)
    assert (await read(house, article, position)).written == markdown
    after = await change(house, article, position, new)
    assert there in after
    assert after == await content(house, article)


@given(st.lists(st.sampled_from(["Heat moves", "It is warm", "Heat", "A pump is quiet"]), min_size=1), st.data())
def test_exchanging_a_sentence_leaves_all_around_it(words: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(words) - 1))
    marks = [f" [{n}]" if data.draw(st.booleans()) else "" for n in range(len(words))]
    written = [f"{word}{mark}." for word, mark in zip(words, marks, strict=True)]
    text = " ".join(written)
    # A shorter one may stand within a longer one: then it is not taken for alone by the use case.
    occurrence = sum(words[at] in word for word in words[:at])
    span = written_span(text, f"{words[at]}.", occurrence)
    assert span is not None
    assert replace_span(text, span, "New.") == " ".join([*written[:at], "New.", *written[at + 1 :]])


async def test_the_others_keep_what_was_found_on_them(house: House) -> None:
    article, before = (found := await written(house)).id, found.grounding
    assert before is not None
    seen = await read(house, article, 0)
    made = await house.services.writing.edit_sentence(changing(house, article, seen, "The moon is made of cheese [1]."))
    assert made.grounding is not None
    assert made.grounding.sentences[1:] == before.sentences[1:]
    assert made.grounding.sentences[0].text == "The moon is made of cheese."
    assert made.grounding.sentences[0].verdict != before.sentences[0].verdict
    versions = await house.services.writing.versions.page(house.caller, article, None, 10)
    assert versions[0].text_hash == made.text_hash


async def test_the_second_editor_of_a_sentence_is_told_and_of_another_is_not(house: House) -> None:
    article = await an_article(house)
    first, same, other = await read(house, article, 0), await read(house, article, 0), await read(house, article, 1)
    edit = house.services.writing.edit_sentence
    await edit(changing(house, article, first, "Heat flows [1]."))
    with pytest.raises(EditOvertaken):
        await edit(changing(house, article, same, "Heat stays [1]."))
    await edit(changing(house, article, other, "It is hot."))
    assert "Heat flows [1]. It is hot." in await content(house, article)


async def test_another_citation_is_another_sentence(house: House) -> None:
    article = await an_article(house)
    seen = await read(house, article, 0)
    await house.services.writing.edit(
        EditArticleCommand(house.caller, article, content=TEXT.replace("moves [1]", "moves [4]"))
    )
    with pytest.raises(EditOvertaken):
        await house.services.writing.edit_sentence(changing(house, article, seen, "Heat stays [1]."))


async def test_what_is_written_across_markup_is_edited_in_the_whole_text(house: House) -> None:
    article = await an_article(house, "Heat **moves** fast. It is warm.\n")
    seen = await read(house, article, 0)
    assert seen.written is None
    with pytest.raises(NotEditedAlone):
        await house.services.writing.edit_sentence(changing(house, article, seen, "Heat stays."))
    assert await content(house, article) == "Heat **moves** fast. It is warm.\n"


async def test_who_may_not_or_asks_for_too_much_is_refused(house: House) -> None:
    article = await an_article(house)
    seen, edit = await read(house, article, 0), house.services.writing.edit_sentence
    for new in ("x" * (MAX_WRITTEN + 1), "a\0b"):
        with pytest.raises(InvalidInput):
            await edit(changing(house, article, seen, new))
    _, viewer = await joined(house, Role.VIEWER)
    with pytest.raises(NotPermitted):
        await edit(EditSentenceCommand(viewer, article, seen.text, 0, 1, seen.written or "", "Heat."))
    other = await house.other_tenant()
    with pytest.raises(NotFound):
        await edit(EditSentenceCommand(other, article, seen.text, 0, 1, seen.written or "", "Heat."))
    with pytest.raises(NotFound):
        await read(house, article, 99)
    assert await content(house, article) == TEXT
