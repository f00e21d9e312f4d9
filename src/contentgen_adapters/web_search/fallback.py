"""A premium search with the standard one as its fallback."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from contentgen_core.errors import ProviderFailed
from contentgen_core.ports.web_search import WebFindings, WebQuery, WebSearch

PREMIUM_SECONDS: Final = 45.0

_log = structlog.get_logger(__name__)


class FallbackSearch:
    """Uses the premium search, and the standard one when that fails or takes longer than `seconds`. The findings'
    `provider` is the one that answered."""

    def __init__(self, premium: WebSearch, standard: WebSearch, seconds: float = PREMIUM_SECONDS) -> None:
        self._premium = premium
        self._standard = standard
        self._seconds = seconds

    @property
    def provider(self) -> str:
        return self._premium.provider

    async def search(self, query: WebQuery) -> WebFindings:
        """Raises ProviderFailed when both failed; retryable if either failure is."""
        try:
            return await self._within_budget(query)
        except ProviderFailed as exc:
            first = exc
        _log.warning(
            "premium_search_failed", provider=self.provider, instead=self._standard.provider, reason=first.log_text
        )
        try:
            return await self._standard.search(query)
        except ProviderFailed as exc:
            waits = [error.retry_after for error in (first, exc) if error.retryable and error.retry_after is not None]
            raise ProviderFailed(
                exc.provider,
                f"{exc.message} (before it, {first})",
                retryable=first.retryable or exc.retryable,
                retry_after=min(waits, default=None),
            ) from exc

    async def _within_budget(self, query: WebQuery) -> WebFindings:
        budget = asyncio.timeout(self._seconds)
        try:
            async with budget:
                return await self._premium.search(query)
        except TimeoutError as exc:
            if not budget.expired():
                raise
            raise ProviderFailed(self.provider, f"no answer within {self._seconds:g} s", retryable=True) from exc
