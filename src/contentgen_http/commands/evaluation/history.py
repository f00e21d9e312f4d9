"""The last evaluations, kept in a folder of the data."""

from __future__ import annotations

import os
from datetime import UTC
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from contentgen_core.errors import InvalidInput
from contentgen_core.model.evaluation import Cases, Evaluation
from contentgen_http.commands.evaluation.document import encoded, load

FOLDER: Final = "evaluations"
KEPT_OF_EACH: Final = 20
"""Runs of one knowledge base, seed and size."""
KEPT: Final = 200


def last(data_dir: Path, cases: Cases) -> Evaluation | None:
    """The newest run of these cases that can be read; None where there is none."""
    for path in sorted(_folder(data_dir).glob(f"*-{_name(cases)}.json"), reverse=True):
        try:
            return load(path)
        except InvalidInput:  # of another version, or broken
            continue
    return None


def keep(data_dir: Path, run: Evaluation) -> Path:
    """Keep a run, and no more than KEPT of all and KEPT_OF_EACH of these cases. Raises OSError."""
    name = _name(run.setup.cases)
    folder = _folder(data_dir)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{run.measured_at.astimezone(UTC):%Y%m%dT%H%M%S%f}-{name}.json"
    with NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as file:
        file.write(encoded(run))
    os.replace(file.name, path)
    for pattern, most in ((f"*-{name}.json", KEPT_OF_EACH), ("*.json", KEPT)):
        for old in sorted(folder.glob(pattern))[:-most]:
            old.unlink(missing_ok=True)
    return path


def _name(cases: Cases) -> str:
    return sha256(f"{cases.subject}\0{cases.seed}\0{cases.size}\0{cases.articles}".encode()).hexdigest()[:12]


def _folder(data_dir: Path) -> Path:
    return data_dir / FOLDER
