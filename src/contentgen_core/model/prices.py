"""What models cost."""

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
        """In units of the currency."""
        return Decimal(self.micros) / 1_000_000

    def __str__(self) -> str:
        return f"{self.amount:.4f} {self.currency}"


@frozen
class TokenPrices:
    """What a million tokens cost, read and written."""

    read: Decimal
    written: Decimal
    currency: str

    def cost(self, input_tokens: int, output_tokens: int) -> Cost:
        """Of so many tokens, rounded to a millionth."""
        return Cost(round(input_tokens * self.read + output_tokens * self.written), self.currency)
