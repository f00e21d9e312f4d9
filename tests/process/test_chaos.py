"""A hundred faults in a row, as `make chaos` makes a thousand: nothing is lost, doubled, charged twice or stuck."""

from __future__ import annotations

from tests.chaos.campaign import Campaign

FAULTS = 100
SEED = 3


def test_a_hundred_faults_lose_double_and_hold_up_nothing() -> None:
    state = Campaign(SEED, hurried=True).run(FAULTS)
    assert state.bad == []
    assert sum(state.faults.values()) == FAULTS
    assert len(state.faults) >= 12, state.faults
