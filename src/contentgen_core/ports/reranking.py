"""A second opinion on what a search found, by a model that reads the query and a passage together (a cross-encoder)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

MAX_RERANKED: Final = 64
"""Passages of one call at most. The longest article is written from 48."""

MOST_SECONDS: Final = 3.0
"""A call answers or fails within this time: whoever searches waits for it."""


class Reranker(Protocol):
    """Optional: a search whose reranker fails keeps the order that it has without one."""

    @property
    def model(self) -> str:
        """Who judges, for logs and for a person."""
        ...

    async def relevance(self, query: str, passages: Sequence[str]) -> list[float]:
        """How far each passage answers the query: one score a passage, in order, each in 0..1, and comparable within
        this call alone. A model that gives logits has them brought into 0..1 by the logistic function.

        Text beyond what a model reads is left out. Raises ProviderFailed (also when MOST_SECONDS have passed) and
        NotConfigured; ValueError for more than MAX_RERANKED passages.
        """
        ...
