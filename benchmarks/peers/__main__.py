"""`python -m benchmarks.peers`: the table of peers in docs/benchmarks.md."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from attrs import frozen

from benchmarks.corpus import Corpus
from benchmarks.installation import PASSAGES as OF_A_DOCUMENT
from benchmarks.peers.task import WARM_UP, Passage, Result, Task, hand_over
from benchmarks.report import Figure, Outcome, show, write

ROOT: Final = Path(__file__).parents[2]
ENVIRONMENTS: Final = ROOT / ".peers"
UV: Final = ROOT / ".tools" / "bin" / "uv"
PASSAGES: Final = 10_000
ARTICLES: Final = 20
MOST_SECONDS: Final = 1_800.0


@frozen
class Peer:
    """`package`: with the version that is measured. `work`: what it does for an article. `with_it`: another package
    that it needs for this."""

    name: str
    package: str
    work: str
    with_it: str | None = None

    def environment(self) -> Path:
        """Its Python, in an environment of its own, which is made when it is first asked for."""
        place = ENVIRONMENTS / self.package
        python = place / "bin" / "python"
        if not (place / ".complete").exists():
            print(f"{self.package} is installed …", file=sys.stderr, flush=True)
            subprocess.run([UV, "venv", "--quiet", "--clear", "--python", sys.executable, place], check=True)
            packages = [self.package, *([self.with_it] if self.with_it else [])]
            subprocess.run([UV, "pip", "install", "--quiet", "--python", python, *packages], check=True)
            (place / ".complete").touch()
        return python


PEERS: Final = (
    Peer("haystack", "haystack-ai==3.4.1", "outline and 6 sections, passages by words; nothing is checked or kept"),
    Peer("lightrag", "lightrag-hku==1.5.7", "6 questions to its graph and vectors; nothing is checked", "openai<4"),
    Peer("gpt_researcher", "gpt-researcher==0.15.1", "queries, passages for each, one report; nothing is checked"),
)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, model() as address:
        hand_over(_task(address, Path(folder)))
        ours = _run("contentgen", Path(sys.executable), Path(folder))
        print(f"contentgen: {ours}", file=sys.stderr)
        figures = []
        for peer in PEERS:
            theirs = _run(peer.name, peer.environment(), Path(folder))
            print(f"{peer.name}: {theirs}", file=sys.stderr)
            figures.append(
                Figure(
                    f"CPU of an article, beside {peer.package.replace('==', ' ')}: {peer.work}",
                    f"{ours.milliseconds:.0f} ms, PostgreSQL's with it ({ours.words} words)",
                    f"{theirs.milliseconds:.0f} ms ({theirs.words} words)",
                    f"{ours.milliseconds / theirs.milliseconds:.2f} ×",
                    "(information)",
                )
            )
    outcomes = [Outcome("peers", figures, None)]
    show(outcomes)
    write(outcomes, "make bench-peers", "measured beside peers")


@contextmanager
def model() -> Iterator[str]:
    """The address of the model, which answers in a process whose CPU is not counted."""
    command = [sys.executable, "-m", "benchmarks.peers.model"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.stdin.close()


def _task(address: str, folder: Path) -> Task:
    corpus = Corpus(seed=2)  # as an installation has it
    passages = [
        Passage(f"{document['id']}-{number}", document["title"], text.partition("\n\n")[2].strip())
        for document in corpus.documents(PASSAGES // OF_A_DOCUMENT, OF_A_DOCUMENT)
        for number, text in enumerate(document["text"].split("## ")[1:])
    ]
    return Task(address, corpus.topics(WARM_UP + ARTICLES), passages, folder)


def _run(name: str, python: Path, folder: Path) -> Result:
    with tempfile.TemporaryDirectory(dir=folder) as own:
        os.link(folder / "task.json", Path(own) / "task.json")
        command: list[str | Path] = [python, "-m", f"benchmarks.peers.with_{name}", own]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True, timeout=MOST_SECONDS)
    return Result(**json.loads(done.stdout.splitlines()[-1]))


if __name__ == "__main__":
    main()
