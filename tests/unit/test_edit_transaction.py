"""A change of an article's text holds no transaction while its words are counted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from attrs import define, evolve

from contentgen_core.model.article import Article, ArticleStatus
from contentgen_core.model.text import Token
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.testing import builders
from contentgen_core.use_cases.articles.edit import EditArticle, EditArticleCommand
from tests.support.house import NICHE, House, open_house

TEXT = "A heat pump moves warmth."


@define
class WatchedUnitOfWork:
    """`open`: transactions that are open now; `entered`: all so far."""

    inner: UnitOfWork
    open: int = 0
    entered: int = 0

    @asynccontextmanager
    async def __call__(self) -> AsyncIterator[Transaction]:
        async with self.inner() as tx:
            self.open, self.entered = self.open + 1, self.entered + 1
            try:
                yield tx
            finally:
                self.open -= 1


@define
class SpyAnalysis:
    """`open_while_read`: for each text that was read, how many transactions were open."""

    watched: WatchedUnitOfWork
    open_while_read: list[int]

    def tokens(self, text: str, language: Language) -> tuple[Token, ...]:
        self.open_while_read.append(self.watched.open)
        return tuple(Token(0, len(word), word, word, stop=False) for word in text.split())


async def stored(house: House) -> Article:
    article = builders.article(
        tenant_id=house.caller.tenant_id, niche_key=NICHE, status=ArticleStatus.GENERATED, content="Before."
    )
    async with house.services.ports.unit_of_work() as tx:
        await tx[Articles].add(article)
    return article


def watched(edit: EditArticle) -> tuple[EditArticle, SpyAnalysis]:
    unit_of_work = WatchedUnitOfWork(edit.unit_of_work)
    analysis = SpyAnalysis(unit_of_work, [])
    return evolve(edit, unit_of_work=unit_of_work, analysis=analysis), analysis


async def test_words_are_counted_outside_of_every_transaction() -> None:
    async with open_house() as house:
        article = await stored(house)
        edit, analysis = watched(house.services.writing.edit)
        edited = await edit(EditArticleCommand(house.caller, article.id, content=TEXT))
        assert (edited.content, edited.word_count) == (TEXT, 5)
        assert analysis.open_while_read == [0]


async def test_a_text_that_stays_is_not_counted_again() -> None:
    async with open_house() as house:
        article = await stored(house)
        edit, analysis = watched(house.services.writing.edit)
        edited = await edit(EditArticleCommand(house.caller, article.id, content=article.content, title="Another"))
        assert (edited.title, edited.word_count) == ("Another", article.word_count)
        assert analysis.open_while_read == []


async def test_a_text_that_another_request_changed_meanwhile_is_replaced_and_counted() -> None:
    async with open_house() as house:
        article = await stored(house)
        edit, analysis = watched(house.services.writing.edit)
        unit_of_work = edit.unit_of_work
        assert isinstance(unit_of_work, WatchedUnitOfWork)
        inner = unit_of_work.inner

        @asynccontextmanager
        async def interrupted() -> AsyncIterator[Transaction]:
            if unit_of_work.entered == 1:  # after the text was compared, before it is stored
                async with inner() as tx:
                    present = await tx[Articles].get(article.tenant_id, article.id)
                    await tx[Articles].save(evolve(present, content="By another."))
            async with inner() as tx:
                yield tx

        unit_of_work.inner = interrupted
        edited = await edit(EditArticleCommand(house.caller, article.id, content=article.content))
        assert (edited.content, edited.word_count) == (article.content, 1)
        assert analysis.open_while_read == [0]
