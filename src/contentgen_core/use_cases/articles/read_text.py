"""An article as its editors read it: its text, what each sentence rests on, and what people say of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from attrs import frozen

from contentgen_core.model.article import Article
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.tenant import Caller
from contentgen_core.model.text import TextAnalysis, TextBlock
from contentgen_core.policies.articles.written_text import read_text
from contentgen_core.ports.rendering import ArticleRenderer
from contentgen_core.ports.repositories.article_comments import ArticleComments, SentenceReviews
from contentgen_core.ports.repositories.articles import Articles, Generations
from contentgen_core.ports.unit_of_work import UnitOfWork
from contentgen_core.use_cases.approval.reviewed import ReviewedSentence, with_reviews
from contentgen_core.use_cases.comments.manage_comments import MOST, PlacedComment
from contentgen_core.use_cases.knowledge.source_titles import with_present_titles
from contentgen_core.use_cases.use_case import use_case


@frozen
class ArticleText:
    """`sentences`: those of the blocks, in order, with who has reviewed them; `comments`: the newest MOST; `passages`:
    that the article was written from, as they were then."""

    article: Article
    blocks: tuple[TextBlock, ...]
    sentences: tuple[ReviewedSentence, ...]
    comments: tuple[PlacedComment, ...]
    passages: Mapping[SourceRef, Passage]


@use_case
class ReadArticleText:
    unit_of_work: UnitOfWork
    renderer: ArticleRenderer
    analysis: TextAnalysis

    async def __call__(self, caller: Caller, article_id: ArticleId, *, resolved: bool | None = False) -> ArticleText:
        """`resolved`: which comments; None: all. Raises NotFound."""
        async with self.unit_of_work() as tx:
            article = await with_present_titles(tx, await tx[Articles].get(caller.tenant_id, article_id))
            reviews = await tx[SentenceReviews].of_article(caller.tenant_id, article_id)
            said = await tx[ArticleComments].page(caller.tenant_id, article_id, resolved, None, MOST)
            passages = {copy.ref: copy.passage for copy in await tx[Generations].sources(article_id) or ()}

        def read() -> tuple[tuple[TextBlock, ...], list[str]]:
            blocks = tuple(self.renderer.text_blocks(article.content))
            text = read_text(blocks, {}, article.brief.language, self.analysis)
            return blocks, [sentence.draft.text for sentence in text.sentences]

        blocks, sentences = await asyncio.to_thread(read)
        comments = tuple(PlacedComment(comment, comment.position_in(sentences)) for comment in said)
        return ArticleText(article, blocks, tuple(with_reviews(sentences, reviews)), comments, passages)
