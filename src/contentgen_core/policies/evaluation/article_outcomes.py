"""Outcomes of articles that were written for an evaluation, as cases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from contentgen_core.model.article import Article
from contentgen_core.model.evaluation import Outcome
from contentgen_core.model.ids import DocumentId
from contentgen_core.model.knowledge import Passage
from contentgen_core.model.vocabulary import LENGTHS, ArticleLength
from contentgen_core.policies.evaluation.article_figures import Unit, figures, forecast_error
from contentgen_core.policies.evaluation.topics import Topic

FALLING = ("unresolved", "near_identical", "forecast_error")
"""Those of which less is better."""
LITTLE_ON_SUBJECT = 0.9
LITTLE_USED = 0.5
MUCH_ERROR = 0.15


def article_outcomes(
    topic: Topic, article: Article, documents: Iterable[Sequence[Passage]], length: ArticleLength
) -> dict[str, Outcome]:
    """Return the outcomes by figure. `documents`: the passages of each that the knowledge base holds."""
    units = {_unit(p.document.id, p.chunk_index): _as_unit(p, topic) for passages in documents for p in passages}
    cited = {source.number: _unit(source.parent_id, source.chunk_index) for source in article.sources}
    found = figures(article, units, cited, LENGTHS[length].max_words)
    key, error = topic.text, forecast_error(article)
    off = f"{key}: {1 - found.on_subject:.0%} of its sentences rest on documents on something else"
    if not article.sources:
        off = f"{key}: written without a source"
    outcomes = {"on_subject": Outcome(key, found.on_subject, off if found.on_subject < LITTLE_ON_SUBJECT else "")}
    if found.used is not None:
        few = f"{key}: uses {found.used:.0%} of the passages of its own document"
        outcomes["used"] = Outcome(key, found.used, few if found.used < LITTLE_USED else "")
    if found.purity is not None:
        mixed = f"{key}: {1 - found.purity:.0%} of its sections' citations are of other documents than their main one"
        outcomes["purity"] = Outcome(key, found.purity, mixed if found.purity < LITTLE_ON_SUBJECT else "")
    open_ones = f"{key}: begins with a word that refers to nothing: {' / '.join(found.unresolved)}"
    twice = f"{key}: {found.repeated} pairs of sentences say the same"
    planned = article.plan.target_words if article.plan else 0
    off_by = f"{key}: {planned} words planned, {article.word_count} written"
    return outcomes | {
        "unresolved": Outcome(key, len(found.unresolved), open_ones if found.unresolved else ""),
        "near_identical": Outcome(key, found.repeated, twice if found.repeated else ""),
        "forecast_error": Outcome(key, error, off_by if error > MUCH_ERROR else ""),
    }


def _unit(document: DocumentId, chunk_index: int) -> str:
    return f"{document} {chunk_index}"


def _as_unit(passage: Passage, topic: Topic) -> Unit:
    document = passage.document.id
    return Unit(passage.text, document in topic.on, document in topic.own, document)
