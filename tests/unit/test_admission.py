"""How many more jobs a process takes."""

from __future__ import annotations

import asyncio
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_http.jobs.admission import AT_ONCE, EVERY_SECONDS, IN_ANY_CASE, LATE_SECONDS, Admission

durations = st.lists(st.floats(0.0, 5.0), max_size=50)


def after(seconds: list[float]) -> Admission:
    admission = Admission()
    for each in seconds:
        admission.note(each)
    return admission


@given(durations)
def test_what_is_remembered_lies_between_what_was_measured(seconds: list[float]) -> None:
    assert 0 <= after(seconds).late <= max([0.0, *(each - EVERY_SECONDS for each in seconds)]) + 1e-9


@given(durations, st.integers(0, 300))
def test_a_few_are_taken_in_any_case_and_more_only_on_time(seconds: list[float], running: int) -> None:
    admission = after(seconds)
    room = admission.room(running)
    assert 0 <= room <= AT_ONCE
    assert (room == 0) == (running >= IN_ANY_CASE and admission.late > LATE_SECONDS)
    if running < IN_ANY_CASE:
        assert running + room <= IN_ANY_CASE


def test_one_long_piece_of_work_is_no_lateness_and_a_second_of_them_is() -> None:
    assert after([EVERY_SECONDS] * 10 + [EVERY_SECONDS + 0.15]).room(IN_ANY_CASE)
    assert not after([EVERY_SECONDS + 0.3] * 5).room(IN_ANY_CASE)


def test_a_loop_that_keeps_up_again_soon_has_room() -> None:
    assert after([EVERY_SECONDS + 0.5] * 20 + [EVERY_SECONDS] * 25).room(IN_ANY_CASE)


async def test_it_sees_a_loop_that_is_blocked() -> None:
    admission = Admission()
    watching = asyncio.create_task(admission.watch())
    try:
        for _ in range(5):
            await asyncio.sleep(0.01)
            time.sleep(0.5)  # noqa: ASYNC251 - that is what is watched for
        await asyncio.sleep(0.01)
        assert admission.late > LATE_SECONDS
    finally:
        watching.cancel()


async def test_turns_are_given_in_order_and_none_while_it_is_late() -> None:
    admission = Admission(late=1.0)
    began: list[int] = []

    async def begin(number: int) -> None:
        await admission.turn(lambda: len(began))
        began.append(number)

    tasks = [asyncio.create_task(begin(number)) for number in range(IN_ANY_CASE + 4)]
    await asyncio.sleep(3 * EVERY_SECONDS)
    assert began == list(range(IN_ANY_CASE))
    admission.late = 0.0
    await asyncio.wait_for(asyncio.gather(*tasks), 10)
    assert began == list(range(IN_ANY_CASE + 4))


@pytest.mark.parametrize("running", [0, 3, 5, 7])
def test_what_it_takes_in_any_case_is_not_passed_in_one_step(running: int) -> None:
    assert running + Admission().room(running) <= IN_ANY_CASE
