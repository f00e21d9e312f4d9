"""Rendering of articles for browsers and print."""

from contentgen_adapters.rendering.renderer import MarkdownRenderer

__all__ = ["MarkdownRenderer"]
