"""A plain loop over haystack's components: an outline, and for each section the best passages by words."""

from __future__ import annotations

import asyncio
from importlib.metadata import version

from haystack import Document, Pipeline
from haystack.components.builders import ChatPromptBuilder
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.dataclasses import ChatMessage
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.utils import Secret

from benchmarks.peers.task import SECTIONS, given, measure, tell

PASSAGES = 10
TEMPLATE = """Write a section on: {{ query }}
{% for document in documents %}
[{{ loop.index }}] {{ document.content }}
{% endfor %}"""


def main() -> None:
    task = given()
    store = InMemoryDocumentStore()
    store.write_documents([Document(id=each.id, content=each.text) for each in task.passages])

    def generator() -> OpenAIChatGenerator:
        return OpenAIChatGenerator(api_key=Secret.from_token("none"), model="m", api_base_url=task.model)

    section = Pipeline()
    section.add_component("retriever", InMemoryBM25Retriever(store, top_k=PASSAGES))
    section.add_component("prompt", ChatPromptBuilder([ChatMessage.from_user(TEMPLATE)], required_variables="*"))
    section.add_component("model", generator())
    section.connect("retriever.documents", "prompt.documents")
    section.connect("prompt.prompt", "model.messages")
    outline = generator()

    async def write(topic: str) -> str:
        outline.run([ChatMessage.from_user(f"Outline an article of {SECTIONS} sections on: {topic}")])
        parts = []
        for number in range(1, SECTIONS + 1):
            query = f"{topic} {number}"
            done = section.run({"retriever": {"query": query}, "prompt": {"query": query}})
            parts.append(done["model"]["replies"][0].text)
        return "\n\n".join(parts)

    tell(asyncio.run(measure(task, version("haystack-ai"), write)))


if __name__ == "__main__":
    main()
