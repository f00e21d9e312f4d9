"""The program that embeds: who waits for whom, and what is no frame."""

from __future__ import annotations

import io
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial

import msgspec
import pytest

from contentgen_adapters.embeddings.semantic.program import (
    FRAME_BYTES,
    LENGTH,
    READY,
    Answer,
    EmbedOne,
    Greeting,
    Server,
    Task,
    frame,
    share,
)
from contentgen_adapters.embeddings.semantic.turns import FEW, Kind, Turns, Workers


class Answers(io.BytesIO):
    def __init__(self) -> None:
        super().__init__()
        self.came = threading.Condition()

    def flush(self) -> None:
        with self.came:
            self.came.notify_all()

    def numbers(self, at_least: int) -> list[int]:
        """Of the tasks, in the order in which they were answered."""

        def found() -> list[Answer]:
            data, answers = self.getvalue(), []
            while data:
                size = LENGTH + int.from_bytes(data[:LENGTH])
                answers.append(msgspec.msgpack.decode(data[LENGTH:size], type=Answer))
                data = data[size:]
            return answers

        with self.came:
            assert self.came.wait_for(lambda: len(found()) >= at_least, 20)
            return [answer.number for answer in found()]


def test_a_question_waits_for_no_import_and_a_request_for_none_either() -> None:
    answers, going = Answers(), threading.Event()

    def embed_one(text: str, kind: Kind) -> bytes:
        if text == "many":
            going.wait(20)
        return text.encode()

    server = Server(answers, embed_one, Workers(2, questions=1))
    server.take(Task(1, "passage", ["many"] * (FEW + 1)))
    server.take(Task(2, "passage", ["few"] * FEW))
    server.take(Task(3, "query", ["question"]))
    assert set(answers.numbers(2)) == {2, 3}
    going.set()
    assert answers.numbers(3)[-1] == 1


def test_a_text_that_fails_is_told_and_harms_no_other() -> None:
    answers = Answers()

    def embed_one(text: str, kind: Kind) -> bytes:
        if text == "bad":
            raise RuntimeError("no")
        return b"1234"

    server = Server(answers, embed_one, Workers(2, questions=1))
    server.take(Task(1, "passage", ["good", "bad", "good"]))
    server.take(Task(2, "passage", ["good"]))
    server.take(Task(3, "passage", []))
    assert set(answers.numbers(3)) == {1, 2, 3}
    assert b"RuntimeError: no" in answers.getvalue()


def test_threads_take_from_each_in_turn_and_forget_who_has_gone() -> None:
    turns, going, begun, done = Turns(1, 0), threading.Event(), threading.Event(), threading.Event()
    order: list[str] = []

    def wait() -> None:
        begun.set()
        going.wait(20)

    turns.add("first", [wait])
    assert begun.wait(20)
    for owner, count in (("import", 4), ("gone", 2), ("other", 2)):
        turns.add(owner, [partial(order.append, owner) for _ in range(count)])
    turns.drop("gone")
    turns.drop("nobody")
    turns.add("last", [lambda: None, lambda: None, lambda: None, lambda: None, done.set])
    going.set()
    assert done.wait(20)
    assert order == ["import", "other", "import", "other", "import", "import"]


def test_threads_stand_back_as_far_as_who_asks_and_never_less_than_their_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[int] = []
    monkeypatch.setattr(os, "setpriority", lambda which, who, niceness: told.append(niceness))
    workers = Workers(1, questions=1)
    tasks: list[tuple[int, Kind, int]] = [
        (0, "query", 1),
        (5, "query", 1),
        (5, "passage", FEW),
        (5, "passage", FEW + 1),
    ]
    for niceness, kind, texts in tasks:
        done = threading.Semaphore(0)
        workers.add("asker", niceness, kind, [partial(done.release)] * texts)
        for _ in range(texts):
            assert done.acquire(timeout=20)
    own = os.nice(0)
    assert told == [max(niceness, own) for niceness in (0, 5, 5, 10)]


class Asker:
    """One who asks a program that has several. `frames`: what comes back."""

    def __init__(self, askers: socket.socket) -> None:
        self.connection, theirs = socket.socketpair()
        self.connection.settimeout(20)
        with theirs:
            socket.send_fds(askers, [b"\0"], [theirs.fileno()])
        self.frames = self.connection.makefile("rb")

    def greet(self, source: str = "model") -> None:
        self.connection.sendall(frame(Greeting(source, 0)))
        assert self.frames.read(len(READY)) == READY

    def ask(self, task: Task) -> Answer:
        self.connection.sendall(frame(task))
        length = int.from_bytes(self.frames.read(LENGTH))
        return msgspec.msgpack.decode(self.frames.read(length), type=Answer)

    def close(self) -> None:
        self.frames.close()
        self.connection.close()


def load(source: str) -> EmbedOne:
    if source == "missing":
        raise FileNotFoundError(source)
    return lambda text, kind: f"{source} {text}".encode() * (10_000 if text == "large" else 1)


@contextmanager
def sharing() -> Iterator[socket.socket]:
    """A program that serves several; it has ended with the block, where nobody asks any more."""
    askers, asked = socket.socketpair()
    serving = threading.Thread(target=share, args=(asked, load, Workers(2, questions=1)), daemon=True)
    serving.start()
    with asked:
        with askers:
            yield askers
        serving.join(20)
        assert not serving.is_alive()


def test_each_asker_gets_its_own_answers_from_the_model_that_it_names() -> None:
    with sharing() as askers, closing(Asker(askers)) as one, closing(Asker(askers)) as other:
        one.greet("small")
        other.greet("large")
        assert one.ask(Task(1, "query", ["a"])).vectors == [b"small a"]
        assert other.ask(Task(1, "passage", ["a", "b"])).vectors == [b"large a", b"large b"]


def test_who_does_not_read_answers_keeps_nobody_waiting() -> None:
    with sharing() as askers, closing(Asker(askers)) as silent, closing(Asker(askers)) as other:
        silent.greet()
        for number in range(100):  # more than a socket holds
            silent.connection.sendall(frame(Task(number, "query", ["large"])))
        other.greet()
        assert other.ask(Task(1, "query", ["a"])).vectors == [b"model a"]


@pytest.mark.parametrize(
    "sent", [(FRAME_BYTES + 1).to_bytes(LENGTH), (3).to_bytes(LENGTH) + b"\xc1\xc1\xc1", frame(Greeting("missing", 0))]
)
def test_what_is_no_frame_or_no_model_ends_that_connection_alone(
    sent: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    with sharing() as askers, closing(Asker(askers)) as bad, closing(Asker(askers)) as other:
        bad.connection.sendall(sent)
        assert bad.frames.read() == b""
        other.greet()
        assert other.ask(Task(1, "query", ["a"])).vectors == [b"model a"]
    assert ("FileNotFoundError: missing" in capsys.readouterr().err) == (b"missing" in sent)


def test_a_task_that_is_too_long_ends_the_connection() -> None:
    with sharing() as askers, closing(Asker(askers)) as asker:
        asker.greet()
        asker.connection.sendall((FRAME_BYTES + 1).to_bytes(LENGTH))
        assert asker.frames.read() == b""
