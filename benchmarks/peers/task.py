"""The task that each program gets, and its measurement. Runs in the environments of the peers: standard library
only.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

SECTIONS = 6
WARM_UP = 3
WORDS = 900


@dataclass(frozen=True)
class Passage:
    id: str
    title: str
    text: str


@dataclass(frozen=True)
class Task:
    """`model`: base address of the server that answers as OpenAI's does; `topics`: the first WARM_UP are not measured;
    `folder`: an empty one."""

    model: str
    topics: list[str]
    passages: list[Passage]
    folder: Path


@dataclass(frozen=True)
class Result:
    """`milliseconds`: of CPU of the program's process for an article, the median; `words`: of an article, likewise."""

    version: str
    milliseconds: float
    words: int


def given() -> Task:
    """The task in the folder that the command line names."""
    folder = Path(sys.argv[1])
    told = json.loads((folder / "task.json").read_text("utf-8"))
    own = folder / "own"
    own.mkdir(exist_ok=True)
    return Task(told["model"], told["topics"], [Passage(**each) for each in told["passages"]], own)


def hand_over(task: Task) -> None:
    """Write the task where `given` finds it."""
    passages = [asdict(each) for each in task.passages]
    text = json.dumps({"model": task.model, "topics": task.topics, "passages": passages})
    (task.folder / "task.json").write_text(text, "utf-8")


async def measure(task: Task, version: str, write: Callable[[str], Awaitable[str]]) -> Result:
    """Writes an article on each topic, one after the other."""
    costs, words = [], []
    for topic in task.topics:
        begun = time.process_time()
        text = await write(topic)
        costs.append(1_000 * (time.process_time() - begun))
        words.append(len(text.split()))
    return Result(version, median(costs[WARM_UP:]), round(median(words[WARM_UP:])))


def tell(result: Result) -> None:
    """Print the result as the last line of the output."""
    print(json.dumps(asdict(result)))
