"""What is particular to the embedded default."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from collections.abc import Sequence

import numpy as np
import pytest

from contentgen_adapters.embeddings import hashed
from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_core.ports.knowledge_base import Vector
from contentgen_core.testing.embedder import same


def cosine(one: Vector, other: Vector) -> float:
    return float(np.dot(np.asarray(one), np.asarray(other)))


@pytest.fixture
def embedder() -> HashedEmbedder:
    return HashedEmbedder()


async def test_another_process_makes_the_same_vectors(embedder: HashedEmbedder) -> None:
    texts = ["Heat pumps, été 2024", "熱ポンプの効率", "тепловой насос"]
    script = (
        "import asyncio, json, sys; from contentgen_adapters.embeddings.hashed import HashedEmbedder;"
        "vectors = asyncio.run(HashedEmbedder().embed(json.loads(sys.argv[1]), 'query'));"
        "print(json.dumps([list(v) for v in vectors]))"
    )
    other = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", script, json.dumps(texts)),
        env={"PYTHONHASHSEED": "4242", "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=asyncio.subprocess.PIPE,
    )
    printed, _ = await other.communicate()
    assert json.loads(printed) == [list(v) for v in await embedder.embed(texts, "passage")]


async def test_the_vectors_of_this_model_never_change(embedder: HashedEmbedder) -> None:
    """Stored indices hold vectors of this model: what makes other ones needs another name."""
    found = [
        {place: round(value, 3) for place, value in enumerate(vector) if value}
        for vector in await embedder.embed(["heat", "熱ポ"], "passage")
    ]
    assert embedder.model.startswith("hashed-ngrams-v2-384-")
    assert found == [
        {
            34: 0.277,
            37: 0.277,
            38: 0.277,
            122: 0.277,
            139: -0.277,
            222: 0.277,
            232: -0.555,
            252: 0.277,
            270: -0.277,
            376: 0.277,
        },
        {
            60: 0.258,
            62: 0.516,
            83: -0.258,
            95: 0.258,
            105: 0.258,
            119: -0.258,
            123: 0.258,
            132: -0.258,
            170: 0.258,
            174: 0.258,
            214: 0.258,
            326: -0.258,
        },
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Été à l'Île", "ete a l ile"),
        ("ÉTÉ", "e\u0301te\u0301"),
        ("Straße", "STRASSE"),
        ("ﬁn — ②", "fin 2"),
        ("שָׁלוֹם", "שלום"),
        ("co\u00adop", "coop"),
    ],
)
async def test_case_accents_points_and_forms_of_a_letter_do_not_matter(
    embedder: HashedEmbedder, one: str, other: str
) -> None:
    first, second = await embedder.embed([one, other], "passage")
    assert same(first, second)


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("boilers of old houses", "the boiler of an old house", "a firewall protects networks"),
        ("тепловые насосы", "тепловой насос", "межсетевой экран"),
        ("気候変動対策", "気候の変動", "料理の作り方"),
        ("การเปลี่ยนแปลงสภาพภูมิอากาศ", "สภาพภูมิอากาศโลก", "วิธีทำอาหารไทย"),
        ("기후 변화에", "기후 변화", "요리 방법"),
        ("ऊर्जा दक्षता", "ऊर्जा की दक्षता", "खाना पकाना"),
    ],
)
async def test_texts_that_share_words_or_their_parts_are_nearer(
    embedder: HashedEmbedder, text: str, near: str, far: str
) -> None:
    one, other, alien = await embedder.embed([text, near, far], "passage")
    assert cosine(one, other) > cosine(one, alien) + 0.1


async def test_stop_words_leave_no_trace_beside_others_and_stand_for_themselves_alone(embedder: HashedEmbedder) -> None:
    full, bare, stops, nothing = await embedder.embed(["la pompe de la maison", "pompe maison", "de la", ""], "passage")
    assert same(full, bare)
    assert not same(stops, nothing)


def test_another_stop_word_list_is_another_model(embedder: HashedEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    before = embedder.model
    monkeypatch.setattr(hashed, "_stop_list", lambda: ("only",))
    hashed._stop_digest.cache_clear()
    try:
        assert embedder.model != before
    finally:
        hashed._stop_digest.cache_clear()


async def test_repeating_a_word_counts_less_each_time(embedder: HashedEmbedder) -> None:
    once, often, other = await embedder.embed(["heat solar", "heat " * 50 + "solar", "solar"], "passage")
    assert cosine(once, often) > 0.7
    assert cosine(often, other) > 0.1


async def test_a_large_batch_is_worked_on_beside_the_event_loop(
    embedder: HashedEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []
    work = hashed._embed

    def watched(texts: Sequence[str]) -> list[Vector]:
        threads.append(threading.get_ident())
        return work(texts)

    monkeypatch.setattr(hashed, "_embed", watched)
    await embedder.embed(["short"], "query")
    await embedder.embed(["a longer text of many words " * 20] * 100, "passage")
    assert [thread == threading.get_ident() for thread in threads] == [True, False]
