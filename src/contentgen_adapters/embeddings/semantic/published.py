"""The files that multilingual-e5-small is published with by its authors (`intfloat/multilingual-e5-small`, MIT)."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from attrs import frozen

from contentgen_core.errors import NotConfigured

NAME: Final = "multilingual-e5-small"
ADDRESS: Final = (
    "https://huggingface.co/intfloat/multilingual-e5-small/resolve/614241f622f53c4eeff9890bdc4f31cfecc418b3"
)
"""What stands before a file's path: of one revision, whose files do not change."""
SETTING: Final = "CONTENTGEN_ONNX_MODEL_DIR"
MODEL: Final = "model.onnx"
TOKENIZER: Final = "tokenizer.json"


@frozen
class PublishedFile:
    """A file of a published model. `name`: in our folder. `path`: appended to the address. `size`: in bytes."""

    name: str
    path: str
    size: int
    sha256: str


@frozen
class PublishedModel:
    """A model in several precisions with the one tokenizer."""

    tokenizer: PublishedFile
    precisions: dict[str, PublishedFile]

    def files(self, precision: str) -> tuple[PublishedFile, PublishedFile]:
        """The tokenizer is first: what a small file shows is known before a large one."""
        return self.tokenizer, self.precisions[precision]


E5_SMALL: Final = PublishedModel(
    PublishedFile(
        TOKENIZER,
        "tokenizer.json",
        17_082_730,
        "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39",
    ),
    {
        "int8": PublishedFile(
            MODEL,
            "onnx/model_qint8_avx512_vnni.onnx",
            118_346_824,
            "dd476dd0c2514e9b9be83aeb3853fac0763e0bdf4a71645407587d77c48a2d88",
        ),
        "full": PublishedFile(
            MODEL,
            "onnx/model.onnx",
            470_268_510,
            "ca456c06b3a9505ddfd9131408916dd79290368331e7d76bb621f1cba6bc8665",
        ),
    },
)


def precision_of(folder: Path, model: PublishedModel = E5_SMALL) -> str:
    """Which precision a folder holds. Reads its files once. Raises NotConfigured where they are missing or others."""
    if _digest(folder / TOKENIZER) == model.tokenizer.sha256:
        digest = _digest(folder / MODEL)
        for precision, file in model.precisions.items():
            if digest == file.sha256:
                return precision
    raise NotConfigured(
        f"{folder} does not hold the published files of {NAME}. Run: contentgen models fetch {NAME} --to {folder}, or"
        " choose onnx, which takes other models.",
        SETTING,
    )


def space_of(folder: Path, model: PublishedModel = E5_SMALL) -> str:
    """The name of the space of a folder's vectors: each precision has its own. Raises as `precision_of`."""
    return f"{NAME}-{model.precisions[precision_of(folder, model)].sha256[:12]}"


def _digest(path: Path) -> str | None:
    try:
        with path.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return None
