"""Checking the text of an article again: the sentences that a person changed, or all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from attrs import frozen

from contentgen_core.model.article import Article
from contentgen_core.model.article_plan import SourceRef
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.grounding import Grounding, SentenceReceipt, Verdict
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.text import TextAnalysis
from contentgen_core.policies.articles.written_text import WrittenText, read_text
from contentgen_core.policies.coverage.of_article import within_coverage
from contentgen_core.policies.grounding.context import Context
from contentgen_core.policies.grounding.verifier import Verifier
from contentgen_core.policies.voice.deviations import deviations
from contentgen_core.ports.entailment import EntailmentModel
from contentgen_core.ports.rendering import ArticleRenderer
from contentgen_core.ports.repositories.articles import Generations
from contentgen_core.ports.repositories.knowledge import Knowledge
from contentgen_core.ports.unit_of_work import Transaction, UnitOfWork
from contentgen_core.use_cases.articles.grounding_receipt import view_of
from contentgen_core.use_cases.grounding.checking import check
from contentgen_core.use_cases.grounding.meaning import Meaning
from contentgen_core.use_cases.use_case import use_case

MAX_SENTENCES = 2_000
"""New sentences of a text that are checked; later ones count as unsupported."""


@frozen
class CheckedText:
    """The result of checking a text: its receipt (None for an article without sources that never had one) and its
    deviations from the voice."""

    grounding: Grounding | None
    voice_deviations: tuple[str, ...] | None


@use_case
class CheckText:
    """`entailment`, `meaning`: as generation has them; None: rules alone."""

    unit_of_work: UnitOfWork
    analysis: TextAnalysis
    renderer: ArticleRenderer
    entailment: EntailmentModel | None = None
    meaning: Meaning | None = None

    async def __call__(
        self,
        article: Article,
        content: str,
        former: Grounding | None,
        passages: Mapping[SourceRef, Passage] | None = None,
    ) -> CheckedText:
        """Never within a transaction: a long text takes seconds, and a model may be asked. Raises NotConfigured.

        `content`: the text, which need not be the article's yet. `former`: the receipt of its former text, whose
        unchanged sentences keep theirs; None: all are checked. `passages`: those that it may rest on; None: those that
        it was written from."""
        language = article.brief.language
        if passages is None:
            async with self.unit_of_work() as tx:
                passages = await _passages(tx, article)
        sources = {source.number: SourceRef(source.parent_id, source.chunk_index) for source in article.sources}
        blocks = await asyncio.to_thread(self.renderer.text_blocks, content)
        text = await asyncio.to_thread(read_text, blocks, sources, language, self.analysis)
        voice = None
        if article.brief.voice is not None:
            voice = await asyncio.to_thread(self._deviations, article, text)
        if former is None and article.grounding is None and not passages:
            return CheckedText(None, voice)
        receipts = await self._receipts(article, text, passages, former)
        grounding = await asyncio.to_thread(text.grounding, receipts, passages, self.analysis, language)
        return CheckedText(within_coverage(grounding, article.coverage), voice)

    async def _receipts(
        self, article: Article, text: WrittenText, passages: Mapping[SourceRef, Passage], former: Grounding | None
    ) -> Mapping[DraftSentence, SentenceReceipt]:
        kept = {} if former is None else text.known(former)
        changed = [sentence.draft for sentence in text.sentences if sentence.draft not in kept]
        verifier = Verifier(passages, self.analysis)
        found = await check(
            changed[:MAX_SENTENCES], verifier, article.brief.language, self.entailment, meaning=self.meaning
        )
        receipts = kept | {
            sentence: found.get(sentence.citing_only(passages), SentenceReceipt(sentence.text, (), Verdict.UNSUPPORTED))
            for sentence in changed
        }
        context = Context.of(article.brief.topic, passages.values())
        return await asyncio.to_thread(text.within, context, receipts)

    def _deviations(self, article: Article, text: WrittenText) -> tuple[str, ...]:
        assert article.brief.voice is not None
        headings = (article.title, *(heading for heading, _ in text.blocks if heading))
        paragraphs = [[sentence.draft.text for sentence in sentences] for _, sentences in text.blocks if sentences]
        return deviations(article.brief.voice, article.brief.language, self.analysis, headings, paragraphs)


async def _passages(tx: Transaction, article: Article) -> dict[SourceRef, Passage]:
    """Return the passages that the article was written from, as they were then; for an imported article, those of its
    present sources."""
    copies = await tx[Generations].sources(article.id) or ()
    passages = {copy.ref: copy.passage for copy in copies}
    missing = [
        ref for source in article.sources if (ref := SourceRef(source.parent_id, source.chunk_index)) not in passages
    ]
    if missing:
        passages |= await tx[Knowledge].passages(view_of(article, copies), missing)
    return passages
