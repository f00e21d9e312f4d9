"""Choose the embedder that the settings ask for."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from socket import socket
from typing import TYPE_CHECKING

import msgspec
import structlog
from attrs import evolve, frozen

from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.embeddings.semantic.asking import AskingEmbedder
from contentgen_adapters.embeddings.semantic.process import SemanticProcess, SharedSemanticProcess
from contentgen_adapters.embeddings.semantic.weights import PACKAGE, is_installed
from contentgen_core.errors import NotConfigured
from contentgen_core.ports.knowledge_base import Embedder
from contentgen_grounded.bootstrap.models import semantic_folder
from contentgen_grounded.settings import Settings

if TYPE_CHECKING:
    import httpx

log = structlog.get_logger("contentgen_grounded.bootstrap")

_Semantic = Callable[[Path | None], Awaitable[Embedder]]
"""Opens the model from a folder, or from its package. Raises NotConfigured, UnreadableFile."""


@frozen
class ChosenEmbedder:
    """The chosen embedder. `note`: which one was chosen, and why not another, for an operator. `others`: embedders that
    could be chosen instead, and may have been used before.
    """

    embedder: Embedder
    note: str
    others: tuple[Embedder, ...] = ()


@asynccontextmanager
async def chosen_embedder(
    settings: Settings, client: httpx.AsyncClient | None, *, apart: bool, askers: socket | None = None
) -> AsyncIterator[ChosenEmbedder]:
    """Return the embedder that the settings ask for. `client`: None unless `embeddings` is `openai` or `apart` is set.
    `apart`: run this machine's model in a process that starts with the first text: the process shared by the whole
    service where `askers` leads to it (see `embedding_process`), else one of its own. Raises NotConfigured when the
    chosen embedder lacks its settings.
    """
    semantic = _semantic(apart, askers)
    chosen = await _choose_embedder(settings, client, semantic)
    if apart:
        chosen = evolve(chosen, others=await _others(settings, client, semantic, chosen.embedder))
    try:
        yield chosen
    finally:
        for embedder in (chosen.embedder, *chosen.others):
            if isinstance(embedder, AskingEmbedder):
                await embedder.aclose()


def taken_by_auto() -> str:
    """Return the name of the model that `auto` chooses on this machine. A quick check: the file of weights is verified
    at the start only.
    """
    return "semantic" if is_installed() else f"hashed, since the Python package {PACKAGE} is not installed"


async def _choose_embedder(settings: Settings, client: httpx.AsyncClient | None, semantic: _Semantic) -> ChosenEmbedder:
    if settings.embeddings == "auto":
        return await _semantic_or_hashed(semantic_folder(settings), semantic)
    embedder = await _build_embedder(settings, client, semantic)
    return ChosenEmbedder(embedder, f"{settings.embeddings}: {embedder.model}")


async def _others(
    settings: Settings, client: httpx.AsyncClient | None, semantic: _Semantic, chosen: Embedder
) -> tuple[Embedder, ...]:
    """Return the other embedders whose settings are complete, as long as trying them costs nothing."""
    found: list[Embedder] = []
    folder = semantic_folder(settings)
    if not isinstance(chosen, AskingEmbedder) and (folder is not None or is_installed()):
        with suppress(NotConfigured):
            found.append(await semantic(folder))
    if settings.embeddings != "openai" and (settings.openai_api_key or settings.openai_base_url):
        found.append(await _build_embedder(msgspec.structs.replace(settings, embeddings="openai"), client, semantic))
    return tuple(found)


async def _build_embedder(settings: Settings, client: httpx.AsyncClient | None, semantic: _Semantic) -> Embedder:
    match settings.embeddings:
        case "openai":
            from contentgen_adapters.embeddings.openai_compatible import OpenAIEmbedder
            from contentgen_adapters.llm.openai import OPENAI

            assert client is not None
            return OpenAIEmbedder(
                settings.openai_base_url or OPENAI,
                settings.openai_api_key or "",
                settings.embedding_model,
                settings.embedding_dimension,
                client,
            )
        case "onnx":
            from contentgen_adapters.embeddings.onnx_folder import OnnxEmbedder

            if settings.onnx_model_dir is None:
                raise NotConfigured("embeddings=onnx needs a model folder.", "CONTENTGEN_ONNX_MODEL_DIR")
            return await OnnxEmbedder.open(settings.onnx_model_dir)
        case "semantic":
            return await semantic(semantic_folder(settings))
        case _:
            return HashedEmbedder()


def _semantic(apart: bool, askers: socket | None) -> _Semantic:
    if askers is not None:
        return partial(SharedSemanticProcess.open, askers)
    return SemanticProcess.open if apart else _within


async def _within(folder: Path | None) -> Embedder:
    from contentgen_adapters.embeddings.semantic.embedder import FolderEmbedder, SemanticEmbedder

    return await (SemanticEmbedder.open() if folder is None else FolderEmbedder.open(folder))


async def _semantic_or_hashed(folder: Path | None, semantic: _Semantic) -> ChosenEmbedder:
    """The model from the folder, else from its package; where neither can be used, warnings and the hashed vectors."""
    why = f"since the Python package {PACKAGE} is not installed"
    for source in [*([] if folder is None else [folder]), *([None] if is_installed() else [])]:
        try:
            embedder = await semantic(source)
        except NotConfigured as error:
            log.warning("the model of meaning is not used", reason=error.log_text)
            why = f"instead of the model: {error.detail}"
        else:
            return ChosenEmbedder(embedder, f"semantic: {embedder.model}")
    return ChosenEmbedder(HashedEmbedder(), f"hashed n-grams, {why}")
