"""Budgets: what models may take for a tenant, or for one of its agents, in a month."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Final

from attrs import frozen

from contentgen_core.model.article import Usage
from contentgen_core.model.ids import TenantId
from contentgen_core.model.prices import TokenPrices

TOKENS: Final = "tokens"
MAX_LIMIT: Final = 10**15
WHOLE_TENANT: Final = ""
"""In place of an agent's key: a budget of all that a tenant has written."""


@frozen
class Spending:
    """Tokens and cost of models, actual or estimated. `micros`: in millionths of `currency` (a code of ISO 4217), which
    is "" where a price is not known."""

    tokens: int = 0
    micros: int = 0
    currency: str = ""

    @classmethod
    def of(cls, usages: Iterable[Usage]) -> Spending:
        """Return the total spending of these usages."""
        total = Usage("")
        for usage in usages:
            total = total.plus(usage)
        cost = total.cost
        tokens = total.input_tokens + total.output_tokens
        return cls(tokens) if cost is None else cls(tokens, cost.micros, cost.currency)

    def amount(self, unit: str) -> int:
        """Return the amount in tokens or in a currency; 0 for another currency than its own."""
        if unit == TOKENS:
            return self.tokens
        return self.micros if self.currency == unit else 0

    def plus(self, other: Spending) -> Spending:
        """The sum. `other`: in the same currency, or without a price."""
        return Spending(self.tokens + other.tokens, self.micros + other.micros, self.currency or other.currency)

    def exceeds(self, other: Spending) -> bool:
        """Whether this spending exceeds the other, in tokens or in money."""
        return self.tokens > other.tokens or self.micros > other.micros


@frozen
class Budget:
    """A bound of a month (UTC). `agent_key`: WHOLE_TENANT for all that a tenant has written. `unit`: TOKENS, or a
    currency by its code of ISO 4217; `limit`: in tokens, or in millionths of the currency."""

    tenant_id: TenantId
    agent_key: str
    unit: str
    limit: int
    set_at: datetime

    def shown(self, amount: int) -> str:
        """Format an amount of its unit for a person."""
        return f"{amount} tokens" if self.unit == TOKENS else f"{Decimal(amount) / 1_000_000:.2f} {self.unit}"


@frozen
class Standing:
    """The state of a budget. `spent`: in the month; `reserved`: for articles in writing."""

    budget: Budget
    spent: int
    reserved: int

    @property
    def left(self) -> int:
        """The amount left, never below 0."""
        return max(0, self.budget.limit - self.spent - self.reserved)


@frozen
class Reservation:
    """The amount reserved for a piece of work. `id`: that of an article, for as long as it is being written; or that of
    a request, until `expires_at`, whatever becomes of its process."""

    id: str
    tenant_id: TenantId
    agent_key: str
    spending: Spending
    expires_at: datetime | None = None


@frozen
class WritingCosts:
    """The costs of writing: whether a language model writes, the prices of planning and of writing, where they are
    known, and whether work that is not urgent is requested in batches."""

    of_a_model: bool = True
    planning: TokenPrices | None = None
    writing: TokenPrices | None = None
    batches: bool = False
