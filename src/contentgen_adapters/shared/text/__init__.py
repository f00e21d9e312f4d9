"""Sentences, words, addresses and Markdown: what text analysis, readers and renderers share."""
