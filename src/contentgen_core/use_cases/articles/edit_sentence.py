"""Editing one sentence of an article: only that sentence is checked again."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from attrs import evolve, frozen

from contentgen_core.errors import Conflict, EditOvertaken, FieldError, InvalidInput, NotFound
from contentgen_core.model.article import Article
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.tenant import Caller, Role
from contentgen_core.model.vocabulary import Language
from contentgen_core.policies.articles.patching import replace_span, written_span
from contentgen_core.policies.tenancy.access import require_role
from contentgen_core.policies.text import markdown
from contentgen_core.policies.text.storable import NUL, NUL_FAULT
from contentgen_core.policies.text.typography import TYPOGRAPHY
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.article_sentences import ArticleSentences
from contentgen_core.use_cases.articles.edit import EditArticle, EditArticleCommand
from contentgen_core.use_cases.use_case import use_case

MAX_WRITTEN: Final = 4_000
"""Characters of a sentence's Markdown."""
ATTEMPTS: Final = 3
ACROSS: Final = "Edit this sentence in the whole text: it cannot be told from the markup around it."
_STOP: Final = re.compile(r"[.!?…。！？।؟][\"”»’)\]\s]*(?:\[\d{1,3}\])*$")
OVERTAKEN: Final = "Somebody else changed this sentence since you read it."


class NotEditedAlone(Conflict):
    """The sentence is written across other markup, so that it cannot be told from the text around it."""

    code = "not_edited_alone"


@frozen
class WrittenSentence:
    """A sentence as the text has it. `position`: among all, from 0; `occurrence`: which one it is, from 0, of
    `occurrences` of the same words; `written`: its Markdown with quotation marks and citations, None where it cannot be
    edited alone."""

    position: int
    text: str
    occurrence: int
    occurrences: int
    written: str | None


@frozen
class EditSentenceCommand:
    """`text`, `occurrence`, `occurrences`: name the sentence, as in WrittenSentence; `seen`: its Markdown as the person
    has read it; `new`: what is to stand there instead, one or more sentences, or nothing."""

    caller: Caller
    article_id: ArticleId
    text: str
    occurrence: int
    occurrences: int
    seen: str
    new: str


@frozen
class _Changed:
    """`before`: the sentence's Markdown; `content`: the text after the change."""

    before: str
    content: str


@use_case
class EditSentence:
    unit_of_work: UnitOfWork
    sentences: ArticleSentences
    edit: EditArticle

    async def read(self, caller: Caller, article_id: ArticleId, position: int) -> WrittenSentence:
        """Raises NotFound."""
        article = await self._article(caller, article_id)
        sentences = await self.sentences(article)
        if not 0 <= position < len(sentences):
            raise NotFound("sentence", str(position))
        text = sentences[position]
        occurrence = sentences[:position].count(text)
        written: str | None = None
        with suppress(NotEditedAlone):
            written = (await self._change_sentence(article, sentences, text, occurrence, "")).before
        return WrittenSentence(position, text, occurrence, sentences.count(text), written)

    async def __call__(self, command: EditSentenceCommand) -> Article:
        """The article with that sentence changed; the others keep what was found on them. Changes of other sentences
        meanwhile are kept.

        Raises InvalidInput, NotPermitted, NotFound, EditOvertaken where this sentence is another one now,
        NotEditedAlone, ConcurrentChange."""
        require_role(command.caller, Role.EDITOR)
        new = _check_sentence(command.new)
        for attempt in range(ATTEMPTS):
            article = await self._article(command.caller, command.article_id)
            sentences = await self.sentences(article)
            if not 0 <= command.occurrence < command.occurrences == sentences.count(command.text):
                raise EditOvertaken(OVERTAKEN)
            changed = await self._change_sentence(article, sentences, command.text, command.occurrence, new)
            if changed.before != command.seen:
                raise EditOvertaken(OVERTAKEN)
            if new == changed.before:
                return article
            try:
                return await self.edit(
                    EditArticleCommand(command.caller, article.id, content=changed.content, seen=article.text_hash)
                )
            except EditOvertaken:  # somebody changed another part of the text
                if attempt == ATTEMPTS - 1:
                    raise
        raise AssertionError("unreachable")

    async def _article(self, caller: Caller, article_id: ArticleId) -> Article:
        async with self.unit_of_work() as tx:
            return await tx[Articles].get(caller.tenant_id, article_id)

    async def _change_sentence(
        self, article: Article, sentences: Sequence[str], text: str, occurrence: int, new: str
    ) -> _Changed:
        """Raises NotEditedAlone."""
        span = await asyncio.to_thread(written_span, article.content, text, occurrence)
        if span is None:
            raise NotEditedAlone(ACROSS)
        before = span.of(article.content)
        content = replace_span(article.content, span, _end_with_stop(new, before, article.brief.language))
        position = [at for at, each in enumerate(sentences) if each == text][occurrence]
        following = len(sentences) - position - 1
        now = await self.sentences(evolve(article, content=content))
        kept = (*now[:position], *now[len(now) - following :]) if len(now) >= position + following else ()
        if kept != (*sentences[:position], *sentences[position + 1 :]):
            raise NotEditedAlone(ACROSS)
        return _Changed(before, content)


def _end_with_stop(new: str, before: str, language: Language) -> str:
    """Add a full stop where the sentence had one: else the next sentence would become a part of it."""
    needed = new and _STOP.search(before) and not _STOP.search(new)
    return f"{new}{TYPOGRAPHY[language].full_stop}" if needed else new


def _check_sentence(new: str) -> str:
    """Raises InvalidInput."""
    fault = f"at most {MAX_WRITTEN} characters" if len(new) > MAX_WRITTEN else NUL_FAULT if NUL in new else None
    if fault is not None:
        raise InvalidInput(FieldError("text", fault))
    return markdown.one_line(new)
