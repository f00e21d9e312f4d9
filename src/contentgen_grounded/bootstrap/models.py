"""Models of meaning that can be had: from a package, or fetched into a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import msgspec
from attrs import frozen

from contentgen_adapters.embeddings.semantic.published import (
    ADDRESS,
    E5_SMALL,
    MODEL,
    NAME,
    PublishedModel,
    precision_of,
)
from contentgen_adapters.embeddings.semantic.weights import (
    PACKAGE,
    VERSION,
    WINDOW,
    is_installed,
    known_file,
    known_version,
)
from contentgen_core.errors import NotConfigured, NotFound
from contentgen_grounded.settings import Settings

MODELS: Final = {NAME: E5_SMALL}
PRECISIONS: Final = tuple(E5_SMALL.precisions)
_CONFIGS: Final = {
    "config_sentence_transformers.json": {"prompts": {"query": "query: ", "passage": "passage: "}},
    "sentence_bert_config.json": {"max_seq_length": WINDOW},
}
"""What `onnx` needs to know of the model beside its files."""
_LIBRARIES: Final = ("onnxruntime", "tokenizers")

Progress = Callable[[str, int, int], None]
"""Is told a file, how many of its bytes are there, and how many it has."""


@frozen
class FoundModel:
    """A model on this machine. `source`: the package, or a folder. `state`: `usable`, or why it is not."""

    model: str
    source: str
    state: str


def folder_of(settings: Settings, name: str) -> Path:
    """Return the folder that a model is downloaded to by default."""
    return settings.data_dir / "models" / name


def semantic_folder(settings: Settings) -> Path | None:
    """The folder that the model of meaning is read from: the one of the settings, or the fetched one where the known
    package is not installed. None: the package."""
    if settings.onnx_model_dir is not None:
        return settings.onnx_model_dir
    fetched = folder_of(settings, NAME)
    return fetched if not known_version() and (fetched / MODEL).is_file() else None


async def fetch(
    settings: Settings, name: str, folder: Path, precision: str, mirror: str | None, progress: Progress
) -> None:
    """Fill a folder with a model's published files. `mirror`: what stands before their paths, instead of the address of
    the authors. Raises NotFound, ProviderFailed, Conflict, BadSetting."""
    from contentgen_adapters.shared.download import Downloader, KnownFile
    from contentgen_adapters.shared.guarded_client import guarded_client
    from contentgen_grounded.bootstrap.outgoing import address_guard

    async with guarded_client(address_guard(settings)) as client:
        downloader = Downloader(client)
        for file in _published_model(name).files(precision):
            wanted = KnownFile(f"{(mirror or ADDRESS).rstrip('/')}/{file.path}", file.size, file.sha256)

            def told(there: int, name: str = file.name, size: int = file.size) -> None:
                progress(name, there, size)

            await downloader.fetch(wanted, folder / file.name, told)
    for config, content in _CONFIGS.items():
        (folder / config).write_bytes(msgspec.json.format(msgspec.json.encode(content)))


def find_models(settings: Settings) -> list[FoundModel]:
    """The models that this installation knows, and whether they can be used. Reads their files."""
    folders = dict.fromkeys((settings.onnx_model_dir, folder_of(settings, NAME)))
    rows = [FoundModel(NAME, f"the package {PACKAGE} {VERSION}", _package_state())]
    return rows + [FoundModel(NAME, str(folder), _folder_state(folder)) for folder in folders if folder is not None]


def _published_model(name: str) -> PublishedModel:
    if name not in MODELS:
        raise NotFound("model", name)
    return MODELS[name]


def _package_state() -> str:
    if not is_installed():
        return "not installed"
    try:
        known_file()
    except NotConfigured as error:
        return f"not usable: {error.detail}"
    return "usable" if find_spec("onnxruntime") else "usable, slowly: ONNX Runtime is not installed"


def _folder_state(folder: Path) -> str:
    parts = sum(path.stat().st_size for path in _parts(folder))
    if not (folder / MODEL).exists():
        return f"not whole: {parts / 1e6:.0f} MB; fetch it again to go on" if parts else "not there"
    try:
        precision = precision_of(folder, _published_model(NAME))
    except NotConfigured:
        return "another model, which onnx may take"
    missing = [library for library in _LIBRARIES if not find_spec(library)]
    return (
        f"usable, {precision}" if not missing else f"needs {' and '.join(missing)}: install contentgen-grounded[onnx]"
    )


def _parts(folder: Path) -> Iterator[Path]:
    return folder.glob(".*.part")
