"""What tokens cost."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from contentgen_core.model.article import Usage
from contentgen_core.model.prices import Cost, TokenPrices
from contentgen_core.testing.strategies import costs
from contentgen_http.commands.write import consumed

TOKENS = st.integers(0, 10**7)
PRICES = st.decimals(0, 100_000, places=4)


def usages() -> st.SearchStrategy[Usage]:
    return st.builds(Usage, st.just("m"), TOKENS, TOKENS, st.none() | costs(), TOKENS, TOKENS)


@given(TOKENS, TOKENS, PRICES, PRICES)
def test_a_million_tokens_cost_their_price(read: int, written: int, one: Decimal, other: Decimal) -> None:
    prices = TokenPrices(one, other, "EUR")
    assert prices.cost(10**6, 0).amount == one
    assert prices.cost(0, 10**6).amount == other
    exact = (read * one + written * other) / 10**6
    assert abs(prices.cost(read, written).amount - exact) <= Decimal("0.0000005")


@given(TOKENS, TOKENS, TOKENS, PRICES, st.none() | PRICES, st.none() | PRICES)
def test_input_costs_what_its_part_of_the_cache_costs(
    fresh: int, cached: int, kept: int, read: Decimal, cached_price: Decimal | None, kept_price: Decimal | None
) -> None:
    prices = TokenPrices(read, Decimal(1), "EUR", cached_price, kept_price)
    exact = fresh * read
    exact += cached * (read if cached_price is None else cached_price)
    exact += kept * (read if kept_price is None else kept_price)
    assert abs(prices.cost(fresh + cached + kept, 0, cached, kept).micros - exact) <= Decimal("0.5")


@given(usages(), usages(), usages())
def test_the_order_of_a_sum_is_all_the_same_but_for_the_model(one: Usage, two: Usage, three: Usage) -> None:
    assert one.plus(two).plus(three) == one.plus(two.plus(three)) or None in {it.cost for it in (one, two, three)}
    assert one.plus(two) == two.plus(one)


@given(usages(), usages())
def test_a_sum_has_a_cost_only_where_all_of_its_tokens_have(one: Usage, two: Usage) -> None:
    used = [it for it in (one, two) if it.input_tokens or it.output_tokens]
    cost = one.plus(two).cost
    known = (
        bool(used)
        and all(it.cost is not None for it in used)
        and len({it.cost and it.cost.currency for it in used}) == 1
    )
    assert (cost is not None) is known
    if cost is not None:
        assert cost.micros == sum(it.cost.micros for it in used if it.cost)


@given(usages())
def test_nothing_consumed_changes_nothing(usage: Usage) -> None:
    if usage.input_tokens or usage.output_tokens:
        assert Usage("m").plus(usage) == usage.plus(Usage("m")) == usage


def test_the_command_line_tells_what_a_model_consumed() -> None:
    assert consumed(None) == consumed(Usage("extractive")) == ""
    assert consumed(Usage("m", 1200, 340)) == "; m read 1200 tokens and wrote 340"
    assert consumed(Usage("m", 1200, 340, None, 800)) == "; m read 1200 tokens (800 of them kept) and wrote 340"
    assert consumed(Usage("m", 1200, 340, Cost(42_135, "USD"))) == "; m read 1200 tokens and wrote 340 (0.0421 USD)"
