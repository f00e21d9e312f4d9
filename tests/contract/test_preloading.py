"""What the processes of a service share is there before they are forked."""

from __future__ import annotations

import json
import subprocess
import sys

PRELOADED = """
import asyncio, gc, json, sys, threading
import contentgen_http.processes.fork_server_imports
from contentgen_grounded.bootstrap.memory import in_memory
from contentgen_grounded.settings import Settings

before = {*sys.modules}

async def open_services():
    async with in_memory(Settings(embeddings="hashed")):
        return sorted({*sys.modules} - before)

threads, frozen = [thread.name for thread in threading.enumerate()], gc.get_freeze_count()
print(json.dumps({"imported": asyncio.run(open_services()), "threads": threads, "frozen": frozen}))
"""


def test_opening_the_services_imports_nothing_more_and_no_thread_at_work_is_forked() -> None:
    ended = subprocess.run([sys.executable, "-c", PRELOADED], capture_output=True, text=True, check=True, timeout=120)
    found = json.loads(ended.stdout.splitlines()[-1])
    assert [name for name in found["imported"] if name.startswith("contentgen")] == []
    assert found["threads"] == ["MainThread", "LanceDBBackgroundEventLoop"]  # which is started anew in each fork
    assert found["frozen"] > 100_000
