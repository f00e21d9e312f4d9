"""What the other programs are given, and the model that answers them."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import httpx
import pytest
from benchmarks.peers.model import PeersModel
from benchmarks.peers.task import SECTIONS, WARM_UP, WORDS, Passage, Task, given, hand_over, measure

SENTENCE = "Heat pumps move heat from the air outside into the water of a house."


def _task(folder: Path) -> Task:
    return Task("http://127.0.0.1:1/v1", [f"Topic {n}" for n in range(5)], [Passage("a-0", "A", SENTENCE)], folder)


def test_a_program_is_given_what_was_handed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = _task(tmp_path)
    hand_over(task)
    monkeypatch.setattr(sys, "argv", ["program", str(tmp_path)])
    found = given()
    assert (found.model, found.topics, found.passages) == (task.model, task.topics, task.passages)
    assert found.folder.is_dir()


def test_the_first_articles_are_not_measured(tmp_path: Path) -> None:
    async def write(topic: str) -> str:
        return "word " * (1 if int(topic.split()[1]) < WARM_UP else 7)

    assert asyncio.run(measure(_task(tmp_path), "1.0", write)).words == 7


@pytest.mark.parametrize(
    ("asked", "words"),
    [("Write a section on: x\n", WORDS // SECTIONS), ("Write at least so many words on x\n", WORDS)],
    ids=["a section", "a report"],
)
def test_a_text_is_as_long_as_it_is_asked_for(asked: str, words: int) -> None:
    text = _answered({"messages": [{"role": "user", "content": asked + f"{SENTENCE}\n" * 100}]})
    assert words <= len(text.split()) < words + len(SENTENCE.split())


def test_a_stream_has_the_same_text() -> None:
    body = {"messages": [{"role": "user", "content": f"Write:\n{SENTENCE}"}]}
    with PeersModel() as model, httpx.stream("POST", f"{model.base_url}/chat", json={**body, "stream": True}) as answer:
        [piece, end] = [line.removeprefix("data: ") for line in answer.iter_lines() if line]
    assert json.loads(piece)["choices"][0]["delta"]["content"] == SENTENCE == _answered(body)
    assert end == "[DONE]"


def _answered(body: dict[str, object]) -> str:
    with PeersModel() as model:
        text: str = httpx.post(f"{model.base_url}/chat", json=body).json()["choices"][0]["message"]["content"]
        return text
