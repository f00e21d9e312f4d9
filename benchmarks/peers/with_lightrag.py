"""LightRAG asked for each section, in its mode "mix": by its graph of entities and by vectors."""

from __future__ import annotations

import asyncio
import itertools
import logging
from functools import partial
from importlib.metadata import version

import numpy as np
from lightrag import LightRAG, QueryParam
from lightrag.llm.openai import openai_complete_if_cache
from lightrag.utils import EmbeddingFunc

from benchmarks.peers.rough_tokens import lightrag_tokenizer
from benchmarks.peers.task import SECTIONS, Task, given, measure, tell
from benchmarks.peers.vectors import DIMENSION, embedded


async def embed(texts: list[str], **_: object) -> np.ndarray:
    return np.array([embedded(text) for text in texts], dtype=np.float32)


async def run(task: Task) -> None:
    rag = LightRAG(
        working_dir=str(task.folder),
        llm_model_func=partial(openai_complete_if_cache, "m", base_url=task.model, api_key="none"),
        embedding_func=EmbeddingFunc(embedding_dim=DIMENSION, func=embed, max_token_size=8_192),
        enable_llm_cache=False,
        **lightrag_tokenizer(),
    )
    await rag.initialize_storages()
    await rag.ainsert_custom_kg(_graph(task))

    async def write(topic: str) -> str:
        asked = (f"{topic} {number}" for number in range(1, SECTIONS + 1))
        parts = [await rag.aquery(each, QueryParam(mode="mix", enable_rerank=False)) for each in asked]
        return "\n\n".join(map(str, parts))

    result = await measure(task, version("lightrag-hku"), write)
    await rag.finalize_storages()
    tell(result)


def _graph(task: Task) -> dict[str, object]:
    """Passages as they are; an entity for each title, related to that of the next document: what an extraction by a
    model would have found, without its cost."""
    titles = list(dict.fromkeys(each.title for each in task.passages))
    first = {each.title: each for each in reversed(task.passages)}
    return {
        "chunks": [{"content": each.text, "source_id": each.id} for each in task.passages],
        "entities": [
            {
                "entity_name": title,
                "entity_type": "subject",
                "description": first[title].text[:200],
                "source_id": first[title].id,
            }
            for title in titles
        ],
        "relationships": [
            {
                "src_id": one,
                "tgt_id": other,
                "description": f"{one} and {other}",
                "keywords": one,
                "weight": 1.0,
                "source_id": first[one].id,
            }
            for one, other in itertools.pairwise(titles)
        ],
    }


if __name__ == "__main__":
    logging.disable(logging.INFO)  # as a service runs it
    asyncio.run(run(given()))
