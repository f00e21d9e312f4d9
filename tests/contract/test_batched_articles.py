"""Articles that are not in a hurry, from the schedule's agent to the text, over both vendors' protocols."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any, cast

import pytest

from contentgen_core.model.article import ArticleStatus
from contentgen_core.model.grounding import GroundingLevel
from contentgen_core.model.prices import Cost, TokenPrices
from contentgen_core.model.vocabulary import Processing
from contentgen_core.ports.unit_of_work import UnitOfWork
from tests.contract.batch_server import BatchServer
from tests.support import model_server
from tests.support.house import COVERED, open_house
from tests.support.runs import articles, execute

PRICES = TokenPrices(Decimal(3), Decimal(15), "USD")
OF_A_CALL = 100 * 3 + 20 * 15


class FaithfulServer(BatchServer):
    """Says what the sources say, so that nothing is to be corrected."""

    def _made(self, schema: dict[str, Any], prompt: str, name: str) -> Any:
        if "topics" in schema["properties"]:
            return {"topics": [{"topic": COVERED, "reason": "It is covered.", "score": 0.9}]}
        shape = "PlanAnswer" if "sections" in schema["properties"] else "SectionAnswer"
        asked = {
            "messages": [{}, {"content": prompt}],
            "response_format": {"json_schema": {"name": shape}},
        }
        _, _, answer = model_server.ModelServer().answer(asked, "")
        return json.loads(answer["choices"][0]["message"]["content"])


@pytest.fixture(params=["memory", "postgres"])
def data(request: pytest.FixtureRequest) -> UnitOfWork | None:
    return None if request.param == "memory" else request.getfixturevalue("postgres_unit_of_work")


@pytest.mark.parametrize("anthropic", [False, True], ids=["openai", "anthropic"])
async def test_an_agents_article_is_planned_and_written_at_half_the_price(
    anthropic: bool, data: UnitOfWork | None
) -> None:
    server = FaithfulServer(anthropic_speaking=anthropic, prices=PRICES)
    async with open_house(model=cast(Any, server.writer), data=data, batched=server.model) as house:
        await execute(house, 1, processing=Processing.BATCH)
        for _ in range(20):
            await house.work()
            house.clock.advance(seconds=61)
            server.end()
        [listed] = await articles(house)
        article = await house.article(listed.id)
        assert article.status is ArticleStatus.GENERATED, article.error
        assert article.grounding is not None
        assert article.grounding.level is GroundingLevel.FULL
        assert article.plan is not None
        calls = 1 + len(article.plan.sections) + bool(article.plan.faq)
        assert article.usage is not None
        assert article.usage.input_tokens == 100 * calls
        assert article.usage.cost == Cost(calls * OF_A_CALL // 2, "USD")
        at_once = [r for r in server.requests if r.url.path.endswith(("/chat/completions", "/messages"))]
        assert all(b"TopicsAnswer" in asked.content for asked in at_once)
        assert server.answered == calls + len(at_once)
        kept = server.batches if anthropic else server.files
        assert not kept, "the vendor was asked to delete them"
