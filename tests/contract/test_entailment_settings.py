"""From settings to an entailment model."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest

from contentgen_core.errors import NotConfigured
from contentgen_core.ports.entailment import Pair
from contentgen_core.testing.entailment import PREMISE, SAID
from contentgen_grounded.bootstrap.memory import in_memory
from contentgen_grounded.bootstrap.providers import entailment_model
from contentgen_grounded.settings import load
from tests.contract.entailment_samples import Server, write_folder

ORDER = "contradiction,neutral,entailment"
NUMBERED = ("LABEL_2", "LABEL_1", "LABEL_0")


def client(server: Server) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.MockTransport(server))


async def test_without_settings_there_is_none() -> None:
    assert await entailment_model(load({}), client(Server())) is None
    async with in_memory(load({})) as services:
        assert services.jobs.generate_article.entailment is None


async def test_a_server_is_asked_with_its_key_and_named_in_receipts() -> None:
    server = Server(names=NUMBERED)
    settings = load(
        {
            "CONTENTGEN_ENTAILMENT": "tei",
            "CONTENTGEN_ENTAILMENT_BASE_URL": "http://127.0.0.1:8090/",
            "CONTENTGEN_ENTAILMENT_API_KEY": "secret-1",
            "CONTENTGEN_ENTAILMENT_MODEL": "mdeberta-xnli",
            "CONTENTGEN_ENTAILMENT_LABELS": ORDER,
        }
    )
    model = await entailment_model(settings, client(server))
    assert model is not None
    assert model.model == "mdeberta-xnli"
    [judgement] = await model.judge([Pair(PREMISE, SAID)])
    assert judgement.entailment > 0.9
    [request] = server.requests
    assert str(request.url) == "http://127.0.0.1:8090/predict"
    assert request.headers["Authorization"] == "Bearer secret-1"
    assert json.loads(request.content)["inputs"] == [[PREMISE, SAID]]


async def test_a_folder_is_loaded_into_the_pipeline(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "nli", names=dict(enumerate(("LABEL_0", "LABEL_1", "LABEL_2"))))
    given = {
        "CONTENTGEN_ENTAILMENT": "onnx",
        "CONTENTGEN_ENTAILMENT_MODEL_DIR": str(folder),
        "CONTENTGEN_ENTAILMENT_LABELS": ORDER,
    }
    async with in_memory(load(given)) as services:
        assert services.jobs.generate_article.entailment is not None
        assert services.jobs.generate_article.entailment.model.startswith("onnx-nli-")


@pytest.mark.parametrize(
    ("chosen", "missing"),
    [("tei", "CONTENTGEN_ENTAILMENT_BASE_URL"), ("onnx", "CONTENTGEN_ENTAILMENT_MODEL_DIR")],
)
async def test_what_is_missing_is_named(chosen: str, missing: str) -> None:
    with pytest.raises(NotConfigured) as raised:
        await entailment_model(load({"CONTENTGEN_ENTAILMENT": chosen}), client(Server()))
    assert raised.value.setting == missing
