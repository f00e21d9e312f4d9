"""Reranking: scoring passages by a model that reads the query and a passage together (a cross-encoder)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

MAX_RERANKED: Final = 64
"""The most passages of one call. The longest article is written from 48."""

TIMEOUT_SECONDS: Final = 3.0
"""A call answers or fails within this time, since a search waits for it."""


class Reranker(Protocol):
    """Optional: a search whose reranker fails keeps its order."""

    @property
    def model(self) -> str:
        """The model's name, for logs and people."""
        ...

    async def relevance(self, query: str, passages: Sequence[str]) -> list[float]:
        """The relevance of each passage to the query, in order, each in 0..1, comparable within this call only. Logits
        are mapped by the logistic function.

        Text beyond the model's window is left out. Raises ProviderFailed (also after TIMEOUT_SECONDS) and
        NotConfigured; ValueError for more than MAX_RERANKED passages."""
        ...
