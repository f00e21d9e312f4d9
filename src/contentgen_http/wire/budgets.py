"""Budgets of models on the wire."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from contentgen_core.errors import FieldError, InvalidInput
from contentgen_core.model.budget import TOKENS, Standing
from contentgen_core.use_cases.budgets.manage_budgets import BudgetsOf, Limit
from contentgen_http.wire.base import AnswerOf, Body, optional

MICROS = 1_000_000


class Budget(AnswerOf[Standing], kw_only=True):
    """What models may take in a month, and what they took. Amounts are in tokens, or in a currency."""

    agent_key: Annotated[
        str | UnsetType,
        Meta(description="The agent that it is for; absent: for all that is written.", examples=["home-energy-GB"]),
    ] = UNSET
    currency: Annotated[
        str | UnsetType, Meta(description="Code by ISO 4217; absent: the amounts are tokens.", examples=["EUR"])
    ] = UNSET
    limit: Annotated[float, Meta(description="What a month may take.", examples=[50])]
    spent: Annotated[
        float, Meta(description="What plans, articles, translations and updates took this month.", examples=[12.5])
    ]
    reserved: Annotated[
        float, Meta(description="What those that are being planned and written may still take.", examples=[0.4])
    ]
    left: Annotated[float, Meta(description="What is left.", examples=[37.1])]

    @classmethod
    def of(cls, standing: Standing) -> Budget:
        budget = standing.budget
        unit = 1 if budget.unit == TOKENS else MICROS
        return cls(
            agent_key=optional(budget.agent_key or None),
            currency=UNSET if budget.unit == TOKENS else budget.unit,
            limit=budget.limit / unit,
            spent=standing.spent / unit,
            reserved=standing.reserved / unit,
            left=standing.left / unit,
        )


class BudgetList(AnswerOf[BudgetsOf], kw_only=True):
    """Budgets of a month, that of the whole tenant first."""

    month: Annotated[date, Meta(description="The first day of the present month (UTC).")]
    resets_at: Annotated[datetime, Meta(description="When the next month begins (UTC).")]
    budgets: Annotated[list[Budget], Meta(description="Those that are set; without any, only quotas are a bound.")]

    @classmethod
    def of(cls, found: BudgetsOf) -> BudgetList:
        return cls.copy_from(found, budgets=found.standings)


class BudgetPatch(Body, kw_only=True):
    """A new budget in place of a former one: `tokens` alone, or `amount` and `currency`."""

    tokens: Annotated[
        Annotated[int, Meta(ge=0, le=10**12)] | UnsetType,
        Meta(description="What a month may take, in tokens read and written.", examples=[5_000_000]),
    ] = UNSET
    amount: Annotated[
        Annotated[float, Meta(ge=0, le=10**9)] | UnsetType,
        Meta(description="What a month may take, in units of the currency.", examples=[50]),
    ] = UNSET
    currency: Annotated[
        Annotated[str, Meta(pattern="^[A-Z]{3}$")] | UnsetType,
        Meta(description="That of the prices which the operator set, by ISO 4217.", examples=["EUR"]),
    ] = UNSET

    def to_limit(self) -> Limit:
        """Raises InvalidInput."""
        if self.tokens is not UNSET:
            if self.amount is not UNSET or self.currency is not UNSET:
                raise InvalidInput(FieldError("tokens", "stands alone, or amount and currency together"))
            return Limit(TOKENS, self.tokens)
        if self.amount is UNSET or self.currency is UNSET:
            missing = "amount" if self.amount is UNSET else "currency"
            raise InvalidInput(FieldError(missing, "give tokens, or amount and currency"))
        return Limit(self.currency, money(self.amount))


def money(amount: float) -> int:
    """In millionths of the currency."""
    return round(Decimal(str(amount)) * MICROS)
