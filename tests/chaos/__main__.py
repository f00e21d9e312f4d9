"""`make chaos`: a campaign that can be stopped, and goes on from its state."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path

from tests.chaos.campaign import Campaign, say, table

FOLDER = Path("build/chaos")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hurried", action="store_true", help="short faults; leases of the dead end at once")
    parser.add_argument("--only", action="append", default=[], help="names of kinds of faults")
    parser.add_argument("--state", type=Path, help="the file to go on from")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # ends what it started, as Ctrl-C does
    file = given.state or FOLDER / f"seed-{given.seed}.json"
    state = Campaign(given.seed, given.hurried, file, tuple(given.only)).run(given.faults)
    for what, count in table(state):
        say(f"{count:5}  {what}")
    say(f"{state.done} faults, {state.asked} asked for; quiet after {state.longest:.0f} s at most, {file}")
    say(", ".join(f"{count} {name}" for name, count in state.sums.items()))
    return 1 if state.bad else 0


if __name__ == "__main__":
    sys.exit(main())
