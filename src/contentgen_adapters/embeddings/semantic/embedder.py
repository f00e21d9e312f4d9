"""The embedder port over multilingual-e5-small, 100 languages: from the installed package, or from a folder with the
files that its authors publish."""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Final

from contentgen_adapters.embeddings.semantic.e5 import E5Embedder
from contentgen_adapters.embeddings.semantic.engines import Engine, best_engine
from contentgen_adapters.embeddings.semantic.published import E5_SMALL, NAME, SETTING, PublishedModel, space_of
from contentgen_adapters.embeddings.semantic.tokens import Tokenizer
from contentgen_adapters.embeddings.semantic.weights import DIMENSION, MODEL, WINDOW, Floats, Weights, known_file
from contentgen_adapters.shared.onnx_model import ModelFolder, OnnxModel
from contentgen_core.errors import UnreadableFile

_MAKING: Final = Lock()


class SemanticEmbedder(E5Embedder):
    """The embedder of the installed package. `weights`: of the known file. `engine`: None uses the fastest installed
    one.
    """

    def __init__(self, weights: Weights, engine: Engine | None = None) -> None:
        """Blocks for a second while the model is prepared: on an event loop use `open`."""
        super().__init__(MODEL, DIMENSION)
        self._weights, self._engine = weights, engine or best_engine(weights)
        self._tokenizer = Tokenizer(weights.vocabulary())
        self._places = weights.tensor("emb.pos").reshape(WINDOW, DIMENSION) + weights.tensor("emb.type")[:DIMENSION]

    @classmethod
    async def open(cls) -> SemanticEmbedder:
        """Open the embedder of the installed package, in a thread. There is one for the whole process: it takes 170
        MiB. Raises NotConfigured where the package is missing or has another version.
        """
        return await asyncio.to_thread(_made_once)

    def tokens(self, text: str) -> list[int]:
        """The ids that the model sees for a text with its prefix."""
        return self._tokenizer.ids(text)

    def hidden(self, text: str) -> Floats:
        ids = self.tokens(text)
        return self._engine.hidden(self._weights.rows(ids) + self._places[: len(ids)])


class FolderEmbedder(E5Embedder):
    """An embedder of published files. Embeds one text a call, on one thread: with several threads each call takes
    longer. Each precision has its own vector space.
    """

    def __init__(self, folder: Path, published: PublishedModel = E5_SMALL) -> None:
        """Blocks for seconds while the model loads: on an event loop use `open`. Raises NotConfigured when the extra is
        missing or a file is not the published one, UnreadableFile when it cannot be run."""
        space = space_of(folder, published)
        self._run = OnnxModel(ModelFolder(folder, "embedding model", SETTING), WINDOW, threads=1).run
        super().__init__(space, self.hidden("").shape[1])

    @classmethod
    async def open(cls, folder: Path) -> FolderEmbedder:
        """The constructor in a thread. Raises the same."""
        return await asyncio.to_thread(cls, folder)

    def hidden(self, text: str) -> Floats:
        answer, _ = self._run([text])
        if answer.ndim != 3:
            raise UnreadableFile(f"The first output of {NAME} has {answer.ndim} axes; hidden states have 3.")
        states: Floats = answer[0]
        return states


@cache
def _load(file: Path) -> SemanticEmbedder:
    return SemanticEmbedder(Weights(file))


def _made_once() -> SemanticEmbedder:
    with _MAKING:
        return _load(known_file())
