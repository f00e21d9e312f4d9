"""A new file type is one file and one line: the service, its console and its commands need no other change."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

import contentgen_adapters
from tests.process.service import Service, data_directory, run, until

DECLARATION: Final = r'''"""Subtitles."""

import re

from contentgen_adapters.shared.parsing.decoding import decode
from contentgen_adapters.shared.parsing.format import FileFormat, source, without_tags

TIMES = re.compile(r"^\d+\n\d\d:\d\d.* --> .*\n", re.MULTILINE)


def _read(path, key):
    yield source(key, without_tags(TIMES.sub("", decode(path.read_bytes()))), path.name)


FORMAT = FileFormat(
    label="Subtitles",
    labels={"fr": "sous-titres"},
    suffixes=(".srt",),
    media_type="application/x-subrip",
    read=_read,
    contents="what is said, without times",
)
'''
LINE: Final = (
    "    pdf.FORMAT,\n",
    "    pdf.FORMAT, importlib.import_module('contentgen_adapters.documents.srt').FORMAT,\n",
)
"""In the catalogue; a person would name it in the line of imports too."""
SUBTITLES: Final = b"1\n00:00:01,000 --> 00:00:04,000\nThe Zirkon boiler whistles at night.\n"
OTHERS: Final = b"1\n00:00:01,000 --> 00:00:04,000\nThe Quarz boiler hums at noon.\n"
IMPORTED: Final = b"1\n00:00:01,000 --> 00:00:04,000\nA Topas boiler rests in summer.\n"


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages, with the new file and the new line; all but the folder of file types are links to ours."""
    source = Path(contentgen_adapters.__file__).parents[1]
    made = tmp_path_factory.mktemp("sources")
    (made / "contentgen_adapters").mkdir()
    for package in source.glob("contentgen_*"):
        if package.name != "contentgen_adapters":
            (made / package.name).symlink_to(package)
    for part in (source / "contentgen_adapters").iterdir():
        if part.name != "documents":
            (made / "contentgen_adapters" / part.name).symlink_to(part)
    documents = made / "contentgen_adapters" / "documents"
    shutil.copytree(source / "contentgen_adapters" / "documents", documents)
    (documents / "srt.py").write_text(DECLARATION)
    catalog = (documents / "catalog.py").read_text()
    assert LINE[0] in catalog
    (documents / "catalog.py").write_text(
        catalog.replace(*LINE).replace("import os\n", "import importlib\nimport os\n")
    )
    return made


@pytest.fixture(scope="module")
def service(sources: Path) -> Iterator[Service]:
    with data_directory() as directory:
        made = Service(directory, {"PYTHONPATH": str(sources)}, installed=True)
        try:
            made.start()
            yield made
        finally:
            made.close()


@pytest.fixture(scope="module")
def api(service: Service) -> Iterator[httpx.Client]:
    with service.client() as client:
        yield client


def ready(api: httpx.Client, name: str) -> dict[str, Any]:
    def found() -> dict[str, Any] | None:
        documents = api.get("/documents").json()["documents"]
        return next((each for each in documents if each["fileName"] == name and each["status"] != "processing"), None)

    return until(found, 20, lambda: api.get("/documents").text)


def test_it_is_uploaded_over_http(api: httpx.Client) -> None:
    sent = api.post("/documents/upload", files={"file": ("talk.srt", SUBTITLES)})
    assert (sent.status_code, sent.json().get("mediaType")) == (200, "application/x-subrip"), sent.text
    document = ready(api, "talk.srt")
    assert (document["status"], document["title"]) == ("ready", "Talk")
    [first, *_] = api.post("/documents/search", json={"query": "Zirkon whistles"}).json()["results"]
    assert "Zirkon boiler whistles" in json.dumps(first)
    assert "-->" not in json.dumps(first)


def test_it_is_offered_and_taken_by_the_console(service: Service, api: httpx.Client) -> None:
    with httpx.Client(base_url=service.http.base_url, follow_redirects=True, trust_env=False) as browser:
        browser.post("/console/sign-in/key", data={"key": service.demo_key})
        page = browser.get("/console/knowledge/add", headers={"Accept-Language": "fr"}).text
        accepted = re.search(r'type="file" accept="([^"]+)"', page)
        assert accepted, page
        assert ".srt" in accepted[1].split(",")
        assert "sous-titres" in page
        token = re.search(r'name="csrf" value="([^"]+)"', page)
        assert token
        parts = [("file", ("film.srt", OTHERS, "application/octet-stream"))]
        added = browser.post("/console/knowledge/add/files", data={"csrf": token[1]}, files=parts)
        assert (added.status_code, added.url.path) == (200, "/console/knowledge"), added.text
    assert ready(api, "film.srt")["status"] == "ready"


def test_documents_errors_and_the_description_name_it(api: httpx.Client) -> None:
    assert "Subtitles" in json.dumps(api.get("/openapi.json").json()["components"]["schemas"]["UploadForm"])
    refused = api.post("/documents/upload", files={"file": ("a.bin", b"\x00\x01\x02\x03")})
    assert refused.status_code == 400
    assert ".srt" in refused.json()["detail"]


def test_it_is_imported_by_the_command(service: Service, sources: Path, tmp_path: Path) -> None:
    (tmp_path / "boilers.srt").write_bytes(IMPORTED)
    env = {"PYTHONPATH": str(sources)}
    done = run(
        "kb", "import", tmp_path, "--niche", "home-energy", "--json", data_dir=service.data_dir, env=env, enter=("env",)
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["added"] == 1
