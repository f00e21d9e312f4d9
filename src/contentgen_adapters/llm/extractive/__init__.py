"""The writer without a model: composes articles of the sources' sentences, each with its citation."""

from contentgen_adapters.llm.extractive.writer import ExtractiveWriter

__all__ = ["ExtractiveWriter"]
