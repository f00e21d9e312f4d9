"""Who embeds, as the settings choose."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import structlog

from contentgen.settings import Settings
from contentgen_adapters.embeddings.hashed import HashedEmbedder
from contentgen_adapters.embeddings.semantic.embedder import SemanticEmbedder
from contentgen_adapters.embeddings.semantic.process import SemanticProcess
from contentgen_adapters.embeddings.semantic.weights import installed
from contentgen_adapters.llm.openai import OPENAI
from contentgen_core.errors import NotConfigured
from contentgen_core.ports.knowledge_base import Embedder

log = structlog.get_logger("contentgen.bootstrap")


@asynccontextmanager
async def embedder(settings: Settings, client: httpx.AsyncClient, *, apart: bool) -> AsyncIterator[Embedder]:
    """Who embeds. `apart`: a model of this machine in a process of its own, which starts with the first text. Raises
    NotConfigured when an embedder was chosen that lacks its settings."""
    chosen = await _embedder(settings, client, apart)
    try:
        yield chosen
    finally:
        if isinstance(chosen, SemanticProcess):
            await chosen.aclose()


async def _embedder(settings: Settings, client: httpx.AsyncClient, apart: bool) -> Embedder:
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
            return await _semantic(apart)
        case "auto":
            return await _semantic_or_hashed(apart)
        case _:
            return HashedEmbedder()


async def _semantic(apart: bool) -> Embedder:
    return await SemanticProcess.open() if apart else await SemanticEmbedder.open()


async def _semantic_or_hashed(apart: bool) -> Embedder:
    """The model where it is installed; where another version of it is, a warning and the hashed vectors."""
    if not installed():
        return HashedEmbedder()
    try:
        return await _semantic(apart)
    except NotConfigured as error:
        log.warning("hashed vectors are used instead of the model", reason=error.log_text)
        return HashedEmbedder()
