"""Translating articles, texts and documents."""
