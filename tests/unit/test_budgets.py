"""Budgets: nothing begins that could pass one, and what begins is counted once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from decimal import Decimal

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_core.errors import BudgetExceeded, InvalidInput, NotFound, NotPermitted
from contentgen_core.model.article import Article, ArticleStatus, Usage
from contentgen_core.model.budget import TOKENS, Budget, Spending, Standing, WritingCosts
from contentgen_core.model.execution import RunFault
from contentgen_core.model.ids import ArticleId
from contentgen_core.model.prices import Cost, TokenPrices
from contentgen_core.model.vocabulary import ArticleLength, Language
from contentgen_core.policies.tenancy.budgets import estimate, parts_of, require_left
from contentgen_core.policies.tenancy.quotas import month_window
from contentgen_core.ports.repositories.articles import Articles
from contentgen_core.ports.repositories.budgets import Budgets
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT
from contentgen_core.use_cases.articles.generate import GenerateArticleCommand
from contentgen_core.use_cases.articles.plan import PlanArticleCommand
from contentgen_core.use_cases.articles.start_from_plan import StartFromPlanCommand
from contentgen_core.use_cases.budgets.keep_budgets import KeepBudgets, settle
from contentgen_core.use_cases.budgets.manage_budgets import Limit, ManageBudgets
from tests.support.house import AGENT, COVERED, NICHE, House, open_house
from tests.support.runs import ended, execute
from tests.support.scripted_model import USAGE

EUROS = TokenPrices(Decimal(3), Decimal(15), "EUR")
OTHER = "Solar panels on a south roof"
STANDARD = ArticleLength.STANDARD
NEEDED = estimate(WritingCosts(), STANDARD, plan=True, parts=parts_of(STANDARD)).tokens
OF_A_PLAN = estimate(WritingCosts(), STANDARD, plan=True, parts=0).tokens
USED = USAGE.input_tokens + USAGE.output_tokens


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened


async def start(house: House, topic: str = COVERED, agent: str | None = AGENT) -> ArticleId:
    command = GenerateArticleCommand(house.caller, NICHE, topic, agent_key=agent, language=Language.EN)
    return await house.services.writing.generate(command)


async def limit(house: House, tokens: int, agent: str | None = None) -> None:
    budgets, found = house.services.people.budgets, Limit(TOKENS, tokens)
    if agent is None:
        await budgets.administer(house.caller.tenant_id, found)
    else:
        await budgets.set_of_agent(house.caller, agent, found)


async def standings(house: House) -> list[Standing]:
    return list((await house.services.people.budgets.read(house.caller)).standings)


# ------------------------------------------------------------------------------------------------- the rules


@given(st.sampled_from(ArticleLength), st.integers(0, 12), st.booleans())
def test_more_parts_and_a_plan_are_estimated_at_more(length: ArticleLength, parts: int, plan: bool) -> None:
    costs = WritingCosts(True, EUROS, EUROS)
    found = estimate(costs, length, plan=plan, parts=parts)
    more = estimate(costs, length, plan=True, parts=parts + 1)
    assert more.exceeds(found)
    assert found.currency == ("EUR" if parts or plan else found.currency)
    assert estimate(WritingCosts(False), length, plan=plan, parts=parts) == Spending()
    assert estimate(WritingCosts(True, None, EUROS), length, plan=True, parts=parts + 1).currency == ""


@given(st.integers(0, 1_000), st.integers(0, 1_000), st.integers(0, 1_000), st.integers(0, 1_000))
def test_what_is_let_through_fits(bound: int, spent: int, reserved: int, wanted: int) -> None:
    standing = Standing(Budget(builders.tenant().id, "", TOKENS, bound, MOMENT), spent, reserved)
    if wanted == 0 or spent + reserved + wanted <= bound:
        require_left(standing, Spending(wanted), MOMENT)
        return
    with pytest.raises(BudgetExceeded) as refused:
        require_left(standing, Spending(wanted), MOMENT)
    assert (refused.value.limit, refused.value.used) == (bound, spent + reserved)


def test_money_is_refused_where_nobody_knows_what_tokens_cost() -> None:
    budget = Budget(builders.tenant().id, AGENT, "EUR", 10**9, MOMENT)
    for wanted in (Spending(1), Spending(1, 5, "USD")):
        with pytest.raises(BudgetExceeded, match="not known in EUR") as refused:
            require_left(Standing(budget, 0, 0), wanted, MOMENT)
        assert refused.value.agent
    with pytest.raises(BudgetExceeded, match=r"agent home-energy-GB .* 999.00 EUR of 1000.00 EUR are spent"):
        require_left(Standing(budget, 999_000_000, 0), Spending(1, 1_000_001, "EUR"), MOMENT)


Steps = st.lists(st.tuples(st.sampled_from(["start", "end", "lose"]), st.floats(0, 1), st.booleans()), max_size=25)


@settings(max_examples=60, deadline=None)
@given(Steps, st.integers(0, 4))
def test_articles_that_keep_to_their_estimate_never_pass_a_budget(
    steps: list[tuple[str, float, bool]], articles: int
) -> None:
    """`lose`: the article is gone with its process, and somebody stops it."""
    asyncio.run(_play(steps, articles * NEEDED + 7))


async def _play(steps: list[tuple[str, float, bool]], bound: int) -> None:
    unit_of_work, keep = MemoryUnitOfWork(), KeepBudgets()
    tenant = builders.tenant()
    budget = Budget(tenant.id, "", TOKENS, bound, MOMENT)
    async with unit_of_work() as tx:
        await tx[Tenants].add(tenant)
        await tx[Budgets].set(budget)
    going: list[Article] = []
    for step, share, with_agent in steps:
        if step == "start":
            key = builders.article().agent_key if with_agent else None
            made = builders.article(tenant_id=tenant.id, status=ArticleStatus.GENERATING, agent_key=key, plan=None)
            try:
                async with unit_of_work() as tx:
                    await tx[Articles].add(made)
                    await keep.reserve(tx, made, MOMENT)
                going.append(made)
            except BudgetExceeded:
                pass
        elif going:
            article = going.pop(0)
            async with unit_of_work() as tx:
                if step == "end":
                    await settle(tx, article, [Usage("m", round(share * NEEDED))], MOMENT)
                stored = await tx[Articles].get(tenant.id, article.id)
                await tx[Articles].save(stored.moved_to(ArticleStatus.DRAFT, MOMENT))
        async with unit_of_work() as tx:
            standing = await tx[Budgets].standing(budget, month_window(MOMENT), MOMENT)
        assert standing.spent + standing.reserved <= bound
        assert standing.reserved == len(going) * NEEDED


# ------------------------------------------------------------------------------------------------- articles


async def test_an_article_is_reserved_its_estimate_and_settled_at_what_it_took(house: House) -> None:
    await limit(house, 10 * NEEDED)
    id = await start(house)
    (standing,) = await standings(house)
    assert (standing.spent, standing.reserved) == (0, NEEDED)
    await house.work()
    usage = (await house.article(id)).usage
    assert usage is not None
    (standing,) = await standings(house)
    assert (standing.spent, standing.reserved) == (usage.input_tokens + usage.output_tokens, 0)


async def test_what_could_pass_the_budget_does_not_begin_and_costs_no_quota(house: House) -> None:
    await limit(house, 2 * NEEDED - 1)
    await start(house)
    used = await house.articles_used()
    with pytest.raises(BudgetExceeded, match="budget of the team has too little left this month: 0 tokens of"):
        await start(house, OTHER)
    assert await house.articles_used() == used
    await house.work()
    await start(house, OTHER)


async def test_an_agents_budget_stops_that_agent_alone(house: House) -> None:
    await limit(house, NEEDED - 1, AGENT)
    with pytest.raises(BudgetExceeded, match=f"budget of the agent {AGENT}"):
        await start(house)
    await start(house, OTHER, agent=None)
    (standing,) = await standings(house)
    assert (standing.budget.agent_key, standing.spent, standing.reserved) == (AGENT, 0, 0)


async def test_a_run_says_that_the_budget_ended_it(house: House) -> None:
    await limit(house, NEEDED)
    run = await ended(house, await execute(house, articles=2))
    assert len(run.articles) == 1
    assert [(error.code, "budget of the team" in error.reason) for error in run.errors] == [
        (RunFault.BUDGET_EXCEEDED, True)
    ]


async def test_an_article_that_takes_more_than_it_was_estimated_at_ends_before_the_budget(house: House) -> None:
    house.model.usage = Usage("scripted", NEEDED // 2, 5)
    await limit(house, NEEDED + NEEDED // 10)
    id = await start(house)
    used = await house.articles_used()
    await house.work()
    article = await house.article(id)
    assert article.status is ArticleStatus.FAILED
    assert "budget of the team has too little left" in (article.error or "")
    assert await house.articles_used() == used - 1
    (standing,) = await standings(house)
    assert standing.reserved == 0
    assert standing.spent > 0


async def test_with_room_an_article_that_takes_more_is_written_all_the_same(house: House) -> None:
    house.model.usage = Usage("scripted", NEEDED // 2, 5)
    await limit(house, 20 * NEEDED)
    id = await start(house)
    await house.work()
    assert await house.status(id) is ArticleStatus.GENERATED


async def test_a_plan_is_counted_when_it_is_made_and_the_text_when_it_is_written(house: House) -> None:
    await limit(house, 10 * NEEDED)
    command = PlanArticleCommand(house.caller, AGENT, COVERED, language=Language.EN)
    planned = (await house.services.writing.plan(command)).article
    (standing,) = await standings(house)
    assert (standing.spent, standing.reserved) == (USED, 0)
    await house.services.writing.start_from_plan(StartFromPlanCommand(house.caller, planned.id))
    await house.work()
    usage = (await house.article(planned.id)).usage
    assert usage is not None
    (standing,) = await standings(house)
    assert (standing.spent, standing.reserved) == (usage.input_tokens + usage.output_tokens, 0)


async def test_a_plan_is_refused_before_a_model_is_asked(house: House) -> None:
    await limit(house, OF_A_PLAN - 1)
    with pytest.raises(BudgetExceeded):
        await house.services.writing.plan(PlanArticleCommand(house.caller, AGENT, COVERED, language=Language.EN))
    assert house.model.calls["plan"] == 0


async def test_an_article_that_is_deleted_while_it_waits_leaves_nothing_reserved(house: House) -> None:
    await limit(house, NEEDED)
    await house.services.writing.delete(house.caller, await start(house))
    assert [(s.spent, s.reserved) for s in await standings(house)] == [(0, 0)]


async def test_an_article_whose_worker_is_lost_is_written_by_another_from_the_same_reservation(house: House) -> None:
    await limit(house, NEEDED)
    id = await start(house)
    await house.claim("lost")
    (standing,) = await standings(house)
    assert standing.reserved == NEEDED
    house.clock.advance(seconds=60)
    await house.work("w2")
    assert await house.status(id) is ArticleStatus.GENERATED
    assert (await standings(house))[0].reserved == 0


# ------------------------------------------------------------------------------------------------- who sets them


async def test_budgets_are_set_by_whom_they_concern(house: House) -> None:
    budgets = house.services.people.budgets
    other = await house.other_tenant()
    with pytest.raises(NotPermitted):
        await budgets.set_of_tenant(house.caller, house.caller.tenant_id, Limit(TOKENS, 1))
    admin = evolve(other, platform_admin=True)
    found = await budgets.set_of_tenant(admin, house.caller.tenant_id, Limit(TOKENS, 1))
    assert [s.budget.limit for s in found.standings] == [1]
    with pytest.raises(NotFound):
        await budgets.set_of_agent(house.caller, "boats-GB", Limit(TOKENS, 1))
    await budgets.set_of_agent(house.caller, AGENT, Limit(TOKENS, 2))
    assert [s.budget.limit for s in await standings(house)] == [1, 2]
    assert (await budgets.read(other)).standings == []
    found = await budgets.set_of_agent(house.caller, AGENT, None)
    assert [s.budget.agent_key for s in found.standings] == [""]


@pytest.mark.parametrize(
    ("bound", "costs", "says"),
    [
        (Limit(TOKENS, -1), WritingCosts(), "amount"),
        (Limit("eur", 1), WritingCosts(True, EUROS, EUROS), "ISO 4217"),
        (Limit("EUR", 1), WritingCosts(), "none are set"),
        (Limit("EUR", 1), WritingCosts(True, None, EUROS), "have to be in EUR"),
        (Limit("USD", 1), WritingCosts(True, EUROS, EUROS), "they are in EUR"),
    ],
)
async def test_a_budget_that_nothing_could_be_held_against_is_refused(
    house: House, bound: Limit, costs: WritingCosts, says: str
) -> None:
    ports = house.services.ports
    manage = ManageBudgets(ports.unit_of_work, ports.clock, costs)
    with pytest.raises(InvalidInput, match=says):
        await manage.administer(house.caller.tenant_id, bound)


def test_usages_without_a_price_have_no_money() -> None:
    priced = Usage("m", 10, 5, Cost(7, "EUR"))
    assert Spending.of([priced, priced]) == Spending(30, 14, "EUR")
    assert Spending.of([priced, Usage("m", 1, 1)]) == Spending(17)
    assert Spending.of([]) == Spending()
