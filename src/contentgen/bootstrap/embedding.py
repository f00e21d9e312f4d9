"""Who embeds, as the settings choose."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import msgspec
import structlog
from attrs import evolve, frozen

from contentgen.bootstrap.models import semantic_folder
from contentgen.settings import Settings
from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.embeddings.semantic.process import SemanticProcess
from contentgen_adapters.embeddings.semantic.weights import PACKAGE, installed
from contentgen_adapters.llm.openai import OPENAI
from contentgen_core.errors import NotConfigured
from contentgen_core.ports.knowledge_base import Embedder

log = structlog.get_logger("contentgen.bootstrap")


@frozen
class ChosenEmbedder:
    """`note`: which one it is, and why it is no other one, for an operator. `others`: which could have been chosen, and
    may have been before."""

    embedder: Embedder
    note: str
    others: tuple[Embedder, ...] = ()


@asynccontextmanager
async def chosen_embedder(
    settings: Settings, client: httpx.AsyncClient, *, apart: bool
) -> AsyncIterator[ChosenEmbedder]:
    """Who embeds. `apart`: the model of this machine in a process of its own, which starts with the first text. Raises
    NotConfigured when an embedder was chosen that lacks its settings."""
    chosen = await _chosen(settings, client, apart)
    if apart:
        chosen = evolve(chosen, others=await _others(settings, client, chosen.embedder))
    try:
        yield chosen
    finally:
        for embedder in (chosen.embedder, *chosen.others):
            if isinstance(embedder, SemanticProcess):
                await embedder.aclose()


def taken_by_auto() -> str:
    """What `auto` takes on this machine, at a glance: the file of weights is checked at the start only."""
    return "semantic" if installed() else f"hashed, since the Python package {PACKAGE} is not installed"


async def _chosen(settings: Settings, client: httpx.AsyncClient, apart: bool) -> ChosenEmbedder:
    if settings.embeddings == "auto":
        return await _semantic_or_hashed(semantic_folder(settings), apart)
    embedder = await _named(settings, client, apart)
    return ChosenEmbedder(embedder, f"{settings.embeddings}: {embedder.model}")


async def _others(settings: Settings, client: httpx.AsyncClient, chosen: Embedder) -> tuple[Embedder, ...]:
    """Those of a model that the settings have all for, as long as nothing is asked of them at no cost."""
    found: list[Embedder] = []
    folder = semantic_folder(settings)
    if not isinstance(chosen, SemanticProcess) and (folder is not None or installed()):
        with suppress(NotConfigured):
            found.append(await SemanticProcess.open(folder))
    if settings.embeddings != "openai" and (settings.openai_api_key or settings.openai_base_url):
        found.append(await _named(msgspec.structs.replace(settings, embeddings="openai"), client, apart=True))
    return tuple(found)


async def _named(settings: Settings, client: httpx.AsyncClient, apart: bool) -> Embedder:
    match settings.embeddings:
        case "openai":
            from contentgen_adapters.embeddings.openai_compatible import OpenAIEmbedder

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
            return await _semantic(semantic_folder(settings), apart)
        case _:
            return HashedEmbedder()


async def _semantic(folder: Path | None, apart: bool) -> Embedder:
    """The model from a folder, or from its package. Raises NotConfigured, UnreadableFile."""
    if apart:
        return await SemanticProcess.open(folder)
    from contentgen_adapters.embeddings.semantic.embedder import FolderEmbedder, SemanticEmbedder

    return await (SemanticEmbedder.open() if folder is None else FolderEmbedder.open(folder))


async def _semantic_or_hashed(folder: Path | None, apart: bool) -> ChosenEmbedder:
    """The model from the folder, else from its package; where neither can be used, warnings and the hashed vectors."""
    why = f"since the Python package {PACKAGE} is not installed"
    for source in [*([] if folder is None else [folder]), *([None] if installed() else [])]:
        try:
            embedder = await _semantic(source, apart)
        except NotConfigured as error:
            log.warning("the model of meaning is not used", reason=error.log_text)
            why = f"instead of the model: {error.detail}"
        else:
            return ChosenEmbedder(embedder, f"semantic: {embedder.model}")
    return ChosenEmbedder(HashedEmbedder(), f"hashed n-grams, {why}")
