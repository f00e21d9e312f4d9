"""Sentences, words, addresses and Markdown, below the text analysis and whatever reads or writes texts."""
