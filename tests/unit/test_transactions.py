"""Nothing slow happens inside a transaction: the tests' guard tells it, and so does the log."""

from __future__ import annotations

import asyncio

import pytest
import structlog

from contentgen_core.model.vocabulary import Language
from contentgen_core.services.queued_unit_of_work import QueuedUnitOfWork
from contentgen_grounded.bootstrap.memory import memory_ports
from contentgen_http.telemetry import transactions
from contentgen_http.telemetry.metrics import Metrics
from contentgen_http.telemetry.tracing import Tracing
from contentgen_http.telemetry.transactions import ObservedUnitOfWork
from tests.support.apart import SHORT, Apart
from tests.support.house import SECRET, open_house


class TestTheGuard:
    """It stands around the house of the tests, so all tests of use cases are its tests."""

    async def test_a_slow_call_inside_a_transaction_is_told(self) -> None:
        apart = Apart()
        ports = apart.ports(memory_ports(SECRET))
        async with ports.unit_of_work():
            await asyncio.to_thread(ports.analysis.tokens, "word " * SHORT, Language.EN)
            await asyncio.create_task(ports.embedder.embed(["a text"], "query"))
        with pytest.raises(AssertionError, match=r"analysis\.tokens[^|]*embedder\.embed"):
            apart.check()

    async def test_what_is_quick_or_outside_is_not(self) -> None:
        apart = Apart()
        ports = apart.ports(memory_ports(SECRET))
        async with ports.unit_of_work():
            ports.analysis.tokens("A title", Language.EN)
        await ports.embedder.embed(["a text"], "query")
        apart.check()

    async def test_it_stands_around_the_house(self) -> None:
        with pytest.raises(AssertionError, match="inside a transaction"):
            async with open_house() as house, house.services.ports.unit_of_work():
                await house.services.ports.embedder.embed(["a text"], "query")


@pytest.mark.parametrize("queued", [False, True])
async def test_a_transaction_that_is_open_for_long_is_logged_with_whose_it_is(
    queued: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transactions, "LONG_SECONDS", 0.0)
    observed = ObservedUnitOfWork(memory_ports(SECRET).unit_of_work, Metrics(), Tracing(None))
    unit_of_work = QueuedUnitOfWork(observed, 1) if queued else observed

    async def use_case() -> None:
        async with unit_of_work():
            pass

    with structlog.testing.capture_logs() as logs:
        await use_case()
    assert [(line["event"], line["log_level"]) for line in logs] == [("a transaction was open for long", "warning")]
    assert logs[0]["openedBy"].endswith("use_case")
