"""`contentgen evidence verify` over files, with the keys at hand."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner, Result

from contentgen_adapters.signing import Ed25519Signer
from contentgen_core.model.signing_key import SigningKey
from contentgen_core.testing.runtime import MOMENT
from contentgen_http.api.evidence_file import evidence_file
from contentgen_http.cli import app
from contentgen_http.wire.public_keys import PublicKeys
from tests.support.changing_sources import written
from tests.support.house import open_house

SIGNER = Ed25519Signer()


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    async with open_house() as house:
        article = await written(house)
        _, file = await evidence_file(house.services, house.caller, article.id)
        keys = PublicKeys.of(await house.services.writing.sign.keys())
    (tmp_path / "evidence.json").write_bytes(file)
    (tmp_path / "keys.json").write_bytes(msgspec.json.encode(keys))
    return tmp_path


def run(folder: Path, *more: str, file: str = "evidence.json", keys: str = "keys.json") -> Result:
    return CliRunner().invoke(app, ["evidence", "verify", str(folder / file), "--keys", str(folder / keys), *more])


def test_a_file_is_authentic_and_told_in_short(folder: Path) -> None:
    done = run(folder, "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    evidence = json.loads((folder / "evidence.json").read_bytes())["evidence"]
    assert told["authentic"] is True
    assert told["textHash"] == evidence["text"]["textHash"]
    assert told["sentences"] == len(evidence["sentences"]) == told["supported"] + told.get("unsupported", 0)
    assert "authentic: True" in run(folder).stdout


def test_a_changed_file_and_a_strange_key_are_refused(folder: Path) -> None:
    file = (folder / "evidence.json").read_bytes()
    (folder / "changed.json").write_bytes(file.replace(b"supported", b"Supported", 1))
    done = run(folder, file="changed.json")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "it was changed" in done.stderr
    strange = SIGNER.new_key()
    keys = PublicKeys.of([SigningKey(strange.id, strange.public, MOMENT)])
    (folder / "strange.json").write_bytes(msgspec.json.encode(keys))
    assert "not among those given" in run(folder, keys="strange.json").stderr


def test_a_file_from_after_the_end_of_its_key_is_refused(folder: Path) -> None:
    keys = json.loads((folder / "keys.json").read_bytes())
    keys["keys"][0]["exp"] = int(MOMENT.timestamp()) - 60
    (folder / "keys.json").write_text(json.dumps(keys))
    assert "after its key was retired" in run(folder).stderr


def test_what_is_signed_and_no_evidence_is_refused(folder: Path) -> None:
    key = SIGNER.new_key()
    (folder / "evidence.json").write_bytes(SIGNER.signed({"format": "another"}, key.id, key.secret))
    keys = PublicKeys.of([SigningKey(key.id, key.public, MOMENT)])
    (folder / "keys.json").write_bytes(msgspec.json.encode(keys))
    assert "no evidence of an article" in run(folder).stderr


@pytest.mark.parametrize(("file", "keys"), [("none.json", "keys.json"), ("evidence.json", "none.json")])
def test_a_missing_file_is_named(folder: Path, file: str, keys: str) -> None:
    done = run(folder, file=file, keys=keys)
    assert done.exit_code == 1
    assert "none.json" in done.stderr


def test_a_file_of_no_keys_is_said(folder: Path) -> None:
    assert "no JSON Web Key Set" in run(folder, keys="evidence.json").stderr
