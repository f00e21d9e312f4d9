"""GPT Researcher's report from a vector store: it plans queries, gathers passages for each, and writes once."""

from __future__ import annotations

import asyncio
import logging
import os
from importlib.metadata import version
from typing import Any

import numpy as np

from benchmarks.peers.rough_tokens import replace_tiktoken
from benchmarks.peers.task import WORDS, Task, given, measure, tell
from benchmarks.peers.vectors import embedded


class NoWeb:
    """A search of the web that finds nothing: all there is to know is in the store."""

    def __init__(self, *_: Any, **__: Any) -> None:
        """As it is called."""

    def search(self, **_: Any) -> list[dict[str, str]]:
        return []


async def run(task: Task) -> None:
    from gpt_researcher import GPTResearcher
    from langchain_core.documents import Document
    from langchain_core.vectorstores import VectorStore

    class Store(VectorStore):  # type: ignore[misc]
        """All passages as one matrix: faster than those that come with LangChain."""

        def __init__(self) -> None:
            self._documents = [Document(page_content=p.text, metadata={"source": p.id}) for p in task.passages]
            self._vectors = np.array([embedded(p.text) for p in task.passages], dtype=np.float32)

        def similarity_search(self, query: str, k: int = 4, **_: Any) -> list[Document]:
            scores = self._vectors @ np.array(embedded(query), dtype=np.float32)
            return [self._documents[at] for at in np.argsort(-scores)[:k]]

        @classmethod
        def from_texts(cls, *_: Any, **__: Any) -> Store:
            return cls()

    store = Store()

    async def write(topic: str) -> str:
        researcher = GPTResearcher(topic, report_source="langchain_vectorstore", vector_store=store, verbose=False)
        researcher.retrievers = [NoWeb]
        await researcher.conduct_research()
        return str(await researcher.write_report())

    tell(await measure(task, version("gpt-researcher"), write))


def main() -> None:
    task = given()
    os.environ |= {
        "OPENAI_BASE_URL": task.model,
        "OPENAI_API_KEY": "none",
        "FAST_LLM": "openai:m",
        "SMART_LLM": "openai:m",
        "STRATEGIC_LLM": "openai:m",
        "EMBEDDING": "custom:m",
        "TOTAL_WORDS": str(WORDS),
    }
    os.chdir(task.folder)  # where it writes its logs
    replace_tiktoken()
    logging.disable(logging.ERROR)
    asyncio.run(run(task))


if __name__ == "__main__":
    main()
