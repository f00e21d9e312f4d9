"""A SIGTERM that comes while a program starts."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from contentgen_http.processes.sigterm_while_starting import SigtermWhileStarting

INTERRUPTED = """
import os, signal
os.kill(os.getpid(), signal.SIGTERM)
whole = True
"""


@pytest.fixture
def starting() -> Iterator[SigtermWhileStarting]:
    before = signal.getsignal(signal.SIGTERM)
    yield SigtermWhileStarting()
    signal.signal(signal.SIGTERM, before)


def sigterm() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


def test_it_ends_the_program_where_it_is(starting: SigtermWhileStarting) -> None:
    starting.check()
    with pytest.raises(SystemExit) as ended:
        sigterm()
    assert ended.value.code == 0


def test_a_module_that_is_imported_meanwhile_is_whole(
    starting: SigtermWhileStarting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "interrupted_module.py").write_text(INTERRUPTED)
    monkeypatch.syspath_prepend(tmp_path)
    assert import_module("interrupted_module").whole
    with pytest.raises(SystemExit):
        starting.check()


def test_one_that_was_noted_ends_it_before_its_event_loop_has_begun(
    starting: SigtermWhileStarting, monkeypatch: pytest.MonkeyPatch
) -> None:
    class DropsWhatIsRaised:
        def __del__(self) -> None:
            sigterm()

    async def main() -> None:
        begun.append(True)

    begun: list[bool] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
    DropsWhatIsRaised()
    with pytest.raises(SystemExit):
        starting.run(main())
    assert not begun


def test_on_an_event_loop_it_cancels_what_runs(starting: SigtermWhileStarting) -> None:
    async def main() -> None:
        try:
            sigterm()
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)
            closed.append(True)

    closed: list[bool] = []
    with pytest.raises(SystemExit) as ended:
        starting.run(main())
    assert ended.value.code == 0
    assert closed


def test_what_takes_signals_itself_ends_as_it_likes(starting: SigtermWhileStarting) -> None:
    async def main() -> None:
        came = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, came.set)
        sigterm()
        await came.wait()

    starting.run(main())


def test_what_fails_on_the_event_loop_is_raised(starting: SigtermWhileStarting) -> None:
    async def main() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        starting.run(main())
