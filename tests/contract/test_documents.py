"""The contracts of chunker, language detector and file reader, and what is particular to each file type."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest

from contentgen_adapters.documents.catalog import FileReader
from contentgen_adapters.documents.uploads import ProcessUploadReader, ThreadUploadReader
from contentgen_adapters.shared.processes.pool import ProcessPool
from contentgen_adapters.text.analysis import IcuTextAnalysis
from contentgen_adapters.text.chunking import MarkdownChunker, max_characters
from contentgen_adapters.text.language import LangidDetector
from contentgen_core.model.vocabulary import Language
from contentgen_core.testing.chunking import ChunkerContract, Limits
from contentgen_core.testing.documents import DocumentReaderContract, LanguageDetectorContract, UploadReaderContract


@pytest.fixture(scope="module")
def chunker() -> MarkdownChunker:
    return MarkdownChunker(IcuTextAnalysis())


@pytest.fixture(scope="module")
def limits() -> Limits:
    return {language: max_characters(language) for language in Language}


@pytest.fixture(scope="module")
def detector() -> LangidDetector:
    return LangidDetector()


@pytest.fixture
def reader() -> FileReader:
    return FileReader()


class TestMarkdownChunker(ChunkerContract):
    pass


class TestLangidDetector(LanguageDetectorContract):
    pass


class TestThreadUploadReader(UploadReaderContract):
    @pytest.fixture
    def reader(self) -> ThreadUploadReader:
        return ThreadUploadReader()


class TestProcessUploadReader(UploadReaderContract):
    @pytest.fixture
    async def reader(self) -> AsyncIterator[ProcessUploadReader]:
        async with aclosing(ProcessPool()) as pool:
            yield ProcessUploadReader(pool)


class TestFileReader(DocumentReaderContract):
    pass
