"""The sentences of an article's present text."""

from __future__ import annotations

import asyncio

from contentgen_core.model.article import Article
from contentgen_core.model.text import TextAnalysis
from contentgen_core.policies.articles.written_text import read_text
from contentgen_core.ports.rendering import ArticleRenderer
from contentgen_core.use_cases.use_case import use_case


@use_case
class ArticleSentences:
    renderer: ArticleRenderer
    analysis: TextAnalysis

    async def __call__(self, article: Article) -> tuple[str, ...]:
        """Return the sentences in order, without citations and markup, equal to those of a receipt. Never within a
        transaction: a long text takes seconds."""

        def sentences() -> tuple[str, ...]:
            blocks = self.renderer.text_blocks(article.content)
            text = read_text(blocks, {}, article.brief.language, self.analysis)
            return tuple(sentence.draft.text for sentence in text.sentences)

        return await asyncio.to_thread(sentences)
