"""The writer that needs no model: it composes articles out of the sources' own sentences, each with its citation."""

from contentgen_adapters.llm.extractive.writer import ExtractiveWriter

__all__ = ["ExtractiveWriter"]
