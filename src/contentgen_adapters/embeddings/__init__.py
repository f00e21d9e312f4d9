"""Embedders: the embedded default that needs no download, an OpenAI-compatible endpoint, a local ONNX folder."""
