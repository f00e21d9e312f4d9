"""Determine how far a language model wrote an article."""

from __future__ import annotations

from collections.abc import Iterable

from contentgen_core.model.ai_use import AiUse
from contentgen_core.model.article import Article
from contentgen_core.model.article_update import ArticleUpdate, UpdateState
from contentgen_core.model.article_version import ArticleVersion, VersionCause
from contentgen_core.model.freshness import Proposer


def ai_use(article: Article, updates: Iterable[ArticleUpdate], versions: Iterable[ArticleVersion]) -> AiUse:
    """`updates`, `versions`: of the article, as far as they are kept."""
    generated = article.usage is not None and article.usage.of_a_model
    if not generated and not any(map(_proposed_by_a_model, updates)):
        return AiUse.NONE
    edited = any(version.cause is VersionCause.EDITED for version in versions)
    return AiUse.GENERATED if generated and not edited else AiUse.ASSISTED


def _proposed_by_a_model(update: ArticleUpdate) -> bool:
    """Whether sentences of a model were taken into the text."""
    if update.state is not UpdateState.APPLIED:
        return False
    if update.original is not None:  # a translation's sentences are a model's
        return bool(update.applied)
    return any(
        change.position in update.applied and change.proposed_by is Proposer.MODEL and bool(change.proposal)
        for change in update.changes
    )
