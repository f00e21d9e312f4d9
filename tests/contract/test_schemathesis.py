"""Schemathesis over the whole surface: every check, valid and invalid data, the same in every run.

schemathesis.toml says what is run, and why each allowance in it is one."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn

from contentgen_core.model.tenant import PlanName
from contentgen_http.app import create_app
from tests.support.changed import changed
from tests.support.house import open_house
from tests.support.http import Generous

ROOT = Path(__file__).parents[2]
HOOKS = ROOT / "tests" / "support" / "schemathesis_hooks.py"
AT_MOST_SECONDS = 1_500  # of a busy machine: 280 of CPU, three quarters of it making data


@asynccontextmanager
async def served() -> AsyncIterator[tuple[str, str]]:
    """The address and a key of a house on a real port."""
    async with open_house(PlanName.BUSINESS) as house:
        key = (await house.services.people.keys.create(house.caller, "A key")).secret
        app = create_app(
            changed(
                house.services,
                ports={"rate_limiter": Generous()},
                options={"public_url": "https://articles.example.org"},
            )
        )
        server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, access_log=False))
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}", key
        server.should_exit = True
        await serving


async def test_schemathesis_finds_nothing() -> None:
    with tempfile.TemporaryDirectory() as directory:
        async with served() as (address, key):
            run = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "schemathesis.cli", "--config-file", str(ROOT / "schemathesis.toml"),
                "run", f"{address}/openapi.json", "--header", f"X-API-Key: {key}", "--no-color",
                cwd=directory,
                env={**os.environ, "PYTHONWARNINGS": "default", "SCHEMATHESIS_HOOKS": str(HOOKS)},
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
            )  # fmt: skip
            try:
                output, _ = await asyncio.wait_for(run.communicate(), AT_MOST_SECONDS)
            finally:
                if run.returncode is None:
                    run.kill()
                    await run.wait()
    report = output.decode()
    assert run.returncode == 0, report
    tested = re.search(r"Tested: (\d+)", report)
    assert tested is not None, report
    assert int(tested.group(1)) >= 30, report
