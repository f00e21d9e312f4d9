"""An evaluation of a knowledge base: figures over cases that were made from it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import frozen


class Part(StrEnum):
    """The measured parts: deciding whether topics are covered, search, the grounding check, and articles."""

    COVERAGE = "coverage"
    RETRIEVAL = "retrieval"
    GROUNDING = "grounding"
    ARTICLES = "articles"


FIGURES: Final = {
    "coverage.covered": "topics that are told covered while their documents are there",
    "coverage.refused": "topics that are told not covered once their documents are taken out",
    "coverage.apart": "topics that score higher with their documents than without",
    "retrieval.sentence_ndcg": "nDCG@10 of the document for a sentence that was taken out of it",
    "retrieval.sentence_recall": "sentences that were taken out whose document is among the first ten",
    "retrieval.words_ndcg": "nDCG@10 of the document for the rarest words of one of its passages",
    "retrieval.words_recall": "rarest words whose document is among the first ten",
    "retrieval.title_ndcg": "nDCG@10 of the document for words of its title in another order",
    "retrieval.title_recall": "words of titles whose document is among the first ten",
    "grounding.supported": "true sentences that are supported by their passage",
    "grounding.refused": "false sentences that are refused, of all kinds",
    "grounding.refused_number": "sentences with another number that are refused",
    "grounding.refused_date": "sentences with another month that are refused",
    "grounding.refused_name": "sentences with another name that are refused",
    "grounding.refused_negation": "sentences with their verb negated that are refused",
    "grounding.refused_predicate": "sentences with another predicate for their subject that are refused",
    "grounding.refused_other": "sentences of another document that are refused",
    "articles.on_subject": "sentences of an article that rest on documents on its subject",
    "articles.used": "passages of the subject's own document that its article uses",
    "articles.purity": "citations of a section that are of one document",
    "articles.unresolved": "sentences of an article that refer to something that it does not say",
    "articles.near_identical": "pairs of sentences of an article that say the same",
    "articles.forecast_error": "how far the words planned are from those written",
}
"""What the value of each figure is, as a mean."""


DEFAULT_SEED: Final = 7
DEFAULT_SIZE: Final = 200
MAX_SIZE: Final = 2_000
DEFAULT_ARTICLES: Final = 5
MAX_ARTICLES: Final = 100
DIGITS: Final = 4
"""To which values of cases are rounded, so that a run that was kept equals one that was not."""


@frozen
class Outcome:
    """The outcome of one case. `key`: the same in every run that has the case; `value`: 0 to 1 for a share, else at
    least 0; `failed`: the failure in words, "" for none."""

    key: str
    value: float
    failed: str = ""


@frozen
class Interval:
    """The 95 % confidence interval of the mean over more such cases."""

    low: float
    high: float


@frozen
class Figure:
    """The mean of the values of its cases. `name`: its part, a dot, and what is measured; `rises`: whether more is
    better."""

    name: str
    outcomes: tuple[Outcome, ...]
    interval: Interval
    rises: bool = True

    @property
    def value(self) -> float:
        return sum(outcome.value for outcome in self.outcomes) / len(self.outcomes)


@frozen
class Cases:
    """The parameters that decide which cases a run has: runs with the same can be compared. `subject`: the knowledge
    base, as its user names it; `size`: cases of a kind at most; `articles`: how many are written."""

    subject: str
    seed: int
    size: int
    articles: int


@frozen
class Setup:
    """The data and models of a measurement. `knowledge`: the digest of the documents that were used; `documents`,
    `passages`: how many those are, `of` how many documents; `embedder`, `writer`, `entailment`, `reranker`: the models,
    "" for none."""

    cases: Cases
    parts: frozenset[Part]
    version: str
    embedder: str
    writer: str
    entailment: str
    reranker: str
    knowledge: str
    documents: int
    passages: int
    of: int


@frozen
class Evaluation:
    """A run. `seconds`: what it took. `notes`: what could not be measured, and why."""

    setup: Setup
    measured_at: datetime
    seconds: float
    figures: tuple[Figure, ...]
    notes: tuple[str, ...] = ()
