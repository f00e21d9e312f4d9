"""Prices of models."""

from __future__ import annotations

from decimal import Decimal

from attrs import frozen


@frozen
class Cost:
    """A sum of money. `micros`: in millionths of the currency (a code of ISO 4217)."""

    micros: int
    currency: str

    @property
    def amount(self) -> Decimal:
        """The cost in units of the currency."""
        return Decimal(self.micros) / 1_000_000

    def __str__(self) -> str:
        return f"{self.amount:.4f} {self.currency}"


@frozen
class TokenPrices:
    """The prices of a million tokens, read and written. Of those read, `cached`: tokens that the vendor had kept from
    an earlier request; `cache_written`: tokens that it keeps for later ones. None: as other tokens read."""

    read: Decimal
    written: Decimal
    currency: str
    cached: Decimal | None = None
    cache_written: Decimal | None = None

    @property
    def in_a_batch(self) -> TokenPrices:
        """The prices of answers within a day: both vendors that offer these charge half. Cached tokens are not assumed
        to be cheaper still."""
        kept = None if self.cache_written is None else self.cache_written / 2
        return TokenPrices(self.read / 2, self.written / 2, self.currency, None, kept)

    def cost(
        self, input_tokens: int, output_tokens: int, cached_tokens: int = 0, cache_written_tokens: int = 0
    ) -> Cost:
        """Return the cost of so many tokens, rounded to a millionth. `input_tokens`: those of the cache included."""
        parts = (
            (input_tokens - cached_tokens - cache_written_tokens, self.read),
            (cached_tokens, self.read if self.cached is None else self.cached),
            (cache_written_tokens, self.read if self.cache_written is None else self.cache_written),
            (output_tokens, self.written),
        )
        return Cost(round(sum((tokens * price for tokens, price in parts), Decimal())), self.currency)


@frozen
class PricedModel:
    """A model by its vendor's name for it, with what its tokens cost, where that is known."""

    name: str
    prices: TokenPrices | None = None
