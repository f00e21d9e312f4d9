"""Faults in rounds: some of them while clients ask for work, then quiet, then the audit."""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

import msgspec
from attrs import define, field

from tests.chaos.auditor import Auditor, Findings
from tests.chaos.faults import KINDS, Fault
from tests.chaos.workload import Workload, furnish, make_schedule_due
from tests.chaos.world import World, a_world

ROUND: Final = 40
HURRIED_ROUND: Final = 100
COSTLY: Final = 0.04
"""The share of costly faults in a campaign in a hurry."""


class State(msgspec.Struct):
    """What a campaign that was stopped goes on from. `faults`: how many of each kind; `sums`: what they cost."""

    seed: int
    done: int = 0
    rounds: int = 0
    asked: int = 0
    faults: dict[str, int] = {}
    sums: dict[str, int] = {}
    longest: float = 0.0
    slowest: float = 0.0
    bad: list[str] = []

    @classmethod
    def of(cls, file: Path | None, seed: int) -> State:
        """As the file has it, if it is of this seed."""
        if file is not None and file.exists():
            found = msgspec.json.decode(file.read_bytes(), type=cls)
            if found.seed == seed:
                return found
        return cls(seed)

    def store(self, file: Path | None) -> None:
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            beside = file.with_suffix(".new")
            beside.write_bytes(msgspec.json.format(msgspec.json.encode(self)))
            beside.replace(file)


@define
class Campaign:
    """`hurried`: with short faults, few costly ones, and leases of the dead that end at once."""

    seed: int
    hurried: bool = False
    file: Path | None = None
    only: tuple[str, ...] = ()
    state: State = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.state = State.of(self.file, self.seed)

    @property
    def round(self) -> int:
        return HURRIED_ROUND if self.hurried else ROUND

    def run(self, faults: int) -> State:
        """Up to so many faults, those of before included."""
        if self.state.done >= faults:
            return self.state
        with a_world(hurried=self.hurried) as world:
            furnish(world)
            auditor = Auditor(world)
            workload = Workload(world)
            while self.state.done < faults:
                self._round(world, workload, auditor, min(self.round, faults - self.state.done))
        return self.state

    def _round(self, world: World, workload: Workload, auditor: Auditor, count: int) -> None:
        first = self.state.done
        auditor.close_round()
        workload.asks.clear()
        make_schedule_due(world)
        with workload.running():
            for number in range(first, first + count):
                self._fault(world, workload, number)
            world.peers.heal()
            world.keep_running()
            findings = auditor.audit(workload)
        self.state.done = first + count
        self.state.rounds += 1
        self.state.asked += len(workload.asks)
        self.state.slowest = max(self.state.slowest, workload.slowest)
        self._keep(findings, first)
        if findings.bad and self.file is not None:
            log = self.file.with_name(f"{self.file.stem}-{self.state.done}.log")
            log.write_text(world.logs())
            say(f"      the logs are in {log}")

    def _fault(self, world: World, workload: Workload, number: int) -> None:
        chance = random.Random(f"{self.seed}:{number}")
        for place in range(1 if self.hurried else 2):
            workload.ask(2 * number + place, f"{self.seed}", chance)
        time.sleep(chance.uniform(0.02, 0.06 if self.hurried else 1.0))
        fault = self._chosen(world, chance)
        began = time.monotonic()
        fault.strike(world, chance)
        world.keep_running()
        name = type(fault).__name__
        self.state.faults[name] = self.state.faults.get(name, 0) + 1
        say(f"{number + 1:5} {self.seed}:{number} {name} {time.monotonic() - began:.1f} s")

    def _chosen(self, world: World, chance: random.Random) -> Fault:
        kinds = [kind for kind in KINDS if not self.only or kind.__name__ in self.only]
        if self.hurried and not self.only:
            costly = chance.random() < COSTLY
            kinds = [kind for kind in kinds if kind.costly is costly]
        return chance.choice([fault for fault in (kind() for kind in kinds) if fault.possible(world)])

    def _keep(self, findings: Findings, first: int) -> None:
        self.state.sums = dict(Counter(self.state.sums) + Counter(findings.counts()))
        self.state.longest = max(self.state.longest, findings.seconds)
        self.state.bad += [f"faults {first + 1} to {self.state.done}: {each}" for each in findings.bad]
        self.state.store(self.file)
        counted = ", ".join(f"{n} {name}" for name, n in findings.counts().items())
        say(f"{self.state.done} faults, {self.state.asked} asks: {counted}; quiet in {findings.seconds:.0f} s")
        for each in [*findings.bad, *(f"(told) {told}" for told in findings.told)]:
            say(f"      {each}")


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def table(state: State) -> list[tuple[str, Any]]:
    """(what, how many) for the report."""
    whats = {kind.__name__: kind.what for kind in KINDS}
    return [(whats.get(name, name), count) for name, count in sorted(state.faults.items())]
