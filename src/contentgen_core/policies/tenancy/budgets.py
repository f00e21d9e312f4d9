"""Estimate an article's spending on models, and check it against a budget."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from contentgen_core.errors import BudgetExceeded
from contentgen_core.model.budget import TOKENS, Budget, Spending, Standing, WritingCosts
from contentgen_core.model.prices import TokenPrices
from contentgen_core.model.vocabulary import LENGTHS, ArticleLength, Processing
from contentgen_core.policies.tenancy.quotas import month_resets_at

PASSAGE: Final = 450
"""Tokens of a passage of usual length in a prompt; so are the next ones, each rather too many."""
RULES: Final = 2_500
"""Of a prompt without its passages: rules, voice, brief and plan."""
PLAN: Final = 3_000
"""Of a plan."""
SHARED_PASSAGES: Final = 1.5
"""How many parts a passage is shown to."""
WORD: Final = 4
"""Of a word that is written, with what an answer has around it."""
PART: Final = 300
"""Of a part's answer beside its words."""
TRIES: Final = 2
"""A plan is asked for again, a part is written again: each once at most."""


def parts_of(length: ArticleLength) -> int:
    """Return the usual number of parts of an article of this length: its sections and the FAQ."""
    return LENGTHS[length].sections + 1


def estimate(
    costs: WritingCosts,
    length: ArticleLength,
    *,
    plan: bool,
    parts: int,
    processing: Processing = Processing.STANDARD,
) -> Spending:
    """Estimate the spending on planning (if `plan`) and writing so many parts of an article of this length: generously,
    as if each were written twice, the first time in a batch where `processing` says so."""
    if not costs.of_a_model:
        return Spending()
    bounds, usual = LENGTHS[length], parts_of(length)
    passages = bounds.passages * PASSAGE
    read = RULES + round(passages * SHARED_PASSAGES / usual)
    written = PART + WORD * bounds.target_words // usual
    batches = costs.batches and processing is Processing.BATCH
    text = _cost_of_tries(costs.writing, parts * read, parts * written, batches=batches)
    if not plan:
        return text
    planned = _cost_of_tries(costs.planning, RULES + passages, PLAN, batches=batches)
    known = planned.currency == text.currency or not parts
    return planned.plus(text) if known else Spending(planned.tokens + text.tokens)


def _cost_of_tries(prices: TokenPrices | None, read: int, written: int, *, batches: bool) -> Spending:
    """Return the spending on the most tries possible, the first in a batch if there is one."""
    first = _cost(prices.in_a_batch if batches and prices is not None else prices, read, written)
    return first.plus(_cost(prices, (TRIES - 1) * read, (TRIES - 1) * written))


def _cost(prices: TokenPrices | None, read: int, written: int) -> Spending:
    if prices is None:
        return Spending(read + written)
    cost = prices.cost(read, written)
    return Spending(read + written, cost.micros, cost.currency)


def require_left(standing: Standing, wanted: Spending, now: datetime) -> None:
    """Require that the budget has this amount left. Raises BudgetExceeded, also for a budget of money where prices are
    not known in its currency."""
    budget = standing.budget
    if not wanted.tokens:
        return
    amount = wanted.amount(budget.unit)
    if budget.unit != TOKENS and wanted.currency != budget.unit:
        raise _exceeded_error(
            standing, f"What models cost is not known in {budget.unit}: the operator sets prices.", now
        )
    if amount > standing.left:
        raise _exceeded_error(standing, f"The next article may take {budget.shown(amount)}.", now)


def _exceeded_error(standing: Standing, why: str, now: datetime) -> BudgetExceeded:
    budget, taken = standing.budget, standing.spent + standing.reserved
    whose = _owner_of(budget)
    spent = f"{budget.shown(standing.spent)} of {budget.shown(budget.limit)} are spent"
    held = f", {budget.shown(standing.reserved)} are reserved for what is being written" if standing.reserved else ""
    reset = month_resets_at(now)
    message = f"The budget of {whose} has too little left this month: {spent}{held}. {why}"
    message = f"{message} It begins anew on {reset:%Y-%m-%d} (UTC)."
    return BudgetExceeded(message, limit=budget.limit, used=taken, resets_at=reset, agent=bool(budget.agent_key))


def _owner_of(budget: Budget) -> str:
    return f"the agent {budget.agent_key}" if budget.agent_key else "the team"
