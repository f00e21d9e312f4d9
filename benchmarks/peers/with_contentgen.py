"""Contentgen with PostgreSQL and its index, each article checked against its sources."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import httpx

from benchmarks.generation import write
from benchmarks.installation import installation
from benchmarks.peers.task import Task, given, measure, tell
from benchmarks.processes import database_cpu_seconds
from contentgen_adapters.llm.catalog import WriterSettings, build_writer
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_grounded.version import VERSION


async def run(task: Task) -> None:
    """The passages are those of the task: the corpus of an installation is the same for the same number."""
    async with httpx.AsyncClient() as client:
        settings = WriterSettings(content_model="openai", openai_base_url=task.model, openai_api_key="none")
        model = build_writer(settings, IcuTextAnalysis(), client)
        async with installation(task.folder, model, len(task.passages)) as here:
            caller = await here.tenant()

            async def written(topic: str) -> str:
                return (await write(here, caller, topic)).content or ""

            before = database_cpu_seconds(here.conninfo)
            own = await measure(task, VERSION, written)
            database = 1_000 * (database_cpu_seconds(here.conninfo) - before) / len(task.topics)
    tell(replace(own, milliseconds=own.milliseconds + database))


if __name__ == "__main__":
    asyncio.run(run(given()))
