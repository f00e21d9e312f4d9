"""A PDF in a process of its own, so that its time and memory can be told:

`python -m benchmarks.document_once bare FIRST FILE` makes text of it with pypdf and nothing else,
`python -m benchmarks.document_once DIR FIRST FILE` uploads it to a folder's installation and waits until it is ready.

FIRST goes ahead of it, so that all libraries are loaded. Prints what it did as JSON."""

from __future__ import annotations

import asyncio
import io
import json
import sys
import time
from pathlib import Path
from typing import Final

import pypdf

from benchmarks.configuration import embeddings
from benchmarks.import_once import peak_mib
from contentgen_core.model.document import DocumentStatus, PrivateDocument
from contentgen_core.model.job import JobKind
from contentgen_core.model.tenant import Caller, PlanName
from contentgen_grounded.bootstrap.database import database
from contentgen_grounded.settings import Settings
from contentgen_http.jobs.runner import running_jobs
from contentgen_http.processes.garbage_collection import freeze_loaded_objects
from contentgen_http.services import Services
from contentgen_http.services.open_services import open_services

LOOK_EVERY: Final = 0.02  # each look takes time from the work that is measured


def bare(first: bytes, content: bytes) -> dict[str, float]:
    """Seconds, and the peak of this process's memory in MiB."""
    pypdf.PdfReader(io.BytesIO(first)).pages[0].extract_text()
    begun = time.perf_counter()
    characters = sum(len(page.extract_text()) for page in pypdf.PdfReader(io.BytesIO(content)).pages)
    return {"seconds": time.perf_counter() - begun, "characters": characters, "peak_mib": peak_mib()}


async def uploaded(settings: Settings, conninfo: str, first: bytes, content: bytes) -> dict[str, float]:
    async with open_services(settings, conninfo) as services:
        await services.upkeep.catalogue()
        caller = (await services.people.tenants.create("Benchmark", PlanName.BUSINESS)).caller
        async with running_jobs(services, JobKind.PROCESS_DOCUMENT):
            await _ready(services, caller, first)
            await freeze_loaded_objects(services.ports.index)  # as the service does
            before = peak_mib()
            begun = time.perf_counter()
            document = await _ready(services, caller, content)
            seconds = time.perf_counter() - begun
    return {
        "seconds": seconds,
        "passages": document.passages,
        "words": document.words,
        "before_mib": before,
        "peak_mib": peak_mib(),
    }


async def _ready(services: Services, caller: Caller, content: bytes) -> PrivateDocument:
    document = await services.knowledge.add_document.upload(caller, "document.pdf", content)
    while document.status is DocumentStatus.PROCESSING:
        await asyncio.sleep(LOOK_EVERY)
        document = await services.knowledge.documents.one(caller, document.id)
    assert document.status is DocumentStatus.READY, document.error
    return document


def main(place: str, first: bytes, content: bytes) -> None:
    if place == "bare":
        print(json.dumps(bare(first, content)))
        return
    settings = Settings(embeddings=embeddings(), data_dir=Path(place))
    with database(settings) as db:
        db.migrate()
        print(json.dumps(asyncio.run(uploaded(settings, db.conninfo, first, content))))


if __name__ == "__main__":
    main(sys.argv[1], *(Path(file).read_bytes() for file in sys.argv[2:]))
