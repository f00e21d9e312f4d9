"""Ask the writer for new sentences where sources changed and rules propose nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import reduce
from typing import Final

from attrs import evolve, frozen

from contentgen_core.concurrency import run_concurrently
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.article import Usage
from contentgen_core.model.drafting import DraftSentence
from contentgen_core.model.freshness import Proposer, SentenceState, StaleSentence
from contentgen_core.model.text import TextAnalysis
from contentgen_core.policies.text.storable import is_storable
from contentgen_core.ports.content_model import ContentModel, RevisionRequest
from contentgen_core.ports.lost_usage import lost_if_failed
from contentgen_core.use_cases.articles.freshness import CheckFreshness, ComparedArticle
from contentgen_core.use_cases.use_case import use_case

MAX_REVISED: Final = 20
"""Sentences of an article that the writer is asked about at a time; a person writes the others."""
AT_ONCE: Final = 4
REVISION_SECONDS: Final = 90.0
"""What the writer did not answer by then has no proposal."""


@frozen
class RevisedSentences:
    """The changes of an article with what the writer proposes for them. `usage`: None where it was not asked."""

    changes: tuple[StaleSentence, ...]
    usage: Usage | None = None

    @property
    def proposals(self) -> int:
        """The number of sentences with a proposal."""
        return sum(change.proposal is not None for change in self.changes)


@use_case
class ReviseSentences:
    model: ContentModel
    freshness: CheckFreshness
    analysis: TextAnalysis

    async def __call__(self, compared: ComparedArticle) -> RevisedSentences:
        """Return the revised sentences. A text that the new passages do not support is not proposed; nor is one for
        which the model failed or was slow. Never within a transaction: a model is asked. Raises NotConfigured."""
        changes = compared.freshness.stale
        asked = [change for change in changes if is_open(change)][:MAX_REVISED]
        if not asked:
            return RevisedSentences(changes)
        usages: list[Usage] = []
        slots, until = asyncio.Semaphore(AT_ONCE), asyncio.get_running_loop().time() + REVISION_SECONDS

        async def revise(change: StaleSentence) -> str | None:
            try:
                async with asyncio.timeout_at(until), slots:
                    answer = await self.model.revise_sentence(_request(compared, change))
            except (ProviderFailed, TimeoutError):
                return None
            usages.append(answer.usage)
            return answer.value

        with lost_if_failed(usages):
            answers = await run_concurrently(revise(change) for change in asked)
            texts = {change.position: text for change, text in zip(asked, answers, strict=True)}
            accepted = await self._accept(compared, asked, texts)
        return RevisedSentences(
            tuple(_set_proposal(change, accepted.get(change.position)) for change in changes),
            reduce(Usage.plus, usages, Usage(self.model.name)),
        )

    async def _accept(
        self, compared: ComparedArticle, asked: Sequence[StaleSentence], texts: dict[int, str | None]
    ) -> dict[int, str]:
        """Return the accepted texts by position: one sentence each, supported by the passage with the new words; or ""
        to leave it out."""
        language = compared.article.brief.language
        drafts: dict[int, DraftSentence] = {}
        for change in asked:
            text = texts[change.position]
            if not text or change.source is None or not is_storable(text):
                continue
            if len(await asyncio.to_thread(self.analysis.sentences, text, language)) == 1:
                drafts[change.position] = DraftSentence(text, (change.source,))
        supported = await self.freshness.supported(drafts.values(), compared.article, compared.passages)
        left_out = {position: "" for position, text in texts.items() if text == ""}
        return left_out | {position: draft.text for position, draft in drafts.items() if draft in supported}


def is_open(change: StaleSentence) -> bool:
    """Whether a sentence has new words and no proposal."""
    affected = change.state in (SentenceState.CHANGED, SentenceState.CONTRADICTED)
    return affected and change.proposal is None and change.now is not None


def _set_proposal(change: StaleSentence, text: str | None) -> StaleSentence:
    return change if text is None else evolve(change, proposal=text, proposed_by=Proposer.MODEL)


def _request(compared: ComparedArticle, change: StaleSentence) -> RevisionRequest:
    article = compared.article
    said = ["", *(sentence.text for sentence in article.grounding.sentences), ""] if article.grounding else [""] * 3
    return RevisionRequest(
        brief=article.brief,
        title=article.title,
        sentence=change.text,
        before=said[change.position],
        after=said[change.position + 2],
        was=change.was,
        now=change.now or "",
    )
